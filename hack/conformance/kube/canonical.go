package kube

import "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

// Canonical makes nil, in s itself, of those empty lists which no code of Kubernetes tells from absent ones: below enum,
// allOf, anyOf, oneOf, and items. An empty list elsewhere, such as required: [], does make a difference.
func Canonical(s *apiextensions.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	if s == nil {
		return nil
	}
	if len(s.Enum) == 0 {
		s.Enum = nil
	}
	for _, list := range []*[]apiextensions.JSONSchemaProps{&s.AllOf, &s.AnyOf, &s.OneOf} {
		canonicalList(list)
	}
	if s.Items != nil {
		Canonical(s.Items.Schema)
		canonicalList(&s.Items.JSONSchemas)
	}
	Canonical(s.Not)
	for _, m := range []map[string]apiextensions.JSONSchemaProps{s.Properties, s.PatternProperties, s.Definitions} {
		for k, p := range m {
			m[k] = *Canonical(&p)
		}
	}
	for _, b := range []*apiextensions.JSONSchemaPropsOrBool{s.AdditionalProperties, s.AdditionalItems} {
		if b != nil {
			Canonical(b.Schema)
		}
	}
	for _, d := range s.Dependencies {
		Canonical(d.Schema)
	}
	return s
}

func canonicalList(list *[]apiextensions.JSONSchemaProps) {
	for i := range *list {
		Canonical(&(*list)[i])
	}
	if len(*list) == 0 {
		*list = nil
	}
}
