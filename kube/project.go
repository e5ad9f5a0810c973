package kube

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Project returns a function for the Transform of a controller-runtime cache, in its Options.ByObject, or for the SetTransform of an informer. It calls
// f, which sets to zero what the program does not read: of objects of the Go type that T points to, or of unstructured ones if T is map[string]any.
// Objects of other types stay as they are, so that several such functions can be called one after the other. All unstructured objects are of one type:
// set a function on them for their kind, not for the whole cache.
//
//	ByObject: map[client.Object]cache.ByObject{&corev1.Pod{}: {Transform: kube.Project(ForScheduling)}}
//
// Others may read an object that was projected before, so it is not written to again: managedFields that are empty, but not nil, mark objects of
// Go types. A function for unstructured content must write nothing if it has nothing to drop, as generated ones do.
//
// Objects that lack fields must not be sent back: see [ReadOnly].
func Project[T any](f func(T)) func(any) (any, error) {
	return func(in any) (any, error) {
		obj, ok := in.(T)
		if !ok {
			below := unwrap(in)
			if u, is := below.(*unstructured.Unstructured); is {
				below = u.Object
			}
			if obj, ok = below.(T); !ok {
				return in, nil
			}
		}
		m, typed := any(obj).(metav1.Object)
		if typed {
			if fields := m.GetManagedFields(); fields != nil && len(fields) == 0 {
				return in, nil
			}
		}
		f(obj)
		if typed && m.GetManagedFields() == nil {
			m.SetManagedFields([]metav1.ManagedFieldsEntry{})
		}
		return in, nil
	}
}
