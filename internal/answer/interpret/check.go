package interpret

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// Check returns an error for every value in obj, the root of a resource, that does not have the type in s, in the words of the API server
// and sorted by text; nil if there is none. Null is a value only where s is nullable. The types of metadata are those of ObjectMeta,
// whatever s says.
//
// It is the reference that generated code is tested against: it follows the schema and the object side by side.
func (w *Work) Check(obj map[string]any, s *structural.Schema) prunert.ErrorList {
	c := checker{objectMeta: pruning.ObjectMeta(), by: w.Kubernetes}
	c.walk(obj, s.Resource(), nil)
	return sortErrorList(c.list())
}

// sortErrorList sorts errors by text and removes duplicates, as the API server does.
func sortErrorList(errs prunert.ErrorList) prunert.ErrorList {
	texts := make(map[*prunert.Error]string, len(errs)) // they take longer to write than to compare
	for _, e := range errs {
		texts[e] = e.Error()
	}
	slices.SortStableFunc(errs, func(a, b *prunert.Error) int { return strings.Compare(texts[a], texts[b]) })
	return slices.CompactFunc(errs, func(a, b *prunert.Error) bool { return texts[a] == texts[b] })
}

type checker struct {
	objectMeta *structural.Schema
	// inMetadata says that the values are those of a Go type: a date-time is a time, and an int64 holds what Go's decoder
	// takes for one.
	inMetadata bool
	by         kubeversion.Version // of the API server
	found      []foundError
}

// list returns the errors.
func (c *checker) list() prunert.ErrorList {
	var errs prunert.ErrorList
	for _, f := range c.found {
		e, _ := f.error()
		e.Field = orNil(e.Field)
		errs = append(errs, e)
	}
	return errs
}

// walk checks v and everything below it. A value of the wrong type is walked as what it is.
func (c *checker) walk(v any, s *structural.Schema, at *structural.Path) {
	c.typ(v, s, at)
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			switch {
			case s.XEmbeddedResource && k == "metadata":
				meta := checker{objectMeta: c.objectMeta, inMetadata: true}
				meta.walk(e, c.objectMeta, at.Metadata())
				c.found = append(c.found, meta.found...)
			case s.XEmbeddedResource && structural.IsMetaField(k):
				c.typ(e, metaString, at.Child(k))
			case s.Properties[k] != nil:
				c.walk(e, s.Properties[k], at.Child(k))
			case s.Values() != nil:
				c.walk(e, s.Values(), at.Key(k))
			}
		}
	case []any:
		if s.Items != nil {
			for i, e := range v {
				c.walk(e, s.Items, at.Index(i))
			}
		}
	}
}

// metaString is the schema of apiVersion and kind of a resource.
var metaString = &structural.Schema{Generic: structural.Generic{Type: "string"}}

// typ checks the type of v itself.
func (c *checker) typ(v any, s *structural.Schema, at *structural.Path) {
	want := []string{s.Type}
	if s.XIntOrString {
		want = []string{"integer", "string"} // whatever type says
	}
	if s.Type == "" && !s.XIntOrString || v == nil && s.Nullable || isForeign(v) {
		return
	}
	if text, ok := v.(string); ok && c.inMetadata && s.ValueValidation.Format == "date-time" {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			c.found = append(c.found, foundError{at, func(path string) (prunert.Error, string) {
				return prunert.Error{Type: prunert.ErrorTypeInvalid, Field: fieldOf(path), BadValue: text, Detail: err.Error()}, ""
			}})
		}
		return
	}
	if f, ok := v.(float64); ok && slices.Equal(want, []string{"integer"}) && !c.inMetadata && !isInt64(f) && c.by.Has(kubeversion.NumericFormats) {
		// The API server reports this in addition to the error about the type, and loses the path.
		c.found = append(c.found, failWithoutPath(at, func(path string) string {
			return "Checked value must be of type integer (default format) in " + path
		}).errs...)
	}
	if found := typeName(v); !slices.ContainsFunc(want, func(typ string) bool { return typ == found || c.passes(v, typ) }) {
		c.found = append(c.found, fail(prunert.ErrorTypeTypeInvalid, at, found, "must be of type %s: %q", strings.Join(want, ","), found).errs...)
	}
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

// isForeign reports whether v is of a type that no JSON decoder makes. Such a value passes for every type, and is equal to nothing.
func isForeign(v any) bool {
	switch v.(type) {
	case nil, bool, int64, float64, string, []any, map[string]any:
		return false
	}
	return true
}

// passes reports whether a number is accepted for the other numeric type: every integer is a number, and a whole float is an integer.
func (c *checker) passes(v any, typ string) bool {
	switch v := v.(type) {
	case int64:
		return typ == "number"
	case float64:
		if c.inMetadata {
			_, whole := int64InJSON(v)
			return typ == "integer" && whole
		}
		return typ == "integer" && isWhole(v)
	}
	return false
}

// int64InJSON returns the integer that f becomes in JSON, if it becomes one. JSON has the shortest number that reads back as the float,
// which differs from the float itself where floats have gaps.
func int64InJSON(f float64) (int64, bool) {
	if !isInt64(f) {
		return 0, false
	}
	i, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64)
	return i, err == nil
}

// isInt64 reports whether an int64 holds f and also the number that f is written as. The latter is below -2^63 if f is -2^63.
func isInt64(f float64) bool {
	return f == math.Trunc(f) && f > -1<<63 && f < 1<<63
}
