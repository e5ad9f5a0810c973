package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/explain/jsonschema"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// subject is a version of a CRD with its resource and its JSON Schema.
type subject struct {
	structure *structural.Schema
	resource  prunert.Resource
	schema    *validator.Schema
}

// eachSubject calls f for the versions of the golden CRDs and of random ones.
func eachSubject(t *testing.T, f func(t *testing.T, s subject)) {
	files, err := filepath.Glob("../../../golden/*/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, name := range files {
		if texts[filepath.Base(filepath.Dir(name))], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range uint64(120) {
		texts[fmt.Sprint("random-", seed)] = specimentest.CRD(seed)
	}
	n := 0
	for name, text := range texts {
		c, err := load.CRD(text, load.Options{})
		if err != nil {
			continue // some golden cases have several CRDs, or errors
		}
		resources, err := dynamic.Compile(c)
		if err != nil {
			continue
		}
		for i, v := range c.Versions {
			n++
			t.Run(name+"/"+v.Name, func(t *testing.T) {
				f(t, subject{c.Structural(v), resources[i], compile(t, c, v)})
			})
		}
	}
	if n < 100 {
		t.Errorf("only %d schemas", n)
	}
}

// compile compiles the schema, which must be one of its draft. Formats are checked.
func compile(t *testing.T, c *structural.CRD, v *structural.Version) *validator.Schema {
	t.Helper()
	s, err := jsonschema.Of(c, v)
	if err != nil {
		t.Fatal(err)
	}
	compiler := validator.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", reread(t, s)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text(s))
	}
	return schema
}

// reread returns a value as the library reads it.
func reread(t *testing.T, v any) any {
	t.Helper()
	out, err := validator.UnmarshalJSON(bytes.NewReader(text(v)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// objects calls f for made objects: with all sorts of flaws, and one or two for each keyword of the schema.
func (s subject) objects(f func(obj map[string]any)) {
	for seed := range uint64(40) {
		opts := specimentest.Mixed(seed)
		opts.Size = min(opts.Size, 1000)
		if seed%2 == 0 {
			opts.Flaws &^= specimentest.Null // most objects with nulls lose them, and prove nothing then
		}
		f(s.named(seed, opts))
	}
	violations := specimen.NewViolations(s.structure)
	for i := range min(violations.Keywords(), 200) {
		for seed := range uint64(2) {
			obj := violations.Make(i, seed)
			obj["apiVersion"], obj["kind"], obj["metadata"] = s.resource.Group+"/"+s.resource.Version, s.resource.Kind, map[string]any{"name": "a"}
			f(obj)
		}
	}
}

// named makes an object of the kind.
func (s subject) named(seed uint64, opts specimentest.Options) map[string]any {
	opts.APIVersion, opts.Kind, opts.Name = s.resource.Group+"/"+s.resource.Version, s.resource.Kind, "a"
	return specimentest.Make(s.structure, seed, opts)
}

// accepts reports whether the API server stores an object with everything that is in it.
func (s subject) accepts(obj map[string]any) bool {
	sent := jsonvalue.Copy(obj)
	answer := s.resource.Create(sent, prunert.Request{FieldValidation: prunert.FieldValidationStrict})
	return answer.Refusal == nil && keeps(obj, answer.Object)
}

// keeps reports whether stored has everything that sent has. What happens to metadata is not looked at: the server drops some of it from
// every object.
func keeps(sent, stored any) bool {
	switch sent := sent.(type) {
	case nil:
		return stored == nil
	case map[string]any:
		m, ok := stored.(map[string]any)
		for k, v := range sent {
			if have, found := m[k]; k != "metadata" && (!ok || !found || !keeps(v, have)) {
				return false
			}
		}
	case []any:
		l, ok := stored.([]any)
		if !ok || len(l) != len(sent) {
			return false
		}
		for i, v := range sent {
			if !keeps(v, l[i]) {
				return false
			}
		}
	}
	return true
}

// unknown returns the fields that the server would drop because it does not know them. See flat.
func (s subject) unknown(obj map[string]any) (paths []string) {
	answer := s.resource.Create(jsonvalue.Copy(obj), prunert.Request{FieldValidation: prunert.FieldValidationWarn})
	for _, w := range answer.Warnings {
		if path, ok := strings.CutPrefix(w, "unknown field \""); ok {
			paths = append(paths, flat(strings.TrimSuffix(path, "\"")))
		}
	}
	return paths
}

// flat returns a path without what separates its parts, which is not the same everywhere.
func flat(path string) string { return strings.NewReplacer(".", "", "[", "", "]", "").Replace(path) }

// isNamed reports whether a reason is about an unknown field or a value that it is in.
func isNamed(path string, e *validator.ValidationError) bool {
	place := strings.Join(e.InstanceLocation, "")
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return slices.ContainsFunc(k.Properties, func(name string) bool { return strings.HasPrefix(path, flat(place+name)) })
	case *kind.Type, *kind.Enum: // what is in the value is not looked at
		return strings.HasPrefix(path, flat(place))
	}
	return false
}

// reasons returns all errors of an object by the schema.
func (s subject) reasons(t *testing.T, obj map[string]any) []*validator.ValidationError {
	err := s.schema.Validate(reread(t, obj))
	var e *validator.ValidationError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return leaves(e)
}

// refuses reports whether the schema refuses an object, apart from values that only a loose reader accepts.
func (s subject) refuses(t *testing.T, obj map[string]any) bool {
	return slices.ContainsFunc(s.reasons(t, obj), func(e *validator.ValidationError) bool { return !isLooseReading(obj, e) })
}

func leaves(e *validator.ValidationError) []*validator.ValidationError {
	switch {
	case e == nil:
		return nil
	case len(e.Causes) == 0:
		return []*validator.ValidationError{e}
	}
	var all []*validator.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// isLooseReading reports whether the API server reads a value in a way that no other program does.
func isLooseReading(obj map[string]any, e *validator.ValidationError) bool {
	switch k := e.ErrorKind.(type) {
	case *kind.Format:
		// 01.2.3.4, ::ffff:1.2.3.4 as ipv4, and a clock with a comma.
		got := fmt.Sprint(k.Got)
		return k.Want == "ipv4" && (strings.HasPrefix(got, "0") || strings.Contains(got, ":")) || k.Want == "date-time" && strings.Contains(got, ",")
	case *kind.Type:
		// Lists pass for strings that have a format, and 1.0000000001 for an integer.
		f, ok := at(obj, e.InstanceLocation).(float64)
		return k.Got == "array" && slices.Contains(k.Want, "string") || ok && math.Abs(f-math.Round(f)) < 1e-9*math.Abs(f)
	}
	return false
}

// at returns the value at a place.
func at(v any, place []string) any {
	for _, k := range place {
		switch in := v.(type) {
		case map[string]any:
			v = in[k]
		case []any:
			var i int
			fmt.Sscan(k, &i)
			v = in[i]
		}
	}
	return v
}

func TestSchemasRefuseOnlyWhatTheServerRefusesOrDrops(t *testing.T) {
	accepted := 0
	eachSubject(t, func(t *testing.T, s subject) {
		alarm := func(obj map[string]any) bool { return s.accepts(obj) && s.refuses(t, obj) }
		s.objects(func(obj map[string]any) {
			if s.accepts(obj) {
				accepted++
			}
			if alarm(obj) && !t.Failed() {
				small := specimen.Shrink(obj, 1000, alarm)
				t.Errorf("the server accepts\n%s\nthe schema says\n%v", text(small), s.schema.Validate(reread(t, small)))
			}
		})
	})
	if accepted < 1000 {
		t.Errorf("the server accepts only %d objects", accepted)
	}
}

func TestSchemasRefuseUnknownFields(t *testing.T) {
	n := 0
	eachSubject(t, func(t *testing.T, s subject) {
		for seed := range testsize.Pick[uint64](8, 40) {
			obj := s.named(seed, specimentest.Options{Flaws: specimentest.Unknown | specimentest.MetadataUnknown, Rate: 0.1})
			misses := func(obj map[string]any) bool {
				reasons := s.reasons(t, obj)
				return slices.ContainsFunc(s.unknown(obj), func(path string) bool {
					return !slices.ContainsFunc(reasons, func(e *validator.ValidationError) bool { return isNamed(path, e) })
				})
			}
			if len(s.unknown(obj)) > 0 {
				n++
			}
			if misses(obj) && !t.Failed() {
				small := specimen.Shrink(obj, 1000, misses)
				t.Errorf("of %q in\n%s\nthe schema says\n%v", s.unknown(small), text(small), s.schema.Validate(reread(t, small)))
			}
		}
	})
	if least := testsize.Pick(200, 1000); n < least {
		t.Errorf("only %d objects have unknown fields", n)
	}
}
