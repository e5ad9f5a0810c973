package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// SchemaErrors returns what the API server refuses about a schema of a CRD, whether or not it has to be structural, in its
// words and sorted by text: keywords that CRDs do not have, types that no value has, list types, the form of CEL rules.
// ruleErrors checks whether the rules compile.
func SchemaErrors(s *structural.JSONSchema, at *structural.Path) []*structural.Error {
	if s == nil {
		return nil
	}
	var r schemaRules
	if s.Nullable {
		r.Forbidden(idRootNullable, at.Child("nullable"), "nullable cannot be true at the root")
	}
	r.schema(s, schemaPlace{root: true}, at)
	sorted.ByText(r.Errs)
	return r.Errs
}

// schemaRules checks schemas as they are written, and collects what is refused about them.
type schemaRules struct {
	structural.Errors
	unconvertible int              // how many schemas prevent the schemas around them from being converted
	expressions   *expressionRules // nil if only the form of CEL rules is checked
}

// schemaPlace describes where a schema is.
type schemaPlace struct {
	root       bool
	inMetadata bool   // it is about apiVersion, kind or metadata of a resource
	noDefaults string // why there must be no default; "" where there may be one

	node         *ruleNode        // what CEL rules need to know; nil where they are not compiled
	uncorrelated *structural.Path // the nearest schema to the root whose parts have no old values; nil if there is none
}

func (r *schemaRules) schema(s *structural.JSONSchema, place schemaPlace, at *structural.Path) {
	if s == nil || r.Full {
		return
	}
	before, unconvertible := len(r.Errs), r.unconvertible
	if isUnconvertible(s) {
		r.unconvertible++
	}
	r.keywords(s, place, at)
	r.lists(s, at)
	r.below(s, place, at)
	r.validations(s, r.unconvertible == unconvertible, at)
	// An error here or below can break a CEL rule that is otherwise valid.
	if place.node != nil && len(s.XValidations) > 0 && len(r.Errs) == before && !r.Full {
		r.expressions.check(s.XValidations, place, at.Child("x-kubernetes-validations"))
	}
}

// isUnconvertible reports whether structural.NewSchema refuses s itself, whatever is below it.
func isUnconvertible(s *structural.JSONSchema) bool {
	return s.ID != "" || s.Schema != "" || s.Ref != nil && *s.Ref != "" || s.AdditionalItems != nil ||
		len(s.PatternProperties) > 0 || len(s.Definitions) > 0 || len(s.Dependencies) > 0 ||
		s.Items != nil && len(s.Items.Schemas) > 0 || s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields
}

// below checks the schemas directly below s.
func (r *schemaRules) below(s *structural.JSONSchema, place schemaPlace, at *structural.Path) {
	below := place
	below.root = false
	node := place.node
	below.node = nil
	if ap := s.AdditionalProperties; ap != nil {
		if len(s.Properties) > 0 && (!ap.Allows || ap.Schema != nil) {
			r.Forbidden(idStructOrMap, at.Child("additionalProperties"), "additionalProperties and properties are mutual exclusive")
		}
		inMap := below
		if below.inMetadata {
			inMap.noDefaults = "inside additionalProperties applying to object metadata"
		}
		inMap.node = node.values(ap.Schema)
		r.schema(ap.Schema, inMap, at.Child("additionalProperties"))
	}
	for _, k := range sorted.Keys(s.Properties) {
		inField := below
		inField.node = node.property(k, s.Properties[k])
		if s.XMapType != nil && *s.XMapType != "granular" && *s.XMapType != "atomic" {
			inField.uncorrelated = cmp.Or(place.uncorrelated, at)
		}
		if (place.root || s.XEmbeddedResource) && structural.IsMetaField(k) {
			inField.inMetadata = true
			if place.root {
				inField.noDefaults = "in top-level " + k
			}
		}
		r.schema(s.Properties[k], inField, at.Child("properties").Key(k))
	}
	r.schema(s.Not, below, at.Child("not"))
	for _, junctor := range []struct {
		name string
		all  []*structural.JSONSchema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for i, n := range junctor.all {
			r.schema(n, below, at.Child(junctor.name).Index(i))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.Definitions)) {
		r.schema(s.Definitions[k], below, at.Child("definitions").Key(k))
	}
	if s.Items != nil {
		inItems := below
		inItems.node = node.items(s.Items.Schema)
		if s.XListType == nil || *s.XListType != "map" {
			inItems.uncorrelated = cmp.Or(place.uncorrelated, at)
		}
		r.schema(s.Items.Schema, inItems, at.Child("items"))
		for i, n := range s.Items.Schemas {
			r.schema(n, below, at.Child("items").Index(i))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.Dependencies)) {
		r.schema(s.Dependencies[k].Schema, below, at.Child("dependencies").Key(k))
	}
}

// keywords checks what may stand in a schema at all.
func (r *schemaRules) keywords(s *structural.JSONSchema, place schemaPlace, at *structural.Path) {
	if s.Type != "" && !slices.Contains(schemaTypes, s.Type) {
		r.NotSupported(idUnknownType, at.Child("type"), s.Type, schemaTypes...)
	}
	if s.Type == "null" {
		r.Forbidden(idUnknownType, at.Child("type"), "type cannot be set to null, use nullable as an alternative")
	}
	if s.Default != nil && place.noDefaults != "" {
		r.Forbidden(idDefaultForbidden, at.Child("default"), "must not be set "+place.noDefaults)
	}
	for _, k := range []struct {
		name string
		used bool
	}{
		{"id", s.ID != ""}, {"additionalItems", s.AdditionalItems != nil}, {"patternProperties", len(s.PatternProperties) > 0},
		{"definitions", len(s.Definitions) > 0}, {"dependencies", s.Dependencies != nil}, {"$ref", s.Ref != nil},
	} {
		if k.used {
			r.Forbidden(structural.IDUnsupportedKeyword, at.Child(k.name), k.name+" is not supported")
		}
	}
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		r.Forbidden(structural.IDItemsArray, at.Child("items"), "items must be a schema object and not an array")
	}
	if p := s.XPreserveUnknownFields; p != nil && !*p {
		r.Invalid(structural.IDPreserveFalse, at.Child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined")
	}
	if place.inMetadata && s.XEmbeddedResource {
		r.Forbidden(idResourceInMetadata, at.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta")
	}
	if s.UniqueItems {
		r.Forbidden(idUniqueItems, at.Child("uniqueItems"),
			"uniqueItems cannot be set to true since the runtime complexity becomes quadratic")
	}
}

// lists checks the keywords about merging lists and maps.
func (r *schemaRules) lists(s *structural.JSONSchema, at *structural.Path) {
	if s.XMapType != nil {
		r.typeFor(s, idMapType, "object", "x-kubernetes-map-type", at)
		if *s.XMapType != "atomic" && *s.XMapType != "granular" {
			r.NotSupported(idMapType, at.Child("x-kubernetes-map-type"), *s.XMapType, "atomic", "granular")
		}
	}
	items := s.Elements()
	listType := ""
	if s.XListType != nil {
		listType = *s.XListType
		r.typeFor(s, idListType, "array", "x-kubernetes-list-type", at)
		if listType == "set" && s.Type == "array" && items != nil {
			r.setItems(items, at.Child("items"))
		}
		if listType != "atomic" && listType != "set" && listType != "map" {
			r.NotSupported(idListType, at.Child("x-kubernetes-list-type"), listType, "atomic", "set", "map")
		}
	}
	if len(s.XListMapKeys) > 0 {
		const mustBe = "must be map if x-kubernetes-list-map-keys is non-empty"
		if s.XListType == nil {
			r.Required(idListMapKeys, at.Child("x-kubernetes-list-type"), mustBe)
		} else if listType != "map" {
			r.Invalid(idListMapKeys, at.Child("x-kubernetes-list-type"), listType, mustBe)
		}
	}
	if (listType == "set" || listType == "map") && items != nil && items.Nullable {
		r.Forbidden(idListType, at.Child("items", "nullable"), "cannot be nullable when x-kubernetes-list-type is "+listType)
	}
	if listType == "map" {
		r.listMap(s, items, at)
	}
}

// typeFor checks that a schema with the given keyword has the type it is for.
func (r *schemaRules) typeFor(s *structural.JSONSchema, id structural.ID, typ, keyword string, at *structural.Path) {
	mustBe := "must be " + typ + " if " + keyword + " is specified"
	switch s.Type {
	case typ:
	case "":
		r.Required(id, at.Child("type"), mustBe)
	default:
		r.Invalid(id, at.Child("type"), s.Type, mustBe)
	}
}

// setItems checks that the elements of a set are compared as a whole.
func (r *schemaRules) setItems(items *structural.JSONSchema, at *structural.Path) {
	const mustBe = "must be atomic as item of a list with x-kubernetes-list-type=set"
	switch items.Type {
	case "array":
		if items.XListType != nil && *items.XListType != "atomic" {
			r.Invalid(idListType, at.Child("x-kubernetes-list-type"), items.XListType, mustBe)
		}
	case "object":
		if items.XMapType == nil || *items.XMapType != "atomic" {
			r.Invalid(idListType, at.Child("x-kubernetes-map-type"), items.XListType, mustBe)
		}
	}
}

// listMap checks a list whose elements are identified by keys.
func (r *schemaRules) listMap(s, items *structural.JSONSchema, at *structural.Path) {
	keysAt := at.Child("x-kubernetes-list-map-keys")
	if len(s.XListMapKeys) == 0 {
		r.Required(idListMapKeys, keysAt, "must not be empty if x-kubernetes-list-type is map")
	}
	if s.Items == nil {
		r.Required(idListMapKeys, at.Child("items"), "must have a schema if x-kubernetes-list-type is map")
		return
	}
	at = at.Child("items")
	if items == nil {
		r.Invalid(idListMapKeys, at, structural.Omitted{}, "must only have a single schema if x-kubernetes-list-type is map")
		return
	}
	if items.Type != "object" {
		r.Invalid(idListMapKeys, at.Child("type"), items.Type, "must be object if parent array's x-kubernetes-list-type is map")
	}
	required := map[string]bool{}
	for _, k := range items.Required {
		required[k] = true
	}
	seen := map[string]bool{}
	missing, twice := false, false
	for _, k := range s.XListMapKeys {
		twice = twice || seen[k]
		seen[k] = true
		key, at := items.Properties[k], at.Child("properties").Key(k)
		if key == nil {
			missing = true
			continue
		}
		if items.Type == "object" && (key.Type == "array" || key.Type == "object") {
			r.Invalid(idListMapKeys, at.Child("type"), items.Type, "must be a scalar type if parent array's x-kubernetes-list-type is map")
		}
		if !required[k] && key.Default == nil {
			r.Required(idListMapKeys, at.Child("default"),
				"this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property")
		}
		if key.Nullable {
			r.Forbidden(idListMapKeys, at.Child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable")
		}
	}
	// Once each: the texts have all keys in them.
	if missing && items.Type == "object" {
		r.Invalid(idListMapKeys, keysAt, s.XListMapKeys, "entries must all be names of item properties")
	}
	if twice && items.Type == "object" {
		r.Invalid(idListMapKeys, keysAt, s.XListMapKeys, "must not contain duplicate entries")
	}
}

// ruleReasons are the reasons that a CEL rule can give.
var ruleReasons = []string{string(prunert.ErrorTypeDuplicate), string(prunert.ErrorTypeForbidden), string(prunert.ErrorTypeInvalid), string(prunert.ErrorTypeRequired)}

// validations checks the form of CEL rules. Kubernetes looks for the fields that they name in the converted schema, and overlooks them
// where it cannot be converted.
func (r *schemaRules) validations(s *structural.JSONSchema, convertible bool, at *structural.Path) {
	hasLineBreak := func(s string) bool { return strings.ContainsAny(s, "\n\r") }
	for i := range s.XValidations {
		rule, at := &s.XValidations[i], at.Child("x-kubernetes-validations").Index(i)
		text, message := strings.TrimSpace(rule.Rule), strings.TrimSpace(rule.Message)
		switch {
		case text == "":
			r.Required(idCEL, at.Child("rule"), "rule is not specified")
		case rule.Message != "" && message == "":
			r.Add(named(idCEL, at.Child("message"), rule.Message, "must be non-empty if specified"))
		case hasLineBreak(message):
			r.Add(named(idCEL, at.Child("message"), rule.Message, "must not contain line breaks"))
		case hasLineBreak(text) && message == "":
			r.Required(idCEL, at.Child("message"), "message must be specified if rule contains line breaks")
		}
		if rule.MessageExpression != "" && strings.TrimSpace(rule.MessageExpression) == "" {
			r.Required(idCEL, at.Child("messageExpression"), "messageExpression must be non-empty if specified")
		}
		if rule.Reason != nil && !slices.Contains(ruleReasons, *rule.Reason) {
			r.NotSupported(idCEL, at.Child("reason"), rule.Reason, ruleReasons...)
		}
		if rule.FieldPath == "" {
			continue
		}
		at = at.Child("fieldPath")
		if strings.TrimSpace(rule.FieldPath) == "" {
			r.Add(named(idCEL, at, rule.FieldPath, "must be non-empty if specified"))
		}
		if hasLineBreak(rule.FieldPath) {
			r.Add(named(idCEL, at, rule.FieldPath, "must not contain line breaks"))
		}
		if convertible {
			if _, _, err := findField(rule.FieldPath, s, celrules.WithBrackets); err != nil {
				r.Add(named(idCEL, at, rule.FieldPath, "must be a valid path"))
			}
		}
	}
}

// statusErrors returns what the API server refuses about the root of a schema where the status is a subresource: its schema is then used
// on its own, and most keywords would be lost. It stops at the first keyword.
func statusErrors(s *structural.JSONSchema, at *structural.Path) []*structural.Error {
	var allowed []string // as Kubernetes names them, by their Go fields
	for k := range keyword.All(s) {
		if k.BesideStatus {
			allowed = append(allowed, k.Field)
		}
	}
	for k, v := range keyword.All(s) {
		switch {
		case v.IsZero() || k.NotKubernetes:
		case k.Name == "type" && s.Type != "object":
			return []*structural.Error{{ID: idRootWithStatus, Type: prunert.ErrorTypeInvalid, Path: at.Child("type"), BadValue: s.Type,
				Detail: `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`}}
		case !k.BesideStatus:
			return []*structural.Error{{ID: idRootWithStatus, Type: prunert.ErrorTypeInvalid, Path: at, BadValue: structural.Omitted{},
				Detail: "only [" + strings.Join(allowed, " ") + "] fields are allowed at the root of the schema if the status " +
					"subresource is enabled",
				Hint: "move " + k.Name + " below properties, or remove subresources.status"}}
		}
	}
	return nil
}

// schemaTypes are the types that a value can have.
var schemaTypes = []string{"array", "boolean", "integer", "number", "object", "string"}
