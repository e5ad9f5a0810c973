package reads

// stubs are modules with the paths of the API machinery and of controller-runtime, so small that programs on them are built in a second. The
// client fills objects, and then drops what POISON names.
var stubs = map[string]string{
	"go.mod": `module example.com/random

go 1.26

require (
	k8s.io/apimachinery v0.0.0
	sigs.k8s.io/controller-runtime v0.0.0
)

replace (
	k8s.io/apimachinery => ./_apimachinery
	sigs.k8s.io/controller-runtime => ./_runtime
)
`,
	"_apimachinery/go.mod": "module k8s.io/apimachinery\n\ngo 1.26\n",
	"_apimachinery/pkg/runtime/runtime.go": `package runtime

type Object interface{ DeepCopyObject() Object }
`,
	"_apimachinery/pkg/apis/meta/v1/meta.go": `package v1

type TypeMeta struct {
	Kind       string ` + "`json:\"kind,omitempty\"`" + `
	APIVersion string ` + "`json:\"apiVersion,omitempty\"`" + `
}

type ListMeta struct {
	ResourceVersion string ` + "`json:\"resourceVersion,omitempty\"`" + `
}

type ObjectMeta struct {
	Name            string            ` + "`json:\"name,omitempty\"`" + `
	Namespace       string            ` + "`json:\"namespace,omitempty\"`" + `
	Labels          map[string]string ` + "`json:\"labels,omitempty\"`" + `
	Annotations     map[string]string ` + "`json:\"annotations,omitempty\"`" + `
	ManagedFields   []Entry           ` + "`json:\"managedFields,omitempty\"`" + `
}

type Entry struct {
	Manager string ` + "`json:\"manager\"`" + `
}

type Object interface {
	GetName() string
	GetNamespace() string
	GetLabels() map[string]string
	SetLabels(map[string]string)
	GetAnnotations() map[string]string
	GetManagedFields() []Entry
}

func (m *ObjectMeta) GetName() string                   { return m.Name }
func (m *ObjectMeta) GetNamespace() string              { return m.Namespace }
func (m *ObjectMeta) GetLabels() map[string]string      { return m.Labels }
func (m *ObjectMeta) SetLabels(l map[string]string)     { m.Labels = l }
func (m *ObjectMeta) GetAnnotations() map[string]string { return m.Annotations }
func (m *ObjectMeta) GetManagedFields() []Entry         { return m.ManagedFields }
`,
	"_runtime/go.mod": `module sigs.k8s.io/controller-runtime

go 1.26

require k8s.io/apimachinery v0.0.0
`,
	"_runtime/pkg/client/client.go": `package client

import (
	"context"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/poison"
)

type Object interface {
	metav1.Object
	runtime.Object
}

type ObjectList interface {
	runtime.Object
}

type Reader interface {
	Get(ctx context.Context, name string, obj Object) error
	List(ctx context.Context, list ObjectList) error
}

type Client interface{ Reader }

func New() Client { return cache{} }

type cache struct{}

func (cache) Get(_ context.Context, _ string, obj Object) error {
	fill(reflect.ValueOf(obj).Elem(), 0)
	poison.Object(obj)
	return nil
}

func (cache) List(_ context.Context, list ObjectList) error {
	fill(reflect.ValueOf(list).Elem(), 0)
	poison.Object(list)
	return nil
}

// fill gives every field a value.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Int64:
		v.SetInt(7)
	case reflect.Pointer:
		if depth < 12 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, k := range []string{"k0", "k1"} {
			e := reflect.New(v.Type().Elem()).Elem()
			fill(e, depth+1)
			v.SetMapIndex(reflect.ValueOf(k), e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	}
}
`,
}
