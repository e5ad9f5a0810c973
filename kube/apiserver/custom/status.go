package custom

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// StatusStrategy is the strategy of the status subresource: an update changes the status and nothing else. Its Base is what
// customresource.NewStatusStrategy returns.
type StatusStrategy struct {
	Base
	joiner
	Resource *Strategy
}

// PrepareForUpdate also drops what mutating admission may have added and the schema does not specify.
func (s StatusStrategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	s.Resource.codec.Prune(obj.(*unstructured.Unstructured).Object)
	s.Base.PrepareForUpdate(ctx, obj, old)
}

// ValidateUpdate returns the errors of the new status. Errors elsewhere do not matter to a client that writes the status, unless a CEL rule
// reports them.
func (s StatusStrategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	r := s.Resource
	return r.validate(ctx, obj.(*unstructured.Unstructured), old.(*unstructured.Unstructured).Object, func(obj, old map[string]any) (prunert.ErrorList, field.ErrorList) {
		wrong := slices.DeleteFunc(r.resource.ValidateMetadata(obj, old), func(e *prunert.Error) bool {
			return !strings.HasPrefix(e.Field, "metadata.") // of resources in the status
		})
		return append(wrong, r.resource.ValidateStatus(obj, old)...), r.invalidStatusScale(obj)
	})
}
