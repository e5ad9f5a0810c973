package structural

// hintFor says what to change about an error. There is a hint for each of NewSchema and Validate.
func hintFor(e *Error) string {
	if e.Hint != "" {
		return e.Hint
	}
	switch e.ID {
	case IDUnsupportedKeyword:
		return conversionHint(e.Path.keyword())
	case idForbidden:
		return nestedHint(e.Path, e.Path.keyword())
	}
	return ids.Hint(e.ID)
}

// conversionHint is for a keyword that CRDs do not have.
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
	}
	return ""
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
