package assist

import (
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Definition returns where the CRD says what the key or the value at an offset is: a field in its schema, or for an apiVersion and a kind
// the version. The place of the path is crd.Locate(path).
func Definition(c Catalog, text []byte, offset int) (crd *structural.CRD, path prunert.Path, ok bool) {
	p, ok := Locate(c, text, offset)
	if !ok || p.Start == p.End {
		return nil, nil, false
	}
	crd, v, _, ok := c.Behavior(p.APIVersion, p.Kind)
	if !ok {
		return nil, nil, false
	}
	if len(p.Path) == 1 && p.Path[0].Name == "kind" {
		return crd, prunert.FieldPath("spec", "names", "kind"), true
	}
	if len(p.Path) == 1 && p.Path[0].Name == "apiVersion" {
		return crd, versionPath(crd, v), true
	}
	path = SchemaPath(v, p.Path)
	return crd, path, path != nil
}

// versionPath returns where a version is in its CRD.
func versionPath(c *structural.CRD, v *structural.Version) prunert.Path {
	for i, other := range c.Versions {
		if other == v {
			return append(prunert.FieldPath("spec", "versions"), prunert.Step{Index: i}, prunert.Step{Name: "name", Index: -1})
		}
	}
	return prunert.FieldPath("spec")
}

// SchemaPath returns the path in a CRD that leads to the schema of the value at a path in objects of a version. It ends where the CRD
// specifies nothing: in metadata, or where any field is kept. It is nil for a version without a schema.
func SchemaPath(v *structural.Version, path prunert.Path) prunert.Path {
	at, _ := schemaPath(v, path)
	return at
}

// schemaPath is SchemaPath with the schemas from the root to the last one that is specified.
func schemaPath(v *structural.Version, path prunert.Path) (at prunert.Path, way []*structural.JSONSchema) {
	if v.Schema == nil {
		return nil, nil
	}
	at, s := v.SchemaPath.Steps(), v.Schema
	way = []*structural.JSONSchema{s}
	for _, step := range path {
		switch {
		case step.Index >= 0 && s.Items != nil && s.Items.Schema != nil:
			at, s = append(at, prunert.FieldPath("items")...), s.Items.Schema
		case step.Index < 0 && s.Properties[step.Name] != nil:
			at, s = append(at, prunert.FieldPath("properties", step.Name)...), s.Properties[step.Name]
		case step.Index < 0 && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			at, s = append(at, prunert.FieldPath("additionalProperties")...), s.AdditionalProperties.Schema
		default:
			return at, way
		}
		way = append(way, s)
	}
	return at, way
}

// ConstraintPath returns the path in a CRD of the keyword that refused the value at a path, with a message of the API server. If the
// message does not say which, it is the path of the schema.
func ConstraintPath(v *structural.Version, path prunert.Path, message string) prunert.Path {
	at, way := schemaPath(v, path)
	if at == nil {
		return nil
	}
	// CEL rules: their messages are free, and their paths can lead below the schema that has them.
	for i := len(way) - 1; i >= 0; i-- {
		for j, r := range way[i].XValidations {
			said := strings.TrimSpace(r.Message)
			if said == "" && r.MessageExpression == "" {
				said = "failed rule: " + strings.TrimSpace(r.Rule)
			}
			if said != "" && strings.HasSuffix(message, ": "+said) {
				schema, _ := schemaPath(v, path[:i])
				return append(schema, prunert.Step{Name: "x-kubernetes-validations", Index: -1}, prunert.Step{Index: j})
			}
		}
	}
	for _, k := range keywordsOf {
		if !strings.Contains(message, k.text) {
			continue
		}
		if k.above && len(path) > 0 {
			path = path[:len(path)-1]
			at, way = schemaPath(v, path)
		}
		if len(way) != len(path)+1 {
			break
		}
		s := *way[len(path)]
		s.Properties, s.Items, s.AdditionalProperties = nil, nil, nil // they can be large
		written := s.Object()
		for _, keyword := range k.keywords {
			if written[keyword] != nil {
				return append(at, prunert.Step{Name: keyword, Index: -1})
			}
		}
		break
	}
	return at
}

// keywordsOf has words of the messages of the API server and the keywords that they are about, the most special first.
var keywordsOf = []struct {
	text     string
	keywords []string
	above    bool // they are in the schema of the object or the list with the value
}{
	{text: "should be less than", keywords: []string{"maximum"}},
	{text: "should be greater than", keywords: []string{"minimum"}},
	{text: "should be a multiple of", keywords: []string{"multipleOf"}},
	{text: "should match", keywords: []string{"pattern"}},
	{text: "should be at least", keywords: []string{"minLength"}},
	{text: "should be at most", keywords: []string{"maxLength"}},
	{text: "should have at least", keywords: []string{"minItems", "minProperties"}},
	{text: "should have at most", keywords: []string{"maxItems", "maxProperties"}},
	{text: "must validate one and only one schema", keywords: []string{"oneOf"}},
	{text: "must validate at least one schema", keywords: []string{"anyOf"}},
	{text: "must validate all the schemas", keywords: []string{"allOf"}},
	{text: "must not validate the schema", keywords: []string{"not"}},
	{text: "must be of type", keywords: []string{"format", "type"}},
	{text: "Unsupported value", keywords: []string{"enum"}},
	{text: "Required value", keywords: []string{"required"}, above: true},
	{text: "Too long", keywords: []string{"maxLength"}},
	{text: "Too many", keywords: []string{"maxItems", "maxProperties"}},
	{text: "Duplicate value", keywords: []string{"x-kubernetes-list-type"}, above: true},
}
