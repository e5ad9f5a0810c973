package serve

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
)

// scheme knows the types that are not objects of a resource: options, tables, statuses.
var (
	scheme = newScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	v1 := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(s, v1)
	s.AddUnversionedTypes(v1, &metav1.Status{}, &metav1.WatchEvent{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	return s
}

// typer says what an object is: unstructured ones say it themselves.
type typer struct{ delegate runtime.ObjectTyper }

func (t typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	if _, ok := obj.(runtime.Unstructured); !ok {
		return t.delegate.ObjectKinds(obj)
	}
	gvk := obj.GetObjectKind().GroupVersionKind()
	switch {
	case gvk.Kind == "":
		return nil, false, runtime.NewMissingKindErr("object has no kind field ")
	case gvk.Version == "":
		return nil, false, runtime.NewMissingVersionErr("object has no apiVersion field")
	}
	return []schema.GroupVersionKind{gvk}, false, nil
}

func (t typer) Recognizes(gvk schema.GroupVersionKind) bool { return t.delegate.Recognizes(gvk) }

// creator makes unstructured objects of every kind.
type creator struct{}

func (creator) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u, nil
}

// defaulter fills in defaults with generated code.
type defaulter struct{ codec *kube.Codec }

func (d defaulter) Default(in runtime.Object) {
	if u, ok := in.(runtime.Unstructured); ok && d.codec.Default(u.UnstructuredContent()) {
		return
	}
	scheme.Default(in)
}

// converter calls an object of one version one of another, and leaves the rest to the storage codec, which knows what to prune:
// the library converts back and forth while it works out who owns which field, and must not lose any on the way. The safe one
// leaves what it is given alone.
type converter struct {
	group      string
	safe       bool
	namespaced bool
	selectable map[string][]string // by version
}

var _ runtime.ObjectConvertor = &converter{}

// ConvertFieldLabel says which fields a selector may name.
func (c *converter) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	ok := label == "metadata.name" || label == "metadata.namespace" && c.namespaced ||
		slices.ContainsFunc(c.selectable[gvk.Version], func(path string) bool { return strings.TrimPrefix(path, ".") == label })
	if !ok {
		return "", "", fmt.Errorf("field label not supported: %s", label)
	}
	return label, value, nil
}

// Convert makes out, which says what version it is, from in.
func (c *converter) Convert(in, out, context any) error {
	_, fromScale := in.(*autoscalingv1.Scale)
	if _, toScale := out.(*autoscalingv1.Scale); fromScale || toScale {
		return clientscheme.Scheme.Convert(in, out, context)
	}
	from, ok := in.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("input type %T in not valid for unstructured conversion to %T", in, out)
	}
	to, ok := out.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("output type %T in not valid for unstructured conversion from %T", out, in)
	}
	converted, err := c.ConvertToVersion(from, to.GroupVersionKind().GroupVersion())
	if err != nil {
		return err
	}
	to.SetUnstructuredContent(converted.(*unstructured.Unstructured).Object)
	return nil
}

// ConvertToVersion returns an object or a list in another version.
func (c *converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	from := in.GetObjectKind().GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from})
	if !ok {
		return nil, fmt.Errorf("%v is unstructured and is not suitable for converting to %q", from, target)
	}
	if _, ok := in.(*autoscalingv1.Scale); ok {
		return clientscheme.Scheme.ConvertToVersion(in, target)
	}
	if to.Group != c.group {
		return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s", to.GroupVersion())
	}
	if c.safe {
		in = in.DeepCopyObject()
	}
	if list, ok := in.(*unstructured.UnstructuredList); ok {
		for i := range list.Items {
			if gvk := list.Items[i].GroupVersionKind(); gvk.Version != to.Version {
				list.Items[i].SetGroupVersionKind(to.GroupVersion().WithKind(gvk.Kind))
			}
		}
	}
	if from != to {
		in.GetObjectKind().SetGroupVersionKind(to)
	}
	return in, nil
}
