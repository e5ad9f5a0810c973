package pruneimpl

import (
	"testing"
)

// Values are compared with those of an enum after Go's conversion to their type.
func TestEnumsConvert(t *testing.T) {
	object := map[string]any{"k": []any{int64(1)}}
	for _, test := range []struct {
		v, e any
		want bool
	}{
		{int64(1), int64(1), true}, {1.0, int64(1), true}, {int64(1), 1.0, true}, {65.7, int64(65), true}, {int64(65), 65.7, false},
		{int64(65), "A", true}, {65.0, "A", false}, {"A", int64(65), false}, {int64(1 << 40), "\uFFFD", true}, {int64(-1), "\uFFFD", true},
		{true, true, true}, {true, "true", false}, {nil, nil, false}, {nil, "x", false}, {"x", nil, false},
		{object, map[string]any{"k": []any{int64(1)}}, true}, {object, map[string]any{"k": []any{1.0}}, false}, {[]any{}, []any{}, true}, {[]any{}, object, false},
	} {
		if got := Enum(test.v, nil, test.e) == 0; got != test.want {
			t.Errorf("%v is %v: %t", test.v, test.e, got)
		}
		if s, ok := test.e.(string); ok && (EnumStrings(test.v, nil, s) == 0) != test.want {
			t.Errorf("%v is %q: %t", test.v, s, !test.want)
		}
		values := Values{Make: func() []any { return []any{"other", test.e} }}
		if got := EnumValues(test.v, nil, &values) == 0; got != test.want {
			t.Errorf("%v is among values with %v: %t", test.v, test.e, got)
		}
	}
}

// Bounds are cut to integers for integers.
func TestBoundsAreCut(t *testing.T) {
	for _, test := range []struct {
		check func(v any, rec *Recorder, bound float64) int
		v     any
		bound float64
		want  bool
	}{
		{Minimum, int64(0), 0.5, true}, {Minimum, 0.4, 0.5, false}, {Minimum, 0.5, 0.5, true}, {OverMinimum, 0.5, 0.5, false}, {OverMinimum, int64(0), 0.5, false},
		{Maximum, int64(1), 0.5, false}, {Maximum, int64(0), 0.5, true}, {UnderMaximum, int64(0), 0.5, false}, {UnderMaximum, 0.4, 0.5, true}, {UnderMaximum, 0.5, 0.5, false},
		{MultipleOf, int64(4), 0.5, false}, {MultipleOf, int64(4), 2.9, true}, {MultipleOf, 4.0, 0.5, true}, {MultipleOf, 0.3, 0.1, true}, {MultipleOf, 0.35, 0.1, false},
		{MultipleOf, 4.0, -1, false}, {Minimum, "x", 5, true}, {MultipleOf, nil, 5, true},
	} {
		if got := test.check(test.v, nil, test.bound) == 0; got != test.want {
			t.Errorf("%v and %v: %t", test.v, test.bound, got)
		}
	}
}

// A field that is null exists.
func TestNullIsThere(t *testing.T) {
	obj, left := map[string]any{"a": nil}, 1
	if Required(obj, nil, "a") != 0 || Required(obj, nil, "a", "b") != 1 || RequireFields(obj, nil, &left, TypeString|TypeNull, "a") != 0 {
		t.Error("null counts as missing, or what is missing does not")
	}
}
