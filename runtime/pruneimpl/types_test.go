package pruneimpl

import (
	"encoding/json"
	"fmt"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"math"
	"slices"
	"testing"
	"time"
)

// message returns the error about v if want is wanted, "" for none.
func message(v any, want Type) string {
	var r Recorder
	n := r.Field("f", CheckType(v, &r, want))
	errs := r.Errors()
	if (n == 0) != (len(errs) == 0) {
		return fmt.Sprintf("%d events, but %v", n, errs)
	}
	if len(errs) == 0 {
		return ""
	}
	return errs[len(errs)-1].Error() // what is said about the type comes last
}

func TestValuesThatPassForAType(t *testing.T) {
	const safe = 1<<53 - 1
	passes := []struct {
		want   Type
		values []any
	}{
		{TypeString, []any{"", "x"}},
		{TypeBoolean, []any{true, false}},
		{TypeObject, []any{map[string]any{}, map[string]any{"a": nil}}},
		{TypeArray, []any{[]any{}, []any{nil}, []any(nil)}},
		{TypeNumber, []any{int64(1), 1.5, math.Copysign(0, -1), math.MaxFloat64, math.Inf(1), math.NaN()}},
		{TypeInteger, []any{int64(0), int64(math.MinInt64), int64(math.MaxInt64)}},
		// A float is an integer if it is whole, up to a rounding error, and if floats of its size have no gaps.
		{TypeInteger, []any{0.0, 1.0, -5.0, 1e15, float64(safe), float64(-safe)}},
		{TypeInteger | TypeString, []any{1e9 + 0.5, 1.0000000005, -1.0000000005}},
		{TypeInteger | TypeString, []any{int64(1), "x", 2.0}},
		{TypeString | TypeNull, []any{nil, "x"}},
		{TypeObject | TypeNull, []any{nil, map[string]any{}}},
		{TypeInt64, []any{int64(1), int64(math.MaxInt64), 1.0, 1e18, -9223372036854774784.0}},
		{TypeTime, []any{"2024-02-29T12:00:00Z", "2024-02-29T12:00:00.123456789+01:00"}},
		{TypeTime | TypeNull, []any{nil, "2024-02-29T12:00:00Z"}},
		// What no JSON decoder makes.
		{TypeString, []any{1, int32(1), json.Number("1"), map[string]string{}, struct{}{}}},
	}
	for _, tt := range passes {
		for _, v := range tt.values {
			if got := message(v, tt.want); got != "" {
				t.Errorf("%T(%v) as %s: %s", v, v, tt.want, got)
			}
		}
	}
}

func TestNumbersThatNoInt64HoldsAreNamed(t *testing.T) {
	const (
		outOfRange = `<nil>: Invalid value: "": Checked value must be of type integer (default format) in f`
		mismatch   = `f: Invalid value: "number": f in body must be of type integer: "number"`
	)
	for _, tt := range []struct {
		value any
		want  Type
		texts []string
	}{
		{1.0000000001, TypeInteger, []string{outOfRange}},
		{1.0000000001, TypeInteger | TypeString, nil},
		{1.0000000005, TypeInteger, []string{outOfRange}},
		{math.NaN(), TypeInteger, []string{outOfRange, mismatch}},
		{math.Inf(-1), TypeInteger, []string{outOfRange, mismatch}},
		{math.Inf(1), TypeInteger | TypeString, []string{`f: Invalid value: "number": f in body must be of type integer,string: "number"`}},
		{math.NaN(), TypeNumber, nil},
		{float64(1<<53 - 1), TypeInteger, nil},
		{1e9 + 0.5, TypeInteger | TypeNull, []string{outOfRange}},
		{1.5, TypeInteger, []string{outOfRange, mismatch}},
		{1e20, TypeInteger, []string{outOfRange, mismatch}},
		{-float64(1 << 63), TypeInteger, []string{outOfRange, mismatch}}, // its shortest text is a number that no int64 holds
		{float64(1 << 53), TypeInteger, []string{mismatch}},
		{float64(math.MaxInt64 - 1023), TypeInteger, []string{mismatch}},
		{float64(math.MaxInt64), TypeInteger, []string{outOfRange, mismatch}}, // which is one more
		{1.0, TypeInteger, nil},
		{1e20, TypeNumber, nil},
		{1.0000000005, TypeInteger | TypeString, nil},
		{int64(math.MaxInt64), TypeInteger, nil},
		{"x", TypeInteger, []string{`f: Invalid value: "string": f in body must be of type integer: "string"`}},
	} {
		var r Recorder
		r.Field("f", CheckType(tt.value, &r, tt.want))
		var texts []string
		for _, e := range r.Errors() {
			texts = append(texts, e.Error())
		}
		if !slices.Equal(texts, tt.texts) {
			t.Errorf("%v as %s: %q, want %q", tt.value, tt.want, texts, tt.texts)
		}
	}
}

func TestValuesOfTheWrongTypeAreNamed(t *testing.T) {
	const unsafe = 1 << 53
	for _, tt := range []struct {
		want     Type
		values   []any
		expected string
		found    string
	}{
		{TypeString, []any{int64(1)}, "string", "integer"},
		{TypeString, []any{1.5}, "string", "number"},
		{TypeString, []any{true}, "string", "boolean"},
		{TypeString, []any{nil}, "string", "null"},
		{TypeString, []any{[]any{}}, "string", "array"},
		{TypeString, []any{map[string]any{}}, "string", "object"},
		{TypeBoolean, []any{"true"}, "boolean", "string"},
		{TypeObject, []any{[]any{}}, "object", "array"},
		{TypeArray, []any{map[string]any{}}, "array", "object"},
		{TypeNumber, []any{"1"}, "number", "string"},
		{TypeInteger, []any{1.5, 0.5, 1e-10, 1.000001, 1.000000002, -1.000000002, float64(unsafe), -float64(unsafe), 1e300, math.Inf(1), math.NaN()}, "integer", "number"},
		{TypeInteger | TypeString, []any{1.5}, "integer,string", "number"},
		{TypeInteger | TypeString | TypeNull, []any{true}, "integer,string", "boolean"},
		{TypeInt64, []any{1.5, 1e19, -1e19, math.NaN(), math.Inf(-1), float64(math.MaxInt64), float64(math.MinInt64)}, "integer", "number"},
		{TypeInt64 | TypeNull, []any{"1"}, "integer", "string"},
		{TypeTime, []any{int64(5)}, "string", "integer"},
		{TypeTime, []any{nil}, "string", "null"},
	} {
		want := fmt.Sprintf("f: Invalid value: %q: f in body must be of type %s: %q", tt.found, tt.expected, tt.found)
		for _, v := range tt.values {
			if got := message(v, tt.want); got != want {
				t.Errorf("%T(%v): have %s\nwant %s", v, v, got, want)
			}
		}
	}
}

func TestATimeMustBeOne(t *testing.T) {
	var r Recorder
	r.Field("f", CheckType("yesterday", &r, TypeTime|TypeNull))
	errs := r.Errors()
	if len(errs) != 1 || errs[0].Type != prunert.ErrorTypeInvalid || errs[0].Field != "f" || errs[0].BadValue != "yesterday" {
		t.Fatalf("have %v", errs)
	}
	want := `f: Invalid value: "yesterday": parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`
	if got := errs[0].Error(); got != want {
		t.Errorf("have %s\nwant %s", got, want)
	}
	for _, s := range []string{"", "2024-02-30T12:00:00Z", "2024-02-29", "2024-02-29T12:00:00", "null"} {
		if message(s, TypeTime) == "" {
			t.Errorf("%q passes", s)
		}
	}
}

// Times are those of time.Parse, also where it is not asked.
func TestTimesAreThoseOfTheLibrary(t *testing.T) {
	for _, date := range []string{
		"2024-02-29", "2023-02-29", "2000-02-29", "1900-02-29", "2024-02-30", "2024-04-30", "2024-04-31", "2024-12-31", "2024-13-01", "2024-00-10",
		"2024-01-00", "0000-01-01", "2024-1-010", "20a4-01-01", "2a24-01-01", "2024-0a-01", "2024-01-0a", "2024/01/01", "2024-01-32",
	} {
		_, err := time.Parse(time.DateOnly, date)
		if got := IsDate(date); got != (err == nil) {
			t.Errorf("date %s: %t, but %v", date, got, err)
		}
		for _, clock := range []string{
			"T23:59:59Z", "T24:00:00Z", "T00:60:00Z", "T00:00:60Z", "T0a:00:00Z", "T00:0a:00Z", "T00:00:a0Z", "T00.00:00Z", "T00:00.00Z",
			"t00:00:00Z", "T00:00:00z", " 00:00:00Z", "T00:00:00", "T00:00:00.5Z", "T00:00:00+01:00", "T0:00:000Z",
		} {
			s := date + clock
			_, err := time.Parse(time.RFC3339, s)
			if got := message(s, TypeTime) == ""; got != (err == nil) {
				t.Errorf("%s: %t, but %v", s, got, err)
			}
		}
	}
}

func TestCheckFieldsLooksAtThoseThatAreThere(t *testing.T) {
	obj := map[string]any{"a": "x", "b": int64(1), "c": nil, "other": int64(1)}
	var r Recorder
	left := len(obj)
	r.Field("spec", CheckFields(obj, &r, &left, TypeString, "a", "b", "c", "d"))
	var fields []string
	for _, e := range r.Errors() {
		fields = append(fields, e.Field)
	}
	if len(fields) != 2 || fields[0] != "spec.b" || fields[1] != "spec.c" || left != 1 {
		t.Errorf("have %q, %d left", fields, left)
	}
	// The last field of an object counts like the others.
	all := map[string]any{"a": int64(1), "b": "x"}
	for name, check := range map[string]func(left *int) int{
		"CheckFields": func(left *int) int { return CheckFields(all, nil, left, TypeInteger, "c", "a", "b", "d") },
		"CheckFormatFields": func(left *int) int {
			return CheckFormatFields(all, nil, left, TypeInteger, "int32", "c", "a", "b", "d")
		},
		"RequireFields":       func(left *int) int { return RequireFields(all, nil, left, TypeInteger, "a", "b") },
		"RequireFormatFields": func(left *int) int { return RequireFormatFields(all, nil, left, TypeInteger, "int32", "a", "b") },
	} {
		if left := 2; check(&left) != 1 || left != 0 {
			t.Errorf("%s: the last field is not checked, or %d left", name, left)
		}
	}
}

// What is no object lacks no fields; an object without fields does, even if it is nil.
func TestOnlyObjectsLackFields(t *testing.T) {
	for _, c := range []struct {
		v    any
		want int
	}{{map[string]any(nil), 2}, {map[string]any{}, 2}, {map[string]any{"a": "x"}, 1}, {"x", 1}, {nil, 1}, {[]any{}, 1}} {
		obj, left, n := CheckObject(c.v, nil, TypeObject)
		if n += RequireFields(obj, nil, &left, TypeString, "a"); n+RequireFormatFields(obj, nil, &left, TypeInteger, "int32", "b") != c.want {
			t.Errorf("%#v: want %d", c.v, c.want)
		}
	}
}

func TestTypesAreNamedInTheOrderOfTheAPIServer(t *testing.T) {
	for want, typ := range map[string]Type{
		"integer,string": TypeString | TypeInteger | TypeNull,
		"object":         TypeObject,
		"array":          TypeArray | TypeNull,
		"":               TypeNull,
		"string":         TypeTime,
		"integer":        TypeInt64,
	} {
		if got := typ.String(); got != want {
			t.Errorf("have %q, want %q", got, want)
		}
	}
}

func TestCheckingWhatIsRightCostsNoAllocation(t *testing.T) {
	obj := map[string]any{"s": "x", "i": int64(1), "f": 2.0, "o": map[string]any{}, "l": []any{}, "t": "2024-02-29T12:00:00Z", "n": nil}
	allocs := testing.AllocsPerRun(100, func() {
		var r Recorder
		left := len(obj)
		n := CheckFields(obj, &r, &left, TypeString, "s") + CheckFields(obj, &r, &left, TypeInteger, "i", "f") +
			CheckFields(obj, &r, &left, TypeObject|TypeNull, "o", "n") + CheckFields(obj, &r, &left, TypeArray, "l") + CheckFields(obj, &r, &left, TypeTime, "t")
		if n != 0 {
			t.Error("something is wrong")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
