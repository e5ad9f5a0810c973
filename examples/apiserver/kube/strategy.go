package kube

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

var (
	_ rest.RESTCreateStrategy  = &Strategy{}
	_ rest.RESTUpdateStrategy  = &Strategy{}
	_ rest.RESTDeleteStrategy  = &Strategy{}
	_ rest.ResetFieldsStrategy = &Strategy{}
	_ rest.RESTUpdateStrategy  = StatusStrategy{}
	_ rest.ResetFieldsStrategy = StatusStrategy{}
)

// Strategy decides, for one version of a kind, what an API server lets happen to objects: it is all three strategies of a
// store in k8s.io/apiserver/pkg/registry. It does what the API server of CustomResourceDefinitions does, down to the texts.
//
// Create and Update of a prunert.Resource would do all of it in one call, and more than belongs here: k8s.io/apiserver itself
// decodes requests, calls admission, sets names, namespaces, uids and times, compares versions, keeps managedFields, and makes a
// Status of what is wrong. So the line is where k8s.io/apiserver calls a strategy: what comes before and after is its own, and
// a strategy calls the functions of the resource one by one.
type Strategy struct {
	runtime.ObjectTyper
	names.NameGenerator

	codec      *Codec
	resource   prunert.Resource
	scale      *Scale
	selectable []selectable
}

// StrategyOptions is what a CRD says about a version, and a resource does not.
type StrategyOptions struct {
	// Scale says where the scale subresource finds its values, nil where there is none.
	Scale *Scale
	// SelectableFields are the paths, .spec.colour for example, that field selectors may name besides name and namespace.
	SelectableFields []string
}

// NewStrategy returns the strategy for one version of the codec's kind. The generated code must be able to validate.
func NewStrategy(codec *Codec, version string, typer runtime.ObjectTyper, opts StrategyOptions) (*Strategy, error) {
	r, ok := codec.Resources[version]
	switch {
	case !ok:
		return nil, fmt.Errorf("no code is linked for %s", codec.Kind.WithVersion(version))
	case r.Prune == nil || r.PruneReport == nil || r.Normalize == nil || r.Default == nil || r.Validate == nil || r.ValidateUpdate == nil || r.ValidateMetadata == nil,
		r.Status && r.ValidateStatus == nil, r.HasRules && r.ValidateRules == nil:
		return nil, fmt.Errorf("the code for %s lacks functions: generate it with all of them", codec.Kind.WithVersion(version))
	}
	s := &Strategy{
		ObjectTyper:   typer,
		NameGenerator: names.SimpleNameGenerator,
		codec:         codec,
		resource:      r,
		scale:         opts.Scale,
	}
	for _, path := range opts.SelectableFields {
		p := jsonpath.New("selectableField").AllowMissingKeys(true)
		if err := p.Parse("{" + path + "}"); err != nil {
			return nil, fmt.Errorf("selectable field %s of %s: %w", path, codec.Kind.WithVersion(version), err)
		}
		s.selectable = append(s.selectable, selectable{strings.TrimPrefix(path, "."), p})
	}
	return s, nil
}

// NamespaceScoped reports whether objects live in namespaces.
func (s *Strategy) NamespaceScoped() bool { return s.resource.Namespaced }

// AllowCreateOnUpdate is false: objects are created by POST or by server-side apply.
func (s *Strategy) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate is false: an update has to say which state of the object it was made from.
func (s *Strategy) AllowUnconditionalUpdate(context.Context) bool { return false }

// Canonicalize does nothing: what there is to normalize has been normalized.
func (s *Strategy) Canonicalize(runtime.Object) {}

// GetResetFields returns the fields that the strategy resets.
func (s *Strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	if s.resource.Status {
		reset[fieldpath.APIVersion(s.resource.APIVersion())] = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	}
	return reset
}

// PrepareForCreate drops what mutating admission may have added and the schema does not specify, and the status where that is
// a subresource.
func (s *Strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	u := obj.(*unstructured.Unstructured)
	s.codec.Prune(u.Object, StepAdmission)
	if s.resource.Status {
		delete(u.Object, "status")
	}
	u.SetGeneration(1)
}

// PrepareForUpdate drops what mutating admission may have added, keeps the status where that is a subresource, and counts the
// generation.
func (s *Strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	u, o := obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	s.codec.Prune(u.Object, StepAdmission)
	if s.resource.Status {
		if status, ok := o.Object["status"]; ok {
			u.Object["status"] = status
		} else {
			delete(u.Object, "status")
		}
	}
	if !equalButMetadata(u.Object, o.Object) {
		u.SetGeneration(o.GetGeneration() + 1)
	}
}

// equalButMetadata reports whether two objects differ in metadata only.
func equalButMetadata(a, b map[string]any) bool {
	rest := func(obj map[string]any) map[string]any {
		out := make(map[string]any, len(obj))
		for k, v := range obj {
			if k != "metadata" {
				out[k] = v
			}
		}
		return out
	}
	return equality.Semantic.DeepEqual(rest(a), rest(b))
}

// Validate returns what is wrong with an object that is to be created.
func (s *Strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	u := obj.(*unstructured.Unstructured)
	defer s.observeValidation(time.Now())
	if errs := s.validateType(u); len(errs) > 0 {
		return append(errs, s.validateRules(ctx, u.Object, nil, nil)...)
	}
	wrong := append(s.resource.ValidateMetadata(u.Object, nil), s.resource.Validate(u.Object)...)
	errs := append(kube.FieldErrors(wrong), s.validateScale(u)...)
	return append(errs, s.validateRules(ctx, u.Object, nil, wrong)...)
}

// validateRules returns what CEL rules say about an object that replaces old, nil for a new one, and is wrong in other ways. The
// client is warned of what they say about values that have not changed.
func (s *Strategy) validateRules(ctx context.Context, obj, old map[string]any, wrong prunert.ErrorList) field.ErrorList {
	errs, warnings := s.resource.InvalidByRules(obj, old, wrong)
	for _, text := range warnings {
		warning.AddWarning(ctx, "", text)
	}
	return kube.FieldErrors(errs)
}

// validateScale returns what the scale subresource could not read.
func (s *Strategy) validateScale(u *unstructured.Unstructured) field.ErrorList {
	return append(s.scale.validateSpec(u.Object), s.scale.validateStatus(u.Object)...)
}

// ValidateUpdate returns what is wrong with an object that takes the place of another. What was wrong with the other already,
// and has not changed, is tolerated.
func (s *Strategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	u, o := obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	defer s.observeValidation(time.Now())
	if errs := s.validateType(u); len(errs) > 0 {
		return append(errs, s.validateRules(ctx, u.Object, o.Object, nil)...)
	}
	wrong := append(s.resource.ValidateMetadata(u.Object, o.Object), s.resource.ValidateUpdate(u.Object, o.Object)...)
	errs := append(kube.FieldErrors(wrong), s.validateScale(u)...)
	return append(errs, s.validateRules(ctx, u.Object, o.Object, wrong)...)
}

func (s *Strategy) observeValidation(start time.Time) { s.codec.observe(StepValidate, 0, start) }

// validateType refuses objects of another kind or version.
func (s *Strategy) validateType(u *unstructured.Unstructured) field.ErrorList {
	var errs field.ErrorList
	if kind := u.GetKind(); kind != s.resource.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), kind, "must be "+s.resource.Kind))
	}
	if apiVersion := u.GetAPIVersion(); apiVersion != s.resource.APIVersion() {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), apiVersion, "must be "+s.resource.APIVersion()))
	}
	return errs
}

// WarningsOnCreate warns of finalizers that are badly named.
func (s *Strategy) WarningsOnCreate(_ context.Context, obj runtime.Object) []string {
	return finalizerWarnings(obj.(*unstructured.Unstructured).GetFinalizers(), nil)
}

// WarningsOnUpdate warns of new finalizers that are badly named.
func (s *Strategy) WarningsOnUpdate(_ context.Context, obj, old runtime.Object) []string {
	return finalizerWarnings(obj.(*unstructured.Unstructured).GetFinalizers(), old.(*unstructured.Unstructured).GetFinalizers())
}

// selectable is a field that a selector may name.
type selectable struct {
	name string
	path *jsonpath.JSONPath
}

// GetAttrs returns the labels of an object and the fields that a selector may name.
func (s *Strategy) GetAttrs(obj runtime.Object) (labels.Set, fields.Set, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, nil, fmt.Errorf("%T is not an unstructured object", obj)
	}
	set := fields.Set{"metadata.name": u.GetName()}
	if s.resource.Namespaced {
		set["metadata.namespace"] = u.GetNamespace()
	}
	for _, f := range s.selectable {
		results, err := f.path.FindResults(u.Object)
		if err != nil {
			return nil, nil, fmt.Errorf("selectable field %s: %w", f.name, err)
		}
		set[f.name] = ""
		if len(results) > 0 && len(results[0]) > 0 && results[0][0].IsValid() {
			if v := results[0][0].Interface(); v != nil {
				set[f.name] = fmt.Sprint(v)
			}
		}
	}
	return u.GetLabels(), set, nil
}

// Match returns what the store asks to find the objects that selectors select.
func (s *Strategy) Match(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
	return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: s.GetAttrs}
}
