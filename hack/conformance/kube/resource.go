package kube

import (
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Resource is what Kubernetes needs to treat the objects of one version of a CRD.
type Resource struct {
	Schema *apiextensions.JSONSchemaProps // as the CRD has it, nil for none
	// Structural is Schema converted, nil for none.
	Structural *structuralschema.Structural
	// Pruned is false if spec.preserveUnknownFields keeps everything except unknown metadata.
	Pruned bool

	types  validation.SchemaValidator // of Schema without value validations
	values validation.SchemaValidator // of Schema
	rules  func() *cel.Validator      // of Structural, nil for none; compiling them takes long

	normalized normalized
}

// NewResource prepares a version of a CRD. It fails where the schema cannot be converted; it need not be structural
// otherwise.
func NewResource(s *apiextensions.JSONSchemaProps, pruned bool) (*Resource, error) {
	structural, err := structuralschema.NewStructural(s)
	if err != nil {
		return nil, err
	}
	types, _, err := validation.NewSchemaValidator(stripValueValidations(s))
	if err != nil {
		return nil, fmt.Errorf("make a validator: %w", err)
	}
	values, _, err := validation.NewSchemaValidator(s)
	if err != nil {
		return nil, fmt.Errorf("make a validator: %w", err)
	}
	r := &Resource{Schema: s, Structural: structural, Pruned: pruned, types: types, values: values}
	r.rules = sync.OnceValue(func() *cel.Validator {
		if structural == nil {
			return nil
		}
		return cel.NewValidator(structural, true, celconfig.PerCallLimit)
	})
	return r, nil
}

// Resource prepares the version of that name.
func (c *CRD) Resource(version string) (*Resource, error) {
	s, err := c.Schema(version)
	if err != nil {
		return nil, err
	}
	return NewResource(s, !c.PreserveUnknownFields())
}

// stripValueValidations returns s with nothing in it but what says which type a value has, as a copy.
// additionalProperties: false restricts values as well, and says nothing about their types.
func stripValueValidations(s *apiextensions.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	if s == nil {
		return nil
	}
	out := &apiextensions.JSONSchemaProps{
		Type:                   s.Type,
		Nullable:               s.Nullable,
		XPreserveUnknownFields: s.XPreserveUnknownFields,
		XEmbeddedResource:      s.XEmbeddedResource,
		XIntOrString:           s.XIntOrString,
	}
	if s.Items != nil {
		out.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: stripValueValidations(s.Items.Schema)}
	}
	if s.Properties != nil {
		out.Properties = make(map[string]apiextensions.JSONSchemaProps, len(s.Properties))
		for k, p := range s.Properties {
			out.Properties[k] = *stripValueValidations(&p)
		}
	}
	if ap := s.AdditionalProperties; ap != nil && (ap.Allows || ap.Schema != nil) {
		out.AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: stripValueValidations(ap.Schema)}
	}
	return out
}
