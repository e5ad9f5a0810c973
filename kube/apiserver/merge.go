package apiserver

import (
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// mergeTypes knows how the fields of a kind merge: which lists are sets or maps, which objects are atomic. Writing needs it, to
// record who owns which field; it is made from the CRD when the first object of the kind is written.
type mergeTypes struct {
	converter func() (managedfields.TypeConverter, error)
}

var _ managedfields.TypeConverter = mergeTypes{}

func newMergeTypes(d *Definition) mergeTypes {
	return mergeTypes{sync.OnceValues(func() (managedfields.TypeConverter, error) {
		crd, err := parseCRD(d.manifest)
		if err != nil {
			return nil, err
		}
		models := map[string]*spec.Schema{}
		for _, v := range crd.Spec.Versions {
			doc, err := builder.BuildOpenAPIV3(crd, v.Name, builder.Options{})
			if err != nil {
				return nil, fmt.Errorf("types of %s %s: %w", crd.Name, v.Name, err)
			}
			for name, model := range doc.Components.Schemas {
				models[name] = model
			}
		}
		return managedfields.NewTypeConverter(models, false)
	})}
}

func (t mergeTypes) ObjectToTyped(obj runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	c, err := t.converter()
	if err != nil {
		return nil, err
	}
	return c.ObjectToTyped(obj, opts...)
}

func (t mergeTypes) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	c, err := t.converter()
	if err != nil {
		return nil, err
	}
	return c.TypedToObject(value)
}
