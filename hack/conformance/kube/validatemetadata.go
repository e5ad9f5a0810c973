package kube

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateMetadata returns what the API server finds wrong with the metadata of an object and of the resources that it
// embeds: the type and text of each error, sorted by text, each text once. The object is new where old is nil. Metadata of the wrong types
// is not an error here: it is refused before.
func (r *Resource) ValidateMetadata(obj, old map[string]any, namespaced bool) []string {
	at := field.NewPath("metadata")
	var errs field.ErrorList
	switch meta := decodeMetadata(obj); {
	case meta == nil:
	case old == nil:
		errs = validateNewMeta(meta, namespaced, metavalidation.NameIsDNSSubdomain, at)
	default:
		if before := decodeMetadata(old); before != nil {
			errs = validateMetaUpdate(meta, before, namespaced, at)
		}
	}
	var texts []string
	for _, e := range sortedErrors(append(errs, r.embeddedMetadata(obj)...)) {
		texts = append(texts, string(e.Type)+" "+e.Error())
	}
	return texts
}

// decodeMetadata returns the metadata of a resource, nil if it has the wrong types.
func decodeMetadata(obj map[string]any) *metav1.ObjectMeta {
	meta, found, err := objectmeta.GetObjectMeta(obj, false)
	if err != nil {
		return nil
	}
	if !found {
		return &metav1.ObjectMeta{}
	}
	return meta
}

// embeddedMetadata returns the errors about the metadata of embedded resources.
func (r *Resource) embeddedMetadata(obj map[string]any) field.ErrorList {
	var errs field.ErrorList
	walkEmbedded(nil, obj, r.Structural, func(e embedded) {
		meta, found, err := objectmeta.GetObjectMeta(e.obj, false)
		if !found || err != nil {
			return
		}
		if meta.Name == "" {
			meta.Name = "fakename"
		}
		errs = append(errs, validateNewMeta(meta, meta.Namespace != "", isPathSegment, e.at.Child("metadata"))...)
	})
	return errs
}
