package structural

import "strings"

// The hints that are not about a single error of a schema.
const (
	hintPreserve = "remove preserveUnknownFields, and write x-kubernetes-preserve-unknown-fields: true " +
		"at the root of each schema and below it wherever unknown fields are to stay"
	hintPreserveDefaults = "write preserveUnknownFields: false, or remove default everywhere in the schemas"
	hintMissingSchema    = "describe the fields below schema.openAPIV3Schema; " +
		"to keep everything, write {type: object, x-kubernetes-preserve-unknown-fields: true} there"
	hintOverlooked = "Kubernetes does not check this below the root, but pruning drops what is only named in value " +
		"validation: specify it there, with a type, or do not name it"
)

// hint says what to change about an error of NewSchema or Validate. There is one for each of them.
func hint(e *Error) string {
	switch keyword := e.Path.keyword(); {
	case e.Type == ErrorUnsupported:
		return conversionHint(keyword)
	case e.Type == ErrorNotSupported:
		return "use one of these types; what is an integer or a string has x-kubernetes-int-or-string: true and no type"
	case strings.HasPrefix(e.Detail, definedIn):
		return "specify it there, with a type: value validation can only restrict what is specified outside of it"
	case strings.HasSuffix(e.Detail, " to be structural"):
		return nestedHint(e.Path, keyword)
	case strings.HasPrefix(e.Detail, "must be a valid regular expression"):
		return "correct the pattern: it is in the syntax of Go's regular expressions, which has no lookahead and no " +
			"backreferences"
	default:
		return ruleHint(e.Detail)
	}
}

func conversionHint(keyword string) string {
	switch keyword {
	case "id":
		return "remove id: schemas in a CRD have no names"
	case "$schema":
		return "remove $schema: schemas in a CRD are always OpenAPI v3"
	case "$ref":
		return "put the schema that it refers to in its place"
	case "patternProperties":
		return "write additionalProperties with one schema for all values; the keys can be restricted by a rule below " +
			"x-kubernetes-validations"
	case "dependencies":
		return "write a rule below x-kubernetes-validations, for example rule: '!has(self.a) || has(self.b)'"
	case "additionalItems":
		return "remove additionalItems: all elements have the schema below items"
	case "definitions":
		return "put each definition in the place where it is used"
	case "items":
		return "write one schema for all elements instead of a list, for example items: {type: string}"
	case "x-kubernetes-preserve-unknown-fields":
		return "remove the line: unknown fields are dropped wherever it does not say true"
	default:
		return ""
	}
}

func ruleHint(detail string) string {
	switch detail {
	case "must be specified":
		return "add the schema of the elements, for example items: {type: string}"
	case "must not be empty at the root":
		return "add type: object"
	case "must be object at the root":
		return "write type: object: a resource is one"
	case "must not be empty for specified array items", "must not be empty for specified object fields":
		return "add type: one of object, array, string, integer, number and boolean; for an integer or a string write " +
			"x-kubernetes-int-or-string: true instead, for any JSON x-kubernetes-preserve-unknown-fields: true"
	case "must not be used at the root":
		return "name the fields below properties; to keep the others, too, write " +
			"x-kubernetes-preserve-unknown-fields: true instead"
	case "must not be used if x-kubernetes-embedded-resource is set":
		return "remove additionalProperties: a resource has fields; to keep unknown ones write " +
			"x-kubernetes-preserve-unknown-fields: true"
	case "must be object if x-kubernetes-embedded-resource is true":
		return "write type: object, or remove x-kubernetes-embedded-resource"
	case "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields":
		return "add x-kubernetes-preserve-unknown-fields: true, or name the fields of the resource below properties"
	case "must be false if x-kubernetes-int-or-string is true":
		return "keep one of the two: an integer or a string has no fields"
	case "must be string":
		return "write type: string"
	case "must be object":
		return "write type: object"
	case "must not specify anything other than name and generateName, but metadata is implicitly specified":
		return "reduce it to metadata: {type: object}, with schemas for name and generateName below properties at most"
	case "must not be specified in a nested context":
		return "remove metadata below allOf, anyOf, oneOf and not; the name can be restricted below properties at the root"
	default:
		return ""
	}
}

// nestedHint is for a keyword that must not be below a junctor.
func nestedHint(at *Path, keyword string) string {
	switch keyword {
	case "type":
		return "move it to " + at.outside().String() + "; below allOf, anyOf, oneOf and not a type is only allowed as " +
			"anyOf: [{type: integer}, {type: string}], as it stands, for x-kubernetes-int-or-string"
	case "additionalProperties":
		return "move it to " + at.outside().String() + ", or restrict the values by a rule below x-kubernetes-validations there"
	default:
		return "move it to " + at.outside().String() + ": below allOf, anyOf, oneOf and not there is only value validation"
	}
}

// keyword returns the last field of p.
func (p *Path) keyword() string {
	for ; p != nil; p = p.parent {
		if p.step == stepField {
			return p.name
		}
	}
	return ""
}

// outside returns the place outside of all junctors that p, a path in a schema, is about.
func (p *Path) outside() *Path {
	var out *Path
	steps := p.steps()
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		switch {
		case s.step == stepField && s.name == "not":
		case s.step == stepField && (s.name == "allOf" || s.name == "anyOf" || s.name == "oneOf"):
			i++ // and its index
		default:
			out = &Path{parent: out, name: s.name, index: s.index, step: s.step}
		}
	}
	return out
}
