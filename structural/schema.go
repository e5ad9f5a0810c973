package structural

// Schema is a structural schema: the formal definition of KEP-2335 as a type. The keywords that only restrict values are in
// ValueValidation, apart from those that give a value its structure, so that dropping ValueValidation weakens a schema and changes
// nothing else.
type Schema struct {
	Items                *Schema
	Properties           map[string]*Schema
	AdditionalProperties *SchemaOrBool

	Generic
	Extensions
	ValidationExtensions

	// ValueValidation is never nil after NewSchema. Without it, a schema has only its structure.
	ValueValidation *ValueValidation
}

// Values returns the schema of the values of a map, nil if there is none.
func (s *Schema) Values() *Schema {
	if s == nil || s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// Field returns the schema of a field: that of the property, or of the values of a map. It is nil if there is none.
func (s *Schema) Field(name string) *Schema {
	if s != nil && s.Properties[name] != nil {
		return s.Properties[name]
	}
	return s.Values()
}

// SchemaOrBool is a schema, or, when Schema is nil, a boolean.
type SchemaOrBool struct {
	Schema *Schema
	Bool   bool
}

// Generic holds the keywords that describe a value and must not appear in value validation.
type Generic struct {
	Description  string
	Type         string
	Title        string
	Default      any // nil: no default; Kubernetes reads null as none, too
	Nullable     bool
	ExternalDocs *ExternalDocumentation
	Example      any
}

// ExternalDocumentation points to documentation elsewhere.
type ExternalDocumentation struct {
	Description string `key:"description"`
	URL         string `key:"url"`
}

// Extensions holds the x-kubernetes- keywords that decide structure.
type Extensions struct {
	XPreserveUnknownFields bool
	XEmbeddedResource      bool
	XIntOrString           bool
	XListMapKeys           []string
	XListType              *string
	XMapType               *string
}

// ValidationExtensions holds the x-kubernetes- keywords that only validate.
type ValidationExtensions struct {
	XValidations []ValidationRule
}

// ValidationRule is one CEL rule of x-kubernetes-validations. Names and order of the fields are those of the API server's type,
// because its errors print them as JSON objects.
type ValidationRule struct {
	Rule              string  `key:"rule"`
	Message           string  `key:"message"`
	MessageExpression string  `key:"messageExpression"`
	Reason            *string `key:"reason"`
	FieldPath         string  `key:"fieldPath"`
	OptionalOldSelf   *bool   `key:"optionalOldSelf"`
}

// ValueValidation holds the keywords that restrict values and say nothing about structure. They are hashed in this order.
type ValueValidation struct {
	Format           string
	Pattern          string
	Maximum          *float64
	ExclusiveMaximum bool
	Minimum          *float64
	ExclusiveMinimum bool
	MultipleOf       *float64
	MaxLength        *int64
	MinLength        *int64
	MaxItems         *int64
	MinItems         *int64
	UniqueItems      bool
	MaxProperties    *int64
	MinProperties    *int64
	Enum             []any
	Required         []string
	AllOf            []*NestedValueValidation
	AnyOf            []*NestedValueValidation
	OneOf            []*NestedValueValidation
	Not              *NestedValueValidation
}

// NestedValueValidation is value validation below allOf, anyOf, oneOf or not. It may name fields and elements, but says
// nothing about their structure: the Forbidden parts are zero in a structural schema, apart from the two patterns that
// x-kubernetes-int-or-string allows.
type NestedValueValidation struct {
	ValueValidation
	ValidationExtensions

	Items                *NestedValueValidation
	Properties           map[string]*NestedValueValidation
	AdditionalProperties *NestedValueValidation
	// Closed is additionalProperties: false, which is allowed here: it restricts values and says nothing about structure.
	Closed bool

	ForbiddenGenerics   Generic
	ForbiddenExtensions Extensions
}

// Resource returns s as the schema of the root of objects: a root is a resource, whether or not its schema says so. The nil schema
// specifies only the fields that every resource has.
func (s *Schema) Resource() *Schema {
	var root Schema
	if s != nil {
		root = *s
	}
	root.XEmbeddedResource = true
	return &root
}
