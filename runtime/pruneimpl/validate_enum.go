package pruneimpl

import (
	"fmt"
	"reflect"
	"slices"
)

// unlessString records that v is none of several strings, unless it is the number of a character that is.
func (r *Recorder) unlessString(v any, values []string) int {
	if i, ok := v.(int64); ok && slices.Contains(values, reflect.ValueOf(i).Convert(reflect.TypeFor[string]()).String()) {
		return 0
	}
	if r == nil {
		return 1
	}
	return r.keep(fault{kind: faultEnum, value: v, names: slices.Clone(values), text: fmt.Sprint(values)})
}

// Enum checks that v is one of several values, each converted to the type of the value by the rules of Go: 1.0 is 1, and 65
// is "A". Null is none of them.
func Enum(v any, rec *Recorder, values ...any) int {
	for _, e := range values {
		if converts(v, e) {
			return 0
		}
	}
	return rec.none(v, values)
}

// converts reports whether v is equal to e when it has the type of e.
func converts(v, e any) bool {
	switch e := e.(type) {
	case nil:
		return false
	case string:
		if s, ok := v.(string); ok {
			return s == e
		}
	case int64:
		if i, ok := v.(int64); ok {
			return i == e
		}
	case float64:
		if f, ok := v.(float64); ok {
			return f == e
		}
	}
	found := reflect.ValueOf(v)
	typ := reflect.TypeOf(e)
	return found.IsValid() && found.CanConvert(typ) && reflect.DeepEqual(found.Convert(typ).Interface(), e)
}

func (r *Recorder) none(v any, values []any) int {
	if r == nil {
		return 1
	}
	names := make([]string, len(values))
	for i, e := range values {
		if s, ok := e.(string); ok {
			names[i] = s
		} else {
			names[i] = jsonText(e)
		}
	}
	return r.keep(fault{kind: faultEnum, value: v, names: names, text: fmt.Sprint(values)})
}
