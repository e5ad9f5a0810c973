package prunetest

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type shelf struct {
	metav1.TypeMeta
	Box struct {
		Sizes []int64 `json:"sizes,omitempty"`
	} `json:"box,omitzero"`
}

func (s *shelf) DeepCopyObject() runtime.Object { panic("not copied") }

// A Go type that is decoded twice omits what the first time made empty.
func TestGoTypesOmitWhatBecomesEmpty(t *testing.T) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Shelf"}, &shelf{})
	kind := func() map[string]any { return map[string]any{"apiVersion": "example.com/v1", "kind": "Shelf"} }
	for _, c := range []struct{ box, want any }{
		{map[string]any{"sizes": []any{int64(1)}}, map[string]any{"sizes": []any{int64(1)}}},
		{map[string]any{"sizes": []any{}}, nil},
		{nil, nil},
	} {
		obj, want := kind(), kind()
		if c.box != nil {
			obj["box"] = c.box
		}
		if c.want != nil {
			want["box"] = c.want
		}
		if kept, err := goTypes(scheme).keep(obj); err != nil || !reflect.DeepEqual(kept, want) {
			t.Errorf("%v: kept %v, %v", c.box, kept, err)
		}
	}
}
