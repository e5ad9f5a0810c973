package kube

import (
	"fmt"
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	gvkschema "k8s.io/apimachinery/pkg/runtime/schema"
)

// normalized is the schema with defaults as the API server prunes them when it loads a schema.
type normalized struct {
	once   sync.Once
	schema *structuralschema.Structural
	err    error
}

// Defaulting returns the schema with pruned defaults.
func (r *Resource) Defaulting() (*structuralschema.Structural, error) {
	r.normalized.once.Do(func() {
		if r.Structural != nil {
			r.normalized.schema = r.Structural.DeepCopy()
			r.normalized.err = defaulting.PruneDefaults(r.normalized.schema)
		}
	})
	return r.normalized.schema, r.normalized.err
}

// Normalize does to obj what the API server does to an object of this resource between decoding and validating it, with
// its own functions and in its order. With a report it returns the paths of unknown fields in its order.
func (r *Resource) Normalize(obj map[string]any, opts prunert.NormalizeOptions) ([]string, error) {
	s, err := r.Defaulting()
	if err != nil {
		return nil, fmt.Errorf("prune the defaults: %w", err)
	}
	kind, hasKind, err := unstructured.NestedString(obj, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasAPIVersion, err := unstructured.NestedString(obj, "apiVersion")
	if err != nil {
		return nil, err
	}
	drop, report := opts.Source == prunert.FromStorage, opts.ReportUnknown
	meta, hasMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(obj, objectmeta.ObjectMetaOptions{
		DropMalformedFields: drop, ReturnUnknownFieldPaths: report,
	})
	if err != nil {
		return nil, err
	}
	if _, err := gvkschema.ParseGroupVersion(apiVersion); err != nil {
		return nil, err
	}
	if r.Pruned {
		unknown = append(unknown, pruning.PruneWithOptions(obj, s, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: report})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(obj, s)
	}
	fieldErr, embedded := objectmeta.CoerceWithOptions(nil, obj, s, false, objectmeta.CoerceOptions{
		DropInvalidFields: drop, ReturnUnknownFieldPaths: report,
	})
	if fieldErr != nil {
		return nil, fieldErr
	}
	unknown = append(unknown, embedded...)
	if drop && hasMeta && meta.Generation == 0 {
		meta.Generation = 1
	}
	if hasKind {
		obj["kind"] = kind
	}
	if hasAPIVersion {
		obj["apiVersion"] = apiVersion
	}
	if hasMeta {
		if err := objectmeta.SetObjectMeta(obj, meta); err != nil {
			return nil, err
		}
	}
	defaulting.Default(obj, s)
	return unknown, nil
}

// Default fills in defaults.
func (r *Resource) Default(obj map[string]any) error {
	s, err := r.Defaulting()
	if err == nil {
		defaulting.Default(obj, s)
	}
	return err
}
