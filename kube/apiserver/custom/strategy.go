package custom

import (
	"context"
	"fmt"
	"math"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Base is what customresource.NewStrategy returns: the strategy of the API server of CustomResourceDefinitions. It needs no
// schemas here.
type Base interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
	rest.ResetFieldsStrategy
}

// Strategy decides, for one version of a kind, what an API server lets happen to objects: it is the strategy of the API server of
// CustomResourceDefinitions with generated code in the place of schemas.
//
// Create and Update of a prunert.Resource would do all of it in one call, and more than belongs here: k8s.io/apiserver itself
// decodes requests, calls admission, sets names, namespaces, uids and times, compares versions, keeps managedFields, and makes a
// Status of what is wrong. So the line is where k8s.io/apiserver calls a strategy: what comes before and after is its own, and
// a strategy calls the functions of the resource one by one.
type Strategy struct {
	Base
	joiner
	codec    *Codec
	resource prunert.Resource
	scale    *apiextensionsv1.CustomResourceSubresourceScale
}

// NewStrategy returns the strategy for one version of the codec's kind. The generated code must be able to validate. scale is nil
// where the version has no scale subresource.
func NewStrategy(codec *Codec, version string, base Base, scale *apiextensionsv1.CustomResourceSubresourceScale) (*Strategy, error) {
	r, ok := codec.Resources[version]
	switch {
	case !ok:
		return nil, fmt.Errorf("no code is linked for %s", codec.Kind.WithVersion(version))
	case r.Prune == nil || r.Normalize == nil || r.Default == nil || r.Validate == nil || r.ValidateUpdate == nil || r.ValidateMetadata == nil,
		r.Status && r.ValidateStatus == nil, r.HasRules && r.ValidateRules == nil:
		return nil, fmt.Errorf("the code for %s lacks functions: generate it with all of them", codec.Kind.WithVersion(version))
	}
	return &Strategy{Base: base, codec: codec, resource: r, scale: scale}, nil
}

// PrepareForCreate also drops what mutating admission may have added and the schema does not specify.
func (s *Strategy) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	s.codec.Prune(obj.(*unstructured.Unstructured).Object)
	s.Base.PrepareForCreate(ctx, obj)
}

// PrepareForUpdate also drops what mutating admission may have added and the schema does not specify.
func (s *Strategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	s.codec.Prune(obj.(*unstructured.Unstructured).Object)
	s.Base.PrepareForUpdate(ctx, obj, old)
}

// Validate returns the errors of a new object.
func (s *Strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	return s.validate(ctx, obj.(*unstructured.Unstructured), nil, func(obj, _ map[string]any) (prunert.ErrorList, field.ErrorList) {
		return append(s.resource.ValidateMetadata(obj, nil), s.resource.Validate(obj)...), append(s.invalidSpecScale(obj), s.invalidStatusScale(obj)...)
	})
}

// ValidateUpdate returns the errors of an object that replaces another. Errors in values that have not changed are tolerated.
func (s *Strategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	return s.validate(ctx, obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured).Object, func(obj, old map[string]any) (prunert.ErrorList, field.ErrorList) {
		return append(s.resource.ValidateMetadata(obj, old), s.resource.ValidateUpdate(obj, old)...), append(s.invalidSpecScale(obj), s.invalidStatusScale(obj)...)
	})
}

// validate returns the errors of an object that replaces old, nil for a new one: about its kind or version, or else those that wrong
// returns, by generated code and for the scale subresource, and those of CEL rules. Errors of CEL rules about values that have not changed
// are warnings to the client.
func (s *Strategy) validate(ctx context.Context, u *unstructured.Unstructured, old map[string]any,
	wrong func(obj, old map[string]any) (prunert.ErrorList, field.ErrorList)) field.ErrorList {
	var errs field.ErrorList
	if kind := u.GetKind(); kind != s.resource.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), kind, "must be "+s.resource.Kind))
	}
	if apiVersion := u.GetAPIVersion(); apiVersion != s.resource.APIVersion() {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), apiVersion, "must be "+s.resource.APIVersion()))
	}
	var found prunert.ErrorList
	if len(errs) == 0 {
		var ofScale field.ErrorList
		found, ofScale = wrong(u.Object, old)
		errs = append(kube.FieldErrors(found), ofScale...)
	}
	rules, warnings := s.resource.ValidateRulesAfter(u.Object, old, found)
	for _, text := range warnings {
		warning.AddWarning(ctx, "", text)
	}
	return append(errs, kube.FieldErrors(rules)...)
}

// invalidSpecScale returns what the scale subresource could not read of the wanted replicas.
func (s *Strategy) invalidSpecScale(obj map[string]any) field.ErrorList {
	if s.scale == nil {
		return nil
	}
	return invalidReplicas(obj, s.scale.SpecReplicasPath)
}

// invalidStatusScale returns what the scale subresource could not read of the status.
func (s *Strategy) invalidStatusScale(obj map[string]any) field.ErrorList {
	if s.scale == nil {
		return nil
	}
	errs := invalidReplicas(obj, s.scale.StatusReplicasPath)
	if path := s.scale.LabelSelectorPath; path != nil {
		if selector, _, err := unstructured.NestedString(obj, fieldsOf(*path)...); err != nil {
			errs = append(errs, field.Invalid(field.NewPath(*path), selector, err.Error()))
		}
	}
	return errs
}

func invalidReplicas(obj map[string]any, path string) field.ErrorList {
	replicas, _, err := unstructured.NestedInt64(obj, fieldsOf(path)...)
	var detail string
	switch {
	case err != nil:
		detail = err.Error()
	case replicas < 0:
		detail = "should be a non-negative integer"
	case replicas > math.MaxInt32:
		detail = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(path), replicas, detail)}
}

// fieldsOf returns the fields on the way of a path such as .spec.replicas.
func fieldsOf(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }
