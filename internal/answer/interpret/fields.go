package interpret

import (
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	"github.com/prune-gen/prune-gen/structural"
)

// Fields calls visit with the path of every field that pruning keeps in objects with the schema s, in the notation of
// generated Fields functions: [] stands for the elements of a list, [*] for the values of a map, and ... for everything
// below a place.
func Fields(s *structural.Schema, opts PruneOptions, visit func(path string)) {
	root := s.Resource()
	f := fieldLister{opts, visit}
	f.schema(root, root.XPreserveUnknownFields, "")
}

type fieldLister struct {
	opts  PruneOptions
	visit func(path string)
}

func (f *fieldLister) schema(s *structural.Schema, preserve bool, at string) {
	inherits := preserve && f.opts.Semantics == structural.KEP2332
	keeps := f.opts.KeepsUnknown(s, preserve)
	if keeps {
		f.visit(at + "...")
	}
	if s.XEmbeddedResource {
		f.visit(at + ".apiVersion")
		f.visit(at + ".apiVersion...")
		f.visit(at + ".kind")
		f.visit(at + ".kind...")
		f.visit(at + ".metadata")
	}
	for _, k := range sorted.Keys(s.Properties) {
		if s.XEmbeddedResource && structural.IsMetaField(k) {
			continue
		}
		f.visit(at + "." + k)
		f.schema(s.Properties[k], f.opts.Preserves(s.Properties[k], inherits), at+"."+k)
	}
	if values := pruning.Values(s); values != nil {
		f.visit(at + "[*]")
		f.schema(values, f.opts.Preserves(values, inherits), at+"[*]")
	}
	switch {
	case s.Items != nil:
		f.schema(s.Items, f.opts.Preserves(s.Items, preserve), at+"[]")
	case preserve && !keeps: // of a list in the place of the map
		f.visit(at + "[]...")
	}
}
