package prunert

import (
	"strings"
	"testing"
)

func TestEqualValues(t *testing.T) {
	deep := func(depth int) any {
		v := any("x")
		for range depth {
			v = []any{v}
		}
		return v
	}
	for _, c := range []struct {
		name  string
		a, b  any
		equal bool
	}{
		{"nulls", nil, nil, true},
		{"null and false", nil, false, false},
		{"texts", "a", "a", true},
		{"other texts", "a", "b", false},
		{"a number of two types", int64(1), 1.0, false},
		{"floats", 1.5, 1.5, true},
		{"empty objects", map[string]any{}, map[string]any{}, true},
		{"an empty object and null", map[string]any{}, nil, false},
		{"an empty object and an empty list", map[string]any{}, []any{}, false},
		{"a field more", map[string]any{"a": nil}, map[string]any{"a": nil, "b": nil}, false},
		{"a field less", map[string]any{"a": nil, "b": nil}, map[string]any{"a": nil}, false},
		{"another field", map[string]any{"a": nil}, map[string]any{"b": nil}, false},
		{"another value", map[string]any{"a": "x"}, map[string]any{"a": "y"}, false},
		{"lists", []any{"a", int64(1)}, []any{"a", int64(1)}, true},
		{"an element more", []any{"a"}, []any{"a", "a"}, false},
		{"an element less", []any{"a", "a"}, []any{"a"}, false},
		{"another order", []any{"a", "b"}, []any{"b", "a"}, false},
		{"a list and a text", []any{"a"}, "a", false},
		{"as deep as values are compared", deep(MaxDepth), deep(MaxDepth), true},
		{"deeper", deep(MaxDepth + 1), deep(MaxDepth + 1), false},
	} {
		if have := equalValues(c.a, c.b, 0); have != c.equal {
			t.Errorf("%s: equal: %t, want %t", c.name, have, c.equal)
		}
	}
}

// A name that is made has at most 63 characters, the last five of which are by chance.
func TestNamesAreMadeAsByTheServer(t *testing.T) {
	var req Request
	for base, want := range map[string]string{
		"a-": "a-", strings.Repeat("m", 58): strings.Repeat("m", 58), strings.Repeat("m", 59): strings.Repeat("m", 58), strings.Repeat("m", 300): strings.Repeat("m", 58),
	} {
		seen := map[string]bool{}
		for range 20 {
			name := req.generateName(base)
			made, ok := strings.CutPrefix(name, want)
			if !ok || len(made) != 5 || strings.Trim(made, "bcdfghjklmnpqrstvwxz2456789") != "" {
				t.Fatalf("%s becomes %s", base, name)
			}
			seen[name] = true
		}
		if len(seen) < 15 {
			t.Errorf("%s becomes one of %d names", base, len(seen))
		}
	}
	req.GenerateName = func(base string) string { return base + "mine" }
	if name := req.generateName("a-"); name != "a-mine" {
		t.Errorf("a- becomes %s", name)
	}
}

// What is wrong on the way to the replicas of an object is said of the value that is wrong, with the path that leads to it.
func TestReplicasAreFoundOnTheirPath(t *testing.T) {
	s := &Scale{SpecReplicasPath: ".spec.scale.replicas", StatusReplicasPath: "status.replicas", LabelSelectorPath: ".status.selector"}
	for _, c := range []struct {
		obj  map[string]any
		want string
	}{
		{map[string]any{}, ""},
		{map[string]any{"spec": nil, "status": nil}, ""},
		{map[string]any{"spec": map[string]any{"scale": nil}}, ""},
		{map[string]any{"spec": map[string]any{"scale": map[string]any{"replicas": int64(2147483647)}}, "status": map[string]any{"replicas": int64(0), "selector": ""}}, ""},
		{map[string]any{"spec": map[string]any{"scale": map[string]any{"replicas": int64(2147483648)}}}, ".spec.scale.replicas: should be less than or equal to 2147483647"},
		{map[string]any{"spec": map[string]any{"scale": map[string]any{"replicas": int64(-1)}}}, ".spec.scale.replicas: should be a non-negative integer"},
		{map[string]any{"spec": map[string]any{"scale": map[string]any{"replicas": 1.0}}}, ".spec.scale.replicas: .spec.scale.replicas accessor error: 1 is of the type float64, expected int64"},
		{map[string]any{"spec": map[string]any{"scale": "x"}}, ".spec.scale.replicas: .spec.scale.replicas accessor error: x is of the type string, expected map[string]interface{}"},
		{map[string]any{"spec": "x"}, ".spec.scale.replicas: .spec.scale accessor error: x is of the type string, expected map[string]interface{}"},
		{map[string]any{"status": map[string]any{"replicas": "x"}}, "status.replicas: .status.replicas accessor error: x is of the type string, expected int64"},
		{map[string]any{"status": map[string]any{"selector": int64(1)}}, ".status.selector: .status.selector accessor error: 1 is of the type int64, expected string"},
	} {
		var have []string
		for _, e := range append(s.validateSpec(c.obj), s.validateStatus(c.obj)...) {
			have = append(have, e.Field+": "+e.Detail)
		}
		if text := strings.Join(have, "; "); text != c.want {
			t.Errorf("%v: have %q, want %q", c.obj, text, c.want)
		}
	}
	var none *Scale
	if obj := map[string]any{"spec": "x"}; none.validateSpec(obj) != nil || none.validateStatus(obj) != nil {
		t.Error("a kind without a scale has wrong replicas")
	}
}
