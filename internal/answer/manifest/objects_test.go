package manifest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// Objects are found in lists, which can say what they are. They are shown as JSON with and without what is implied.
func TestObjectsOfLists(t *testing.T) {
	for _, tt := range []struct {
		data string
		want []string // the name, the group, the version, and the object as JSON, or what is not an object
	}{
		{"kind: A", []string{`A|  {"kind":"A"}`}},
		{"{}", []string{`|  {}`}},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: a}", []string{`Pod a| v1 {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`}},
		{"apiVersion: g/v1\nkind: A\nmetadata: {namespace: b, name: a}", []string{`A b/a|g v1 {"apiVersion":"g/v1","kind":"A","metadata":{"namespace":"b","name":"a"}}`}},
		{"kind: A\nmetadata: {generateName: a-}", []string{`A a-|  {"kind":"A","metadata":{"generateName":"a-"}}`}},
		{"kind: A\nmetadata: {generateName: a-, name: b}", []string{`A b|  {"kind":"A","metadata":{"generateName":"a-","name":"b"}}`}},
		{"metadata: {name: b}", []string{`b|  {"metadata":{"name":"b"}}`}},
		{"metadata: 1", []string{`|  {"metadata":1}`}},
		{"1", []string{"the integer 1"}}, {"[{}]", []string{"a list"}},

		// The items of a kind's list need not repeat the kind. Those of a List must.
		{"apiVersion: g/v1\nkind: AList\nitems: [{b: 1}, {}]", []string{`A|g v1 {"apiVersion":"g/v1","kind":"A","b":1}`, `A|g v1 {"apiVersion":"g/v1","kind":"A"}`}},
		{"apiVersion: g/v1\nkind: AList\nitems: [{kind: B}, {apiVersion: g/v2}, {kind: null}]",
			[]string{`B|  {"kind":"B"}`, `|g v2 {"apiVersion":"g/v2"}`, `A|g v1 {"apiVersion":"g/v1","kind":"A"}`}},
		{"apiVersion: g/v1\nkind: AList\nitems: [{apiVersion: null}]", []string{`A|g v1 {"apiVersion":"g/v1","kind":"A"}`}}, // as for kubectl
		{"apiVersion: v1\nkind: List\nitems: [{b: 1}, {kind: C}]", []string{`|  {"b":1}`, `C|  {"kind":"C"}`}},
		{"apiVersion: v1\nkind: List\nitems: [{kind: CList, apiVersion: v2, items: [{a: 1}]}, 1, {kind: List, items: [x]}]",
			[]string{`C| v2 {"apiVersion":"v2","kind":"C","a":1}`, "the integer 1", `the string "x"`}},
		{"apiVersion: v1\nkind: List\nitems: []", nil},
		{"apiVersion: v1\nkind: List\nitems: null", nil},
		{"apiVersion: v1\nkind: List", []string{`List| v1 {"apiVersion":"v1","kind":"List"}`}},
		{"kind: List\nitems: {a: 1}", []string{`List|  {"kind":"List","items":{"a":1}}`}},
		{"kind: List\nitems: x", []string{`List|  {"kind":"List","items":"x"}`}},
		{"kind: Other\nitems: [{a: 1}]", []string{`Other|  {"kind":"Other","items":[{"a":1}]}`}},
		{"x: &x {a: 1}\nw: {a: 2, <<: *x}", []string{`|  {"x":{"a":1},"w":{"a":1}}`}},
		{"a: <b>\nc: [1, 1.5, true, null, [], {}]", []string{`|  {"a":"\u003cb\u003e","c":[1,1.5,true,null,[],{}]}`}},
	} {
		var have []string
		yamltext.Parse([]byte(tt.data), func(doc *yamltext.Document) {
			objects.InDocument(doc, nil, func(o manifest.Object) {
				data, whole := o.JSON(1000)
				group, version := o.Group()
				have = append(have, o.String()+"|"+group+" "+version+" "+string(data))
				if !whole {
					t.Errorf("%s: %s", tt.data, data)
				}
				if exact, ok := o.JSON(len(data)); !ok || string(exact) != string(data) {
					t.Errorf("%s: %s with just enough room", tt.data, exact)
				}
				if _, ok := o.JSON(len(data) - 1); ok {
					t.Errorf("%s: fits into less", tt.data)
				}
				sameValue(t, o, data)
			}, func(n *yamltext.Node) { have = append(have, n.Describe()) })
		}, func(p *yamltext.Problem) { t.Error(p.Message) })
		if !slices.Equal(have, tt.want) {
			t.Errorf("%s: have\n%q, want\n%q", tt.data, have, tt.want)
		}
	}
}

// sameValue holds the value of an object against its JSON.
func sameValue(t *testing.T, o manifest.Object, data []byte) {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal(data, &decoded); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(o.Value())
	b, _ := json.Marshal(decoded)
	if string(a) != string(b) {
		t.Errorf("%s as a value, %s as JSON", a, b)
	}
}

// Duplicate keys are named once, wherever they are; keys that a merge replaces are not named.
func TestDuplicates(t *testing.T) {
	for data, want := range map[string][]string{
		"a: 1\nb: 2":                                         nil,
		"a: [{b: 1, b: 2}, [{c: 1, c: 2}]]":                  {"a[0].b", "a[1][0].c"},
		"x: &x {a: 1, a: 2}\nw: *x\nz: [*x]":                 {"x.a"},
		"x: &x {a: 1}\nw: {a: 2, <<: *x}":                    nil,
		"x: &x [{a: 1, a: 2}]\nw: *x":                        {"x[0].a"},
		"x: &x {a: 1}\nw: {<<: *x, a: 2}":                    nil,
		"x: &x {a: 1}\nw: {<<: *x, a: 2, b: 1, b: 2}":        {"w.b"},
		"b: {d: 1, c: {e: 1, e: 2}, d: 2}\nb: 3\na: 1\na: 2": {"b.c.e", "b.d", "b", "a"},
		`{"a": [1, {"b": 1, "b": [{"c": 1, "c": 2}]}]}`:      {"a[1].b", "a[1].b[0].c"},
	} {
		var have []string
		for _, d := range objectsIn(t, data)[0].Duplicates() {
			have = append(have, d.Path.Dotted())
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q", data, have, want)
		}
	}
}
