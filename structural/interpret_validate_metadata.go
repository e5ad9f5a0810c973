package structural

import (
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// ValidateObjectMetadata returns everything that is wrong with the values of metadata, in obj, which is the root of a resource,
// and in the resources that s embeds in it; nil if nothing is. The object is new if old is nil, and takes the place of old
// otherwise. The API server comes to this with objects that have a name, generated or not, and the namespace of the request.
func ValidateObjectMetadata(obj, old map[string]any, s *JSONSchema, namespaced bool) prunert.ErrorList {
	var rec pruneimpl.Recorder
	pruneimpl.ValidateMetadata(obj, old, &rec, namespaced)
	embeddedMetadata(obj, s, &rec)
	return rec.Errors()
}

// embeddedMetadata validates the metadata of the resources that s embeds in v. It returns how many events it recorded.
func embeddedMetadata(v any, s *JSONSchema, rec *pruneimpl.Recorder) (n int) {
	if s == nil {
		return 0
	}
	switch v := v.(type) {
	case map[string]any:
		if s.XEmbeddedResource {
			n += pruneimpl.ValidateEmbeddedMetadata(v, rec)
		}
		for k, e := range v {
			if child := s.Properties[k]; child != nil {
				n += rec.Field(k, embeddedMetadata(e, child, rec))
			} else if ap := s.AdditionalProperties; ap != nil {
				n += rec.Key(k, embeddedMetadata(e, ap.Schema, rec))
			}
		}
	case []any:
		if s.Items != nil {
			for i, e := range v {
				n += rec.Index(i, embeddedMetadata(e, s.Items.Schema, rec))
			}
		}
	}
	return n
}
