package prunert

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestObjectsThatDifferInMetadataAreEqual(t *testing.T) {
	object := func(keys ...string) map[string]any {
		obj := map[string]any{}
		for _, k := range keys {
			name, value, _ := strings.Cut(k, "=")
			if obj[name] = value; value == "" {
				obj[name] = nil
			}
		}
		return obj
	}
	for _, c := range []struct {
		a, b  map[string]any
		equal bool
	}{
		{object("a=1"), object("a=1"), true},
		{object("a=1", "metadata=x"), object("a=1", "metadata=y"), true},
		{object("a=1", "metadata=x"), object("a=1"), true},
		{object("a=1"), object("a=1", "metadata=x"), true},
		{object("metadata=x"), object(), true},
		{object("a=1", "metadata=x"), object("a=2", "metadata=x"), false},
		{object("a=1", "b=1", "metadata=x"), object("a=1", "metadata=x"), false},
		{object("a=1", "metadata=x"), object("a=1", "b=1", "metadata=x"), false},
		{object("a=1", "b=1"), object("a=1", "metadata=x"), false},
		{object("a=1", "metadata=x"), object("a=1", "b=1"), false},
		{object("a", "metadata=x"), object("b", "metadata=x"), false},
	} {
		if have := equalExceptMetadata(c.a, c.b); have != c.equal {
			t.Errorf("%v and %v: %t", c.a, c.b, have)
		}
	}
}

// A warning is given once, and only where its text fits into a header.
func TestWarningsFitIntoHeaders(t *testing.T) {
	for text, fits := range map[string]bool{
		"": true, " ": true, "\x1f": false, "~": true, "\x7f": false, "\u0080": false, "\u009f": false, "\u00a0": true, "é": true, "\U0001F600": true, "a\nb": false,
		"\xff": false, "a\xe9": false, "\ufffd": true,
	} {
		a := Answer{Warnings: []string{"before"}}
		a.warn("before", text, "after", text, "before")
		want := []string{"before", text, "after"}
		if !fits {
			want = []string{"before", "after"}
		}
		if !slices.Equal(a.Warnings, want) {
			t.Errorf("%q: have %q, want %q", text, a.Warnings, want)
		}
	}
}

// Warnings end with the one that does not fit any more. Once there is one, each has at most 256 characters.
func TestWarningsAreCut(t *testing.T) {
	for _, c := range []struct{ lengths, want []int }{
		{nil, nil},
		{[]int{4096}, []int{4096}},
		{[]int{4097}, []int{256}},
		{[]int{300, 3796}, []int{300, 3796}},
		{[]int{300, 3797, 5}, []int{256, 256, 5}},
		{append(slices.Repeat([]int{256}, 16), 0, 1, 7), append(slices.Repeat([]int{256}, 16), 0, 1)}, // the one that does not fit is written
		{append(slices.Repeat([]int{300}, 20), 9), slices.Repeat([]int{256}, 16)},
		{append(slices.Repeat([]int{300}, 15), 9, 9), append(slices.Repeat([]int{256}, 15), 9, 9)},
	} {
		var a Answer
		for _, n := range c.lengths {
			a.Warnings = append(a.Warnings, strings.Repeat("é", n))
		}
		a.cutWarnings()
		var have []int
		for _, text := range a.Warnings {
			have = append(have, len(text)/len("é"))
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%d: have %d, want %d", c.lengths, have, c.want)
		}
	}
}

// The fields of metadata are validated in the order of the API server, and errors of one field stay in theirs.
func TestErrorsOfMetadataAreInTheOrderOfTheServer(t *testing.T) {
	for _, c := range []struct {
		order []string
		in    string
		want  string
	}{
		{orderOfNew, "managedFields[0].operation finalizers ownerReferences[1].uid annotations labels.a generation namespace name generateName", ""},
		{orderOfChanged, "managedFields ownerReferences annotations labels deletionGracePeriodSeconds deletionTimestamp creationTimestamp uid namespace name generation " +
			"resourceVersion finalizers", ""},
		{orderOfNew, "labels name labels.b labels[c]", "name labels labels.b labels[c]"},
	} {
		var errs ErrorList
		fields := strings.Fields(c.in)
		for _, field := range fields {
			name := field[:len(field)-len(strings.TrimLeftFunc(field, unicode.IsLetter))]
			errs = append(errs, &Error{Field: "metadata." + field, Path: FieldPath("metadata", name)},
				&Error{Field: "spec.metadata." + field, Path: FieldPath("spec", "metadata", name)})
		}
		errs = append(errs, &Error{Field: "metadata", Path: FieldPath("metadata")}, &Error{Field: "spec", Path: FieldPath("spec")},
			&Error{Field: "metadata.x.metadata.name", Path: FieldPath("metadata.x", "metadata", "name")}) // a field with a dot
		own, embedded := splitMetadata(errs, c.order)
		var have []string
		for _, e := range own {
			have = append(have, strings.TrimPrefix(e.Field, "metadata."))
		}
		want := strings.Fields(c.want)
		if c.want == "" { // the other way round
			want = slices.Clone(fields)
			slices.Reverse(want)
		}
		if !slices.Equal(have, want) || len(embedded) != len(fields)+3 || embedded[0].Field != "spec.metadata."+fields[0] {
			t.Errorf("have %q, %v, want %q", have, embedded, want)
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

// An error on the way to the replicas of an object is about the wrong value, with its path.
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
	s = &Scale{SpecReplicasPath: "", StatusReplicasPath: ".s"}
	if errs := s.validateStatus(map[string]any{"": int64(5)}); errs != nil {
		t.Errorf("without a path there is no selector: %v", errs)
	}
	var none *Scale
	if obj := map[string]any{"spec": "x"}; none.validateSpec(obj) != nil || none.validateStatus(obj) != nil {
		t.Error("a kind without a scale has wrong replicas")
	}
}

// A short key can be repeated below a long one. Its path is compared up to the limit.
func TestDuplicatesBelowALongKeyAreComparedUpToTheLimit(t *testing.T) {
	limit := MaxReportedBytes
	text := `{"` + strings.Repeat("k", limit/10) + `":{"b":1` + strings.Repeat(`,"b":1`, 100) + "}}"
	d := objectDecoder{Decoder: json.NewDecoder(strings.NewReader(text))}
	d.UseNumber()
	if _, err := d.value(); err != nil || len(d.duplicates) != 1 {
		t.Errorf("%d duplicates, %v", len(d.duplicates), err)
	}
	if d.compared > 2*limit {
		t.Errorf("%d bytes are compared, and the limit is %d", d.compared, limit)
	}
}

// A key is named once, however often it is repeated.
func TestRepeatedKeysAreNamedOnce(t *testing.T) {
	d := objectDecoder{Decoder: json.NewDecoder(strings.NewReader(`{"a":1,"b":1,"a":2,"b":2,"a":3,"b":3}`))}
	if _, err := d.value(); err != nil || !slices.Equal(d.duplicates, []string{"a", "b"}) {
		t.Errorf("%q, %v", d.duplicates, err)
	}
}

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
		{"an empty list and null", []any{}, nil, false},
		{"an empty list and one that is nil", []any{}, []any(nil), true},
		{"an empty list and a text", []any{}, "", false},
		{"an empty object and a text", map[string]any{}, "", false},
		{"a field of two values", map[string]any{"a": []any{}}, map[string]any{"a": nil}, false},
		{"booleans", true, true, true},
		{"other booleans", true, false, false},
		{"values that no decoder makes", 1, 1, false},
		{"as deep as values are compared", deep(MaxDepth), deep(MaxDepth), true},
		{"deeper", deep(MaxDepth + 1), deep(MaxDepth + 1), false},
	} {
		if have := equalValues(c.a, c.b, 0); have != c.equal {
			t.Errorf("%s: equal: %t, want %t", c.name, have, c.equal)
		}
	}
}
