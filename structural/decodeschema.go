package structural

// ParseSchema reads one bare schema, as it stands below openAPIV3Schema. It is nil where there is an error among the
// findings, whose paths begin at the schema itself.
func ParseSchema(name string, data []byte) (*JSONSchema, []Finding) {
	r := &report{file: name}
	var schemas []*JSONSchema
	parseDocuments(decodeUTF16(data), func(doc *document) {
		d := &decoder{report: r}
		d.flaws(doc, doc.root)
		schemas = append(schemas, d.schema(doc.root, doc.root.pos, nil))
		if len(schemas) > 1 {
			d.find(SeverityError, doc.root.pos, "", "there is more than one document", "")
		}
	}, r.problem)
	if len(schemas) == 0 && len(r.findings) == 0 {
		r.problem(problemf(pos{line: 1, column: 1}, "there is no schema"))
	}
	findings := r.sorted()
	for _, f := range findings {
		if f.Severity == SeverityError {
			return nil, findings
		}
	}
	return schemas[0], findings
}

// schema reads the schema n, whose key is at pos.
func (d *decoder) schema(n *node, pos pos, at *Path) *JSONSchema {
	s := &JSONSchema{}
	for i, fields := 0, d.fields(n, pos, at); i < len(fields); i++ {
		d.keyword(s, &fields[i], at)
	}
	return s
}

// keyword reads one keyword of the schema s at the path at.
func (d *decoder) keyword(s *JSONSchema, e *entry, at *Path) {
	switch e.key {
	case "id":
		s.ID = d.str(e, at)
	case "$schema":
		s.Schema = d.str(e, at)
	case "$ref":
		s.Ref = d.strPointer(e, at)
	case "description":
		s.Description = d.str(e, at)
	case "type":
		s.Type = d.schemaType(e, at)
	case "format":
		s.Format = d.str(e, at)
	case "title":
		s.Title = d.str(e, at)
	case "default":
		s.Default = e.value.value()
	case "maximum":
		s.Maximum = d.number(e, at)
	case "exclusiveMaximum":
		s.ExclusiveMaximum = d.exclusive(e, at, "maximum")
	case "minimum":
		s.Minimum = d.number(e, at)
	case "exclusiveMinimum":
		s.ExclusiveMinimum = d.exclusive(e, at, "minimum")
	case "maxLength":
		s.MaxLength = d.integer(e, at)
	case "minLength":
		s.MinLength = d.integer(e, at)
	case "pattern":
		s.Pattern = d.str(e, at)
	case "maxItems":
		s.MaxItems = d.integer(e, at)
	case "minItems":
		s.MinItems = d.integer(e, at)
	case "uniqueItems":
		s.UniqueItems = d.boolean(e, at)
	case "multipleOf":
		s.MultipleOf = d.number(e, at)
	case "enum":
		for _, n := range d.list(e, at, "a list of values") {
			s.Enum = append(s.Enum, n.value())
		}
	case "maxProperties":
		s.MaxProperties = d.integer(e, at)
	case "minProperties":
		s.MinProperties = d.integer(e, at)
	case "required":
		s.Required = d.strings(e, at, "required lists the names of the fields that must be there, in the object that has them")
	case "externalDocs":
		s.ExternalDocs = d.externalDocs(e, at)
	case "example":
		s.Example = e.value.value()
	case "nullable":
		s.Nullable = d.boolean(e, at)
	default:
		if !d.nestedKeyword(s, e, at) && !d.extension(s, e, at) {
			d.unknownField(e, at, keywordHint)
		}
	}
}

// nestedKeyword reads a keyword that holds schemas. It returns false where e is none.
func (d *decoder) nestedKeyword(s *JSONSchema, e *entry, at *Path) bool {
	switch e.key {
	case "items":
		s.Items = d.items(e, at)
	case "allOf":
		s.AllOf = d.schemaList(e, at)
	case "oneOf":
		s.OneOf = d.schemaList(e, at)
	case "anyOf":
		s.AnyOf = d.schemaList(e, at)
	case "not":
		if e.value.kind != kindNull {
			s.Not = d.schema(e.value, e.pos, at.Child(e.key))
		}
	case "properties":
		s.Properties = d.schemaMap(e, at)
	case "additionalProperties":
		s.AdditionalProperties = d.schemaOrBool(e, at)
	case "patternProperties":
		s.PatternProperties = d.schemaMap(e, at)
	case "dependencies":
		s.Dependencies = d.dependencies(e, at)
	case "additionalItems":
		s.AdditionalItems = d.schemaOrBool(e, at)
	case "definitions":
		s.Definitions = d.schemaMap(e, at)
	default:
		return false
	}
	return true
}

// extension reads an x-kubernetes- keyword. It returns false where e is none.
func (d *decoder) extension(s *JSONSchema, e *entry, at *Path) bool {
	switch e.key {
	case "x-kubernetes-preserve-unknown-fields":
		s.XPreserveUnknownFields = d.boolPointer(e, at)
	case "x-kubernetes-embedded-resource":
		s.XEmbeddedResource = d.boolean(e, at)
	case "x-kubernetes-int-or-string":
		s.XIntOrString = d.boolean(e, at)
	case "x-kubernetes-list-map-keys":
		s.XListMapKeys = d.strings(e, at, "")
	case "x-kubernetes-list-type":
		s.XListType = d.strPointer(e, at)
	case "x-kubernetes-map-type":
		s.XMapType = d.strPointer(e, at)
	case "x-kubernetes-validations":
		s.XValidations = d.validationRules(e, at)
	case "x-kubernetes-unions":
		s.XUnions = d.unions(e, at)
	case "x-kubernetes-no-prune", "x-kubernetes-no-pruning":
		s.XNoPrune = d.boolPointer(e, at)
	default:
		return false
	}
	return true
}

// schemaType reads type, which is a list in JSON Schema and never is one here.
func (d *decoder) schemaType(e *entry, at *Path) string {
	if e.value.kind != kindList {
		return d.str(e, at)
	}
	hint := "write one type; for a value that is an integer or a string write x-kubernetes-int-or-string: true"
	var other []string
	for _, n := range e.value.list {
		if n.kind != kindNull && n.str() != "null" {
			other = append(other, n.str())
		}
	}
	if len(other) == 1 && len(other) < len(e.value.list) {
		hint = "write type: " + shorten(other[0]) + " and nullable: true"
	} else if len(other) == 1 {
		hint = "write type: " + shorten(other[0])
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), "a string", hint)
	return ""
}

// exclusive reads exclusiveMinimum and exclusiveMaximum, which are numbers in later versions of JSON Schema.
func (d *decoder) exclusive(e *entry, at *Path, bound string) bool {
	if e.value.kind == kindInt || e.value.kind == kindFloat {
		d.wrongType(e.value, e.pos, at.Child(e.key), "a boolean", "write the number as "+bound+" and "+e.key+": true")
		return false
	}
	return d.boolean(e, at)
}

func (d *decoder) items(e *entry, at *Path) *JSONSchemaOrArray {
	at = at.Child(e.key)
	switch e.value.kind {
	case kindNull:
		return nil
	case kindMap:
		return &JSONSchemaOrArray{Schema: d.schema(e.value, e.pos, at)}
	case kindList:
		return &JSONSchemaOrArray{Schemas: d.schemas(e.value.list, at)}
	}
	// Kubernetes takes this for items without a schema.
	d.find(SeverityWarning, e.pos, at.String(), at.String()+": expected a schema, found "+e.value.describe(),
		"Kubernetes reads this as items without a schema")
	return &JSONSchemaOrArray{}
}

func (d *decoder) schemaList(e *entry, at *Path) []*JSONSchema {
	return d.schemas(d.list(e, at, "a list of schemas"), at.Child(e.key))
}

// schemas reads the elements of a list at the path at. It returns nil only for nil.
func (d *decoder) schemas(list []*node, at *Path) []*JSONSchema {
	if list == nil {
		return nil
	}
	all := make([]*JSONSchema, len(list))
	for i, n := range list {
		all[i] = d.schema(n, n.pos, at.Index(i))
	}
	return all
}

func (d *decoder) schemaMap(e *entry, at *Path) map[string]*JSONSchema {
	at = at.Child(e.key)
	if e.value.kind == kindNull {
		return nil
	}
	fields := d.fields(e.value, e.pos, at)
	m := make(map[string]*JSONSchema, len(fields))
	for i := range fields {
		f := &fields[i]
		m[f.key] = d.schema(f.value, f.pos, at.Key(f.key))
	}
	return m
}

func (d *decoder) schemaOrBool(e *entry, at *Path) *JSONSchemaOrBool {
	switch e.value.kind {
	case kindNull:
		return nil
	case kindMap:
		return &JSONSchemaOrBool{Schema: d.schema(e.value, e.pos, at.Child(e.key)), Allows: true}
	case kindBool:
		return &JSONSchemaOrBool{Allows: e.value.boolean}
	}
	d.wrongType(e.value, e.pos, at.Child(e.key), "a boolean or a schema", "")
	return nil
}

func (d *decoder) dependencies(e *entry, at *Path) map[string]JSONSchemaOrStrings {
	at = at.Child(e.key)
	if e.value.kind == kindNull {
		return nil
	}
	fields := d.fields(e.value, e.pos, at)
	m := make(map[string]JSONSchemaOrStrings, len(fields))
	for i := range fields {
		f := &fields[i]
		var dependency JSONSchemaOrStrings
		switch f.value.kind {
		case kindMap:
			dependency.Schema = d.schema(f.value, f.pos, at.Key(f.key))
		case kindList:
			dependency.Strings = d.stringList(f.value.list, at.Key(f.key))
		}
		m[f.key] = dependency
	}
	return m
}

func (d *decoder) externalDocs(e *entry, at *Path) *ExternalDocumentation {
	if e.value.kind == kindNull {
		return nil
	}
	at = at.Child(e.key)
	docs := &ExternalDocumentation{}
	for i, fields := 0, d.fields(e.value, e.pos, at); i < len(fields); i++ {
		switch f := &fields[i]; f.key {
		case "description":
			docs.Description = d.str(f, at)
		case "url":
			docs.URL = d.str(f, at)
		default:
			d.unknownField(f, at, nearest([]string{"description", "url"}))
		}
	}
	return docs
}

func (d *decoder) validationRules(e *entry, at *Path) []ValidationRule {
	list := d.list(e, at, "a list of rules")
	at = at.Child(e.key)
	if e.value.kind != kindList {
		return nil
	}
	rules := make([]ValidationRule, 0, len(list)) // Kubernetes tells an empty list from none
	for i, n := range list {
		var r ValidationRule
		at := at.Index(i)
		for j, fields := 0, d.fields(n, n.pos, at); j < len(fields); j++ {
			switch f := &fields[j]; f.key {
			case "rule":
				r.Rule = d.str(f, at)
			case "message":
				r.Message = d.str(f, at)
			case "messageExpression":
				r.MessageExpression = d.str(f, at)
			case "reason":
				r.Reason = d.strPointer(f, at)
			case "fieldPath":
				r.FieldPath = d.str(f, at)
			case "optionalOldSelf":
				r.OptionalOldSelf = d.boolPointer(f, at)
			default:
				d.unknownField(f, at, nearest(validationRuleFields))
			}
		}
		rules = append(rules, r)
	}
	return rules
}

func (d *decoder) unions(e *entry, at *Path) []Union {
	list := d.list(e, at, "a list of unions")
	at = at.Child(e.key)
	var unions []Union
	for i, n := range list {
		var u Union
		at := at.Index(i)
		for j, fields := 0, d.fields(n, n.pos, at); j < len(fields); j++ {
			switch f := &fields[j]; f.key {
			case "discriminator":
				u.Discriminator = d.str(f, at)
			case "fields":
				u.Fields = map[string]string{}
				at := at.Child(f.key)
				for k, members := 0, d.fields(f.value, f.pos, at); k < len(members); k++ {
					m := &members[k]
					d.checkValue(m.value, m.pos, at.Key(m.key), stringShape)
					u.Fields[m.key] = m.value.str()
				}
			default:
				d.unknownField(f, at, nearest([]string{"discriminator", "fields"}))
			}
		}
		unions = append(unions, u)
	}
	return unions
}
