package structural

// JSONSchema is a schema as a CRD has it: every keyword of JSONSchemaProps, structural or not, and nothing decided yet.
// A field that is absent in the CRD has its zero value here.
type JSONSchema struct {
	ID          string
	Schema      string // the keyword $schema
	Ref         *string
	Description string
	Type        string
	Format      string
	Title       string
	Default     any // a JSON value: nil, bool, int64, float64, string, []any or map[string]any

	Maximum          *float64
	ExclusiveMaximum bool
	Minimum          *float64
	ExclusiveMinimum bool
	MaxLength        *int64
	MinLength        *int64
	Pattern          string
	MaxItems         *int64
	MinItems         *int64
	UniqueItems      bool
	MultipleOf       *float64
	Enum             []any
	MaxProperties    *int64
	MinProperties    *int64
	Required         []string

	Items                *JSONSchemaOrArray
	AllOf                []*JSONSchema
	OneOf                []*JSONSchema
	AnyOf                []*JSONSchema
	Not                  *JSONSchema
	Properties           map[string]*JSONSchema
	AdditionalProperties *JSONSchemaOrBool
	PatternProperties    map[string]*JSONSchema
	Dependencies         map[string]JSONSchemaOrStrings
	AdditionalItems      *JSONSchemaOrBool
	Definitions          map[string]*JSONSchema

	ExternalDocs *ExternalDocumentation
	Example      any
	Nullable     bool

	XPreserveUnknownFields *bool
	XEmbeddedResource      bool
	XIntOrString           bool
	XListMapKeys           []string
	XListType              *string
	XMapType               *string
	XValidations           []ValidationRule

	// XUnions is x-kubernetes-unions of KEP-2335, which Kubernetes does not have.
	XUnions []Union
	// XNoPrune is x-kubernetes-no-prune of KEP-24, also spelled x-kubernetes-no-pruning there. Kubernetes has neither.
	XNoPrune *bool
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
