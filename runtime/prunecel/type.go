package prunecel

// Kind is the kind of the values at a node of a schema.
type Kind uint8

const (
	KindNone        Kind = iota // rules cannot read the values
	KindBool                    // type: boolean
	KindInt                     // type: integer
	KindDouble                  // type: number
	KindString                  // type: string
	KindBytes                   // type: string, format: byte
	KindDuration                // type: string, format: duration
	KindDate                    // type: string, format: date
	KindDateTime                // type: string, format: date-time
	KindIntOrString             // x-kubernetes-int-or-string
	KindObject                  // type: object with properties, or an embedded resource
	KindMap                     // type: object with additionalProperties
	KindOpaque                  // type: object with neither
	KindList                    // type: array
	KindPreserved               // no type, x-kubernetes-preserve-unknown-fields

	// The kinds of values that only rules make.
	KindUint
	KindTimestamp
	KindNull
	KindOptional // of Elem
	KindOther    // all others, with Name
)

// ListKind is what x-kubernetes-list-type says about a list.
type ListKind uint8

const (
	AtomicList ListKind = iota
	SetList
	MapList
)

// Type is what a schema says about values, as far as rules can tell. It is also the type of an expression.
type Type struct {
	// Computed says that a rule computes the values. The elements of a computed list are values of CEL, those of others decoded JSON.
	Computed bool
	Kind     Kind
	Nullable bool
	// Name is the type of the schema, such as object. It stands for the value in some errors.
	Name string
	// Fields are the types of the properties of an object.
	Fields map[string]*Type
	// Always are the fields that every valid object has. Texts of types do not have them.
	Always map[string]bool
	// Elem is the type of the elements of a list and of the values of a map.
	Elem *Type
	// List is the type of a list; Keys are the fields that identify an element of a list map, escaped.
	List ListKind
	Keys []string
}
