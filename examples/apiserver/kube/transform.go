package kube

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Transform returns a function for the SetTransform of informers, or the DefaultTransform of a controller-runtime cache. It drops
// from unstructured objects what their generated code does not know, and the record of who owns which field, before they are
// kept: an operator whose code was generated from the part of a schema that it needs keeps that part in memory and no more.
//
// Objects without linked code stay as they are. A nil set means all that is registered.
func Transform(set *prunert.Set) cache.TransformFunc {
	if set == nil {
		set = prunert.Linked()
	}
	return func(in any) (any, error) {
		u, ok := in.(*unstructured.Unstructured)
		if !ok {
			return in, nil
		}
		r, err := set.For(u.Object)
		if err != nil || r.Prune == nil {
			return in, nil
		}
		r.Prune(u.Object)
		if meta, ok := u.Object["metadata"].(map[string]any); ok {
			delete(meta, "managedFields")
		}
		return u, nil
	}
}
