package kube

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// ValidateValues returns what the schema validator of the API server finds wrong with a value: type, field, bad value with its Go
// type, and detail of each error, sorted, because their order is by chance.
func ValidateValues(v any, s *apiextensions.JSONSchemaProps) ([]string, error) {
	validator, _, err := validation.NewSchemaValidator(s)
	if err != nil {
		return nil, fmt.Errorf("build a validator: %w", err)
	}
	texts := valueTexts(validation.ValidateCustomResource(nil, v, validator))
	slices.Sort(texts)
	return texts, nil
}

func valueTexts(errs field.ErrorList) []string {
	var texts []string
	for _, e := range errs {
		texts = append(texts, ValueText(string(e.Type), e.Field, e.BadValue, e.Detail, e.Error()))
	}
	return texts
}

// ValueText is what an error about a value is compared as.
func ValueText(typ, field string, value any, detail, text string) string {
	return fmt.Sprintf("%s %s %T %#v %s | %s", typ, field, value, value, detail, text)
}

// HasFormat tells whether a string has a format.
func HasFormat(format, s string) bool { return strfmt.Default.Validates(format, s) }
