package pruneimpl

import (
	"encoding/json"
	"slices"
	"testing"
)

// Whether a value is unchanged depends on the schema: list maps have no order, and an object with a field that the schema does not have
// always counts as changed.
func TestCorrelatedValuesAreEqual(t *testing.T) {
	row := &Shape{Names: []string{"k", "v"}}
	rows := &Shape{Items: row, Keys: []string{"k"}}
	shape := &Shape{Names: []string{"a", "b"}, Fields: []ShapeField{{Name: "bare", Shape: &Bare}, {Name: "rows", Shape: rows}}}
	type (
		object = map[string]any
		list   = []any
	)
	one, two := object{"k": "1", "v": int64(1)}, object{"k": "2", "v": int64(2)}
	keys := &Shape{Items: &Shape{Names: []string{"k", "l", "v"}}, Keys: []string{"k", "l"}}
	shape.Fields = slices.Insert(shape.Fields, 1, ShapeField{Name: "keys", Shape: keys})
	pair := func(k, l any, v string) object { return object{"k": k, "l": l, "v": v} }
	for _, c := range []struct {
		name    string
		is, was any
		equal   bool
	}{
		{"keys that read alike", object{"keys": list{pair(int64(1), int64(11), "x"), pair(int64(11), int64(1), "y")}},
			object{"keys": list{pair(int64(11), int64(1), "y"), pair(int64(1), int64(11), "x")}}, true},
		{"keys of two types", object{"keys": list{pair("1", int64(1), "x"), pair(int64(1), "1", "y")}},
			object{"keys": list{pair(int64(1), "1", "y"), pair("1", int64(1), "x")}}, true},
		{"the same", object{"a": "x"}, object{"a": "x"}, true},
		{"another value", object{"a": "x"}, object{"a": "y"}, false},
		{"another field", object{"a": "x"}, object{"b": "x"}, false},
		{"a field more", object{"a": "x", "b": "x"}, object{"a": "x"}, false},
		{"an unknown field", object{"z": "x"}, object{"z": "x"}, false},
		{"a null", object{"a": nil}, object{"a": nil}, true},
		{"a null and nothing", object{"a": nil}, object{}, false},
		{"numbers of two types", object{"a": int64(1)}, object{"a": 1.0}, false},
		{"an object and a list", object{"a": object{}}, object{"a": list{}}, false},
		{"rows in another order", object{"rows": list{one, two}}, object{"rows": list{two, one}}, true},
		{"a row less", object{"rows": list{one}}, object{"rows": list{two, one}}, false},
		{"another row", object{"rows": list{one}}, object{"rows": list{two}}, false},
		{"a row that differs", object{"rows": list{one}}, object{"rows": list{object{"k": "1", "v": int64(2)}}}, false},
		{"rows that are none", object{"rows": list{"x"}}, object{"rows": list{"x"}}, false},
		{"a bare list", object{"bare": list{"x", "y"}}, object{"bare": list{"x", "y"}}, true},
		{"a bare list in another order", object{"bare": list{"x", "y"}}, object{"bare": list{"y", "x"}}, false},
		{"a bare list that is longer", object{"bare": list{"x", "y"}}, object{"bare": list{"x"}}, false},
		{"a bare list without elements, and none", object{"bare": list{}}, object{"bare": list(nil)}, false},
		{"objects in a bare list", object{"bare": list{object{"u": "x"}}}, object{"bare": list{object{"u": "x"}}}, true},
		{"lists in a bare list", object{"bare": list{list{"x"}, list{}}}, object{"bare": list{list{"x"}, list{}}}, true},
		{"other lists in a bare list", object{"bare": list{list{"x"}}}, object{"bare": list{list{"y"}}}, false},
		{"lists in objects in a bare list", object{"bare": list{object{"u": list{"x"}}}}, object{"bare": list{object{"u": list{"x", "x"}}}}, false},
		{"objects that are none", object{"bare": list{object(nil)}}, object{"bare": list{object{}}}, false},
		{"numbers of other types", object{"a": json.Number("1")}, object{"a": json.Number("1")}, true},
		{"other numbers of other types", object{"a": json.Number("1")}, object{"a": json.Number("2")}, false},
		{"texts of other types", object{"a": json.RawMessage("1")}, object{"a": json.RawMessage("1")}, true},
		{"numbers of another type and this one", object{"a": int32(1)}, object{"a": int64(1)}, false},
	} {
		correlation := NewCorrelation(c.is, c.was, shape)
		if got := correlation.IsEqual(); got != c.equal {
			t.Errorf("%s: equal: %t, want %t", c.name, got, c.equal)
		}
		if got := correlation.IsEqual(); got != c.equal {
			t.Errorf("%s: equal when asked again: %t, want %t", c.name, got, c.equal)
		}
	}
}
