package jsonschema

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/structural"
)

// draft is the version of JSON Schema: by this one, editors and kubeconform check formats, too.
const draft = "http://json-schema.org/draft-07/schema#"

// schema is a JSON Schema.
type schema = map[string]any

// Of returns the JSON Schema for objects of version v of c. The error is that of the meter of c, if it is spent. The API server must
// accept the schema of v.
func Of(c *structural.CRD, v *structural.Version) (map[string]any, error) {
	var root structural.JSONSchema
	if v.Schema != nil {
		root = *v.Schema
	}
	root.XEmbeddedResource = true
	conv := converter{crd: c, meter: origin.Limits(c), pruned: v.Pruned}
	out := conv.schema(&root, nil, refuseNull)
	if err := conv.meter.Err(); err != nil {
		return nil, err
	}
	out["$schema"] = draft
	out["type"] = "object"
	properties := out["properties"].(schema)
	for k, value := range map[string]string{"apiVersion": c.Group + "/" + v.Name, "kind": c.Names.Kind} {
		p := properties[k].(schema)
		p["const"] = value
		delete(p, "minLength")
	}
	metadata := properties["metadata"].(schema)
	metadata["type"] = "object"
	name := metadata["properties"].(schema)["name"].(schema)
	name["maxLength"], name["pattern"] = 253, "^("+subdomain+")?$"
	out["required"] = union(out["required"], "metadata")
	if conv.refers {
		out["definitions"] = schema{"unspecified": schema{"additionalProperties": false, "items": conv.unspecified()}}
	}
	return out, nil
}

// converter converts one schema. It stops when the meter is spent.
type converter struct {
	crd    *structural.CRD
	meter  *meter.Meter
	pruned bool
	// loose reports whether anything converted since it was set to false accepts more than it should.
	loose bool
	// refers reports whether a schema of unspecified values is needed.
	refers bool
}

// nulls says what the API server does with a null, apart from what the schema of the value says.
type nulls bool

const (
	refuseNull nulls = false
	acceptNull nulls = true // because it drops the field, or fills in the default
)

// schema returns the JSON Schema of s. Below a junctor, of is the schema that has the structure of the value, and nil elsewhere.
func (c *converter) schema(s, of *structural.JSONSchema, null nulls) schema {
	out := schema{}
	if !c.meter.SpendMemory(meter.BytesOfJSONSchema + len(s.Description) + len(s.Title)) {
		return out
	}
	structure := s
	if of != nil {
		structure = of
	}
	addWords(s, out)
	addTypes(s, out)
	c.text(s, structure, out)
	c.numbers(s, structure, out)
	c.enum(s, structure, out)
	c.list(s, of, out)
	c.object(s, of, out)
	c.junctors(s, structure, out)
	if null == acceptNull {
		addNull(out)
	}
	guardNull(out)
	return out
}

// addWords adds titles, descriptions and the like, which are for people.
func addWords(s *structural.JSONSchema, out schema) {
	if s.Title != "" {
		out["title"] = s.Title
	}
	if s.Description != "" {
		out["description"] = s.Description
	}
	if s.Default != nil {
		out["default"] = s.Default
	}
	if s.Example != nil {
		out["examples"] = []any{s.Example}
	}
}

// addTypes adds the types that a value can have.
func addTypes(s *structural.JSONSchema, out schema) {
	var types []any
	switch {
	case s.XIntOrString:
		types = []any{"integer", "string"}
	case s.Type != "":
		types = []any{s.Type}
	default:
		return
	}
	if s.Nullable {
		types = append(types, "null")
	}
	if out["type"] = types; len(types) == 1 {
		out["type"] = types[0]
	}
}

// text adds the keywords for strings.
func (c *converter) text(s, of *structural.JSONSchema, out schema) {
	length(out, "minLength", s.MinLength)
	length(out, "maxLength", s.MaxLength)
	if s.Pattern != "" {
		if p, ok := portable(s.Pattern); ok {
			out["pattern"] = p
		} else {
			c.loose = true
		}
	}
	if s.Format == "" || !interpret.KnowsFormat(c.crd.Kubernetes, s) {
		return
	}
	// Not every program checks formats.
	c.loose = true
	if f := formats.Find(s.Format); f != nil && f.JSONSchema != "" && of.Type == "string" {
		out["format"] = f.JSONSchema
	}
}

func length(out schema, keyword string, n *int64) {
	if n != nil {
		out[keyword] = max(0, *n)
	}
}

// numbers adds the keywords for numbers.
func (c *converter) numbers(s, of *structural.JSONSchema, out schema) {
	whole := of.Type == "integer" || of.XIntOrString
	c.bound(out, whole, keyword("minimum", "exclusiveMinimum", s.ExclusiveMinimum), s.Minimum)
	c.bound(out, whole, keyword("maximum", "exclusiveMaximum", s.ExclusiveMaximum), s.Maximum)
	if m := s.MultipleOf; m != nil && *m > 0 && isExact(*m) && (*m >= 1 || !whole) {
		c.bound(out, whole, "multipleOf", m)
	} else if m != nil {
		c.loose = true
	}
}

// isExact reports whether f is a fraction with a small power of two. Others are not exact in floats, and programs treat them differently.
func isExact(f float64) bool { return f*1024 == math.Trunc(f*1024) }

func keyword(inclusive, exclusive string, isExclusive bool) string {
	if isExclusive {
		return exclusive
	}
	return inclusive
}

// bound adds a keyword for numbers. The API server compares integers with the bound without its fraction.
func (c *converter) bound(out schema, whole bool, keyword string, limit *float64) {
	if limit == nil {
		return
	}
	cut := math.Trunc(*limit)
	switch {
	case cut == *limit || whole:
		out[keyword] = cut
	case keyword == "multipleOf" && cut == 0: // the server refuses all integers
		out[keyword] = *limit
	default:
		out["allOf"] = append(toList(out["allOf"]), schema{"anyOf": []any{schema{"type": "integer", keyword: cut}, schema{keyword: *limit}}})
	}
	c.loose = c.loose || cut != *limit
}

// enum adds the enum. The API server converts values as Go does before it compares them, 1.5 to 1 and 65 to A, and null never equals one.
func (c *converter) enum(s, of *structural.JSONSchema, out schema) {
	if len(s.Enum) == 0 {
		return
	}
	fractions := of.Type == "number" || of.Type == "" && !of.XIntOrString
	integers := fractions || of.Type == "integer" || of.XIntOrString
	values := []any{}
	for _, e := range s.Enum {
		if _, isInt := e.(int64); isInt && fractions {
			c.loose = true
			return
		}
		if text, ok := e.(string); ok && integers && utf8.RuneCountInString(text) == 1 {
			c.loose = true
			return
		}
		c.meter.SpendMemory(meter.BytesOfEnum)
		if e != nil {
			values = append(values, e)
		}
	}
	out["enum"] = values
}

// list adds the keywords for lists.
func (c *converter) list(s, of *structural.JSONSchema, out schema) {
	length(out, "minItems", s.MinItems)
	length(out, "maxItems", s.MaxItems)
	if s.UniqueItems || s.XListType != nil && *s.XListType == "set" {
		out["uniqueItems"] = true
	}
	switch items := s.Elements(); {
	case items != nil:
		if !c.drops(s) { // the elements of a list that preserves unknown fields do so, too
			preserving := *items
			preserving.XPreserveUnknownFields = s.XPreserveUnknownFields
			items = &preserving
		}
		out["items"] = c.schema(items, below(of, (*structural.JSONSchema).Elements), nulls(of == nil && items.Default != nil && !items.Nullable))
	case s.Type == "array" && of == nil && c.drops(s):
		out["items"] = c.unspecified()
	}
}

// unspecified returns the schema of values that the CRD says nothing about: objects lose all fields, in lists of any depth.
func (c *converter) unspecified() schema {
	c.refers = true
	return schema{"$ref": "#/definitions/unspecified"}
}

// below returns the structure of a value in one that has the structure of. It is not nil if of is not.
func below(of *structural.JSONSchema, get func(*structural.JSONSchema) *structural.JSONSchema) *structural.JSONSchema {
	if of == nil {
		return nil
	}
	if s := get(of); s != nil {
		return s
	}
	return &structural.JSONSchema{}
}

// drops reports whether the API server drops the fields of an object that s does not specify.
func (c *converter) drops(s *structural.JSONSchema) bool {
	return c.pruned && (s.XPreserveUnknownFields == nil || !*s.XPreserveUnknownFields)
}

// object adds the keywords for objects.
func (c *converter) object(s, of *structural.JSONSchema, out schema) {
	structure := s
	if of != nil {
		structure = of
	}
	length(out, "maxProperties", s.MaxProperties)
	filled := 0 // fields that a default fills in before the server counts fields and looks for required ones
	for _, p := range structure.Properties {
		if p.Default != nil {
			filled++
		}
	}
	if s.MinProperties != nil && filled > 0 {
		c.loose = true
	}
	if s.MinProperties != nil && *s.MinProperties > int64(filled) {
		out["minProperties"] = *s.MinProperties - int64(filled)
	}
	properties, required := schema{}, []string{}
	for _, k := range s.Required {
		if p := structure.Properties[k]; p == nil || p.Default == nil {
			required = append(required, k)
		}
	}
	for _, k := range sorted.Keys(s.Properties) {
		p := s.Properties[k]
		if of == nil {
			properties[k] = c.schema(p, nil, nulls(!p.Nullable && (p.Default != nil || c.pruned && !slices.Contains(s.Required, k))))
			continue
		}
		properties[k] = c.schema(p, below(of, func(of *structural.JSONSchema) *structural.JSONSchema { return of.Field(k) }), refuseNull)
		// A missing field already has its default when the server checks this.
		if d := of.Properties[k]; d != nil && d.Default != nil {
			if errs, whole := new(interpret.Work).ValidateValues(d.Default, p); len(errs) > 0 || !whole {
				required = append(required, k)
			}
		}
	}
	if s.XEmbeddedResource && of == nil {
		c.resource(properties)
		required = append(required, "apiVersion", "kind")
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if len(required) > 0 {
		out["required"] = union(nil, required...)
	}
	switch ap := s.AdditionalProperties; {
	case ap == nil:
		if of == nil && c.drops(s) && (s.Type == "object" || s.XEmbeddedResource) {
			out["additionalProperties"] = false
		}
	case ap.Schema != nil:
		value := ap.Schema
		out["additionalProperties"] = c.schema(value, below(of, func(of *structural.JSONSchema) *structural.JSONSchema { return of.Field("") }),
			nulls(of == nil && !value.Nullable && (value.Default != nil || c.pruned)))
	case !ap.Allows:
		out["additionalProperties"] = false
	case of == nil && c.drops(s): // every key is specified, and nothing below it
		out["additionalProperties"] = c.unspecified()
	}
}

// union returns the sorted names of a list and those given.
func union(list any, names ...string) []string {
	all, _ := list.([]string)
	all = slices.Concat(all, names)
	slices.Sort(all)
	return slices.Compact(all)
}
