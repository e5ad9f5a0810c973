package cases

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/structural"
)

// Check returns what is wrong with the types in obj, sorted. It follows the schema and is written to be obviously right:
// generated code is compared with it.
func (r *Resource) Check(obj map[string]any) []string {
	root := structural.Schema{}
	if r.Schema != nil {
		root = *r.Schema
	}
	root.XEmbeddedResource = true
	c := checker{objectMeta: structural.ObjectMeta()}
	c.walk(obj, &root, place{})
	slices.Sort(c.errs)
	return c.errs
}

type checker struct {
	objectMeta *structural.Schema
	inMetadata bool
	errs       []string
}

// place is where a value stands, written in both ways that the API server has for it: the keys of maps are in brackets
// above metadata, and like fields elsewhere.
type place struct {
	dotted, bracketed string
}

func (p place) field(name string) place {
	at := place{p.dotted + "." + name, p.bracketed + "." + name}
	// The validator begins a path again where it is empty: below a field of the root that has no name.
	if p.dotted == "" {
		at.dotted = name
	}
	if p.bracketed == "" {
		at.bracketed = name
	}
	if name == "" {
		at.bracketed = p.bracketed + "[]"
	}
	return at
}

func (p place) key(name string) place {
	return place{p.dotted + "." + name, p.bracketed + "[" + name + "]"}
}

func (p place) index(i int) place {
	index := fmt.Sprintf("[%d]", i)
	return place{p.dotted + index, p.bracketed + index}
}

func (c *checker) walk(v any, s *structural.Schema, at place) {
	c.typ(v, s, at)
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			switch {
			case s.XEmbeddedResource && (k == "apiVersion" || k == "kind"):
				c.typ(e, &structural.Schema{Generic: structural.Generic{Type: "string"}}, at.field(k))
			case s.XEmbeddedResource && k == "metadata":
				below := place{at.bracketed, at.bracketed}.field("metadata")
				meta := checker{objectMeta: c.objectMeta, inMetadata: true}
				meta.walk(e, c.objectMeta, below)
				c.errs = append(c.errs, meta.errs...)
			case s.Properties[k] != nil:
				c.walk(e, s.Properties[k], at.field(k))
			case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
				c.walk(e, s.AdditionalProperties.Schema, at.key(k))
			}
		}
	case []any:
		if s.Items != nil {
			for i, e := range v {
				c.walk(e, s.Items, at.index(i))
			}
		}
	}
}

// typ checks the type of one value.
func (c *checker) typ(v any, s *structural.Schema, at place) {
	want := []string{s.Type}
	if s.XIntOrString {
		want = []string{"integer", "string"}
	}
	if s.Type == "" && !s.XIntOrString || v == nil && s.Nullable {
		return
	}
	found := typeName(v)
	if text, ok := v.(string); ok && c.inMetadata && s.ValueValidation.Format == "date-time" {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			c.errs = append(c.errs, fmt.Sprintf("%s: Invalid value: %q: %v", errorField(at.dotted), text, err))
		}
		return
	}
	if f, ok := v.(float64); ok && len(want) == 1 && want[0] == "integer" && !c.inMetadata && !isInt64(f) {
		// The API server says this besides what it says about the type, and has lost the path on the way.
		c.errs = append(c.errs, `<nil>: Invalid value: "": Checked value must be of type integer (default format) in `+at.dotted)
	}
	if slices.ContainsFunc(want, func(typ string) bool { return typ == found || c.passes(v, typ) }) {
		return
	}
	c.errs = append(c.errs, fmt.Sprintf("%[1]s: Invalid value: %[2]q: %[3]s in body must be of type %[4]s: %[2]q",
		errorField(at.dotted), found, at.dotted, strings.Join(want, ",")))
}

// errorField is how the API server prints a path of the validator in front of an error.
func errorField(at string) string {
	if at == "" || at == "." {
		return "<nil>"
	}
	return strings.TrimPrefix(at, ".")
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// passes tells whether a number is good for a type that is not its own.
func (c *checker) passes(v any, typ string) bool {
	switch v := v.(type) {
	case int64:
		return typ == "number"
	case float64:
		if typ != "integer" {
			return false
		}
		if c.inMetadata { // what Go's decoder takes for an int64
			return isInt64(v)
		}
		whole := math.Round(v)
		const safe = 1<<53 - 1
		return v >= -safe && v <= safe && (v == whole || whole != 0 && math.Abs(v-whole) < 1e-9*math.Abs(whole))
	}
	return false
}

func isInt64(f float64) bool {
	return f == math.Trunc(f) && f >= -1<<63 && f < 1<<63
}
