package structural

// Object returns s as the JSON object it is written as, with the keywords that are set. It shares no maps or lists
// with s.
func (s *JSONSchema) Object() map[string]any {
	o := object{}
	o.text("id", s.ID)
	o.text("$schema", s.Schema)
	o.textPointer("$ref", s.Ref)
	o.text("description", s.Description)
	o.text("type", s.Type)
	o.text("format", s.Format)
	o.text("title", s.Title)
	o.value("default", s.Default)
	o.float("maximum", s.Maximum)
	o.flag("exclusiveMaximum", s.ExclusiveMaximum)
	o.float("minimum", s.Minimum)
	o.flag("exclusiveMinimum", s.ExclusiveMinimum)
	o.int("maxLength", s.MaxLength)
	o.int("minLength", s.MinLength)
	o.text("pattern", s.Pattern)
	o.int("maxItems", s.MaxItems)
	o.int("minItems", s.MinItems)
	o.flag("uniqueItems", s.UniqueItems)
	o.float("multipleOf", s.MultipleOf)
	if s.Enum != nil {
		o["enum"] = copyJSON(s.Enum)
	}
	o.int("maxProperties", s.MaxProperties)
	o.int("minProperties", s.MinProperties)
	o.texts("required", s.Required)
	if items := s.Items; items != nil && items.Schema != nil {
		o["items"] = items.Schema.Object()
	} else if items != nil {
		o.list("items", items.Schemas)
	}
	o.list("allOf", s.AllOf)
	o.list("oneOf", s.OneOf)
	o.list("anyOf", s.AnyOf)
	if s.Not != nil {
		o["not"] = s.Not.Object()
	}
	o.schemas("properties", s.Properties)
	o.schemaOrBool("additionalProperties", s.AdditionalProperties)
	o.schemas("patternProperties", s.PatternProperties)
	o.dependencies("dependencies", s.Dependencies)
	o.schemaOrBool("additionalItems", s.AdditionalItems)
	o.schemas("definitions", s.Definitions)
	if docs := s.ExternalDocs; docs != nil {
		below := object{}
		below.text("description", docs.Description)
		below.text("url", docs.URL)
		o["externalDocs"] = map[string]any(below)
	}
	o.value("example", s.Example)
	o.flag("nullable", s.Nullable)
	o.extensions(s)
	return o
}

// object is a JSON object to which only what is set is added.
type object map[string]any

func (o object) extensions(s *JSONSchema) {
	o.flagPointer("x-kubernetes-preserve-unknown-fields", s.XPreserveUnknownFields)
	o.flag("x-kubernetes-embedded-resource", s.XEmbeddedResource)
	o.flag("x-kubernetes-int-or-string", s.XIntOrString)
	o.texts("x-kubernetes-list-map-keys", s.XListMapKeys)
	o.textPointer("x-kubernetes-list-type", s.XListType)
	o.textPointer("x-kubernetes-map-type", s.XMapType)
	if s.XValidations != nil {
		rules := make([]any, len(s.XValidations))
		for i, r := range s.XValidations {
			rule := object{"rule": r.Rule}
			rule.text("message", r.Message)
			rule.text("messageExpression", r.MessageExpression)
			rule.textPointer("reason", r.Reason)
			rule.text("fieldPath", r.FieldPath)
			rule.flagPointer("optionalOldSelf", r.OptionalOldSelf)
			rules[i] = map[string]any(rule)
		}
		o["x-kubernetes-validations"] = rules
	}
	if s.XUnions != nil {
		unions := make([]any, len(s.XUnions))
		for i, u := range s.XUnions {
			union := object{}
			union.text("discriminator", u.Discriminator)
			if u.Fields != nil {
				fields := make(map[string]any, len(u.Fields))
				for k, v := range u.Fields {
					fields[k] = v
				}
				union["fields"] = fields
			}
			unions[i] = map[string]any(union)
		}
		o["x-kubernetes-unions"] = unions
	}
	o.flagPointer("x-kubernetes-no-prune", s.XNoPrune)
}

func (o object) text(k, v string) {
	if v != "" {
		o[k] = v
	}
}

func (o object) textPointer(k string, v *string) {
	if v != nil {
		o[k] = *v
	}
}

func (o object) texts(k string, v []string) {
	if v == nil {
		return
	}
	list := make([]any, len(v))
	for i, e := range v {
		list[i] = e
	}
	o[k] = list
}

func (o object) flag(k string, v bool) {
	if v {
		o[k] = v
	}
}

func (o object) flagPointer(k string, v *bool) {
	if v != nil {
		o[k] = *v
	}
}

func (o object) int(k string, v *int64) {
	if v != nil {
		o[k] = *v
	}
}

func (o object) float(k string, v *float64) {
	if v != nil {
		o[k] = *v
	}
}

func (o object) value(k string, v any) {
	if v != nil {
		o[k] = copyJSON(v)
	}
}

func (o object) list(k string, v []*JSONSchema) {
	if v == nil {
		return
	}
	list := make([]any, len(v))
	for i, e := range v {
		list[i] = e.Object()
	}
	o[k] = list
}

func (o object) schemas(k string, v map[string]*JSONSchema) {
	if v == nil {
		return
	}
	below := make(map[string]any, len(v))
	for name, e := range v {
		below[name] = e.Object()
	}
	o[k] = below
}

func (o object) schemaOrBool(k string, v *JSONSchemaOrBool) {
	switch {
	case v == nil:
	case v.Schema != nil:
		o[k] = v.Schema.Object()
	default:
		o[k] = v.Allows
	}
}

func (o object) dependencies(k string, v map[string]JSONSchemaOrStrings) {
	if v == nil {
		return
	}
	below := object{}
	for name, d := range v {
		if d.Schema != nil {
			below[name] = d.Schema.Object()
		} else {
			below.texts(name, append([]string{}, d.Strings...))
		}
	}
	o[k] = map[string]any(below)
}
