package structural

import (
	"fmt"
	"reflect"
	"regexp/syntax"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
)

// Validate returns every reason why s is not structural, in the words of the API server, sorted by text. The nil schema
// has none. After some thousands of errors, which only a hostile schema has, the rest is left out.
func Validate(s *Schema, at *Path) []*Error {
	if s == nil {
		return nil
	}
	var v validator
	v.schema(s, rootLevel, at)
	v.completeness(s, at)
	sorted.ByText(v.Errs)
	return v.Errs
}

// level says what a schema describes, which decides what is required of it.
type level uint8

const (
	rootLevel level = iota
	itemLevel
	fieldLevel
)

// validator checks schemas and collects the rules that they break.
type validator struct {
	Errors
}

func (v *validator) schema(s *Schema, lvl level, at *Path) {
	if s.Type == "array" && s.Items == nil {
		v.Required(idItemsRequired, at.Child("items"), "must be specified")
	}
	if s.Items != nil {
		v.schema(s.Items, itemLevel, at.Child("items"))
	}
	for _, k := range sorted.Keys(s.Properties) {
		v.schema(s.Properties[k], fieldLevel, at.Child("properties").Key(k))
	}
	if ap := s.AdditionalProperties; ap != nil {
		if lvl == rootLevel {
			v.Forbidden(idRootIsMap, at.Child("additionalProperties"), "must not be used at the root")
		}
		if s.XEmbeddedResource {
			v.Forbidden(idResourceIsMap, at.Child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set")
		}
		if ap.Schema != nil {
			v.schema(ap.Schema, fieldLevel, at.Child("additionalProperties"))
		}
	}

	v.extensions(s, at)
	v.typ(s, lvl, at)
	v.typeMeta(s, lvl, at)

	if s.ValueValidation != nil {
		// The two patterns are allowed whether or not the schema has x-kubernetes-int-or-string.
		v.valueValidation(s.ValueValidation, skip{
			anyOf:           isIntOrStringAnyOf(s.ValueValidation.AnyOf),
			firstAllOfAnyOf: isIntOrStringAllOf(s.ValueValidation.AllOf),
		}, at)
	}
}

// extensions checks what the x-kubernetes- keywords forbid and require beside them, apart from types.
func (v *validator) extensions(s *Schema, at *Path) {
	if s.XIntOrString && s.XPreserveUnknownFields {
		v.Invalid(idIntOrString, at.Child("x-kubernetes-preserve-unknown-fields"), true,
			"must be false if x-kubernetes-int-or-string is true")
	}
	if s.XIntOrString && s.XEmbeddedResource {
		v.Invalid(idIntOrString, at.Child("x-kubernetes-embedded-resource"), true, "must be false if x-kubernetes-int-or-string is true")
	}
	if s.XEmbeddedResource && !s.XPreserveUnknownFields && len(s.Properties) == 0 {
		v.Required(idResourceFields, at.Child("properties"),
			"must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields")
	}
}

// typ checks that the type is set and allowed.
func (v *validator) typ(s *Schema, lvl level, at *Path) {
	at = at.Child("type")
	switch {
	case s.XEmbeddedResource && s.Type == "":
		v.Required(idResourceType, at, "must be object if x-kubernetes-embedded-resource is true")
	case s.XEmbeddedResource && s.Type != "object":
		v.Invalid(idResourceType, at, s.Type, "must be object if x-kubernetes-embedded-resource is true")
	case s.Type == "" && !s.XIntOrString && !s.XPreserveUnknownFields:
		switch lvl {
		case rootLevel:
			v.Required(idRootTypeRequired, at, "must not be empty at the root")
		case itemLevel:
			v.Required(idTypeRequired, at, "must not be empty for specified array items")
		case fieldLevel:
			v.Required(idTypeRequired, at, "must not be empty for specified object fields")
		}
	}
	if lvl == rootLevel && s.Type != "" && s.Type != "object" {
		v.Invalid(idRootType, at, s.Type, "must be object at the root")
	}
}

// typeMeta checks what a resource's schema says about apiVersion, kind and metadata.
func (v *validator) typeMeta(s *Schema, lvl level, at *Path) {
	if lvl != rootLevel && !s.XEmbeddedResource {
		return
	}
	at = at.Child("properties")
	for _, k := range []string{"apiVersion", "kind"} {
		if p, ok := s.Properties[k]; ok && p.Type != "string" {
			v.Invalid(idTypeMeta, at.Key(k).Child("type"), p.Type, "must be string")
		}
	}
	p, ok := s.Properties["metadata"]
	if !ok {
		return
	}
	if p.Type != "object" {
		v.Invalid(idMetadataType, at.Key("metadata").Child("type"), p.Type, "must be object")
	}
	if lvl == rootLevel && restrictsMetadata(p) {
		v.Forbidden(idMetadata, at.Key("metadata"),
			"must not specify anything other than name and generateName, but metadata is implicitly specified")
	}
}

// restrictsMetadata reports whether s has anything except a type, a default, and schemas for name and generateName.
func restrictsMetadata(s *Schema) bool {
	for k := range s.Properties {
		if k != "name" && k != "generateName" {
			return true
		}
	}
	rest := *s
	rest.Properties, rest.Type, rest.Default = nil, "", nil
	if rest.ValueValidation == nil {
		rest.ValueValidation = &ValueValidation{}
	}
	// An empty list differs from none: `required: []` is something other than a name.
	return !reflect.DeepEqual(rest, Schema{ValueValidation: &ValueValidation{}})
}

// isIntOrStringAnyOf reports whether the elements are {type: integer} and {type: string}, in this order, and nothing else.
func isIntOrStringAnyOf(anyOf []*NestedValueValidation) bool {
	return len(anyOf) == 2 && isOnlyType(anyOf[0], "integer") && isOnlyType(anyOf[1], "string")
}

// isIntOrStringAllOf reports whether the first element has isIntOrStringAnyOf below its anyOf.
func isIntOrStringAllOf(allOf []*NestedValueValidation) bool {
	return len(allOf) > 0 && isIntOrStringAnyOf(allOf[0].AnyOf)
}

func isOnlyType(n *NestedValueValidation, typ string) bool {
	rest := *n
	rest.Closed = false // which Kubernetes does not check here
	return reflect.DeepEqual(rest, NestedValueValidation{ForbiddenGenerics: Generic{Type: typ}})
}

// skip says which junctors are one of the two patterns of int-or-string, in which types are allowed.
type skip struct {
	anyOf           bool
	firstAllOfAnyOf bool
}

func (v *validator) valueValidation(vv *ValueValidation, skipped skip, at *Path) {
	if !skipped.anyOf {
		for i, n := range vv.AnyOf {
			v.nested(n, skip{}, at.Child("anyOf").Index(i))
		}
	}
	for i, n := range vv.AllOf {
		v.nested(n, skip{anyOf: skipped.firstAllOfAnyOf && i == 0}, at.Child("allOf").Index(i))
	}
	for i, n := range vv.OneOf {
		v.nested(n, skip{}, at.Child("oneOf").Index(i))
	}
	if vv.Not != nil {
		v.nested(vv.Not, skip{}, at.Child("not"))
	}
	if vv.Pattern != "" {
		// Parsing finds every error that compiling does, and is cheap even for a short pattern with a large program.
		if _, err := syntax.Parse(vv.Pattern, syntax.Perl); err != nil {
			v.Invalid(idPattern, at.Child("pattern"), vv.Pattern,
				fmt.Sprintf("must be a valid regular expression, but isn't: %v", err))
		}
	}
}

// nested checks value validation below a junctor: it may name fields and elements, but must not have keywords that give structure.
func (v *validator) nested(n *NestedValueValidation, skipped skip, at *Path) {
	v.valueValidation(&n.ValueValidation, skipped, at)
	if n.Items != nil {
		v.nested(n.Items, skip{}, at.Child("items"))
	}
	for _, k := range sorted.Keys(n.Properties) {
		v.nested(n.Properties[k], skip{}, at.Child("properties").Key(k))
	}
	if _, ok := n.Properties["metadata"]; ok {
		v.Forbidden(idMetadataInJunctor, at.Child("properties").Key("metadata"), "must not be specified in a nested context")
	}
	forbid := func(keyword, must string) {
		v.Forbidden(idForbidden, at.Child(keyword), "must be "+must+" to be structural")
	}
	if n.AdditionalProperties != nil {
		forbid("additionalProperties", "undefined")
	}
	for _, part := range []any{&n.ForbiddenGenerics, &n.ForbiddenExtensions, &n.ValidationExtensions} {
		for k, value := range keywordsOf(part) {
			if k.InJunctor != "" && isSet(value) {
				forbid(k.Name, k.InJunctor)
			}
		}
	}
}
