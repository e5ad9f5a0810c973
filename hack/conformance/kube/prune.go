package kube

import (
	"encoding/json"
	"fmt"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// Dropped is what Kubernetes drops from an object, as sorted paths.
type Dropped struct {
	// Reported are the paths that it reports.
	Reported []string
	// All are the paths of everything it drops, reported or not.
	All []string
	// MostUnknown is the largest number of unknown fields in one metadata.
	MostUnknown int
}

// Prune drops what Kubernetes drops from obj between decoding and storing, except nulls: unknown fields by the
// schema, and unknown fields in the metadata of the root and of embedded resources. Metadata that Kubernetes refuses
// stays as it is.
func (r *Resource) Prune(obj map[string]any) Dropped {
	var d Dropped
	if r.Pruned {
		d.Reported = pruning.PruneWithOptions(obj, r.Structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	}
	d.All = slices.Clone(d.Reported)
	for _, e := range resources(obj, r.Structural) {
		_, _, unknown, err := objectmeta.GetObjectMetaWithOptions(e.obj, objectmeta.ObjectMetaOptions{
			ReturnUnknownFieldPaths: true,
			ParentPath:              e.at,
		})
		if err != nil {
			continue
		}
		d.Reported = append(d.Reported, unknown...)
		prefix := e.at.Child("metadata").String() + "."
		dropped := dropUnknownMetadata(e.obj["metadata"])
		d.MostUnknown = max(d.MostUnknown, len(dropped))
		for _, path := range dropped {
			d.All = append(d.All, prefix+path)
		}
	}
	slices.Sort(d.Reported)
	slices.Sort(d.All)
	return d
}

// Malformed removes the metadata that Kubernetes refuses, at the root and in embedded resources, and returns how many
// there were. The result of pruning such metadata does not matter: the object is not accepted.
func (r *Resource) Malformed(obj map[string]any) int {
	n := 0
	for _, e := range resources(obj, r.Structural) {
		if e.malformed() {
			delete(e.obj, "metadata")
			n++
		}
	}
	return n
}

// dropUnknownMetadata drops what ObjectMeta does not have, and returns the paths. Kubernetes does so by decoding into that
// type and encoding it again, which changes more than pruning does; here, each key is shown to the same decoder alone.
func dropUnknownMetadata(metadata any) []string {
	m, ok := metadata.(map[string]any)
	if !ok {
		return nil
	}
	paths := dropUnknown[metav1.ObjectMeta](m, "")
	paths = append(paths, dropUnknownInList[metav1.OwnerReference](m, "ownerReferences")...)
	return append(paths, dropUnknownInList[metav1.ManagedFieldsEntry](m, "managedFields")...)
}

func dropUnknownInList[T any](m map[string]any, key string) (paths []string) {
	list, _ := m[key].([]any)
	for i, e := range list {
		if m, ok := e.(map[string]any); ok {
			paths = append(paths, dropUnknown[T](m, fmt.Sprintf("%s[%d].", key, i))...)
		}
	}
	return paths
}

func dropUnknown[T any](m map[string]any, prefix string) (paths []string) {
	for k := range m {
		if !isField[T](k) {
			delete(m, k)
			paths = append(paths, prefix+k)
		}
	}
	return paths
}

// isField asks the decoder whether the Go type T has a field for the key k.
func isField[T any](k string) bool {
	data, err := json.Marshal(map[string]any{k: nil})
	if err != nil {
		panic(fmt.Sprintf("encode key %q: %v", k, err))
	}
	strict, err := kjson.UnmarshalStrict(data, new(T))
	if err != nil {
		panic(fmt.Sprintf("decode %s: %v", data, err)) // null is a value of every field
	}
	return len(strict) == 0
}
