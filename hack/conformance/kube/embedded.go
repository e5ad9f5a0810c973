package kube

import (
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// embedded is one resource in an object: the root, or a value whose schema has x-kubernetes-embedded-resource.
type embedded struct {
	at  *field.Path // nil for the root
	obj map[string]any
}

// resources returns the root and every embedded resource in obj, found the way objectmeta.CoerceWithOptions finds them.
// That function stops at the first malformed one; a comparison needs all of them.
func resources(obj map[string]any, s *structuralschema.Structural) []embedded {
	all := []embedded{{obj: obj}}
	if s == nil {
		return all
	}
	root := *s
	root.XEmbeddedResource = false // the root is in the list already
	walkEmbedded(nil, obj, &root, func(e embedded) { all = append(all, e) })
	return all
}

func walkEmbedded(at *field.Path, x any, s *structuralschema.Structural, visit func(embedded)) {
	if s == nil {
		return
	}
	switch x := x.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			visit(embedded{at, x})
		}
		for k, v := range x {
			if prop, ok := s.Properties[k]; ok {
				walkEmbedded(at.Child(k), v, &prop, visit)
			} else if s.AdditionalProperties != nil {
				walkEmbedded(at.Key(k), v, s.AdditionalProperties.Structural, visit)
			}
		}
	case []any:
		for i, v := range x {
			walkEmbedded(at.Index(i), v, s.Items, visit)
		}
	}
}

// malformed reports whether Kubernetes refuses the metadata of e.
func (e embedded) malformed() bool {
	_, _, _, err := objectmeta.GetObjectMetaWithOptions(e.obj, objectmeta.ObjectMetaOptions{})
	return err != nil
}
