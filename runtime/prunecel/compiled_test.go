package prunecel_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// Values are equal if == says so. Code is sure if they have the type in the schema, and if their order is the same or counts.
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
		var r prunecel.Reader
		is := r.Verdict(r.Equal(&prunecel.TypeSource{Text: c.typ}, c.a, c.b))
		if is.Sure != c.sure || is.Sure && is.Holds != c.equal {
			t.Errorf("%s: %v and %v: equal %t, sure %t; want %t, %t", c.typ, c.a, c.b, is.Holds, is.Sure, c.equal, c.sure)
		}
	}
}

// A value that does not have the type in the schema makes code unsure, and a missing field does not exist.
func TestCodeIsSureOfWhatTheSchemaSays(t *testing.T) {
	type reader = *prunecel.Reader
	both := func(v any, has bool) any { return fmt.Sprint(v, " ", has) }
	for i, c := range []struct {
		read func(r reader) any
		want string
	}{
		{func(r reader) any { return prunecel.HasElement(r, list{"a", "b"}, "b") }, "true"},
		{func(r reader) any { return prunecel.HasElement(r, list{"a"}, "b") }, "false"},
		{func(r reader) any { return prunecel.HasElement(r, list{"b", int64(1)}, "b") }, "true unsure"},
		{func(r reader) any { return prunecel.HasElement(r, nil, "b") }, "false"},
		{func(r reader) any { return prunecel.Has(r.MaybeString(r.Entry(object{"a": "x"}, "a"))) }, "true"},
		{func(r reader) any { return prunecel.Has(r.MaybeString(r.Entry(object{"a": "x"}, "b"))) }, "false"},
		{func(r reader) any { return prunecel.Has(r.MaybeString(r.Entry(object{"a": nil}, "a"))) }, "false unsure"},
		{func(r reader) any { return prunecel.Has(r.MaybeString(object{"a": nil}["a"])) }, "false"},
		{func(r reader) any { return r.Element(list{"a", "b"}, 1) }, "b"},
		{func(r reader) any { return r.Element(list{"a"}, 1) }, "<nil> unsure"},
		{func(r reader) any { return r.Element(list{"a"}, -1) }, "<nil> unsure"},
		{func(r reader) any { return r.Element(list{nil}, 0) }, "<nil> unsure"},
		{func(r reader) any { return r.String(nil) }, " unsure"},
		{func(r reader) any { return r.String(int64(1)) }, " unsure"},
		{func(r reader) any { return r.Double(1.5) }, "1.5"},
		{func(r reader) any { return r.Double(int64(2)) }, "2"},
		{func(r reader) any { return r.Double("1") }, "0 unsure"},
		{func(r reader) any { return r.IntOrString("1") }, "1"},
		{func(r reader) any { return r.IntOrString(true) }, "<nil> unsure"},
		{func(r reader) any { return r.Double(math.NaN()) }, "NaN unsure"},
		{func(r reader) any { return r.Add(1<<62, 1<<61) }, "6917529027641081856"},
		{func(r reader) any { return r.Mul(1<<62, 2) }, "0 unsure"},
		{func(r reader) any { return r.Div(7, 0) }, "0 unsure"},
		{func(r reader) any { return r.Duration("90s") }, "1m30s"},
		{func(r reader) any { return r.Duration("x") }, "0s unsure"},
		{func(r reader) any { return r.URL("http://a:80/b").Host }, "a:80"},
		{func(r reader) any { return r.URL("x").Port() }, " unsure"},
		{func(r reader) any { return r.Family(r.CIDR("::1/8").Addr()) }, "6"},
		{func(r reader) any { return r.CIDR("x").Addr().Is4() }, "false unsure"},
		{func(r reader) any { return both(r.MaybeInt(nil)) }, "0 false"},
		{func(r reader) any { return both(r.MaybeInt("1")) }, "0 false unsure"},
		{func(r reader) any { return prunecel.Length("aü😀") }, "3"},
		{func(r reader) any { return r.HasFormat("uuid", "x") }, "false"},
		{func(r reader) any { return r.HasFormat("date", "2024-01-01") }, "true"},
	} {
		var r prunecel.Reader
		got := fmt.Sprint(c.read(&r))
		if !r.Verdict(true).Sure {
			got += " unsure"
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

// An error in one element is left to the program, which knows whether another one decides and what that costs.
func TestAnElementThatFailsIsLeftToTheProgram(t *testing.T) {
	missing, one, two := object{}, object{"n": int64(1)}, object{"n": int64(2)}
	for i, c := range []struct {
		elements    list
		all, exists string
	}{
		{list{}, "true", "false"},
		{list{one, two}, "false", "true"},
		{list{missing, one}, "unsure", "unsure"},
		{list{missing, two}, "unsure", "unsure"},
		{list{two, missing}, "false", "unsure"},
		{list{nil, one}, "unsure", "unsure"},
	} {
		var all, exists prunecel.Reader
		isOne := func(r *prunecel.Reader) func(any) bool {
			return func(e any) bool { return r.Int(r.Object(e)["n"]) == 1 }
		}
		if got := said(all.Verdict(all.All(c.elements, isOne(&all)))); got != c.all {
			t.Errorf("%d: all is %s, want %s", i, got, c.all)
		}
		if got := said(exists.Verdict(exists.Exists(c.elements, isOne(&exists)))); got != c.exists {
			t.Errorf("%d: exists is %s, want %s", i, got, c.exists)
		}
	}
}

func said(v prunecel.Verdict) string {
	if v.Sure {
		return strconv.FormatBool(v.Holds)
	}
	return "unsure"
}

// Rounds, texts and results of functions are paid for, and a loop ends when a call costs too much.
func TestCodePaysForWhatItReads(t *testing.T) {
	long := strings.Repeat("a", 1000)
	for name, c := range map[string]struct {
		run  func(r *prunecel.Reader)
		want int64
	}{
		"rounds":   {func(r *prunecel.Reader) { r.All(list{1, 2, 3}, func(any) bool { return true }) }, 30},
		"equal":    {func(r *prunecel.Reader) { r.EqualText(long, long[:500]) }, 51},
		"contains": {func(r *prunecel.Reader) { r.HasText(long, "b") }, 101},
		"pattern":  {func(r *prunecel.Reader) { r.Match(&pruneformat.Pattern{Text: "^a*$"}, long) }, 101},
		"split":    {func(r *prunecel.Reader) { r.Split(long, ",") }, 2 * 101},
	} {
		r := prunecel.Reader{Round: 10}
		c.run(&r)
		if r.Spent != c.want {
			t.Errorf("%s: spent %d, want %d", name, r.Spent, c.want)
		}
	}
	r, rounds := prunecel.Reader{Round: 1}, 0
	r.All(list{"a", "b", "c"}, func(any) bool { rounds++; r.Spent = prunecel.CostLimit + 1; return true })
	if rounds != 1 {
		t.Errorf("%d rounds, want 1", rounds)
	}
}
