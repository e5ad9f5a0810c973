package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Normalize is the payload of the pass that does all that the API server does to an object before it validates it: drop
// unspecified fields and nulls, coerce metadata, fill in defaults.
type Normalize struct {
	Kind NormalizeKind
	// Resource says whether an object has metadata to coerce.
	Resource Resource
	// DropNulls are the fields among apiVersion, kind and metadata that are dropped if they are null, separated by spaces.
	DropNulls string
}

// NormalizeKind says how much there is to normalize.
type NormalizeKind uint8

const (
	NormalizeWalk     NormalizeKind = iota // walk the value: a function of its own
	NormalizeKeep                          // leave the value and all below it alone
	NormalizeLeaf                          // nothing is specified below the value
	NormalizeLeafMap                       // an object whose keys stay unless they are null, and whose values are leaves
	NormalizeNullsMap                      // an object whose keys all stay, and whose values are leaves
)

// Resource says what an object is to the API machinery.
type Resource uint8

const (
	ResourceNone      Resource = iota // no resource: a part of one
	ResourceRoot                      // the whole object
	ResourceRootTwice                 // the whole object, whose schema says that it is an embedded resource, too
	ResourceEmbedded                  // an object in an object
)

func (n Normalize) Func() bool { return n.Kind == NormalizeWalk }

func (n Normalize) Leaf() bool { return n.Kind == NormalizeLeaf }

func (n Normalize) Object() bool { return n.Resource != ResourceNone }

func (Normalize) Drops() bool { return true }

func (n Normalize) String() string {
	switch n.Kind {
	case NormalizeKeep:
		return "keep"
	case NormalizeLeaf:
		return "leaf"
	case NormalizeLeafMap:
		return "leaf map"
	case NormalizeNullsMap:
		return "leaf map with nulls"
	}
	switch n.Resource {
	case ResourceRoot, ResourceRootTwice:
		return "root"
	case ResourceEmbedded:
		return strings.TrimSpace("resource " + n.DropNulls)
	}
	return ""
}

// NullRule is a slot of Normalize: what becomes of a null or of a missing field.
type NullRule struct {
	Null Null
	// Default replaces a missing field, and a null that is not kept; nil if there is none.
	Default *Value
}

// Null says what becomes of a null.
type Null uint8

const (
	NullKeep Null = iota
	NullDrop
	NullDefault // replace it
)

func (r NullRule) String() string {
	s := ""
	switch r.Null {
	case NullDrop:
		s = "no null"
	case NullDefault:
		s = "default for null"
	}
	if r.Default != nil {
		s = strings.TrimSpace(s + " default " + r.Default.Text)
	}
	return s
}

// Value is a JSON value. Equal values are one Value.
type Value struct {
	// JSON is the value as Kubernetes' decoders return it. It must not be changed.
	JSON any
	// Text writes the value so that no two values are written alike.
	Text string
}

// ValueText writes a JSON value as JSON, with sorted keys, so that no two values are written alike: a float has a point or
// an exponent, an integer has neither.
func ValueText(v any) string {
	var b strings.Builder
	writeValue(&b, v)
	return b.String()
}

func writeValue(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.QuoteToASCII(k) + ": ")
			writeValue(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, e)
		}
		b.WriteByte(']')
	case string:
		b.WriteString(strconv.QuoteToASCII(v))
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		b.WriteString(text)
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, v)
	}
}

// Default is the payload of the pass that fills in defaults.
type Default uint8

const (
	DefaultWalk Default = iota // walk the value: a function of its own
	DefaultNone                // there is no default below the value
)

func (d Default) Func() bool { return d == DefaultWalk }

func (Default) Leaf() bool { return false }

func (Default) Object() bool { return false }

func (Default) Drops() bool { return false }

func (d Default) String() string {
	if d == DefaultNone {
		return "no default"
	}
	return ""
}
