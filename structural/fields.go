package structural

import (
	"maps"
	"slices"
)

// Fields calls visit with the path of every field that pruning keeps in objects with the schema s, in the notation of
// generated Fields functions: [] stands for the elements of a list, [*] for the values of a map, and ... for everything
// below a place.
func Fields(s *Schema, opts PruneOptions, visit func(path string)) {
	root := Schema{}
	if s != nil {
		root = *s
	}
	root.XEmbeddedResource = true
	f := fieldLister{pruner{opts: opts}, visit}
	f.schema(&root, root.XPreserveUnknownFields, "")
}

type fieldLister struct {
	pruner
	visit func(path string)
}

func (f *fieldLister) schema(s *Schema, preserve bool, at string) {
	inherits := preserve && f.opts.Semantics == KEP2332
	if preserve || f.opts.PreserveUnknownFields {
		f.visit(at + "...")
	}
	if s.XEmbeddedResource {
		f.visit(at + ".apiVersion")
		f.visit(at + ".apiVersion...")
		f.visit(at + ".kind")
		f.visit(at + ".kind...")
		f.visit(at + ".metadata")
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		if s.XEmbeddedResource && isMetaField(k) {
			continue
		}
		f.visit(at + "." + k)
		f.schema(s.Properties[k], f.preserves(s.Properties[k], inherits), at+"."+k)
	}
	if ap := s.AdditionalProperties; ap != nil {
		values := ap.Schema
		if values == nil {
			values = &Schema{}
		}
		f.visit(at + "[*]")
		f.schema(values, f.preserves(values, inherits), at+"[*]")
	}
	if s.Items != nil {
		f.schema(s.Items, f.preserves(s.Items, preserve), at+"[]")
	}
}
