package interpret

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Fault is one thing that is wrong with a value, at the path that the API server prints.
type Fault struct {
	At       *structural.Path
	Type     prunert.ErrorType
	BadValue any
	Detail   string
}

// MetadataShape returns the places of resources in the values of a schema, for pruneimpl.CheckMetadataValues.
func MetadataShape(s *structural.JSONSchema) *pruneimpl.Shape {
	if s == nil { // a CRD of v1beta1 may have none
		return &pruneimpl.Shape{}
	}
	out := &pruneimpl.Shape{Resource: s.XEmbeddedResource}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		out.Fields = append(out.Fields, pruneimpl.ShapeField{Name: name, Shape: MetadataShape(s.Properties[name])})
	}
	if values := s.Values(); values != nil {
		out.Values = MetadataShape(values)
	}
	if items := s.Elements(); items != nil {
		out.Items = MetadataShape(items)
	}
	return out
}

// ObjectMetaFaults calls report for everything that is wrong with the values of meta, apart from the names in it and its generation, as a
// version of the API server has it. meta stands in metadata of the object. What has another type than ObjectMeta says counts as absent.
func ObjectMetaFaults(meta map[string]any, by kubeversion.Version, report func(Fault)) {
	meta = maps.Clone(meta)
	for _, k := range []string{"name", "generateName", "namespace", "generation"} {
		delete(meta, k)
	}
	recorded(map[string]any{"metadata": meta}, nil, by, pruneimpl.ValidateEmbeddedMetadata, report)
}

// recorded calls report for the faults that a function of the runtime records about the resource at a path.
func recorded(v map[string]any, at *structural.Path, by kubeversion.Version, record func(map[string]any, *pruneimpl.Recorder) int, report func(Fault)) {
	rec := &pruneimpl.Recorder{Kubernetes: by}
	record(v, rec)
	for _, e := range rec.Errors() {
		below := at
		for i, s := range e.Path {
			switch {
			case s.Index < 0 && i == 0 && s.Name == "metadata":
				below = below.Metadata()
			case s.Index < 0:
				below = below.Child(s.Name)
			case strings.Contains(e.Field, "["+strconv.Itoa(s.Index)+"]"): // older servers leave out the index of an owner reference
				below = below.Index(s.Index)
			}
		}
		report(Fault{below, e.Type, e.BadValue, e.Detail})
	}
}

// ResourceFaults calls report for everything that is wrong with apiVersion, kind and metadata of the resources in v, which is of
// the schema s and stands at the given path: the first value that has the wrong type, or else all values that are wrong. They are
// those of a version of the API server.
func ResourceFaults(v any, s *structural.Schema, at *structural.Path, by kubeversion.Version, report func(Fault)) {
	wrongType := false
	eachResource(v, s, at, func(v map[string]any, at *structural.Path) {
		if !wrongType {
			wrongType = resourceTypes(v, at, report)
		}
	})
	if wrongType {
		return
	}
	eachResource(v, s, at, func(v map[string]any, at *structural.Path) {
		recorded(v, at, by, pruneimpl.CheckTypeMeta, report)
		recorded(v, at, by, pruneimpl.ValidateEmbeddedMetadata, report)
	})
}

// resourceTypes reports the first value of apiVersion, kind and metadata that has the wrong type, and whether there is one.
func resourceTypes(v map[string]any, at *structural.Path, report func(Fault)) bool {
	for _, k := range []string{"apiVersion", "kind"} {
		if e, ok := v[k]; ok {
			if _, isString := e.(string); !isString {
				report(Fault{at.Child(k), prunert.ErrorTypeInvalid, e, "must be a string"})
				return true
			}
		}
	}
	if v["metadata"] == nil {
		return false
	}
	wrong := checker{found: checkMetadata(v["metadata"], pruning.ObjectMeta(), nil)}
	errs := sortErrorList(wrong.list())
	if len(errs) == 0 {
		return false
	}
	report(Fault{at.Child("metadata"), prunert.ErrorTypeInvalid, v["metadata"], errs[0].Detail})
	return true
}

// eachResource calls f for the resources in v, which has the schema s.
func eachResource(v any, s *structural.Schema, at *structural.Path, f func(map[string]any, *structural.Path)) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			f(v, at)
		}
		for _, k := range sorted.Keys(v) {
			if s.Properties[k] != nil {
				eachResource(v[k], s.Properties[k], at.Child(k), f)
			} else {
				eachResource(v[k], s.Values(), at.Key(k), f)
			}
		}
	case []any:
		for i, e := range v {
			eachResource(e, s.Items, at.Index(i), f)
		}
	}
}

// eachWrittenResource is eachResource for a schema as written.
func eachWrittenResource(v any, s *structural.JSONSchema, at *structural.Path, f func(map[string]any, *structural.Path)) {
	if s == nil {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			f(v, at)
		}
		for _, k := range sorted.Keys(v) {
			if child := s.Properties[k]; child != nil {
				eachWrittenResource(v[k], child, at.Child(k), f)
			} else {
				eachWrittenResource(v[k], s.Values(), at.Key(k), f)
			}
		}
	case []any:
		for i, e := range v {
			eachWrittenResource(e, s.Elements(), at.Index(i), f)
		}
	}
}
