package pruneimpl

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// unlessString records that v is none of several strings, unless it is the number of a character that is.
func (r *Recorder) unlessString(v any, values []string) int {
	if i, ok := v.(int64); ok && slices.Contains(values, character(i)) {
		return 0
	}
	if r == nil {
		return 1
	}
	names := slices.Clone(values) // those of the caller do not leave the stack
	return r.keep(fault{kind: faultEnum, value: v, names: names, text: fmt.Sprint(names)})
}

// Values are values that are made on first use.
type Values struct {
	Make func() []any

	once sync.Once
	made []any
}

// EnumValues is Enum with values among which there are objects or lists.
func EnumValues(v any, rec *Recorder, values *Values) int {
	values.once.Do(func() { values.made = values.Make() })
	return Enum(v, rec, values.made...)
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
	case string:
		switch v := v.(type) {
		case string:
			return v == e
		case int64:
			return character(v) == e
		}
	case int64:
		switch v := v.(type) {
		case int64:
			return v == e
		case float64:
			return int64(v) == e
		}
	case float64:
		switch v := v.(type) {
		case float64:
			return v == e
		case int64:
			return float64(v) == e
		}
	case bool:
		return v == any(e)
	case map[string]any, []any:
		return reflect.DeepEqual(v, e)
	}
	return false
}

// character returns the character with a number.
func character(i int64) string {
	if int64(rune(i)) != i {
		return "\uFFFD"
	}
	return string(rune(i))
}

func (r *Recorder) none(v any, values []any) int {
	if r == nil {
		return 1
	}
	own := slices.Clone(values) // those of the caller do not leave the stack
	names := make([]string, len(own))
	for i, e := range own {
		if s, ok := e.(string); ok {
			names[i] = s
		} else {
			names[i] = jsonText(e)
		}
	}
	return r.keep(fault{kind: faultEnum, value: v, names: names, text: fmt.Sprint(own)})
}
