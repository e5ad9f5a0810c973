package kube

import (
	"context"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// StatusStrategy is the strategy of the status subresource: an update changes the status and nothing else.
type StatusStrategy struct{ *Strategy }

// GetResetFields returns the fields that the strategy resets.
func (s StatusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(s.resource.APIVersion()): fieldpath.NewSet(
			fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec")),
	}
}

// PrepareForUpdate takes everything but the status and the record of who owns its fields from the old object.
func (s StatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	u, o := obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	s.codec.Prune(u.Object, StepAdmission)
	status, ok := u.Object["status"]
	managed := u.GetManagedFields()
	*u = *o.DeepCopy()
	u.SetManagedFields(managed)
	delete(u.Object, "status")
	if ok {
		u.Object["status"] = status
	}
}

// ValidateUpdate returns what is wrong with the new status. What is wrong elsewhere is no business of those who write it.
func (s StatusStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	u, o := obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	if errs := s.validateType(u); len(errs) > 0 {
		return errs
	}
	defer s.observeValidation(time.Now())
	errs := FieldErrors(slices.DeleteFunc(s.resource.ValidateMetadata(u.Object, o.Object), func(e *prunert.Error) bool { return !ofObject(e) }))
	var below prunert.ErrorList
	for _, e := range s.resource.ValidateUpdate(u.Object, o.Object) {
		if rest, ok := strings.CutPrefix(e.Field, "status"); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			below = append(below, belowStatus(e))
		}
	}
	errs = append(errs, FieldErrors(below)...)
	return append(errs, s.scale.validateStatus(u.Object)...)
}

// belowStatus returns an error in the words of a validator that was given the status alone: it knows no name for that.
func belowStatus(e *prunert.Error) *prunert.Error {
	detail, quoted := strings.CutPrefix(e.Detail, `"`)
	rest, ok := strings.CutPrefix(detail, "status")
	if !ok {
		return e
	}
	other := *e
	other.Detail = strings.TrimPrefix(rest, ".")
	if quoted {
		other.Detail = `"` + other.Detail
	}
	return &other
}

// WarningsOnUpdate warns of nothing.
func (s StatusStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}
