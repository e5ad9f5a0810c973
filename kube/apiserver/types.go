package apiserver

import (
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
)

// typer says what an object is: unstructured ones say it themselves.
type typer struct{ runtime.ObjectTyper }

func (t typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	if _, ok := obj.(runtime.Unstructured); ok {
		return crdserverscheme.NewUnstructuredObjectTyper().ObjectKinds(obj)
	}
	return t.ObjectTyper.ObjectKinds(obj)
}

// creator makes unstructured objects of every kind.
type creator struct{}

func (creator) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u, nil
}

// defaulter fills in defaults with generated code.
type defaulter struct{ codec *custom.Codec }

func (d defaulter) Default(in runtime.Object) {
	if u, ok := in.(runtime.Unstructured); ok && d.codec.Default(u.UnstructuredContent()) {
		return
	}
	scheme.Default(in)
}

// sameVersion converts what is of another version. A store returns all objects in its own, so that a list needs no copy.
type sameVersion struct{ runtime.ObjectConvertor }

func (c sameVersion) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	from := in.GetObjectKind().GroupVersionKind()
	if to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from}); ok && to == from {
		return in, nil
	}
	return c.ObjectConvertor.ConvertToVersion(in, target)
}
