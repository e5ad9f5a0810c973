package assist

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Definition returns where the CRD says what the key or the value at an offset is: a field in its schema, or for an apiVersion and a kind
// the version. The place of the path is crd.Locate(path).
func Definition(c Catalog, text []byte, offset int) (crd *structural.CRD, path prunert.Path, ok bool) {
	s, ok := locate(c, text, offset)
	switch {
	case !ok:
		return nil, nil, false
	case len(s.path) == 1 && s.path[0].Name == "kind":
		path = prunert.FieldPath("spec", "names", "kind")
	case len(s.path) == 1 && s.path[0].Name == "apiVersion":
		i := max(0, slices.Index(s.crd.Versions, s.version))
		path = append(prunert.FieldPath("spec", "versions"), prunert.Step{Index: i}, prunert.Step{Name: "name", Index: -1})
	default:
		path = SchemaPath(s.version, s.path)
	}
	return s.crd, path, path != nil
}

// SchemaPath returns the path in a CRD that leads to the schema of the value at a path in objects of a version. It ends where the CRD
// specifies nothing: in metadata, or where any field is kept. It is nil for a version without a schema.
func SchemaPath(v *structural.Version, path prunert.Path) prunert.Path {
	if v.Schema == nil {
		return nil
	}
	at, s := v.SchemaPath.Steps(), v.Schema
	for _, step := range path {
		switch {
		case step.Index >= 0 && s.Elements() != nil:
			at, s = append(at, prunert.FieldPath("items")...), s.Elements()
		case step.Index < 0 && s.Properties[step.Name] != nil:
			at, s = append(at, prunert.FieldPath("properties", step.Name)...), s.Properties[step.Name]
		case step.Index < 0 && s.Values() != nil:
			at, s = append(at, prunert.FieldPath("additionalProperties")...), s.Values()
		default:
			return at
		}
	}
	return at
}
