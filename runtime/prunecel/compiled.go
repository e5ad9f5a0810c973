package prunecel

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"
)

// What only compiled code calls. It is sure of a value only where the value is what the schema says.

// Number returns a number of the resource.
func Number(raw any) (n float64, sure bool) {
	switch v := raw.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// IntOrString returns an integer or a string of the resource.
func IntOrString(raw any) (v any, sure bool) {
	switch raw.(type) {
	case string, int64:
		return raw, true
	}
	return nil, false
}

// Bytes returns the bytes of a text of format byte.
func Bytes(raw any) (b []byte, sure bool) { return parsed(raw, base64.URLEncoding.DecodeString) }

// Duration returns the duration of a text of format duration.
func Duration(raw any) (d time.Duration, sure bool) { return parsed(raw, parseSchemaDuration) }

// DateOf returns the time of a text of format date.
func DateOf(raw any) (t time.Time, sure bool) { return parsed(raw, parseSchemaDate) }

// TimeOf returns the time of a text of format date-time.
func TimeOf(raw any) (t time.Time, sure bool) { return parsed(raw, parseSchemaDateTime) }

func parsed[T any](raw any, parse func(string) (T, error)) (v T, sure bool) {
	s, ok := raw.(string)
	if !ok {
		return v, false
	}
	v, err := parse(s)
	return v, err == nil
}

// At returns an element of a list.
func At(list []any, i int64) any {
	if i < 0 || i >= int64(len(list)) {
		return nil
	}
	return list[i]
}

// Part returns the string number i that Split(s, separator) has, and reports whether there is one.
func Part(s, separator string, i int64) (part string, ok bool) {
	if separator == "" || i < 0 {
		part, ok = At(Split(s, separator), i).(string)
		return part, ok
	}
	for more := true; more; i-- {
		if part, s, more = strings.Cut(s, separator); i == 0 {
			return part, true
		}
	}
	return "", false
}

// Length returns the number of characters in s.
func Length(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// HasText reports whether sub is in s.
func HasText(s, sub string) bool { return strings.Contains(s, sub) }

// HasPrefix reports whether s begins with prefix.
func HasPrefix(s, prefix string) bool { return strings.HasPrefix(s, prefix) }

// HasSuffix reports whether s ends with suffix.
func HasSuffix(s, suffix string) bool { return strings.HasSuffix(s, suffix) }

// HasFormat reports whether a text has the format that rules call format.<name>().
func HasFormat(name, s string) bool { return len(formatNamed(name).validate(s)) == 0 }

// HasElement reports whether v, a string, an integer or a boolean, is an element of a list of such values.
func HasElement[T string | int64 | bool](list []any, v T) (has, sure bool) {
	for _, e := range list {
		e, ok := e.(T)
		if !ok {
			return false, false
		}
		has = has || e == v
	}
	return has, true
}

// HasKey reports whether a map has a key.
func HasKey(m map[string]any, key string) (has, sure bool) {
	v, ok := m[key]
	return ok, !ok || v != nil
}

// EqualTimes reports whether two times are the same.
func EqualTimes(a, b time.Time) bool { return a.Equal(b) }

// isEqual reports whether two values of the resource are equal as == has it. It is sure where they are what the type says, and
// where the order of elements does not matter.
func (s *TypeSource) Equal(a, b any) (equal, sure bool) {
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
		_, ok1 := IntOrString(a)
		_, ok2 := IntOrString(b)
		return a == b, ok1 && ok2
	case KindDouble:
		x, ok1 := Number(a)
		y, ok2 := Number(b)
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
	// Where the order does not matter, lists in another order may be equal, and an element that is there twice counts once.
	return equal, t.List == AtomicList || equal && len(x) < 2
}
