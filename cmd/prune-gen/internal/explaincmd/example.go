package explaincmd

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/specimen"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suiteinit"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// How many optional fields an example has, and how many objects are tried for them.
const exampleFields, exampleTries = 12, 150

// example returns an object that r accepts, as YAML: what is required, and a few other fields. Where none is found, it has nothing but a name.
func example(c *structural.CRD, v *structural.Version, r prunert.Resource) string {
	e := &exampler{resource: r, left: exampleFields, tries: exampleTries, work: interpret.Work{Kubernetes: c.Kubernetes}}
	s := c.Structural(v).Resource()
	obj := e.object(s)
	obj["apiVersion"], obj["kind"] = r.APIVersion(), r.Kind
	if !e.accepts(obj) {
		found, err := suiteinit.Minimal(suite.NewVariant(c), r)
		if err != nil {
			return manifest.Text(map[string]any{"apiVersion": r.APIVersion(), "kind": r.Kind, "metadata": obj["metadata"]})
		}
		e.name(found)
		e.simplify(found, found, s)
		obj = found
	}
	e.extend(obj, s)
	return manifest.Text(obj)
}

// exampler makes an example.
type exampler struct {
	resource prunert.Resource
	left     int // optional fields
	tries    int
	work     interpret.Work // has compiled patterns
}

func (e *exampler) accepts(obj map[string]any) bool {
	return e.resource.Create(jsonvalue.Copy(obj), prunert.Request{FieldValidation: prunert.FieldValidationStrict}).Refusal == nil
}

// name gives an object a name, if it can have one of some.
func (e *exampler) name(obj map[string]any) {
	was := obj["metadata"]
	for _, name := range []string{"example", "a"} {
		if obj["metadata"] = map[string]any{"name": name}; e.accepts(obj) {
			return
		}
	}
	obj["metadata"] = was
}

// extend adds optional fields, level by level. Fields with a default are left out: a page shows that they are filled in.
func (e *exampler) extend(obj map[string]any, s *structural.Schema) {
	type place struct {
		of     map[string]any
		schema *structural.Schema
	}
	for level := []place{{obj, s}}; len(level) > 0; {
		var next []place
		for _, at := range level {
			for _, name := range slices.Sorted(maps.Keys(at.schema.Properties)) {
				field := at.schema.Properties[name]
				if at.schema.XEmbeddedResource && structural.IsMetaField(name) || at.schema == s && name == "status" {
					continue
				}
				if _, ok := at.of[name]; !ok && field.Default == nil && e.left > 0 {
					e.add(obj, at.of, name, field)
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

// add adds a field to a part of obj, if that is still accepted.
func (e *exampler) add(obj, of map[string]any, name string, s *structural.Schema) {
	value, ok := e.telling(s)
	if !ok {
		return
	}
	const seeds = 3
	for seed := range uint64(seeds) {
		if e.tries--; e.tries < 0 {
			break
		}
		of[name] = value
		if e.accepts(obj) {
			e.left--
			return
		}
		value = specimen.Value(s, seed, nil)
	}
	delete(of, name)
}

// telling returns a value that says something about s: not an empty object of many fields.
func (e *exampler) telling(s *structural.Schema) (any, bool) {
	value := e.value(s)
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			return v, true
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			field := s.Properties[name]
			switch field.Type {
			case "string", "integer", "number", "boolean":
				if field.Default == nil {
					return map[string]any{name: e.value(field)}, true
				}
			}
		}
		return nil, false
	case []any:
		if len(v) == 1 && s.Items != nil {
			element, ok := e.telling(s.Items)
			return []any{element}, ok
		}
		return nil, false
	}
	return value, value != nil
}

// simplify makes values of a part of obj plainer, as long as obj is accepted.
func (e *exampler) simplify(obj, part map[string]any, s *structural.Schema) {
	for _, name := range slices.Sorted(maps.Keys(part)) {
		field := s.Properties[name]
		if field == nil || s.XEmbeddedResource && structural.IsMetaField(name) {
			continue
		}
		switch value := part[name].(type) {
		case map[string]any:
			e.simplify(obj, value, field)
		case []any:
			for _, element := range value {
				if below, ok := element.(map[string]any); ok && field.Items != nil {
					e.simplify(obj, below, field.Items)
				}
			}
		default:
			if part[name] = e.value(field); !e.accepts(obj) {
				part[name] = value
			}
		}
	}
}

// value returns a plain value for s, with what is required. It need not be valid.
func (e *exampler) value(s *structural.Schema) any {
	v := s.ValueValidation
	if v == nil {
		v = &structural.ValueValidation{}
	}
	switch {
	case s.Default != nil:
		return jsonvalue.Copy(s.Default)
	case len(v.Enum) > 0:
		return jsonvalue.Copy(v.Enum[0])
	case s.XIntOrString:
		return int64(1)
	}
	switch s.Type {
	case "array":
		if s.Items == nil {
			return []any{}
		}
		return []any{e.value(s.Items)}
	case "integer", "number":
		n := 1.0
		switch {
		case v.Minimum != nil && *v.Minimum > n:
			n = *v.Minimum
		case v.Maximum != nil && *v.Maximum < n:
			n = *v.Maximum
		}
		if n == math.Trunc(n) { // as it is read again
			return int64(n)
		}
		return n
	case "boolean":
		return true
	case "string":
		return e.text(s, v)
	}
	return e.object(s)
}

// plainTexts are what people write, and what patterns often want.
var plainTexts = []string{
	"text", "a", "A", "1", "v1", "1h", "10m", "100Mi", "example.com", "https://example.com", "10.0.0.1", "10.0.0.0/8", "example/text", "example.com/text",
	"* * * * *", "2026-01-01", "2026-01-01T00:00:00Z", "text@example.com",
}

// text returns a text for s that can be read, if one is found.
func (e *exampler) text(s *structural.Schema, v *structural.ValueValidation) any {
	schema := &structural.JSONSchema{Type: "string", Format: v.Format, Pattern: v.Pattern, MinLength: v.MinLength, MaxLength: v.MaxLength}
	isValid := func(text string) bool {
		errs, _ := e.work.ValidateValues(text, schema)
		return len(errs) == 0
	}
	if i := slices.IndexFunc(plainTexts, isValid); i >= 0 {
		return plainTexts[i]
	}
	const seeds = 20
	for seed := range uint64(seeds) {
		text, ok := specimen.Value(s, seed, nil).(string)
		if ok && isValid(text) && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return text
		}
	}
	return specimen.Value(s, 0, nil)
}

// object returns an object with what is required.
func (e *exampler) object(s *structural.Schema) map[string]any {
	obj := map[string]any{}
	if s.XEmbeddedResource {
		obj["apiVersion"], obj["kind"], obj["metadata"] = "v1", "ConfigMap", map[string]any{"name": "example"}
	}
	if v := s.ValueValidation; v != nil {
		for _, name := range v.Required {
			if field := s.Properties[name]; field != nil && field.Default == nil && obj[name] == nil {
				obj[name] = e.value(field)
			}
		}
	}
	if len(obj) == 0 && len(s.Properties) == 0 {
		switch of := s.AdditionalProperties; {
		case of != nil && of.Schema != nil:
			obj["key"] = e.value(of.Schema)
		case of != nil && of.Bool || s.XPreserveUnknownFields:
			obj["key"] = "text"
		}
	}
	return obj
}
