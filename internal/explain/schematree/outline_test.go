package schematree_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// of returns the outline of a schema whose objects are pruned.
func of(t *testing.T, text string) *schematree.Node {
	t.Helper()
	return schematree.Of(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\n"+text), Pruned: true})
}

// line returns a node in one line.
func line(n *schematree.Node) string {
	words := []string{n.Path, n.Type}
	for _, f := range n.Facts {
		words = append(words, "["+f.Text+"]")
	}
	for _, r := range n.Rules {
		words = append(words, "{"+r.Rule+"}")
	}
	return strings.Join(words, " ")
}

// lines returns all nodes below n, except what every resource has.
func lines(n *schematree.Node) []string {
	var all []string
	for _, f := range n.Fields {
		if !structural.IsMetaField(f.Name) {
			all = append(all, line(f))
			all = append(all, lines(f)...)
		}
	}
	return all
}

func TestOfSaysWhatASchemaSays(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{"properties: {a: {type: string, minLength: 1, maxLength: 5, pattern: ^x, format: uuid}}", "a string [format uuid] [pattern ^x] [minLength 1] [maxLength 5]"},
		{"properties: {a: {type: integer, minimum: 1, maximum: 5, exclusiveMaximum: true, multipleOf: 2, default: 3, nullable: true}}", "a integer [default 3] [nullable] [min 1] [max (exclusive) 5] [multiple of 2]"},
		{"required: [a]\nproperties: {a: {type: string, enum: [x, '<y>'], default: x}}", `a string [required] [default "x"] [one of "x", "<y>"]`},
		{"properties: {a: {x-kubernetes-int-or-string: true}}", "a integer or string"},
		{"properties: {a: {type: array, minItems: 1, items: {type: array, items: {type: string, maxLength: 3}}}}", "a [][]string [minItems 1] [each maxLength 3]"},
		{"properties: {a: {type: object, additionalProperties: {type: integer}, x-kubernetes-map-type: atomic}}", "a map[string]integer [atomic]"},
		{"properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, required: [b], properties: {b: {type: string}}}}}", "a []object [map by b]|a[].b string [required]"},
		{"properties: {a: {type: object, additionalProperties: {type: object, properties: {b: {type: string}}}}}", "a map[string]object|a[*].b string"},
		{"properties: {a: {type: string, x-kubernetes-validations: [{rule: self != 'x', message: bad}]}}", "a string {self != 'x'}"},
		{"properties: {a: {type: string, anyOf: [{minLength: 1}, {maxLength: 2}], not: {minLength: 3}}}", "a string [anyOf 2 alternatives] [not everything]"},
		{"properties: {a: {type: string, allOf: [{minLength: 1}], oneOf: [{minLength: 1}, {minLength: 2}, {minLength: 3}]}}", "a string [allOf 1 alternatives] [oneOf 3 alternatives]"},
		{"properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], maxLength: 3}}", "a integer or string [maxLength 3]"},
		{"properties: {a: {type: number, minimum: 0.5, exclusiveMinimum: true, maximum: 1e21, default: 0.75}}", "a number [default 0.75] [min (exclusive) 0.5] [max 1e+21]"},
		{"properties: {a: {type: array, maxItems: 5, uniqueItems: true, x-kubernetes-list-type: set, items: {type: string}}, b: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}}",
			"a []string [set] [maxItems 5] [unique items]|b []string [atomic]"},
		{"properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, c], items: {type: object, required: [b, c], properties: {b: {type: string}, c: {type: string}}}}}",
			"a []object [map by b, c]|a[].b string [required]|a[].c string [required]"},
		{"properties: {a: {type: object, minProperties: 1, maxProperties: 2, x-kubernetes-map-type: granular, additionalProperties: {type: string, nullable: true}}}",
			"a map[string]string [minProperties 1] [maxProperties 2] [each nullable]"},
		{"properties: {a: {type: object, default: {b: '<'}, properties: {b: {type: string}}}}", `a object [default {"b":"<"}]|a.b string`},
		{"properties: {b: {x-kubernetes-preserve-unknown-fields: true}}\nmaxProperties: 3", "b any [keeps everything]"},
		{"properties: {b: {type: string}, a: {type: boolean}}\nrequired: [b, missing]", "a boolean|b string [required]"},
	} {
		if got := strings.Join(lines(of(t, tt.schema)), "|"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.schema, got, tt.want)
		}
	}
}

// What becomes of unknown fields is said where it is not what everybody expects.
func TestOfSaysWhatBecomesOfUnknownFields(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{"properties: {a: {type: object, properties: {b: {type: string}}}}", "a object|a.b string"},
		{"properties: {a: {type: object}}", "a object [drops everything in it]"},
		{"properties: {a: {type: array, items: {type: object}}}", "a []object [each drops everything in it]"},
		{"properties: {a: {type: object, additionalProperties: true}}", "a map[string]any [each drops everything in it]"},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true}}", "a any [keeps everything]"},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, properties: {c: {type: string}}}}}}",
			"a object [keeps unknown fields]|a.b object [drops unknown fields again]|a.b.c string"},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: array, items: {type: object, properties: {c: {type: string}}}}}}}",
			"a object [keeps unknown fields]|a.b []object [each drops unknown fields again]|a.b[].c string"},
		{"properties: {a: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {c: {type: string}}}}}", "a []object [each keeps unknown fields]|a[].c string"},
		{"properties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}", "a object [keeps unknown fields] [embedded resource]"},
		{"x-kubernetes-preserve-unknown-fields: true", ""},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string}}}}", "a any [keeps unknown fields]|a.b string"},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true, items: {type: string}}}", "a []string [keeps unknown fields]"},
		{"properties: {a: {x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: string}}}", "a map[string]string [keeps unknown fields]"},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object, properties: {b: {type: string}}}}}",
			"a map[string]object [keeps unknown fields] [each drops unknown fields again]|a[*].b string"},
		{"properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, additionalProperties: {type: string}}, c: {type: object, additionalProperties: {type: object, properties: {d: {type: string}}}}}}}",
			"a object [keeps unknown fields]|a.b map[string]string|a.c map[string]object [each drops unknown fields again]|a.c[*].d string"},
		{"properties: {a: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: string}}}", "a []string"},
		{"properties: {a: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object}}}}}", "a []object [each keeps unknown fields]|a[].b object [drops everything in it]"},
		{"properties: {a: {x-kubernetes-int-or-string: true}}", "a integer or string"},
		{"properties: {a: {type: object, x-kubernetes-embedded-resource: true, properties: {b: {type: string}, kind: {type: string, maxLength: 3}}}}", "a object [embedded resource]|a.b string"},
		{"properties: {a: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object, x-kubernetes-embedded-resource: true}}}}",
			"a object [keeps unknown fields] [embedded resource]|a.b object [drops unknown fields again] [embedded resource]"},
		{"x-kubernetes-preserve-unknown-fields: true\nproperties: {a: {type: object, properties: {b: {type: string}}}}", "a object [drops unknown fields again]|a.b string"},
	} {
		if got := strings.Join(lines(of(t, tt.schema)), "|"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.schema, got, tt.want)
		}
	}
	kept := schematree.Of(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\nproperties: {a: {type: object}}")})
	if got := lines(kept); !slices.Equal(got, []string{"a object"}) {
		t.Errorf("nothing is dropped: %q", got)
	}
}

// The reading of KEP-2332 keeps unknown fields in everything below a place that keeps them.
func TestOfByKEP2332(t *testing.T) {
	const schema = "type: object\nproperties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object}, c: {type: object, additionalProperties: {type: object}}}}, d: {type: object}}"
	b := structural.Behavior{Schema: structuraltest.NewSchema(t, schema), Pruned: true, Semantics: structural.KEP2332}
	const want = "a object [keeps unknown fields]|a.b object [keeps unknown fields]|a.c map[string]object [keeps unknown fields] [each keeps unknown fields]|d object [drops everything in it]"
	if got := strings.Join(lines(schematree.Of(b)), "|"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Descriptions and rules are shown with their messages, those of a list rather than those of its elements.
func TestOfShowsDescriptions(t *testing.T) {
	root := of(t, "description: whole\nx-kubernetes-validations: [{rule: 'true', message: always}]\n"+
		"properties: {a: {type: array, description: list, items: {type: string, description: element}}, b: {type: array, items: {type: string, description: only}}, c: {type: string}}")
	if len(root.Rules) != 1 || root.Rules[0] != (schematree.Rule{Rule: "true", Message: "always"}) {
		t.Errorf("%+v", root.Rules)
	}
	for path, want := range map[string]string{"": "whole", "a": "list", "b": "only", "c": ""} {
		if n, _ := root.Find(path); n.Description != want {
			t.Errorf("%q: %q, want %q", path, n.Description, want)
		}
	}
}

func TestOfShowsTheFieldsOfResources(t *testing.T) {
	root := of(t, "properties: {kind: {type: string, enum: [A]}, metadata: {type: object, description: d, minProperties: 1, x-kubernetes-validations: [{rule: 'true'}], "+
		"properties: {name: {type: string, maxLength: 9}, labels: {type: object, x-kubernetes-preserve-unknown-fields: true}, annotations: {type: string}, uid: {type: string, x-kubernetes-validations: [{rule: self != ''}]}}}, e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}, "+
		"f: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, additionalProperties: {type: object, maxProperties: 1}}}}, "+
		"g: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}}}}")
	for path, want := range map[string]string{
		"kind":          "kind string [required]",
		"metadata":      "metadata ObjectMeta [minProperties 1] [rewritten: drops what ObjectMeta does not have, sets generation, times and identity] {true}",
		"metadata.uid":  "metadata.uid string [set by the server when the object is created] {self != ''}",
		"metadata.name": "metadata.name string [required unless generateName is set; never changes] [maxLength 9]",
		"e.metadata":    "e.metadata ObjectMeta [rewritten: drops what ObjectMeta does not have]",
		"f.metadata":    "f.metadata ObjectMeta [each maxProperties 1] [rewritten: drops what ObjectMeta does not have]",
		"g.metadata":    "g.metadata ObjectMeta [rewritten: drops what ObjectMeta does not have]",
	} {
		if n, rest := root.Find(path); rest != "" || line(n) != want {
			t.Errorf("%s: %q, %q", path, line(n), rest)
		}
	}
	if got := line(root); got != " object" {
		t.Errorf("the root is %q", got)
	}
	for path, want := range map[string]string{"": "apiVersion kind metadata e f g", "e": "apiVersion kind metadata", "f": "apiVersion kind metadata", "metadata": "labels name uid"} {
		n, _ := root.Find(path)
		var names []string
		for _, f := range n.Fields {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q has %s, want %s", path, got, want)
		}
	}
	if n, rest := of(t, "properties: {a: {type: object, properties: {kind: {type: string, maxLength: 3}}}}").Find("a.kind"); rest != "" || line(n) != "a.kind string [maxLength 3]" {
		t.Errorf("%q, %q", line(n), rest)
	}
	if n, rest := root.Find("metadata.notes"); n.Path != "metadata" || n.Description != "d" || rest != "notes" {
		t.Errorf("%+v, %q", n, rest)
	}
	if got := schematree.Of(structural.Behavior{Pruned: true}).Fields; len(got) != 3 {
		t.Errorf("%d fields without a schema", len(got))
	}
}

func TestFind(t *testing.T) {
	root := of(t, `properties: {spec: {type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: string}}}}, a.b: {type: string}, "": {type: string}, m: {type: object, additionalProperties: {type: object, properties: {c: {type: string}}}}}}}`)
	for path, want := range map[string]string{
		"":                "",
		".":               "",
		".spec":           "spec",
		"spec.a[].b":      "spec.a[].b",
		"spec.a[0].b":     "spec.a[].b",
		"spec.a.b":        "spec.a.b",
		"$.spec.m[*].c":   "spec.m[*].c",
		"spec.m.c":        "spec.m[*].c",
		`spec["a.b"]`:     "spec.a.b",
		"spec.x.y":        "spec:x.y",
		"spec.a[x]":       "spec.a:[x]",
		"spec.a.b.c":      "spec.a.b:c",
		"status":          ":status",
		"spec.a[].b[][*]": "spec.a[].b",
		"spec.a[0":        "spec.a:[0",
		"spec.ab":         "spec:ab",
		"specs":           ":specs",
		`spec[""]`:        "spec.",
		`["spec"].a`:      "spec.a",
		"spec.m[k].c":     "spec.m:[k].c",
	} {
		n, rest := root.Find(path)
		got := n.Path
		if rest != "" {
			got += ":" + rest
		}
		if got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestFindGoesThroughKeysAndMetadata(t *testing.T) {
	root := of(t, `properties:
  deep: {type: object, additionalProperties: {type: array, maxItems: 3, items: {type: string, maxLength: 2}}}
  maps: {type: object, maxProperties: 4, x-kubernetes-validations: [{rule: outer}], additionalProperties: {type: object, x-kubernetes-validations: [{rule: inner}],
    additionalProperties: {type: integer, minimum: 1}}}
  lists: {type: array, items: {type: object, additionalProperties: {type: object, properties: {name: {type: string}}}}}
  metadata: {type: object, properties: {name: {type: string, maxLength: 9}}}
`)
	for path, want := range map[string]string{
		"deep.a":                     `deep["a"] []string [any key is kept] [maxItems 3] [each maxLength 2]`,
		"deep.a[0]":                  `deep["a"] []string [any key is kept] [maxItems 3] [each maxLength 2]`,
		"maps.a":                     `maps["a"] map[string]integer [any key is kept] [each min 1] {inner}`,
		`maps["a.b"].c/d`:            `maps["a.b"]["c/d"] integer [any key is kept] [min 1]`,
		"lists[3].key":               `lists[]["key"] object [any key is kept]`,
		"lists[3].key.name":          `lists[][*].name string`,
		"metadata.name":              `metadata.name string [required unless generateName is set; never changes] [maxLength 9]`,
		"metadata.finalizers[0]":     `metadata.finalizers []string [kept: a deleted object stays until none is left]`,
		"metadata.annotations.a.b/c": `metadata.annotations["a.b/c"] string [any key is kept]`,
	} {
		if n, rest := root.Find(path); rest != "" || line(n) != want {
			t.Errorf("%s: have %s, rest %q\nwant %s", path, line(n), rest, want)
		}
	}
	for path, want := range map[string]string{"lists[].nam": "nam", "metadata.other": "other", "deep.a.b": "b", `maps[""]`: `[""]`} {
		if _, rest := root.Find(path); rest != want {
			t.Errorf("%s: rest %q, want %q", path, rest, want)
		}
	}
}

func TestOpenPrefersWhatIsNearAndSmall(t *testing.T) {
	root := of(t, "properties: {a: {type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}, w: {type: object, properties: {x: {type: string}, k: {type: string}, z: {type: string}}}}")
	names := func(open map[*schematree.Node]bool) string {
		var all []string
		for n := range open {
			if len(n.Fields) > 0 {
				all = append(all, "/"+n.Path)
			}
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	for room, want := range map[int]string{0: "/", 5: "/", 6: "/ /a", 7: "/ /a /a.b", 9: "/ /a /w", 10: "/ /a /a.b /w", 100: "/ /a /a.b /w"} {
		if got := names(root.Open(room)); got != want {
			t.Errorf("room for %d: %s, want %s", room, got, want)
		}
	}
	for depth, want := range map[int]string{1: "/", 2: "/ /a /w", 3: "/ /a /a.b /w", 9: "/ /a /a.b /w"} {
		if got := names(root.OpenTo(depth)); got != want {
			t.Errorf("depth %d: %s, want %s", depth, got, want)
		}
	}
	if n := root.Count(); n != 10 {
		t.Errorf("%d fields", n)
	}
}

// Paths are found in every way to write them. Of names that a path can begin with, the longest counts.
func TestFindTakesPathsAsTheyAreWritten(t *testing.T) {
	root := of(t, `properties:
  "": {type: object, properties: {x: {type: string}}}
  a: {type: object, properties: {b: {type: string}, c: {type: string}}}
  a.b: {type: object, properties: {d: {type: string}}}
  "a[0]": {type: string}
  list: {type: array, items: {type: array, items: {type: object, properties: {e: {type: string}}}}}
  map: {type: object, additionalProperties: {type: object, properties: {f: {type: string}}}}
`)
	for path, want := range map[string]string{
		"": "|", "$": "|", ".": "|", "$.": "|", "[]": "|", "[*].": "|",
		"a": "a|", ".a": "a|", "$.a": "a|", "$a": "a|", "a.": "a|", "a.c": "a.c|", "a.b": "a.b|", "a.b.d": "a.b.d|", "a.b.e": "a.b|e", "a.d": "a|d", "ab": "|ab", "a.cc": "a|cc", "a..c": "a|.c", "..a": "|.a",
		"a[0]": "a[0]|", "a[1]": "a|", "a[1].c": "a.c|", "a[x]": "a|[x]", "a[": "a|[", "a[1": "a|[1", `["a"].c`: "a.c|", `["a.b"]`: "a.b|", `[""]`: "|", `["b"]`: `|["b"]`, `a["c"]`: "a.c|",
		"list": "list|", "list.e": "list[][].e|", "list[].e": "list[][].e|", "list[][].e": "list[][].e|", "list[3][*][].e": "list[][].e|", "list[-1].e": "list|[-1].e", "map.f": "map[*].f|", "map[*].f": "map[*].f|", "map[k].f": "map|[k].f", "mapf": "|mapf",
	} {
		n, rest := root.Find(path)
		if have := n.Path + "|" + rest; have != want {
			t.Errorf("%q is %s, want %s", path, have, want)
		}
	}
}

// Fields are shown level by level, those of small nodes first, as long as there is room.
func TestOpenFillsTheRoom(t *testing.T) {
	n := &schematree.Node{Fields: []*schematree.Node{
		{Name: "large", Fields: []*schematree.Node{{Name: "l1"}, {Name: "l2"}, {Name: "l3"}}},
		{Name: "small", Fields: []*schematree.Node{{Name: "s", Fields: []*schematree.Node{{Name: "deep"}}}}},
		{Name: "leaf"},
	}}
	names := func(open map[*schematree.Node]bool) string {
		var all []string
		var walk func(*schematree.Node)
		walk = func(n *schematree.Node) {
			if open[n] && (len(n.Fields) > 0 || n.Name == "") {
				all = append(all, "/"+n.Name)
			}
			for _, f := range n.Fields {
				walk(f)
			}
		}
		walk(n)
		return strings.Join(all, " ")
	}
	for room, want := range []string{"/", "/", "/", "/", "/ /small", "/ /small /s", "/ /small /s", "/ /large /small", "/ /large /small /s", "/ /large /small /s"} {
		if have := names(n.Open(room)); have != want {
			t.Errorf("with room for %d fields: %s, want %s", room, have, want)
		}
	}
	for depth, want := range []string{"", "/", "/ /large /small", "/ /large /small /s", "/ /large /small /s"} {
		if have := names(n.OpenTo(depth)); have != want {
			t.Errorf("to the depth %d: %s, want %s", depth, have, want)
		}
	}
	if have := n.Count(); have != 8 {
		t.Errorf("%d fields", have)
	}
}
