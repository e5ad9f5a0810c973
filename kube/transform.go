package kube

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Transform returns a function for the SetTransform of informers, or the DefaultTransform of a controller-runtime cache. It drops
// managedFields, and the fields that the generated code does not know, from unstructured objects before they are cached: an operator whose
// code was generated from the part of a schema that it needs keeps only that part in memory.
//
// It looks into a cache.DeletedFinalStateUnknown, and into every other struct that has its object in a field Obj. Typed objects and objects
// without linked code stay as they are. An object whose linked code has no function Prune is an error, which informers report: it would
// be cached as a whole. A nil set means all registered resources.
func Transform(set *prunert.Set) func(any) (any, error) {
	set = orLinked(set)
	return func(in any) (any, error) {
		if u, ok := unwrap(in).(*unstructured.Unstructured); ok {
			return in, transform(set, u.Object)
		}
		return in, nil
	}
}

// transform prunes an object in place. It does not write to an object that was transformed before, which others may read.
func transform(set *prunert.Set, obj map[string]any) error {
	if _, err := set.For(obj); err != nil {
		return nil
	}
	if err := set.Prune(obj); err != nil {
		return err
	}
	metadata, _ := obj["metadata"].(map[string]any)
	//lint:ignore S1033 deleting nothing writes to the map, too
	if _, ok := metadata["managedFields"]; ok {
		delete(metadata, "managedFields")
	}
	return nil
}

// unwrap returns the object in the field Obj of a struct, or v itself. The type cache.DeletedFinalStateUnknown is not named
// here: that would link client-go.
func unwrap(v any) any {
	if _, ok := v.(*unstructured.Unstructured); ok {
		return v
	}
	s := reflect.ValueOf(v)
	if s.Kind() == reflect.Pointer {
		s = s.Elem()
	}
	if s.Kind() != reflect.Struct {
		return v
	}
	if obj := s.FieldByName("Obj"); obj.IsValid() && obj.Kind() == reflect.Interface && !obj.IsNil() && obj.CanInterface() {
		return obj.Interface()
	}
	return v
}
