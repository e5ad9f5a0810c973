package apis

import (
	"bytes"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
	"github.com/prune-gen/prune-gen/examples/apiserver/serve"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Writing an object of one version in another leaves the object that is answered with alone.
func TestWritingLeavesTheObjectAlone(t *testing.T) {
	codec := &kube.Codec{Resources: kube.Resources{}}
	codec.Kind.Group, codec.Kind.Kind = "stable.example.com", "CronTab"
	for _, version := range []string{"v1", "v1beta1"} {
		codec.Resources[version], _ = prunert.Lookup(codec.Kind.Group, version, codec.Kind.Kind)
	}
	obj := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "stable.example.com/v1beta1", "kind": "CronTab",
		"spec": map[string]any{"cronSpec": "* * * * *", "timeZone": "CET"}}}
	before := obj.DeepCopy()
	var out bytes.Buffer
	if err := serve.NewStorageCodec(codec, "v1beta1", "v1").Encode(obj, &out); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(obj, before) {
		t.Errorf("the object is now %v", obj.Object)
	}
	if want := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"cronSpec":"* * * * *"}}` + "\n"; out.String() != want {
		t.Errorf("written: %s", out.String())
	}
}
