package interpret

import (
	"slices"

	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// PruneOptions says how objects are pruned. The zero value is what the API server does for a CRD of apiextensions.k8s.io/v1.
type PruneOptions = pruning.Options

// Prune drops from obj, the root of a resource, what s does not specify, in metadata too. It returns the sorted paths of what it dropped,
// with dots between keys and [i] for elements; for a subtree, only the path of its root. Without a schema only apiVersion, kind and
// metadata stay.
//
// The walk follows the values, not the types in the schema: a map where a string should be is emptied.
func Prune(obj map[string]any, s *structural.Schema, opts PruneOptions) []string {
	root := s.Resource()
	p := pruner{opts: opts, objectMeta: pruning.ObjectMeta()}
	p.walk(obj, root, root.XPreserveUnknownFields, nil)
	slices.Sort(p.dropped)
	return p.dropped
}

type pruner struct {
	opts         PruneOptions
	objectMeta   *structural.Schema
	keepMetadata bool // leave all metadata alone, as Kubernetes' pruning does
	dropped      []string
	depth        int
}

// walk prunes v, at the given path, by s. With preserve, keys that s does not specify stay, with everything below them.
func (p *pruner) walk(v any, s *structural.Schema, preserve bool, at *structural.Path) {
	if p.depth++; p.depth > prunert.MaxDepth {
		p.depth--
		return // no decoder makes such an object: it may contain itself
	}
	defer func() { p.depth-- }()
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if s.XEmbeddedResource && structural.IsMetaField(k) {
				if meta, ok := e.(map[string]any); ok && k == "metadata" && !p.keepMetadata {
					p.walkMetadata(meta, at)
				}
				continue
			}
			if child, childAt := pruning.Specified(s, k, at); child != nil {
				p.walk(e, child, p.opts.Preserves(child, preserve && p.opts.Semantics == structural.KEP2332), childAt)
			} else if !preserve && !p.opts.PreserveUnknownFields {
				delete(v, k)
				p.dropped = append(p.dropped, at.Key(k).Dotted())
			}
		}
	case []any:
		items := s.Items
		if items == nil {
			items = &structural.Schema{}
		}
		for i, e := range v {
			p.walk(e, items, p.opts.Preserves(items, preserve), at.Index(i))
		}
	}
}

// walkMetadata prunes the metadata of the resource at the given path.
func (p *pruner) walkMetadata(meta map[string]any, at *structural.Path) {
	var below pruner
	below.walk(meta, p.objectMeta, false, at.Metadata())
	p.dropped = append(p.dropped, below.dropped...)
}
