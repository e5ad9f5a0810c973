package celrules

import (
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Sizes in bytes of values in JSON, as the API server assumes them when it estimates how many fit into a request.
const (
	minBoolSize     = 4  // true
	minNumberSize   = 1  // 0
	minStringSize   = 2  // ""
	minDurationSize = 3  // "0"
	minTimeSize     = 21 // a date and a time of day
	dateSize        = 12 // "2006-01-02"
	maxTimeSize     = 32
	maxDurationSize = 32

	// maxNameLength bounds metadata.name of every object.
	maxNameLength = 253
)

// Kind is what a rule can do with a value.
type Kind string

// The kinds of values. A value of no kind is not visible in rules.
const (
	KindBool      Kind = "bool"
	KindInt       Kind = "int"
	KindDouble    Kind = "double"
	KindString    Kind = "string"
	KindBytes     Kind = "bytes"     // format byte
	KindDuration  Kind = "duration"  // format duration
	KindTimestamp Kind = "timestamp" // formats date and date-time
	KindDyn       Kind = "dyn"       // an integer or a string
	KindList      Kind = "list"
	KindMap       Kind = "map"    // of strings to values of one type
	KindObject    Kind = "object" // with fields
)

// Type is the CEL type of the values of a schema.
type Type struct {
	Kind Kind
	// Schema describes the values; it is never nil. Parts of metadata that the CRD does not declare have schemas that are not in the CRD.
	Schema *structural.Schema
	// IsResource reports whether the values are resources: the root or embedded ones, whose apiVersion, kind and metadata are visible.
	IsResource bool
	// Fields has the fields of an object by their escaped names.
	Fields map[string]*Field
	// Elem is the type of the elements of a list and of the values of a map.
	Elem *Type

	maxElements int64
	// isName reports whether the values are names of resources whose schemas do not declare all of their metadata.
	isName bool
	// MinSize is the least number of bytes that a value takes in JSON.
	MinSize int64
}

// Field is a field of an object as rules see it.
type Field struct {
	Name     string // of the property
	Escaped  string // in rules
	Type     *Type
	Required bool
}

// Field returns the field that a rule selects by name, nil if there is none. Reserved words select their fields
// without being escaped, too.
func (t *Type) Field(name string) *Field {
	f := t.Fields[name]
	if f == nil && prunecel.IsReserved(name) {
		f = t.Fields["__"+name+"__"]
	}
	return f
}

// MaxElements returns the maximum number of elements of a list or map, or the maximum length of a string. It is 0 for all others.
func (t *Type) MaxElements(e Environment) int64 {
	if t.Kind == KindDyn && !e.Has(kubeversion.BoundedIntOrString) || t.isName && !e.Has(kubeversion.NameLengths) {
		return meter.Request - 2
	}
	return t.maxElements
}

// MaxCardinality returns how many values of type t fit into one request, if nothing else limits them.
func (t *Type) MaxCardinality() uint64 {
	return uint64(meter.Request / (t.MinSize + 1))
}

// NewType returns the type of the values of s, nil if they are not visible in rules: values without a type, and lists and
// maps of them. A resource is the root of a schema or an embedded resource.
func NewType(s *structural.Schema, isResource bool) *Type {
	if s == nil {
		return nil
	}
	t := &Type{Schema: s, IsResource: isResource}
	if s.XIntOrString {
		t.IsResource = false
		t.Kind, t.MinSize, t.maxElements = KindDyn, 1, maxStringLength(s, meter.Request-2)
		return t
	}
	properties := s.Properties
	if isResource {
		properties = withMetadata(s)
	}
	switch s.Type {
	case "array":
		return t.list(s, isResource)
	case "object":
		return t.object(s, properties)
	case "string":
		return t.text(s)
	case "boolean":
		t.Kind, t.MinSize = KindBool, minBoolSize
	case "number":
		t.Kind, t.MinSize = KindDouble, minNumberSize
	case "integer":
		t.Kind, t.MinSize = KindInt, minNumberSize
	default:
		return nil
	}
	return t
}

func (t *Type) list(s *structural.Schema, isResource bool) *Type {
	// For a resource that is a list, the server finds no elements, because it adds metadata to a copy without them.
	if s.Items == nil || isResource && !declaresMetadata(s) {
		return nil
	}
	elem := NewType(s.Items, s.Items.XEmbeddedResource)
	if elem == nil {
		return nil
	}
	t.Kind, t.Elem, t.MinSize = KindList, elem, 2
	t.maxElements = (meter.Request - 2) / (elem.MinSize + 1)
	if n := validation(s).MaxItems; n != nil {
		t.maxElements = max(*n, 0)
	}
	return t
}

func (t *Type) object(s *structural.Schema, properties map[string]*structural.Schema) *Type {
	t.MinSize = 2
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		elem := NewType(ap.Schema, ap.Schema.XEmbeddedResource)
		if elem == nil {
			return nil
		}
		t.Kind, t.Elem = KindMap, elem
		t.maxElements = (meter.Request - 2) / (elem.MinSize + 6)
		if n := validation(s).MaxProperties; n != nil {
			t.maxElements = max(*n, 0)
		}
		return t
	}
	t.Kind, t.Fields = KindObject, make(map[string]*Field, len(properties))
	required := make(map[string]bool, len(validation(s).Required))
	for _, name := range validation(s).Required {
		required[name] = true
	}
	for name, p := range properties {
		ft := NewType(p, p.XEmbeddedResource)
		if ft == nil {
			continue
		}
		if escaped, ok := prunecel.Escape(name); ok {
			t.Fields[escaped] = &Field{Name: name, Escaped: escaped, Type: ft, Required: required[name]}
		}
		if required[name] && p.Default == nil {
			t.MinSize += int64(len(name)) + ft.MinSize + 4 // quotes, colon, comma
		}
	}
	if t.IsResource && !declaresMetadata(s) {
		for _, f := range t.Fields["metadata"].Type.Fields {
			f.Type.isName = true
		}
	}
	return t
}

func (t *Type) text(s *structural.Schema) *Type {
	v := validation(s)
	switch v.Format {
	case "byte":
		t.Kind, t.MinSize, t.maxElements = KindBytes, minStringSize, meter.Request-2
		if v.MaxLength != nil {
			t.maxElements = max(*v.MaxLength, 0)
		}
	case "duration":
		t.Kind, t.MinSize, t.maxElements = KindDuration, minDurationSize, maxDurationSize
	case "date":
		t.Kind, t.MinSize, t.maxElements = KindTimestamp, dateSize, dateSize
	case "date-time":
		t.Kind, t.MinSize, t.maxElements = KindTimestamp, minTimeSize, maxTimeSize
	default:
		t.Kind, t.MinSize = KindString, minStringSize
		longest := int64(meter.Request - 2)
		if len(v.Enum) > 0 {
			longest = 0
			for _, e := range v.Enum {
				if text, ok := e.(string); ok {
					longest = max(longest, int64(len(text)))
				}
			}
		}
		t.maxElements = maxStringLength(s, longest)
	}
	return t
}

// maxStringLength returns the number of bytes in the longest value of s, or otherwise if s does not limit it.
func maxStringLength(s *structural.Schema, otherwise int64) int64 {
	if n := validation(s).MaxLength; n != nil {
		return max(*n, 0) * 4 // maxLength counts code points
	}
	return otherwise
}

// validation returns the value validation of s, empty if s has none.
func validation(s *structural.Schema) *structural.ValueValidation {
	if s.ValueValidation == nil {
		return &structural.ValueValidation{}
	}
	return s.ValueValidation
}
