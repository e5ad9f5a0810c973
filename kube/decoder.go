package kube

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/runtime/serializer/json"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Decoder returns a decoder that decodes JSON into unstructured objects and lists, without the fields that the generated function
// DecodeJSON drops: they are skipped in the bytes and never become values. The delegate decodes objects without such a function, input that
// is not JSON, and all other types. A nil set means all registered resources.
func Decoder(set *prunert.Set, delegate runtime.Decoder) runtime.Decoder {
	return decoder{orLinked(set), delegate}
}

type decoder struct {
	set      *prunert.Set
	delegate runtime.Decoder
}

func (d decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	switch into.(type) {
	case nil, *unstructured.Unstructured, *unstructured.UnstructuredList:
	default:
		return d.delegate.Decode(data, defaults, into)
	}
	obj, err := d.set.DecodeJSON(data)
	if err != nil {
		return d.delegate.Decode(data, defaults, into)
	}
	out, ok := fill(obj, into)
	if !ok {
		return d.delegate.Decode(data, defaults, into)
	}
	kind := out.GetObjectKind().GroupVersionKind()
	return out, &kind, nil
}

// fill returns an object or a list of the type of into. It reports false if a list is wanted and obj is not a list of objects.
func fill(obj map[string]any, into runtime.Object) (runtime.Object, bool) {
	items, isList := obj["items"].([]any)
	switch into := into.(type) {
	case *unstructured.Unstructured:
		into.Object = obj
		return into, true
	case *unstructured.UnstructuredList:
		return fillList(obj, items, into)
	}
	if isList {
		return fillList(obj, items, &unstructured.UnstructuredList{})
	}
	return &unstructured.Unstructured{Object: obj}, true
}

// fillList makes a list of obj. As in Kubernetes, items without a kind are of the kind of the list.
func fillList(obj map[string]any, items []any, list *unstructured.UnstructuredList) (runtime.Object, bool) {
	of := (&unstructured.Unstructured{Object: obj}).GroupVersionKind()
	of.Kind = strings.TrimSuffix(of.Kind, "List")
	all := make([]unstructured.Unstructured, len(items))
	for i, item := range items {
		item, ok := item.(map[string]any)
		if !ok {
			return nil, false
		}
		all[i].Object = item
		if all[i].GetKind() == "" && of.Kind != "" {
			all[i].SetGroupVersionKind(of)
		}
	}
	delete(obj, "items")
	list.Object, list.Items = obj, all
	return list, true
}

// Serializer returns a NegotiatedSerializer for rest.Config: the JSON of dynamic clients, decoded by Decoder. To make a dynamic client that
// decodes and watches with it:
//
//	config.NegotiatedSerializer = kube.Serializer(nil)
//	restClient, err := rest.UnversionedRESTClientFor(config)
//	client := dynamic.New(restClient)
func Serializer(set *prunert.Set) runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	objects := kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, creater{scheme}, typer{scheme}, kubejson.SerializerOptions{})
	pruning := serializer{Serializer: objects, decoder: Decoder(set, objects)}
	return negotiated{typer: typer{scheme}, info: runtime.SerializerInfo{
		MediaType:        runtime.ContentTypeJSON,
		MediaTypeType:    "application",
		MediaTypeSubType: "json",
		EncodesAsText:    true,
		Serializer:       pruning,
		PrettySerializer: pruning,
		StreamSerializer: &runtime.StreamSerializerInfo{
			EncodesAsText: true,
			Serializer:    kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, scheme, scheme, kubejson.SerializerOptions{}),
			Framer:        kubejson.Framer,
		},
	}}
}

// negotiated offers one media type.
type negotiated struct {
	info  runtime.SerializerInfo
	typer runtime.ObjectTyper
}

func (n negotiated) SupportedMediaTypes() []runtime.SerializerInfo {
	return []runtime.SerializerInfo{n.info}
}

func (n negotiated) EncoderForVersion(e runtime.Encoder, version runtime.GroupVersioner) runtime.Encoder {
	return runtime.WithVersionEncoder{Version: version, Encoder: e, ObjectTyper: n.typer}
}

func (n negotiated) DecoderToVersion(d runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return d
}

// serializer is a serializer with another decoder.
type serializer struct {
	runtime.Serializer
	decoder runtime.Decoder
}

func (s serializer) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return s.decoder.Decode(data, defaults, into)
}

// creater makes an unstructured object where the scheme has no type.
type creater struct{ scheme *runtime.Scheme }

func (c creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if out, err := c.scheme.New(kind); err == nil {
		return out, nil
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

// typer returns the kind that an unstructured object says it has.
type typer struct{ scheme *runtime.Scheme }

func (t typer) ObjectKinds(obj runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	kinds, unversioned, err := t.scheme.ObjectKinds(obj)
	if _, ok := obj.(runtime.Unstructured); err != nil && ok {
		return []schema.GroupVersionKind{obj.GetObjectKind().GroupVersionKind()}, false, nil
	}
	return kinds, unversioned, err
}

func (t typer) Recognizes(schema.GroupVersionKind) bool { return true }
