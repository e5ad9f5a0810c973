package lint

import (
	"slices"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// allVersions stands for the place in a v1beta1 CRD that is for all versions.
const allVersions = -1

// maxSelectableFields is how many selectable fields a version can have.
const maxSelectableFields = 8

// selectableFields checks the fields that objects can be selected by, of a version or of all of them. Kubernetes checks
// a v1 CRD in a form in which what all versions share is in spec, beside the versions. Fields and schema must be in the
// same place there: both are the same in all versions, or neither is.
func (c *definitionRules) selectableFields(crd *structural.CRD, p *structural.Parts, version int, at *structural.Path) {
	if len(p.SelectableFields) == 0 {
		return
	}
	var schema *structural.JSONSchema
	var refused []*structural.Error // by the conversion of the schema
	together := version == allVersions
	if crd.APIVersion == structural.APIVersionV1 {
		together = c.same().fields
		if together && version > 0 {
			return // it is said about the first
		}
		if together == c.same().schemas {
			schema = crd.Versions[version].Schema
			_, refused = crd.Converted(crd.Versions[version])
		}
	} else if p.Validation != nil {
		schema = p.Validation.Schema
		_, refused = structural.NewSchema(schema, nil)
	}
	if schema == nil {
		detail := "may only be set when `version.schema.openAPIV3Schema` is not included"
		if together {
			detail = "may only be set when validations.schema is included"
		}
		hint := "add a schema with these fields"
		if crd.APIVersion == structural.APIVersionV1 {
			hint = "this is how Kubernetes says that schemas and selectableFields must both be the same in all versions, or both differ"
		}
		e := named(idSelectableField, at, "", detail)
		e.Hint = hint
		c.Add(e)
		return
	}
	schemaAt := structural.NewPath("spec", "validation", "openAPIV3Schema")
	if version != allVersions {
		schemaAt = structural.VersionSchemaPath(version)
	}
	c.convertible(refused, schemaAt)
	seen := map[string]bool{}
	for i, f := range p.SelectableFields {
		c.selectableField(f, schema, seen, at.Index(i).Child("jsonPath"))
	}
	if len(seen) > maxSelectableFields {
		c.Add(&structural.Error{ID: idSelectableField, Type: prunert.ErrorTypeTooMany, Path: at, BadValue: len(seen), Detail: kubenames.TooMany(maxSelectableFields)})
	}
}

// convertible reports why a schema that is searched for fields cannot be converted. The API server then refuses some of
// the paths, and panics at the others.
func (c *definitionRules) convertible(refused []*structural.Error, at *structural.Path) {
	if len(refused) > 0 {
		c.Add(&structural.Error{ID: refused[0].ID, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: "", Detail: refused[0].Detail})
	}
}

// selectableField checks a selectable field; seen has those before it.
func (c *definitionRules) selectableField(path string, schema *structural.JSONSchema, seen map[string]bool, at *structural.Path) {
	if path == "" {
		c.Required(idSelectableField, at, "")
		return
	}
	place, found, err := findField(path, schema, celrules.WithoutBrackets)
	if err != nil {
		c.Invalid(idSelectableField, at, path, "is an invalid path: "+err.Error())
		return
	}
	if place.First() == "metadata" {
		c.Invalid(idSelectableField, at, path, "must not point to fields in metadata")
	}
	if found == nil || found.Type != "string" && found.Type != "boolean" && found.Type != "integer" {
		c.Invalid(idSelectableField, at, path,
			"must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.")
	}
	if seen[place.String()] {
		c.Add(&structural.Error{ID: idSelectableField, Type: prunert.ErrorTypeDuplicate, Path: at, BadValue: path})
	}
	seen[place.String()] = true
}

// common says what all versions of a CRD have in common.
type common struct {
	schemas, fields bool
}

// commonOf returns what the versions of c have in common.
func commonOf(c *structural.CRD) common {
	if c.APIVersion != structural.APIVersionV1 { // there it is written so or otherwise
		return common{}
	}
	same := common{true, true}
	for _, v := range c.Versions {
		same.schemas = same.schemas && equalSchemas(v.Schema, c.Versions[0].Schema)
		same.fields = same.fields && slices.Equal(v.SelectableFields, c.Versions[0].SelectableFields)
	}
	return same
}

// findField follows the path of a field through a schema.
func findField(path string, s *structural.JSONSchema, allowed celrules.Brackets) (*structural.Path, *structural.JSONSchema, error) {
	return celrules.FindField(path, allowed, s, func(s *structural.JSONSchema) celrules.Below[structural.JSONSchema] {
		return celrules.Below[structural.JSONSchema]{Properties: s.Properties, IsMap: s.AdditionalProperties != nil, Values: s.Values()}
	})
}
