package kube

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// Validate returns what the API server finds wrong with a new object, apart from its metadata and from CEL rules, as the
// strategy of custom resources puts it together: type, field, bad value with its Go type, and detail of each error, sorted
// by text. Of errors with one text there is the first.
func (r *Resource) Validate(obj map[string]any) []string { return sortedTexts(r.faults(obj)) }

// Texts returns what the API server prints about a new object that it refuses, apart from its metadata: of the schema, and of CEL
// rules, or that they were not checked. Each text occurs once.
func (r *Resource) Texts(obj map[string]any) (schema, rules []string) {
	for _, e := range sortedErrors(r.faults(obj)) {
		schema = append(schema, e.Error())
	}
	if v := r.rules(); v != nil {
		errs, _ := v.Validate(context.Background(), nil, r.Structural, obj, nil, celconfig.RuntimeCELCostBudget)
		for _, e := range sortedErrors(errs) {
			rules = append(rules, e.Error())
		}
		if len(schema) > 0 { // as in the strategy of custom resources
			rules = append(rules, field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation").Error())
		}
	}
	return schema, rules
}

func (r *Resource) faults(obj map[string]any) field.ErrorList {
	errs := validation.ValidateCustomResource(nil, obj, r.values)
	errs = append(errs, r.validateEmbedded(obj)...)
	return append(errs, listtype.ValidateListSetsAndMaps(nil, r.Structural, obj)...)
}

// UpdateTexts returns what the API server prints about an object that takes the place of old, apart from its metadata and from CEL
// rules.
func (r *Resource) UpdateTexts(obj, old map[string]any) []string {
	var texts []string
	for _, e := range r.updateFaults(obj)(old) {
		texts = append(texts, e.Error())
	}
	return texts
}

// Updates returns Validate for an object that takes the place of old. What does not depend on old is found out once.
func (r *Resource) Updates(obj map[string]any) func(old map[string]any) []string {
	faults := r.updateFaults(obj)
	return func(old map[string]any) []string { return sortedTexts(faults(old)) }
}

func (r *Resource) updateFaults(obj map[string]any) func(old map[string]any) field.ErrorList {
	embedded := r.validateEmbedded(obj)
	lists := listtype.ValidateListSetsAndMaps(nil, r.Structural, obj)
	return func(old map[string]any) field.ErrorList {
		var options []validation.ValidationOption
		if r.Structural != nil {
			correlated := common.NewCorrelatedObject(obj, old, &model.Structural{Structural: r.Structural})
			options = append(options, validation.WithRatcheting(correlated))
		}
		errs := validation.ValidateCustomResourceUpdate(nil, obj, old, r.values, options...)
		errs = append(errs, embedded...)
		if len(listtype.ValidateListSetsAndMaps(nil, r.Structural, old)) == 0 {
			errs = append(errs, lists...)
		}
		return errs
	}
}

// validateEmbedded returns the errors about embedded resources beside the values of their metadata.
func (r *Resource) validateEmbedded(obj map[string]any) field.ErrorList {
	errs := validateObjectMeta(obj, r.Structural)
	for _, e := range r.embeddedMetadata(obj) {
		i := slices.IndexFunc(errs, func(other *field.Error) bool {
			// The text can have addresses in it.
			return other.Type == e.Type && other.Field == e.Field && other.Detail == e.Detail && reflect.DeepEqual(other.BadValue, e.BadValue)
		})
		if i < 0 {
			panic("kube: not an error of embedded resources: " + e.Error())
		}
		errs = slices.Delete(errs, i, i+1)
	}
	return errs
}

// sortedTexts returns errors as they are compared.
func sortedTexts(errs field.ErrorList) []string { return ValueTexts(sortedErrors(errs)) }

// sortedErrors returns errors sorted by text, and of those with the same text the first.
func sortedErrors(errs field.ErrorList) field.ErrorList {
	errs = slices.Clone(errs)
	texts := make(map[*field.Error]string, len(errs)) // they take longer to write than to compare
	for _, e := range errs {
		texts[e] = e.Error()
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(texts[a], texts[b]) })
	return slices.CompactFunc(errs, func(a, b *field.Error) bool { return texts[a] == texts[b] })
}
