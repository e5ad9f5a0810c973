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

// Prune drops from obj what Kubernetes drops between decoding and storing, apart from nulls, and returns the paths it
// reports, sorted: unknown fields by the schema, and unknown fields in the metadata of the root and of embedded
// resources. Metadata that Kubernetes refuses stays as it is.
func (r *Resource) Prune(obj map[string]any) []string {
	var paths []string
	if r.Pruned {
		paths = pruning.PruneWithOptions(obj, r.Structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	}
	for _, e := range resources(obj, r.Structural) {
		_, _, unknown, err := objectmeta.GetObjectMetaWithOptions(e.obj, objectmeta.ObjectMetaOptions{
			ReturnUnknownFieldPaths: true,
			ParentPath:              e.at,
		})
		if err != nil {
			continue
		}
		paths = append(paths, unknown...)
		dropUnknownMetadata(e.obj["metadata"])
	}
	slices.Sort(paths)
	return paths
}

// Malformed removes the metadata that Kubernetes refuses, at the root and in embedded resources, and returns how many
// there were. What pruning makes of such metadata is nobody's business: the object is not accepted.
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

// dropUnknownMetadata drops what ObjectMeta does not have. Kubernetes does so by decoding into that type and encoding it
// again, which changes more than pruning does; here, each key is shown to the same decoder alone.
func dropUnknownMetadata(metadata any) {
	m, ok := metadata.(map[string]any)
	if !ok {
		return
	}
	dropUnknown[metav1.ObjectMeta](m)
	dropUnknownInList[metav1.OwnerReference](m["ownerReferences"])
	dropUnknownInList[metav1.ManagedFieldsEntry](m["managedFields"])
}

func dropUnknownInList[T any](list any) {
	l, _ := list.([]any)
	for _, e := range l {
		if m, ok := e.(map[string]any); ok {
			dropUnknown[T](m)
		}
	}
}

func dropUnknown[T any](m map[string]any) {
	for k := range m {
		data, err := json.Marshal(map[string]any{k: nil})
		if err != nil {
			panic(fmt.Sprintf("encode key %q: %v", k, err))
		}
		strict, err := kjson.UnmarshalStrict(data, new(T))
		if err != nil {
			panic(fmt.Sprintf("decode %s: %v", data, err)) // null is a value of every field
		}
		if len(strict) > 0 {
			delete(m, k)
		}
	}
}
