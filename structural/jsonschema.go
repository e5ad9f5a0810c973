package structural

// JSONSchema is a schema as a CRD has it: every keyword of JSONSchemaProps, structural or not, and nothing decided yet.
// A field that is absent in the CRD has its zero value here.
//
// The tags are the one table of the keywords: the name, and what is special about it.
//
//	unsupported        NewSchema refuses it
//	in junctor=...     what it must be below allOf, anyOf, oneOf and not
//	needs structure    a v1beta1 CRD that uses it must have structural schemas
//	not in Kubernetes  only a KEP has it
//	of ...             the type of the values that it restricts by itself, any for all types
//	beside status      the root may have it where the status is a subresource
//
// What a keyword is read from and written as follows from the type of its field, and where it goes in a structural schema
// from the field of the same name there.
type JSONSchema struct {
	ID          string  `key:"id,unsupported"`
	Schema      string  `key:"$schema,unsupported"` // the keyword $schema
	Ref         *string `key:"$ref,unsupported"`
	Description string  `key:"description,in junctor=empty,beside status"`
	Type        string  `key:"type,in junctor=empty,beside status"`
	Format      string  `key:"format,of string,of number,beside status"`
	Title       string  `key:"title,in junctor=empty,beside status"`
	Default     any     `key:"default,in junctor=undefined"` // a JSON value: nil, bool, int64, float64, string, []any or map[string]any

	Maximum          *float64 `key:"maximum,of number,beside status"`
	ExclusiveMaximum bool     `key:"exclusiveMaximum,beside status"`
	Minimum          *float64 `key:"minimum,of number,beside status"`
	ExclusiveMinimum bool     `key:"exclusiveMinimum,beside status"`
	MaxLength        *int64   `key:"maxLength,of string,beside status"`
	MinLength        *int64   `key:"minLength,of string,beside status"`
	Pattern          string   `key:"pattern,of string,beside status"`
	MaxItems         *int64   `key:"maxItems,of array,beside status"`
	MinItems         *int64   `key:"minItems,of array,beside status"`
	UniqueItems      bool     `key:"uniqueItems,beside status"`
	MultipleOf       *float64 `key:"multipleOf,of number,beside status"`
	Enum             []any    `key:"enum,of any"`
	MaxProperties    *int64   `key:"maxProperties,of object"`
	MinProperties    *int64   `key:"minProperties,of object"`
	Required         []string `key:"required,beside status"`

	Items                *JSONSchemaOrArray             `key:"items,beside status"`
	AllOf                []*JSONSchema                  `key:"allOf,of any"`
	OneOf                []*JSONSchema                  `key:"oneOf,of any"`
	AnyOf                []*JSONSchema                  `key:"anyOf,of any"`
	Not                  *JSONSchema                    `key:"not,of any"`
	Properties           map[string]*JSONSchema         `key:"properties,beside status"`
	AdditionalProperties *JSONSchemaOrBool              `key:"additionalProperties"`
	PatternProperties    map[string]*JSONSchema         `key:"patternProperties,unsupported"`
	Dependencies         map[string]JSONSchemaOrStrings `key:"dependencies,unsupported"`
	AdditionalItems      *JSONSchemaOrBool              `key:"additionalItems,unsupported"`
	Definitions          map[string]*JSONSchema         `key:"definitions,unsupported"`

	ExternalDocs *ExternalDocumentation `key:"externalDocs,beside status"`
	Example      any                    `key:"example,beside status"`
	Nullable     bool                   `key:"nullable,in junctor=false"`

	XPreserveUnknownFields *bool            `key:"x-kubernetes-preserve-unknown-fields,needs structure,in junctor=false,beside status"`
	XEmbeddedResource      bool             `key:"x-kubernetes-embedded-resource,needs structure,in junctor=false"`
	XIntOrString           bool             `key:"x-kubernetes-int-or-string,needs structure,in junctor=false"`
	XListMapKeys           []string         `key:"x-kubernetes-list-map-keys,needs structure,in junctor=empty"`
	XListType              *string          `key:"x-kubernetes-list-type,needs structure,in junctor=undefined"`
	XMapType               *string          `key:"x-kubernetes-map-type,in junctor=undefined"` // needs no structure, in Kubernetes either
	XValidations           []ValidationRule `key:"x-kubernetes-validations,needs structure,in junctor=empty,beside status"`

	// XUnions is x-kubernetes-unions of KEP-2335, which Kubernetes does not have. A structural schema is without it.
	XUnions []Union `key:"x-kubernetes-unions,not in Kubernetes"`
	// XNoPrune is x-kubernetes-no-prune of KEP-24, also spelled x-kubernetes-no-pruning and x-no-pruning there. Kubernetes has none of them.
	XNoPrune *bool `key:"x-kubernetes-no-prune,not in Kubernetes"`
}

// Values returns the schema of the values of a map, nil if there is none.
func (s *JSONSchema) Values() *JSONSchema {
	if s == nil || s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// Field returns the schema of a field: that of the property, or of the values of a map. It is nil if there is none.
func (s *JSONSchema) Field(name string) *JSONSchema {
	if s != nil && s.Properties[name] != nil {
		return s.Properties[name]
	}
	return s.Values()
}

// Elements returns the schema of all elements of a list, nil if there is none.
func (s *JSONSchema) Elements() *JSONSchema {
	if s == nil || s.Items == nil {
		return nil
	}
	return s.Items.Schema
}

// Union is a set of fields of which at most one may be set.
type Union struct {
	Discriminator string `key:"discriminator"`
	// Fields maps a field of the union to the value that the discriminator has when the field is set.
	Fields map[string]string `key:"fields"`
}

// JSONSchemaOrArray is the value of items: a schema, a list of schemas, or neither.
type JSONSchemaOrArray struct {
	Schema  *JSONSchema
	Schemas []*JSONSchema
}

// JSONSchemaOrBool is a schema, or, when Schema is nil, a boolean. Allows is true beside a schema.
type JSONSchemaOrBool struct {
	Schema *JSONSchema
	Allows bool
}

// JSONSchemaOrStrings is the value of a dependency: a schema or the names of the fields that are needed.
type JSONSchemaOrStrings struct {
	Schema  *JSONSchema
	Strings []string
}
