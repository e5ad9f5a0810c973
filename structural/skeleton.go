package structural

import (
	"maps"
	"slices"
)

// Skeleton returns skel(s) of KEP-24: what s says about structure, with what allOf, anyOf, oneOf and not say about it
// merged in, and without value validations. The errors, sorted, are the places where it must not be used for pruning:
// properties beside additionalProperties or patternProperties, x-kubernetes-no-prune set to false or below another one.
// They come with the path in the skeleton. The skeleton is there even with errors. It is nil for a nil schema.
//
// A node with x-kubernetes-no-prune keeps that and its type, and nothing below it: the subtree is excluded from pruning.
//
// A type stays where every schema that is merged there has it. One that has none does not agree: below anyOf it lets
// through values of every type.
//
// Every node of s is looked at once, and the skeleton is no larger than s.
func Skeleton(s *JSONSchema, at *Path) (*JSONSchema, []*Error) {
	if s == nil {
		return nil, nil
	}
	var m merger
	out := m.merge([]*JSONSchema{s}, included, at)
	sortErrors(m.errs)
	return out, m.errs
}

// merger merges schemas and collects what is wrong with the skeleton.
type merger struct {
	collector
}

// exclusion reports whether a place is below x-kubernetes-no-prune.
type exclusion uint8

const (
	included exclusion = iota
	excluded
)

// merge returns the skeleton of schemas that apply to the same value, which is at the given path. The junctors are
// flattened first: merging is associative, so that their nesting makes no difference.
func (m *merger) merge(all []*JSONSchema, above exclusion, at *Path) *JSONSchema {
	all = flatten(all)
	out := &JSONSchema{Type: all[0].Type}
	here := above
	for _, s := range all {
		if s.Type != out.Type {
			out.Type = ""
		}
		if s.XNoPrune != nil {
			m.noPrune(*s.XNoPrune, above, at.Child("x-kubernetes-no-prune"))
			here = excluded
		}
	}

	out.Items = m.items(all, here, at.Child("items"))
	out.AdditionalItems = m.schemaOrBool(all, additionalItemsOf, here, at.Child("additionalItems"))
	out.Properties = m.schemas(all, propertiesOf, here, at.Child("properties"))
	out.PatternProperties = m.schemas(all, patternPropertiesOf, here, at.Child("patternProperties"))
	out.AdditionalProperties = m.schemaOrBool(all, additionalPropertiesOf, here, at.Child("additionalProperties"))

	if here == excluded {
		yes := true
		return &JSONSchema{Type: out.Type, XNoPrune: &yes}
	}
	if out.Properties != nil && out.AdditionalProperties != nil {
		m.forbidden(RuleStructAndMap, at.Child("additionalProperties"), "must not be used where there are properties, too: "+
			"an object is either a struct or a map")
	}
	if out.Properties != nil && out.PatternProperties != nil {
		m.forbidden(RuleStructAndMap, at.Child("patternProperties"), "must not be used where there are properties, too: "+
			"an object is either a struct or a map")
	}
	return out
}

func (m *merger) noPrune(value bool, above exclusion, at *Path) {
	if !value {
		m.forbidden(RuleNoPruneFalse, at, "must be true or undefined")
	}
	if above == excluded {
		m.forbidden(RuleNoPruneNested, at, "must not be nested: everything here is excluded from pruning already")
	}
}

// flatten returns all and everything below their junctors.
func flatten(all []*JSONSchema) []*JSONSchema {
	var out []*JSONSchema
	var add func(*JSONSchema)
	add = func(s *JSONSchema) {
		out = append(out, s)
		for _, junctor := range [][]*JSONSchema{s.AllOf, s.AnyOf, s.OneOf} {
			for _, e := range junctor {
				add(e)
			}
		}
		if s.Not != nil {
			add(s.Not)
		}
	}
	for _, s := range all {
		add(s)
	}
	return out
}

func propertiesOf(s *JSONSchema) map[string]*JSONSchema        { return s.Properties }
func patternPropertiesOf(s *JSONSchema) map[string]*JSONSchema { return s.PatternProperties }
func additionalPropertiesOf(s *JSONSchema) *JSONSchemaOrBool   { return s.AdditionalProperties }
func additionalItemsOf(s *JSONSchema) *JSONSchemaOrBool        { return s.AdditionalItems }

// schemas merges a keyword that has schemas by key; nil where nobody has it.
func (m *merger) schemas(all []*JSONSchema, keyword func(*JSONSchema) map[string]*JSONSchema, here exclusion,
	at *Path) map[string]*JSONSchema {
	var byKey map[string][]*JSONSchema
	for _, s := range all {
		schemas := keyword(s)
		if schemas != nil && byKey == nil {
			byKey = map[string][]*JSONSchema{}
		}
		for k, v := range schemas {
			byKey[k] = append(byKey[k], v)
		}
	}
	if byKey == nil {
		return nil
	}
	out := make(map[string]*JSONSchema, len(byKey))
	for _, k := range slices.Sorted(maps.Keys(byKey)) {
		out[k] = m.merge(byKey[k], here, at.Key(k))
	}
	return out
}

// schemaOrBool merges a keyword that has a schema or a boolean; nil where nobody has it. Booleans that agree stay. Beside
// something else they count as the schema that says nothing, because false restricts values and not structure.
func (m *merger) schemaOrBool(all []*JSONSchema, keyword func(*JSONSchema) *JSONSchemaOrBool, here exclusion,
	at *Path) *JSONSchemaOrBool {
	var schemas []*JSONSchema
	var yes, no bool
	for _, s := range all {
		switch v := keyword(s); {
		case v == nil:
		case v.Schema != nil:
			schemas = append(schemas, v.Schema)
		case v.Allows:
			yes = true
		default:
			no = true
		}
	}
	if len(schemas) > 0 {
		if yes || no {
			schemas = append(schemas, &JSONSchema{})
		}
		return &JSONSchemaOrBool{Schema: m.merge(schemas, here, at), Allows: true}
	}
	if yes || no {
		return &JSONSchemaOrBool{Allows: yes}
	}
	return nil
}

// items merges items; nil where nobody has it. Lists of schemas are merged element by element. Where one schema stands
// beside lists, it applies to all of their elements, and all are merged into one: repeating it for each of them could
// make the skeleton much larger than the schema.
func (m *merger) items(all []*JSONSchema, here exclusion, at *Path) *JSONSchemaOrArray {
	var single []*JSONSchema
	var byIndex [][]*JSONSchema
	defined := false
	for _, s := range all {
		if s.Items == nil {
			continue
		}
		defined = true
		if s.Items.Schema != nil {
			single = append(single, s.Items.Schema)
		}
		for i, e := range s.Items.Schemas {
			if i == len(byIndex) {
				byIndex = append(byIndex, nil)
			}
			byIndex[i] = append(byIndex[i], e)
		}
	}
	switch {
	case !defined:
		return nil
	case len(single) > 0:
		return &JSONSchemaOrArray{Schema: m.merge(append(single, slices.Concat(byIndex...)...), here, at)}
	}
	out := &JSONSchemaOrArray{}
	for i, elements := range byIndex {
		out.Schemas = append(out.Schemas, m.merge(elements, here, at.Index(i)))
	}
	return out
}
