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
	root := spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"}}}
	if s, _ := structural.NewSchema(v.Schema, v.SchemaPath); s != nil {
		root = model(s)
		addObjectMeta(&root)
	}
	root.AddExtension("x-kubernetes-group-version-kind", []any{map[string]any{"group": crd.Group, "version": v.Name, "kind": crd.Names.Kind}})
	metadata := &spec.Schema{}
	if err := json.Unmarshal([]byte(objectMeta), metadata); err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(map[string]*spec.Schema{"Object": &root, "ObjectMeta": metadata}, crd.PreserveUnknownFields)
}

// model returns the structure of a schema as OpenAPI has it.
func model(s *structural.Schema) spec.Schema {
	out := spec.Schema{SchemaProps: spec.SchemaProps{Default: s.Default, Nullable: s.Nullable}}
	if s.Type != "" {
		out.Type = spec.StringOrArray{s.Type}
	}
	if s.Items != nil {
		items := model(s.Items)
		out.Items = &spec.SchemaOrArray{Schema: &items}
	}
	for name, p := range s.Properties {
		out.SetProperty(name, model(p))
	}
	if a := s.AdditionalProperties; a != nil {
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: a.Bool}
		if a.Schema != nil {
			of := model(a.Schema)
			out.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &of}
		}
	}
	if s.XPreserveUnknownFields {
		out.AddExtension("x-kubernetes-preserve-unknown-fields", true)
	}
	if s.XListType != nil {
		out.AddExtension("x-kubernetes-list-type", *s.XListType)
	}
	if s.XMapType != nil {
		out.AddExtension("x-kubernetes-map-type", *s.XMapType)
	}
	if len(s.XListMapKeys) > 0 {
		keys := make([]any, len(s.XListMapKeys))
		for i, k := range s.XListMapKeys {
			keys[i] = k
		}
		out.AddExtension("x-kubernetes-list-map-keys", keys)
	}
	if s.XEmbeddedResource {
		addObjectMeta(&out)
	}
	return out
}

// addObjectMeta adds the properties that every object has.
func addObjectMeta(s *spec.Schema) {
	s.SetProperty("apiVersion", *spec.StringProperty())
	s.SetProperty("kind", *spec.StringProperty())
	s.SetProperty("metadata", *spec.RefSchema("#/components/schemas/ObjectMeta"))
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
