package structural

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/sorted"
)

// SchemaErrors returns what the API server refuses about a schema of a CRD, whether or not it has to be structural, in its
// words and sorted by text: keywords that CRDs do not have, types that no value has, list types, the form of CEL rules.
// Whether those rules compile is not looked at.
func SchemaErrors(s *JSONSchema, at *Path) []*Error {
	if s == nil {
		return nil
	}
	r := schemaRules{convertible: !s.any(isUnconvertible)}
	if s.Nullable {
		r.forbidden(RuleRootNullable, at.Child("nullable"), "nullable cannot be true at the root")
	}
	r.schema(s, schemaPlace{root: true}, at)
	sortErrors(r.errs)
	return r.errs
}

// isUnconvertible reports whether the conversion to a structural schema refuses s itself.
func isUnconvertible(s *JSONSchema) bool {
	if s.Items != nil && len(s.Items.Schemas) > 0 || s.XPreserveUnknownFields != nil && !*s.XPreserveUnknownFields {
		return true
	}
	v := reflect.ValueOf(s).Elem()
	return slices.ContainsFunc(unsupported, func(k keyword) bool { return isSet(v.Field(k.index)) })
}

// unsupported are the keywords of a schema that a structural one does not have.
var unsupported = slices.DeleteFunc(slices.Clone(keywords[reflect.TypeFor[JSONSchema]()]), func(k keyword) bool { return !k.unsupported })

// schemaRules checks schemas as they are written, and collects what is refused about them.
type schemaRules struct {
	collector
	convertible bool // nothing in the schema keeps it from being converted
}

// schemaPlace is what a schema has to know about where it stands.
type schemaPlace struct {
	root       bool
	inMetadata bool   // it is about apiVersion, kind or metadata of a resource
	noDefaults string // why there must be no default; "" where there may be one
}

func (r *schemaRules) schema(s *JSONSchema, place schemaPlace, at *Path) {
	if s == nil || r.full {
		return
	}
	r.keywords(s, place, at)
	r.lists(s, at)
	r.validations(s, at)

	below := place
	below.root = false
	if ap := s.AdditionalProperties; ap != nil {
		if len(s.Properties) > 0 && (!ap.Allows || ap.Schema != nil) {
			r.forbidden(RuleStructOrMap, at.Child("additionalProperties"), "additionalProperties and properties are mutual exclusive")
		}
		inMap := below
		if below.inMetadata {
			inMap.noDefaults = "inside additionalProperties applying to object metadata"
		}
		r.schema(ap.Schema, inMap, at.Child("additionalProperties"))
	}
	for _, k := range sorted.Keys(s.Properties) {
		inField := below
		if (place.root || s.XEmbeddedResource) && isMetaField(k) {
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
		all  []*JSONSchema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for i, n := range junctor.all {
			r.schema(n, below, at.Child(junctor.name).Index(i))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.Definitions)) {
		r.schema(s.Definitions[k], below, at.Child("definitions").Key(k))
	}
	if s.Items != nil {
		r.schema(s.Items.Schema, below, at.Child("items"))
		for i, n := range s.Items.Schemas {
			r.schema(n, below, at.Child("items").Index(i))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(s.Dependencies)) {
		r.schema(s.Dependencies[k].Schema, below, at.Child("dependencies").Key(k))
	}
}

// keywords checks what may stand in a schema at all.
func (r *schemaRules) keywords(s *JSONSchema, place schemaPlace, at *Path) {
	if s.Type != "" && !slices.Contains(schemaTypes, s.Type) {
		r.notSupported(RuleUnknownType, at.Child("type"), s.Type, schemaTypes...)
	}
	if s.Type == "null" {
		r.forbidden(RuleUnknownType, at.Child("type"), "type cannot be set to null, use nullable as an alternative")
	}
	if s.Default != nil && place.noDefaults != "" {
		r.forbidden(RuleDefaultForbidden, at.Child("default"), "must not be set "+place.noDefaults)
	}
	for _, k := range []struct {
		name string
		used bool
	}{
		{"id", s.ID != ""}, {"additionalItems", s.AdditionalItems != nil}, {"patternProperties", len(s.PatternProperties) > 0},
		{"definitions", len(s.Definitions) > 0}, {"dependencies", s.Dependencies != nil}, {"$ref", s.Ref != nil},
	} {
		if k.used {
			r.forbidden(RuleUnsupportedKeyword, at.Child(k.name), k.name+" is not supported")
		}
	}
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		r.forbidden(RuleItemsArray, at.Child("items"), "items must be a schema object and not an array")
	}
	if p := s.XPreserveUnknownFields; p != nil && !*p {
		r.invalid(RulePreserveFalse, at.Child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined")
	}
	if place.inMetadata && s.XEmbeddedResource {
		r.forbidden(RuleResourceInMetadata, at.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta")
	}
	if s.UniqueItems {
		r.forbidden(RuleUniqueItems, at.Child("uniqueItems"),
			"uniqueItems cannot be set to true since the runtime complexity becomes quadratic")
	}
}

// lists checks what is said about the merging of lists and maps.
func (r *schemaRules) lists(s *JSONSchema, at *Path) {
	if s.XMapType != nil {
		r.typeFor(s, RuleMapType, "object", "x-kubernetes-map-type", at)
		if *s.XMapType != "atomic" && *s.XMapType != "granular" {
			r.notSupported(RuleMapType, at.Child("x-kubernetes-map-type"), *s.XMapType, "atomic", "granular")
		}
	}
	var items *JSONSchema
	if s.Items != nil {
		items = s.Items.Schema
	}
	listType := ""
	if s.XListType != nil {
		listType = *s.XListType
		r.typeFor(s, RuleListType, "array", "x-kubernetes-list-type", at)
		if listType == "set" && s.Type == "array" && items != nil {
			r.setItems(items, at.Child("items"))
		}
		if listType != "atomic" && listType != "set" && listType != "map" {
			r.notSupported(RuleListType, at.Child("x-kubernetes-list-type"), listType, "atomic", "set", "map")
		}
	}
	if len(s.XListMapKeys) > 0 {
		const mustBe = "must be map if x-kubernetes-list-map-keys is non-empty"
		if s.XListType == nil {
			r.required(RuleListMapKeys, at.Child("x-kubernetes-list-type"), mustBe)
		} else if listType != "map" {
			r.invalid(RuleListMapKeys, at.Child("x-kubernetes-list-type"), listType, mustBe)
		}
	}
	if (listType == "set" || listType == "map") && items != nil && items.Nullable {
		r.forbidden(RuleListType, at.Child("items", "nullable"), "cannot be nullable when x-kubernetes-list-type is "+listType)
	}
	if listType == "map" {
		r.listMap(s, items, at)
	}
}

// typeFor checks that a schema with the given keyword has the type it is for.
func (r *schemaRules) typeFor(s *JSONSchema, rule Rule, typ, keyword string, at *Path) {
	mustBe := "must be " + typ + " if " + keyword + " is specified"
	switch s.Type {
	case typ:
	case "":
		r.required(rule, at.Child("type"), mustBe)
	default:
		r.invalid(rule, at.Child("type"), s.Type, mustBe)
	}
}

// setItems checks that the elements of a set are compared as a whole.
func (r *schemaRules) setItems(items *JSONSchema, at *Path) {
	const mustBe = "must be atomic as item of a list with x-kubernetes-list-type=set"
	switch items.Type {
	case "array":
		if items.XListType != nil && *items.XListType != "atomic" {
			r.invalid(RuleListType, at.Child("x-kubernetes-list-type"), items.XListType, mustBe)
		}
	case "object":
		if items.XMapType == nil || *items.XMapType != "atomic" {
			r.invalid(RuleListType, at.Child("x-kubernetes-map-type"), items.XListType, mustBe)
		}
	}
}

// listMap checks a list whose elements are told apart by keys.
func (r *schemaRules) listMap(s, items *JSONSchema, at *Path) {
	keysAt := at.Child("x-kubernetes-list-map-keys")
	if len(s.XListMapKeys) == 0 {
		r.required(RuleListMapKeys, keysAt, "must not be empty if x-kubernetes-list-type is map")
	}
	if s.Items == nil {
		r.required(RuleListMapKeys, at.Child("items"), "must have a schema if x-kubernetes-list-type is map")
		return
	}
	at = at.Child("items")
	if items == nil {
		r.invalid(RuleListMapKeys, at, omitted{}, "must only have a single schema if x-kubernetes-list-type is map")
		return
	}
	if items.Type != "object" {
		r.invalid(RuleListMapKeys, at.Child("type"), items.Type, "must be object if parent array's x-kubernetes-list-type is map")
	}
	required := map[string]bool{}
	for _, k := range items.Required {
		required[k] = true
	}
	seen := map[string]bool{}
	missing, twice := false, false
	for _, k := range s.XListMapKeys {
		twice = twice || seen[k]
		if seen[k] {
			continue
		}
		seen[k] = true
		key, at := items.Properties[k], at.Child("properties").Key(k)
		if key == nil {
			missing = true
			continue
		}
		if items.Type == "object" && (key.Type == "array" || key.Type == "object") {
			r.invalid(RuleListMapKeys, at.Child("type"), items.Type, "must be a scalar type if parent array's x-kubernetes-list-type is map")
		}
		if !required[k] && key.Default == nil {
			r.required(RuleListMapKeys, at.Child("default"),
				"this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property")
		}
		if key.Nullable {
			r.forbidden(RuleListMapKeys, at.Child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable")
		}
	}
	// Once each: the texts have all keys in them.
	if missing && items.Type == "object" {
		r.invalid(RuleListMapKeys, keysAt, s.XListMapKeys, "entries must all be names of item properties")
	}
	if twice && items.Type == "object" {
		r.invalid(RuleListMapKeys, keysAt, s.XListMapKeys, "must not contain duplicate entries")
	}
}

// ruleReasons are the reasons that a CEL rule can give.
var ruleReasons = []string{string(ErrorDuplicate), string(ErrorForbidden), string(ErrorInvalid), string(ErrorRequired)}

// validations checks the form of CEL rules.
func (r *schemaRules) validations(s *JSONSchema, at *Path) {
	hasLineBreak := func(s string) bool { return strings.ContainsAny(s, "\n\r") }
	for i := range s.XValidations {
		rule, at := &s.XValidations[i], at.Child("x-kubernetes-validations").Index(i)
		text, message := strings.TrimSpace(rule.Rule), strings.TrimSpace(rule.Message)
		switch {
		case text == "":
			r.required(RuleCEL, at.Child("rule"), "rule is not specified")
		case rule.Message != "" && message == "":
			r.invalid(RuleCEL, at.Child("message"), rule.Message, "must be non-empty if specified")
		case hasLineBreak(message):
			r.invalid(RuleCEL, at.Child("message"), rule.Message, "must not contain line breaks")
		case hasLineBreak(text) && message == "":
			r.required(RuleCEL, at.Child("message"), "message must be specified if rule contains line breaks")
		}
		if rule.MessageExpression != "" && strings.TrimSpace(rule.MessageExpression) == "" {
			r.required(RuleCEL, at.Child("messageExpression"), "messageExpression must be non-empty if specified")
		}
		if rule.Reason != nil && !slices.Contains(ruleReasons, *rule.Reason) {
			r.notSupported(RuleCEL, at.Child("reason"), rule.Reason, ruleReasons...)
		}
		if rule.FieldPath == "" {
			continue
		}
		at = at.Child("fieldPath")
		if strings.TrimSpace(rule.FieldPath) == "" {
			r.invalid(RuleCEL, at, rule.FieldPath, "must be non-empty if specified")
		}
		if hasLineBreak(rule.FieldPath) {
			r.invalid(RuleCEL, at, rule.FieldPath, "must not contain line breaks")
		}
		// Kubernetes looks for the field in the converted schema, and overlooks the path where there is none.
		if r.convertible {
			if _, _, err := findField(rule.FieldPath, s, withBrackets); err != nil {
				r.invalid(RuleCEL, at, rule.FieldPath, "must be a valid path")
			}
		}
	}
}

// atRootWithStatus are the keywords that the root of a schema may have where the status is a subresource: its schema is
// then used on its own, and the others would be lost. They are named as Kubernetes names them, by their Go fields.
var atRootWithStatus = []string{"Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum",
	"MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties",
	"ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"}

// statusErrors returns what the API server refuses about the root of a schema where the status is a subresource. It stops
// at the first keyword.
func statusErrors(s *JSONSchema, at *Path) []*Error {
	for k, v := range keywordsOf(s) {
		switch {
		case v.IsZero() || k.notKubernetes:
		case k.field == "Type" && s.Type != "object":
			return []*Error{{Rule: RuleRootWithStatus, Type: ErrorInvalid, Path: at.Child("type"), BadValue: s.Type,
				Detail: `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`}}
		case !slices.Contains(atRootWithStatus, k.field):
			return []*Error{{Rule: RuleRootWithStatus, Type: ErrorInvalid, Path: at, BadValue: omitted{},
				Detail: "only [" + strings.Join(atRootWithStatus, " ") + "] fields are allowed at the root of the schema if the status " +
					"subresource is enabled",
				hint: "move " + k.name + " below properties, or remove subresources.status"}}
		}
	}
	return nil
}
