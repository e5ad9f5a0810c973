package structural

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// PruneOptions says how Prune prunes. The zero value is what the API server does for a CRD of apiextensions.k8s.io/v1.
type PruneOptions struct {
	Semantics Semantics
	// PreserveUnknownFields is spec.preserveUnknownFields of a v1beta1 CRD: nothing is dropped but unknown metadata.
	PreserveUnknownFields bool
}

// Prune drops from obj, which is the root of a resource, what s does not specify, in metadata too, and returns the paths
// of what it dropped, sorted: dots between keys, [i] for elements, and of a subtree only its root. Without a schema only
// apiVersion, kind and metadata stay.
//
// The walk follows the values, not the types in the schema: a map where a string should be is emptied.
func Prune(obj map[string]any, s *Schema, opts PruneOptions) []string {
	root := Schema{}
	if s != nil {
		root = *s
	}
	root.XEmbeddedResource = true // every root is a resource, whether or not its schema says so
	p := pruner{opts: opts, objectMeta: sharedObjectMeta()}
	p.walk(obj, &root, root.XPreserveUnknownFields, nil)
	slices.Sort(p.dropped)
	return p.dropped
}

type pruner struct {
	opts         PruneOptions
	objectMeta   *Schema
	keepMetadata bool // leave all metadata alone, as Kubernetes' pruning does
	dropped      []string
	depth        int
}

// walk prunes v, which stands at the given path, by s. With preserve, the keys that s does not specify stay, untouched
// with all below them.
func (p *pruner) walk(v any, s *Schema, preserve bool, at *Path) {
	if p.depth++; p.depth > prunert.MaxDepth {
		p.depth--
		return // no decoder makes such an object: it may contain itself
	}
	defer func() { p.depth-- }()
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if s.XEmbeddedResource && isMetaField(k) {
				if meta, ok := e.(map[string]any); ok && k == "metadata" && !p.keepMetadata {
					p.walkMetadata(meta, at)
				}
				continue
			}
			if child, childAt := specified(s, k, at); child != nil {
				p.walk(e, child, p.preserves(child, preserve && p.opts.Semantics == KEP2332), childAt)
			} else if !preserve && !p.opts.PreserveUnknownFields {
				delete(v, k)
				p.dropped = append(p.dropped, at.Key(k).dotted())
			}
		}
	case []any:
		items := s.Items
		if items == nil {
			items = &Schema{}
		}
		for i, e := range v {
			p.walk(e, items, p.preserves(items, preserve), at.Index(i))
		}
	}
}

// preserves reports whether s preserves unknown fields, by its own word or because what is above it does and it inherits.
func (p *pruner) preserves(s *Schema, inherits bool) bool {
	if p.opts.Semantics == KEP2332 && len(s.Properties) > 0 {
		inherits = false
	}
	return inherits || s.XPreserveUnknownFields
}

// specified returns the schema of key k in a map under s, and the path of its value; nil if s does not specify k.
// Where additionalProperties is true or false, the key is specified, but nothing below it.
func specified(s *Schema, k string, at *Path) (*Schema, *Path) {
	if child, ok := s.Properties[k]; ok {
		return child, at.property(k)
	}
	switch ap := s.AdditionalProperties; {
	case ap == nil:
		return nil, nil
	case ap.Schema == nil:
		return &Schema{}, at.Key(k)
	default:
		return ap.Schema, at.Key(k)
	}
}

// walkMetadata prunes the metadata of the resource at the given path. Unlike other paths, the one down to metadata tells
// the fields that properties name from the keys that additionalProperties cover: spec.templates[web].metadata.x
func (p *pruner) walkMetadata(meta map[string]any, at *Path) {
	var below pruner
	below.walk(meta, p.objectMeta, false, nil)
	for _, path := range below.dropped {
		p.dropped = append(p.dropped, at.Child("metadata").String()+"."+path)
	}
}

func isMetaField(k string) bool {
	return k == "apiVersion" || k == "kind" || k == "metadata"
}
