package prunecel_test

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Values are equal as == has it, and code is sure of it where they are what the type says and their order is the same or counts.
func TestValuesOfTheResourceAreComparedByTheirType(t *testing.T) {
	for _, c := range []struct {
		typ         string
		a, b        any
		equal, sure bool
	}{
		{"string", "a", "a", true, true}, {"string", "a", "b", false, true}, {"string", "a", int64(1), false, false}, {"string", nil, "a", false, false},
		{"int", int64(1), int64(1), true, true}, {"int", int64(1), 1.0, false, false}, {"bool", true, false, false, true}, {"bool", true, "true", false, false},
		{"double", 1.5, 1.5, true, true}, {"double", int64(1), 1.0, true, true}, {"double", 1.5, "x", false, false}, {"double", "x", 1.5, false, false},
		{"int-or-string", "1", int64(1), false, true}, {"int-or-string", "1", "1", true, true}, {"int-or-string", "1", true, false, false}, {"int-or-string", true, "1", false, false},
		{"bytes", "aGk=", "aGk=", false, false},
		{"(list string)", list{"a", "b"}, list{"a", "b"}, true, true}, {"(list string)", list{"a", "b"}, list{"b", "a"}, false, true},
		{"(list string)", list{"a"}, list{"a", "b"}, false, true}, {"(list string)", list{}, list{}, true, true}, {"(list string)", list{"a"}, list{int64(1)}, false, false},
		{"(list string)", list{"a"}, "a", false, false}, {"(list string)", "a", list{"a"}, false, false},
		{"(set string)", list{"a", "b"}, list{"a", "b"}, true, false}, {"(set string)", list{"a"}, list{"a"}, true, true}, {"(set string)", list{"a"}, list{"b"}, false, false},
		{"(set string)", list{"a"}, list{"a", "b"}, false, true},
		{`(object "a" int "b" string)`, object{"a": int64(1)}, object{"a": int64(1)}, true, true}, {`(object "a" int "b" string)`, object{"a": int64(1)}, object{"b": "x"}, false, true},
		{`(object "a" int "b" string)`, object{"a": int64(1)}, object{"a": int64(1), "b": "x"}, false, true}, {`(object "a" int)`, object{"a": nil}, object{"a": int64(1)}, false, false},
		{`(object "a" int)`, object{"a": int64(1)}, object{"a": nil}, false, false}, {`(object "a" int)`, object{"x": int64(1)}, object{"x": int64(1)}, false, false},
		{`(object "a" int "b" int)`, object{"a": int64(1), "b": int64(2)}, object{"a": int64(1), "b": int64(3)}, false, true},
		{"(map int)", object{"x": int64(1)}, object{"x": int64(1)}, true, true}, {"(map int)", object{"x": int64(1)}, object{"y": int64(1)}, false, true},
		{"(map int)", object{"x": "a"}, object{"x": int64(1)}, false, false}, {"(map int)", list{}, object{}, false, false}, {"(map int)", object{}, list{}, false, false},
		{"not a type", "a", "a", false, false},
	} {
		equal, sure := (&prunecel.TypeSource{Text: c.typ}).Equal(c.a, c.b)
		if sure != c.sure || sure && equal != c.equal {
			t.Errorf("%s: %v and %v: equal %t, sure %t; want %t, %t", c.typ, c.a, c.b, equal, sure, c.equal, c.sure)
		}
	}
}

// What is not as the schema says makes code unsure, and what is missing is not there.
func TestCodeIsSureOfWhatTheSchemaSays(t *testing.T) {
	second := func(_ any, sure bool) bool { return sure }
	show := func(values ...any) string { return fmt.Sprint(values...) }
	has := func(l list, v string) string { h, sure := prunecel.HasElement(l, v); return show(h, sure) }
	key := func(m object, k string) string { h, sure := prunecel.HasKey(m, k); return show(h, sure) }
	part := func(s, sep string, i int64) string {
		p, ok := prunecel.Part(s, sep, i)
		return fmt.Sprintf("%s %t", p, ok)
	}
	number := func(v any) string { n, sure := prunecel.Number(v); return show(n, sure) }
	duration := func(v any) bool { d, sure := prunecel.Duration(v); return second(d, sure) }
	date := func(v any) bool { d, sure := prunecel.DateOf(v); return second(d, sure) }
	time := func(v any) bool { d, sure := prunecel.TimeOf(v); return second(d, sure) }
	bytes := func(v any) bool { d, sure := prunecel.Bytes(v); return second(d, sure) }
	for i, c := range [][2]any{
		{has(list{"a", "b"}, "b"), "true true"}, {has(list{"a"}, "b"), "false true"}, {has(list{"b", int64(1)}, "b"), "false false"}, {has(nil, "b"), "false true"},
		{key(object{"a": "x"}, "a"), "true true"}, {key(object{"a": "x"}, "b"), "false true"}, {key(object{"a": nil}, "a"), "true false"},
		{prunecel.At(list{"a", "b"}, 0), "a"}, {prunecel.At(list{"a", "b"}, 1), "b"}, {prunecel.At(list{"a"}, 1), nil}, {prunecel.At(list{"a"}, -1), nil},
		{part("a,b,c", ",", 0), "a true"}, {part("a,b,c", ",", 2), "c true"}, {part("a,b,c", ",", 3), " false"}, {part("a,b", ",", -1), " false"}, {part("ab", "", 1), "b true"},
		{part("ab", "", 2), " false"}, {part("", ",", 0), " true"}, {part("", "", 0), " false"},
		{number(1.5), "1.5 true"}, {number(int64(2)), "2 true"}, {number("1"), "0 false"}, {number(nil), "0 false"},
		{duration("1s"), true}, {duration("2 days"), true}, {duration("x"), false}, {duration(int64(1)), false},
		{date("2024-02-29"), true}, {date("2023-02-29"), false}, {date(nil), false}, {time("2024-01-01T00:00:00Z"), true}, {time(""), true}, {time("x"), false}, {time(int64(1)), false},
		{bytes("aGk="), true}, {bytes("*"), false}, {bytes(int64(1)), false},
		{prunecel.Length("aü😀"), int64(3)}, {prunecel.HasFormat("uuid", "x"), false}, {prunecel.HasFormat("date", "2024-01-01"), true},
	} {
		if c[0] != c[1] {
			t.Errorf("%d: %v, want %v", i, c[0], c[1])
		}
	}
}
