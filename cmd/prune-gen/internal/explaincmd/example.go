package explaincmd

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/suite/suiteinit"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// How many optional fields an example has, how many objects are tried for it, and how many for one field.
const exampleFields, exampleTries, fieldTries = 12, 300, 8

// example returns an object that r accepts, as YAML: what is required, and a few other fields. If none is found, the
// object has only a name.
func example(c *structural.CRD, v *structural.Version, r prunert.Resource) string {
	obj, err := suiteinit.Minimal(suite.NewVariant(c), r)
	if err != nil {
		return manifest.Text(map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind, "metadata": map[string]any{"name": "example"}})
	}
	e := &exampler{resource: r, obj: obj, left: exampleFields, tries: exampleTries, work: interpret.Work{Kubernetes: c.Kubernetes}}
	e.choose(obj, "metadata", []any{map[string]any{"name": "example"}, map[string]any{"name": "a"}})
	e.improve(c.Structural(v).Resource())
	return manifest.Text(obj)
}

// exampler turns an object into an example.
type exampler struct {
	resource prunert.Resource
	obj      map[string]any // which is accepted
	left     int            // optional fields
	tries    int
	work     interpret.Work // has compiled patterns
}

// choose gives a field of a part of the object the first of some values with which it is accepted. It reports whether there is one.
func (e *exampler) choose(of map[string]any, name string, values []any) bool {
	was, existed := of[name]
	for _, value := range values[:min(len(values), fieldTries)] {
		if e.tries--; e.tries < 0 {
			break
		}
		of[name] = value
		if e.resource.Create(jsonvalue.Copy(e.obj), prunert.Request{FieldValidation: prunert.FieldValidationStrict}).Refusal == nil {
			return true
		}
	}
	if of[name] = was; !existed {
		delete(of, name)
	}
	return false
}

// improve makes the values of the object plainer and adds optional fields, level by level. Fields with a default are left out: a page shows
// that they are filled in.
func (e *exampler) improve(s *structural.Schema) {
	type place struct {
		of     map[string]any
		schema *structural.Schema
	}
	for level := []place{{e.obj, s}}; len(level) > 0; {
		var next []place
		for _, at := range level {
			for _, name := range slices.Sorted(maps.Keys(at.schema.Properties)) {
				field := at.schema.Properties[name]
				if at.schema.XEmbeddedResource && structural.IsMetaField(name) || at.schema == s && name == "status" {
					continue
				}
				_, exists := at.of[name]
				if exists && !hasFields(field) || !exists && field.Default == nil && e.left > 0 {
					if e.choose(at.of, name, e.values(field)) && !exists {
						e.left--
					}
				}
				switch value := at.of[name].(type) {
				case map[string]any:
					next = append(next, place{value, field})
				case []any:
					for _, element := range value {
						if below, ok := element.(map[string]any); ok && field.Items != nil {
							next = append(next, place{below, field.Items})
						}
					}
				}
			}
		}
		level = next
	}
}

// hasFields reports whether values of s, or their elements, have fields with names.
func hasFields(s *structural.Schema) bool {
	return s != nil && (len(s.Properties) > 0 || hasFields(s.Items))
}

// values returns values that say something about s, the plainest first. They need not be valid. An object without
// fields has none.
func (e *exampler) values(s *structural.Schema) (all []any) {
	v := s.ValueValidation
	if v == nil {
		v = &structural.ValueValidation{}
	}
	switch {
	case s.Default != nil:
		return []any{jsonvalue.Copy(s.Default)}
	case len(v.Enum) > 0:
		return jsonvalue.Copy(v.Enum)
	case s.XIntOrString:
		return []any{int64(1), "1"}
	case s.Type == "boolean":
		return []any{true, false}
	case s.Type == "integer", s.Type == "number":
		all = append(all, int64(1))
		for _, bound := range []*float64{v.MultipleOf, v.Minimum, v.Maximum} {
			if bound != nil {
				all = append(all, number(*bound), number(*bound+1), number(*bound-1))
			}
		}
		return append(all, specimen.Value(s, 0, nil))
	case s.Type == "string":
		return e.texts(s, v)
	case s.Items != nil:
		for _, element := range e.values(s.Items) {
			all = append(all, []any{element})
		}
		return all
	}
	return e.objects(s)
}

// number returns a number as it is read from a text.
func number(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return f
}

// plainTexts are what people write, and what patterns often want.
var plainTexts = []string{
	"text", "a", "A", "1", "v1", "1h", "10m", "100Mi", "example.com", "https://example.com", "10.0.0.1", "10.0.0.0/8", "example/text", "example.com/text",
	"* * * * *", "2026-01-01", "2026-01-01T00:00:00Z", "text@example.com",
}

// texts returns texts for s that can be read.
func (e *exampler) texts(s *structural.Schema, v *structural.ValueValidation) (all []any) {
	schema := &structural.JSONSchema{Type: "string", Format: v.Format, Pattern: v.Pattern, MinLength: v.MinLength, MaxLength: v.MaxLength}
	add := func(text string) {
		if errs, _ := e.work.ValidateValues(text, schema); len(errs) == 0 {
			all = append(all, text)
		}
	}
	for _, text := range plainTexts {
		add(text)
	}
	const seeds = 20
	for seed := uint64(0); seed < seeds && len(all) == 0; seed++ {
		text, ok := specimen.Value(s, seed, nil).(string)
		if ok && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			add(text)
		}
	}
	return all
}

// objects returns objects for s with what is required, or with one field.
func (e *exampler) objects(s *structural.Schema) (all []any) {
	obj, ok := specimen.Value(s, 0, nil).(map[string]any)
	if !ok {
		return nil
	}
	if s.XEmbeddedResource {
		obj["apiVersion"], obj["kind"], obj["metadata"] = "v1", "ConfigMap", map[string]any{"name": "example"}
	}
	if len(obj) > 0 {
		return []any{obj}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if field := s.Properties[name]; field.Default == nil && !hasFields(field) {
			if values := e.values(field); len(values) > 0 {
				all = append(all, map[string]any{name: values[0]})
			}
		}
	}
	switch of := s.AdditionalProperties; {
	case len(s.Properties) > 0:
	case of != nil && of.Schema != nil:
		for _, value := range e.values(of.Schema) {
			all = append(all, map[string]any{"key": value})
		}
	case of != nil && of.Bool, s.XPreserveUnknownFields:
		all = append(all, map[string]any{"key": "text"})
	}
	return all
}
