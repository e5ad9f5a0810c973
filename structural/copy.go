package structural

import (
	"maps"
	"slices"
)

// copyJSON returns a copy of a JSON value that shares nothing with it.
func copyJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = copyJSON(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = copyJSON(e)
		}
		return out
	default:
		return v
	}
}

func cloneUnions(unions []Union) []Union {
	out := slices.Clone(unions)
	for i := range out {
		out[i].Fields = maps.Clone(out[i].Fields)
	}
	return out
}

// copy returns a copy of s with which everything may be done. Numbers behind pointers, rules and the values of enum are
// shared, because nobody changes them in place.
func (s *Schema) copy() *Schema {
	if s == nil {
		return nil
	}
	out := *s
	out.Generic = s.Generic.copy()
	out.Extensions = s.Extensions.copy()
	out.Items = s.Items.copy()
	if s.Properties != nil {
		out.Properties = make(map[string]*Schema, len(s.Properties))
		for k, p := range s.Properties {
			out.Properties[k] = p.copy()
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		out.AdditionalProperties = &SchemaOrBool{Schema: ap.Schema.copy(), Bool: ap.Bool}
	}
	if s.ValueValidation != nil {
		vv := s.ValueValidation.copy()
		out.ValueValidation = &vv
	}
	return &out
}

func (g Generic) copy() Generic {
	g.Default = copyJSON(g.Default)
	g.Example = copyJSON(g.Example)
	if g.ExternalDocs != nil {
		docs := *g.ExternalDocs
		g.ExternalDocs = &docs
	}
	return g
}

func (x Extensions) copy() Extensions {
	x.XListMapKeys = slices.Clone(x.XListMapKeys)
	x.XUnions = cloneUnions(x.XUnions)
	return x
}

func (vv ValueValidation) copy() ValueValidation {
	vv.Enum = slices.Clone(vv.Enum)
	vv.Required = slices.Clone(vv.Required)
	vv.AllOf = copyJunctor(vv.AllOf)
	vv.AnyOf = copyJunctor(vv.AnyOf)
	vv.OneOf = copyJunctor(vv.OneOf)
	vv.Not = vv.Not.copy()
	return vv
}

func (n *NestedValueValidation) copy() *NestedValueValidation {
	if n == nil {
		return nil
	}
	out := *n
	out.ValueValidation = n.ValueValidation.copy()
	out.ForbiddenGenerics = n.ForbiddenGenerics.copy()
	out.ForbiddenExtensions = n.ForbiddenExtensions.copy()
	out.Items = n.Items.copy()
	out.AdditionalProperties = n.AdditionalProperties.copy()
	if n.Properties != nil {
		out.Properties = make(map[string]*NestedValueValidation, len(n.Properties))
		for k, p := range n.Properties {
			out.Properties[k] = p.copy()
		}
	}
	return &out
}

func copyJunctor(all []*NestedValueValidation) []*NestedValueValidation {
	out := slices.Clone(all)
	for i, n := range out {
		out[i] = n.copy()
	}
	return out
}
