package apiserver

import (
	"bytes"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
)

// Writing an object of one version in another leaves the object that is answered with alone.
func TestWritingLeavesTheObjectAlone(t *testing.T) {
	all, err := Definitions([]byte(withSpec("{size: {type: integer}}")))
	if err != nil {
		t.Fatal(err)
	}
	_, converter, err := (&Server{config: Config{Generic: NewGenericConfig()}}).converters(all[0])
	if err != nil {
		t.Fatal(err)
	}
	codec := &custom.Codec{Kind: all[0].GroupKind(), Resources: custom.Resources{}, Converter: converter}
	for _, r := range compile(t, withSpec("{size: {type: integer}}")) {
		codec.Resources[r.Version] = r
	}
	// v1 has no schema of the spec.
	obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v2", "kind": "Thing", "spec": map[string]any{"size": int64(1)}}}
	before := obj.DeepCopy()
	var out bytes.Buffer
	if err := newStorageCodec(codec, "v2", "v1").Encode(obj, &out); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(obj, before) {
		t.Errorf("the object is now %v", obj.Object)
	}
	if want := `{"apiVersion":"example.com/v1","kind":"Thing"}` + "\n"; out.String() != want {
		t.Errorf("written: %s", out.String())
	}
}
