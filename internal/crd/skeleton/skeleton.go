package skeleton

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// ids has the ids of this package.
var ids structural.IDTable

var (
	idStructAndMap  = ids.Add("skeleton/properties-beside-map", "A skeleton has properties or the schema of a map.")
	idNoPruneFalse  = ids.Add("skeleton/no-prune-false", "x-kubernetes-no-prune is true or absent.")
	idNoPruneNested = ids.Add("skeleton/no-prune-nested", "x-kubernetes-no-prune is not used below another one.")
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }

// Of returns skel(s) of KEP-24: what s says about structure, with what allOf, anyOf, oneOf and not say about it
// merged in, and without value validations. The errors, sorted, are the places where it must not be used for pruning:
// properties beside additionalProperties or patternProperties, x-kubernetes-no-prune set to false or below another one.
// They come with the path in the skeleton. The skeleton is returned even with errors. It is nil for a nil schema.
//
// A node with x-kubernetes-no-prune keeps that and its type, and nothing below it: the subtree is excluded from pruning.
//
// A type stays if every schema that is merged there has it. A schema without a type counts as different: below anyOf it allows values of
// every type.
//
// Every node of s is visited once, and the skeleton is not larger than s.
func Of(s *structural.JSONSchema, at *structural.Path) (*structural.JSONSchema, []*structural.Error) {
	if s == nil {
		return nil, nil
	}
	var m merger
	out := m.merge([]*structural.JSONSchema{s}, included, at)
	sorted.ByText(m.Errs)
	return out, m.Errs
}

// merger merges schemas and collects what is wrong with the skeleton.
type merger struct {
	structural.Errors
}

// exclusion reports whether a place is below x-kubernetes-no-prune.
type exclusion uint8

const (
	included exclusion = iota
	excluded
)

// merge returns the skeleton of schemas that apply to the same value, which is at the given path. The junctors are
// flattened first: merging is associative, so that their nesting makes no difference.
func (m *merger) merge(all []*structural.JSONSchema, above exclusion, at *structural.Path) *structural.JSONSchema {
	all = flatten(all)
	out := &structural.JSONSchema{Type: all[0].Type}
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
		return &structural.JSONSchema{Type: out.Type, XNoPrune: &yes}
	}
	if out.Properties != nil && out.AdditionalProperties != nil {
		m.Forbidden(idStructAndMap, at.Child("additionalProperties"), "must not be used where there are properties, too: "+
			"an object is either a struct or a map")
	}
	if out.Properties != nil && out.PatternProperties != nil {
		m.Forbidden(idStructAndMap, at.Child("patternProperties"), "must not be used where there are properties, too: "+
			"an object is either a struct or a map")
	}
	return out
}

func (m *merger) noPrune(value bool, above exclusion, at *structural.Path) {
	if !value {
		m.Forbidden(idNoPruneFalse, at, "must be true or undefined")
	}
	if above == excluded {
		m.Forbidden(idNoPruneNested, at, "must not be nested: everything here is excluded from pruning already")
	}
}

// flatten returns all and everything below their junctors.
func flatten(all []*structural.JSONSchema) []*structural.JSONSchema {
	var out []*structural.JSONSchema
	var add func(*structural.JSONSchema)
	add = func(s *structural.JSONSchema) {
		out = append(out, s)
		for _, junctor := range [][]*structural.JSONSchema{s.AllOf, s.AnyOf, s.OneOf} {
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

func propertiesOf(s *structural.JSONSchema) map[string]*structural.JSONSchema { return s.Properties }
func patternPropertiesOf(s *structural.JSONSchema) map[string]*structural.JSONSchema {
	return s.PatternProperties
}
func additionalPropertiesOf(s *structural.JSONSchema) *structural.JSONSchemaOrBool {
	return s.AdditionalProperties
}
func additionalItemsOf(s *structural.JSONSchema) *structural.JSONSchemaOrBool {
	return s.AdditionalItems
}

// schemas merges a keyword that has schemas by key; nil if no schema has it.
func (m *merger) schemas(all []*structural.JSONSchema, keyword func(*structural.JSONSchema) map[string]*structural.JSONSchema, here exclusion,
	at *structural.Path) map[string]*structural.JSONSchema {
	var byKey map[string][]*structural.JSONSchema
	for _, s := range all {
		schemas := keyword(s)
		if schemas != nil && byKey == nil {
			byKey = map[string][]*structural.JSONSchema{}
		}
		for k, v := range schemas {
			byKey[k] = append(byKey[k], v)
		}
	}
	if byKey == nil {
		return nil
	}
	out := make(map[string]*structural.JSONSchema, len(byKey))
	for _, k := range slices.Sorted(maps.Keys(byKey)) {
		out[k] = m.merge(byKey[k], here, at.Key(k))
	}
	return out
}

// schemaOrBool merges a keyword that has a schema or a boolean; nil if no schema has it. Booleans that agree stay. Beside
// something else they count as the schema that says nothing, because false restricts values and not structure.
func (m *merger) schemaOrBool(all []*structural.JSONSchema, keyword func(*structural.JSONSchema) *structural.JSONSchemaOrBool, here exclusion,
	at *structural.Path) *structural.JSONSchemaOrBool {
	var schemas []*structural.JSONSchema
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
			schemas = append(schemas, &structural.JSONSchema{})
		}
		return &structural.JSONSchemaOrBool{Schema: m.merge(schemas, here, at), Allows: true}
	}
	if yes || no {
		return &structural.JSONSchemaOrBool{Allows: yes}
	}
	return nil
}

// items merges items; nil if no schema has it. Lists of schemas are merged element by element. Where one schema stands
// beside lists, it applies to all of their elements, and all are merged into one: repeating it for each of them could
// make the skeleton much larger than the schema.
func (m *merger) items(all []*structural.JSONSchema, here exclusion, at *structural.Path) *structural.JSONSchemaOrArray {
	var single []*structural.JSONSchema
	var byIndex [][]*structural.JSONSchema
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
		return &structural.JSONSchemaOrArray{Schema: m.merge(append(single, slices.Concat(byIndex...)...), here, at)}
	}
	out := &structural.JSONSchemaOrArray{}
	for i, elements := range byIndex {
		out.Schemas = append(out.Schemas, m.merge(elements, here, at.Index(i)))
	}
	return out
}
