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

	"github.com/prune-gen/prune-gen/kube"
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

// ValidateUpdate returns what is wrong with the new status. What is wrong elsewhere is no business of those who write it, unless a
// CEL rule says so.
func (s StatusStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	u, o := obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured)
	defer s.observeValidation(time.Now())
	if errs := s.validateType(u); len(errs) > 0 {
		return append(errs, s.validateRules(ctx, u.Object, o.Object, nil)...)
	}
	wrong := slices.DeleteFunc(s.resource.ValidateMetadata(u.Object, o.Object), func(e *prunert.Error) bool {
		return !strings.HasPrefix(e.Field, "metadata.") // of resources in the status
	})
	wrong = append(wrong, s.resource.ValidateStatus(u.Object, o.Object)...)
	errs := append(kube.FieldErrors(wrong), s.scale.validateStatus(u.Object)...)
	return append(errs, s.validateRules(ctx, u.Object, o.Object, wrong)...)
}

// WarningsOnUpdate warns of nothing.
func (s StatusStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}
