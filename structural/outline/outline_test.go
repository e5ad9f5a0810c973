package outline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/internal/structuraltest"
	"github.com/prune-gen/prune-gen/structural/outline"
)

// of returns the outline of a schema whose objects are pruned.
func of(t *testing.T, text string) *outline.Node {
	t.Helper()
	return outline.Of(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\n"+text), Pruned: true})
}

// line returns a node in one line.
func line(n *outline.Node) string {
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
func lines(n *outline.Node) []string {
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
	} {
		if got := strings.Join(lines(of(t, tt.schema)), "|"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.schema, got, tt.want)
		}
	}
	kept := outline.Of(structural.Behavior{Schema: structuraltest.NewSchema(t, "type: object\nproperties: {a: {type: object}}")})
	if got := lines(kept); !slices.Equal(got, []string{"a object"}) {
		t.Errorf("nothing is dropped: %q", got)
	}
}

func TestOfShowsTheFieldsOfResources(t *testing.T) {
	root := of(t, "properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 9}, labels: {type: object}}}, e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}")
	for path, want := range map[string]string{
		"kind":          "kind string [required]",
		"metadata":      "metadata ObjectMeta [rewritten: drops what ObjectMeta does not have, sets generation, times and identity]",
		"metadata.name": "metadata.name string [maxLength 9]",
		"e.metadata":    "e.metadata ObjectMeta [rewritten: drops what ObjectMeta does not have]",
	} {
		if n, rest := root.Find(path); rest != "" || line(n) != want {
			t.Errorf("%s: %q, %q", path, line(n), rest)
		}
	}
	if got := outline.Of(structural.Behavior{Pruned: true}).Fields; len(got) != 3 {
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

func TestOpenPrefersWhatIsNearAndSmall(t *testing.T) {
	root := of(t, "properties: {a: {type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}, w: {type: object, properties: {x: {type: string}, y: {type: string}, z: {type: string}}}}")
	names := func(open map[*outline.Node]bool) string {
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
