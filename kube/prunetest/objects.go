package prunetest

import (
	"encoding/json"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// encode returns an object as a client sends it. It shares nothing with obj.
func encode(obj any, kind schema.GroupVersionKind) (map[string]any, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("encode a %s: %w", kind.Kind, err)
	}
	var m map[string]any
	if err := utiljson.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("encode a %s: %w", kind.Kind, err)
	}
	m["apiVersion"], m["kind"] = kind.GroupVersion().String(), kind.Kind
	return m, nil
}

// decode sets obj to the answer of the server. As in the fake client, typed objects do not say what kind they are.
func decode(m map[string]any, obj client.Object) error {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		u.Object = runtime.DeepCopyJSON(m)
		return nil
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	reflect.ValueOf(obj).Elem().SetZero()
	if err := json.Unmarshal(data, obj); err != nil {
		return fmt.Errorf("decode a %T: %w", obj, err)
	}
	if _, ok := obj.(*metav1.PartialObjectMetadata); !ok {
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	return nil
}

// unchanged reports whether nothing of an object changes. When a manager set a field is not a change.
func unchanged(a, b map[string]any) bool {
	without := func(m map[string]any) map[string]any {
		u := unstructured.Unstructured{Object: runtime.DeepCopyJSON(m)}
		entries := u.GetManagedFields()
		for i := range entries {
			entries[i].Time = nil
		}
		u.SetManagedFields(entries)
		return u.Object
	}
	return reflect.DeepEqual(without(a), without(b))
}
