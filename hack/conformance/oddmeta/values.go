package oddmeta

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// values returns what a field is given, whatever its type is: each call makes all of them anew.
func values() []any {
	return slices.Concat([]any{nil, true, false, "2020-01-01T00:00:00+02:00"}, numbers(), texts(), lists(), maps())
}

// valuesOf returns what the field k is given.
func valuesOf(k string) []any {
	if slices.Contains([]string{"creationTimestamp", "deletionTimestamp", "time"}, k) {
		return slices.Concat(values(), times())
	}
	return values()
}

// numbers are integers and floats, whole and not, at the borders of what an int64 holds.
func numbers() []any {
	return []any{
		int64(0), int64(1), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), int64(math.MaxInt32) + 1, int64(1<<53) + 1,
		0.0, math.Copysign(0, -1), 1.0, -1.0, 3e2, 1e15, -1e18, 1e19, -1e19, 1e20, 1e21, -1e21, 1e100, math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1.5, -0.5, 0.1, 1 + 1e-12, 1e-7, float64(math.MaxInt64), float64(math.MinInt64),
		math.Nextafter(math.MaxInt64, 0), math.Nextafter(math.MinInt64, math.Inf(-1)), float64(1 << 53), 123456789.5,
	}
}

// texts are strings that look like something else, or are awkward to write.
func texts() []any {
	return []any{
		"", " ", "a", "null", "true", "0", "1", "-1", "1.5", "1e3", "{}", "[]", `"a"`, `\`, `\u0041`, "\"", "'", "`", "/", "\n", "\t",
		"\x00", "\x1f", "\x7f", "\u0085", "\u2028", "\u2029", "\ufeff", "\ufffd", "é", "e\u0301", "日本", "🙂", "\U0010ffff", "<a>&amp;",
		"%s%n", "a.b[0]", strings.Repeat("long ", 100),
	}
}

// times are texts that are a time, nearly one, or one that changes when it is written in UTC without fractions.
func times() []any {
	var all []any
	add := func(texts ...string) {
		for _, t := range texts {
			all = append(all, t)
		}
	}
	days := []string{
		"2020-01-01", "2020-02-29", "2021-12-31", "0000-01-01", "0001-01-01", "0001-01-02", "9999-12-31", "1969-12-31", "1582-10-10",
	}
	for _, day := range days {
		for _, hour := range []string{"00:00:00", "23:59:59"} {
			for _, zone := range []string{"Z", "+00:00", "-00:00", "+02:00", "-05:30", "+23:59", "-23:59", "+14:00"} {
				add(day + "T" + hour + zone)
			}
		}
	}
	for _, fraction := range []string{".0", ".5", ".000000", ".123456789", ".1234567891234", ",5", ".999999999", "."} {
		add("2020-01-01T00:00:00"+fraction+"Z", "0001-01-01T00:00:00"+fraction+"Z", "2020-06-30T23:59:59"+fraction+"-01:00")
	}
	add(
		// Zeros of other zones, and what is the zero time only when it is written in UTC.
		"0001-01-01T02:00:00+02:00", "0000-12-31T23:00:00-01:00", "0001-01-01T00:00:00-02:00",
		// Not times, or not in this form.
		"2020-01-01", "2020-01-01T00:00Z", "2020-01-01 00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00z", "2020-01-01T00:00:00",
		"20200101T000000Z", "2020-1-1T0:0:0Z", "2020-01-01T1:00:00Z", "2020-01-01T1:00:00.0Z", "2020-01-01T00:00:00Z ", " 2020-01-01T00:00:00Z",
		"2020-01-01T24:00:00Z", "2020-01-01T23:60:00Z", "2020-06-30T23:59:60Z", "2020-13-01T00:00:00Z", "2021-02-29T00:00:00Z", "2020-00-00T00:00:00Z",
		"2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+02", "2020-01-01T00:00:00+0200", "2020-01-01T00:00:00+02:60", "2020-01-01T00:00:00+24:01",
		"10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "+2020-01-01T00:00:00Z", "20-01-01T00:00:00Z", "2020-01-01T00:00:00UTC",
		"2020-01-01T00:00:00Z+02:00", "２020-01-01T00:00:00Z", "now", "Wed, 01 Jan 2020 00:00:00 GMT", "1577836800",
	)
	return all
}

// lists are lists that a field of metadata may have, and others.
func lists() []any {
	return []any{
		[]any{}, []any{nil}, []any{nil, nil}, []any{"a"}, []any{"a", "a"}, []any{""}, []any{"a", nil, ""}, []any{int64(1)}, []any{1.5},
		[]any{"a", int64(1)}, []any{true}, []any{[]any{}}, []any{[]any{"a"}}, []any{map[string]any{}}, []any{map[string]any{}, nil},
		[]any{map[string]any{"a": "b"}}, []any{map[string]any{"name": "a", "uid": "b"}}, []any{map[string]any{"name": int64(1)}},
		[]any{map[string]any{"manager": "m", "operation": "Apply"}}, []any{map[string]any{"fieldsV1": map[string]any{}}},
		[]any{map[string]any{"name": nil, "NAME": "a"}}, []any{map[string]any{"controller": nil}}, []any{map[string]any{"time": nil}}, []any{"a", map[string]any{}},
		[]any{map[string]any{"": ""}}, []any{map[string]any{"a": map[string]any{"b": []any{map[string]any{"c": nil}}}}},
	}
}

// maps are objects that a field of metadata may have, and others.
func maps() []any {
	return []any{
		map[string]any{}, map[string]any{"a": "b"}, map[string]any{"a": ""}, map[string]any{"a": nil}, map[string]any{"": ""}, map[string]any{"": nil},
		map[string]any{"a": "b", "c": nil}, map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}, map[string]any{"a": true},
		map[string]any{"a": []any{}}, map[string]any{"a": []any{"b"}}, map[string]any{"a": map[string]any{}}, map[string]any{"a": "b", "c": int64(1)},
		map[string]any{"a.b/c": "d", "é": "🙂", "\x00": "\u2028", "[0]": "]"}, map[string]any{"name": "a"}, map[string]any{"Name": "a", "name": "b"},
		map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{".": map[string]any{}, "f:a": map[string]any{}}}},
		map[string]any{"n": []any{1.0, 1.5, 1e20, math.Copysign(0, -1), int64(math.MinInt64), 1e18, nil, []any{2.0, map[string]any{"m": 3.0}}}},
		map[string]any{"0": "a", "1": "b"}, map[string]any{"time": "2020-01-01T00:00:00+02:00"},
	}
}

// deep returns depth objects and lists in each other, with a float at the bottom that is whole.
func deep(depth int) any {
	var v any = 7.0
	for i := range depth {
		if i%2 == 0 {
			v = map[string]any{"d": v}
		} else {
			v = []any{v}
		}
	}
	return v
}

// unknownKeys are names that ObjectMeta, OwnerReference and ManagedFieldsEntry do not have.
func unknownKeys(known []string) []string {
	keys := []string{
		"", ".", "..", " ", "a.b", ".a", "a.", "[0]", "[", "]", "a[0].b", "a[0]", "0", "-1", "/", "~1", `\`, "'", "\"", "`", "\n", "\x00", "\x1b[31m",
		"\u2028", "\ufffd", "é", "e\u0301", "日本", "🙂", "<a>&", "%s", "$ref", "*", "clusterName", "initializers", "metadata", "spec", "items",
		"metadata.name", "ownerReferences[0]", "ownerReferences[0].x", "ownerReferences[1].x", "managedFields[0].x", "labels.a", "a\x00", "A",
		strings.Repeat("k", 300),
	}
	for _, k := range known {
		keys = append(keys, strings.ToUpper(k[:1])+k[1:], strings.ToUpper(k), strings.ToLower(k)+"s", k+"\x00", k+".x", k+"[0].x", k+" ", k[:len(k)-1])
	}
	return keys
}

// many returns n unknown fields, more than a decoder may care to name.
func many(n int) map[string]any {
	all := map[string]any{}
	for i := range n {
		all[fmt.Sprintf("unknown%d", i)] = int64(i)
	}
	return all
}
