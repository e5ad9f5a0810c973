package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// NullRule is a slot of the passes that normalize and fill in defaults: how to treat a null or a missing field.
type NullRule struct {
	Null Null
	// Default replaces a missing field, and a null that is not kept; nil if there is none.
	Default *Value
}

// Null says how to treat a null.
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
