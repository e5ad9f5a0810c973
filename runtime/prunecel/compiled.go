package prunecel

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"
)

// Functions that only compiled code calls. They are sure of a value only if it has the type in the schema.

// asNumber returns a number of the resource.
func asNumber(raw any) (n float64, sure bool) {
	switch v := raw.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// asIntOrString returns an integer or a string of the resource.
func asIntOrString(raw any) (v any, sure bool) {
	switch raw.(type) {
	case string, int64:
		return raw, true
	}
	return nil, false
}

// asBytes returns the bytes of a text of format byte.
func asBytes(raw any) (b []byte, sure bool) { return parsed(raw, base64.URLEncoding.DecodeString) }

// asDuration returns the duration of a text of format duration.
func asDuration(raw any) (d time.Duration, sure bool) { return parsed(raw, parseSchemaDuration) }

// asDate returns the time of a text of format date.
func asDate(raw any) (t time.Time, sure bool) { return parsed(raw, parseSchemaDate) }

// asTime returns the time of a text of format date-time.
func asTime(raw any) (t time.Time, sure bool) { return parsed(raw, parseSchemaDateTime) }

func parsed[T any](raw any, parse func(string) (T, error)) (v T, sure bool) {
	s, ok := raw.(string)
	if !ok {
		return v, false
	}
	v, err := parse(s)
	return v, err == nil
}

// Part returns the string number i of Split(s, separator), without the others.
func Part(s, separator string, i int64) (string, error) {
	if separator == "" {
		if all := Split(s, separator); i >= 0 && i < int64(len(all)) {
			return all[i].(string), nil
		}
		return "", errIndex
	}
	for more := i >= 0; more; i-- {
		var part string
		if part, s, more = strings.Cut(s, separator); i == 0 {
			return part, nil
		}
	}
	return "", errIndex
}

var errIndex = errors.New("index out of bounds")

// equal reports whether two values of the resource are equal, as == does. It is sure if they have the type, and if the order of elements
// does not matter.
func (s *TypeSource) equal(a, b any) (equal, sure bool) {
	t, err := s.Type()
	if err != nil {
		return false, false
	}
	return t.equalRaw(a, b)
}

func (t *Type) equalRaw(a, b any) (equal, sure bool) {
	switch t.Kind {
	case KindString:
		return equalAs[string](a, b)
	case KindInt:
		return equalAs[int64](a, b)
	case KindBool:
		return equalAs[bool](a, b)
	case KindIntOrString:
		_, ok1 := asIntOrString(a)
		_, ok2 := asIntOrString(b)
		return a == b, ok1 && ok2
	case KindDouble:
		x, ok1 := asNumber(a)
		y, ok2 := asNumber(b)
		return x == y, ok1 && ok2
	case KindObject, KindMap:
		return t.equalObjects(a, b)
	case KindList:
		return t.equalLists(a, b)
	}
	return false, false
}

func equalAs[T comparable](a, b any) (equal, sure bool) {
	x, ok1 := a.(T)
	y, ok2 := b.(T)
	return x == y, ok1 && ok2
}

func (t *Type) equalObjects(a, b any) (equal, sure bool) {
	x, ok1 := a.(map[string]any)
	y, ok2 := b.(map[string]any)
	if !ok1 || !ok2 {
		return false, false
	}
	if len(x) != len(y) {
		return false, true
	}
	equal = true
	for k, v := range x {
		field := t.field(k)
		other, ok := y[k]
		if field == nil || v == nil || ok && other == nil {
			return false, false // what null means depends on more
		}
		if !ok {
			equal = false
			continue
		}
		eq, sure := field.equalRaw(v, other)
		if !sure {
			return false, false
		}
		equal = equal && eq
	}
	return equal, true
}

func (t *Type) equalLists(a, b any) (equal, sure bool) {
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if !ok1 || !ok2 || t.Elem == nil {
		return false, false
	}
	if len(x) != len(y) {
		return false, true
	}
	equal = true
	for i := range x {
		eq, sure := t.Elem.equalRaw(x[i], y[i])
		if !sure {
			return false, false
		}
		equal = equal && eq
	}
	// Where the order does not matter, lists in another order may be equal, and duplicate elements count once.
	return equal, t.List == AtomicList || equal && len(x) < 2
}
