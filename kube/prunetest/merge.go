package prunetest

import (
	"encoding/json"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/structural"
)

// fieldManager returns what records in managedFields who owns which field, and merges what is applied. It is that of the API server.
func (c *CRDs) fieldManager(t target, subresource string) (*managedfields.FieldManager, error) {
	kind := t.empty().GroupVersionKind()
	var reset *fieldpath.Set // what requests cannot change
	switch {
	case subresource == "status":
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
	case t.Status:
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	default:
		reset = fieldpath.NewSet()
	}
	types := managedfields.NewDeducedTypeConverter()
	if of := c.details[kind].types; of != nil {
		var err error
		if types, err = of(); err != nil {
			return nil, err
		}
	}
	return managedfields.NewDefaultCRDFieldManager(types, oneVersion{}, oneVersion{}, oneVersion{}, kind, kind.GroupVersion(), subresource,
		fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(kind.GroupVersion().String()): reset}))
}

// managed returns obj, which replaces old, with the managedFields that it has when a manager creates or updates it.
func (c *CRDs) managed(t target, subresource string, obj, old map[string]any, manager string) (map[string]any, error) {
	f, err := c.fieldManager(t, subresource)
	if err != nil {
		return nil, err
	}
	if manager == "" {
		manager = filepath.Base(os.Args[0]) // the server takes it from the user agent
	}
	out := f.UpdateNoErrors(t.live(old), &unstructured.Unstructured{Object: obj}, manager)
	return out.(*unstructured.Unstructured).Object, nil
}

// owners are the managedFields of an object, which the answer to a request does not have.
type owners struct{ entries any }

func ownersIn(obj map[string]any) owners {
	entries, _, _ := unstructured.NestedFieldNoCopy(obj, "metadata", "managedFields")
	return owners{entries}
}

func (o owners) in(obj map[string]any) {
	unstructured.RemoveNestedField(obj, "metadata", "managedFields")
	if metadata, ok := obj["metadata"].(map[string]any); ok && o.entries != nil {
		metadata["managedFields"] = o.entries
	}
}

// live returns what field managers compare with: a copy of old, or an object with nothing in it.
func (t target) live(old map[string]any) *unstructured.Unstructured {
	if old == nil {
		return t.empty()
	}
	return &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
}

// oneVersion is what a field manager needs to know about versions, where objects have only one. Defaults are filled in later.
type oneVersion struct{}

func (oneVersion) Convert(_, _, _ any) error { return nil }

func (oneVersion) ConvertToVersion(obj runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return obj, nil
}

func (oneVersion) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (oneVersion) Default(runtime.Object) {}

func (oneVersion) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

// mergeTypes returns how the fields of a version merge: which lists are sets or maps, which objects are atomic.
func mergeTypes(crd *structural.CRD, v *structural.Version) (managedfields.TypeConverter, error) {
	root := map[string]any{"type": "object"}
	if v.Schema != nil {
		root = v.Schema.Object()
	}
	root["x-kubernetes-embedded-resource"] = true
	root["x-kubernetes-group-version-kind"] = []any{map[string]any{"group": crd.Group, "version": v.Name, "kind": crd.Names.Kind}}
	complete(root)
	data, err := json.Marshal(map[string]any{"Object": root, "ObjectMeta": json.RawMessage(objectMeta)})
	if err != nil {
		return nil, err
	}
	var models map[string]*spec.Schema
	if err := json.Unmarshal(data, &models); err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(models, crd.PreserveUnknownFields)
}

// complete leaves only the structure in a schema, and adds the properties that resources have.
func complete(s map[string]any) {
	for _, junctor := range []string{"allOf", "anyOf", "oneOf", "not"} {
		delete(s, junctor)
	}
	properties, _ := s["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	for _, p := range properties {
		complete(p.(map[string]any))
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, ok := s[keyword].(map[string]any); ok {
			complete(below)
		}
	}
	if s["x-kubernetes-embedded-resource"] == true {
		properties["apiVersion"], properties["kind"] = map[string]any{"type": "string"}, map[string]any{"type": "string"}
		properties["metadata"] = map[string]any{"$ref": "#/components/schemas/ObjectMeta"}
		s["properties"] = properties
	}
}

// objectMeta is how metadata merges.
const objectMeta = `{"type":"object","properties":{
	"name":{"type":"string"}, "generateName":{"type":"string"}, "namespace":{"type":"string"}, "selfLink":{"type":"string"}, "uid":{"type":"string"},
	"resourceVersion":{"type":"string"}, "generation":{"type":"integer"},
	"creationTimestamp":{"type":"string"}, "deletionTimestamp":{"type":"string"}, "deletionGracePeriodSeconds":{"type":"integer"},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},
	"annotations":{"type":"object","additionalProperties":{"type":"string"}},
	"finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
	"ownerReferences":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["uid"],"items":{"type":"object","x-kubernetes-map-type":"atomic",
		"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"name":{"type":"string"},"uid":{"type":"string"},
			"controller":{"type":"boolean"},"blockOwnerDeletion":{"type":"boolean"}}}},
	"managedFields":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"atomic"}}}`
