package crddiff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// Each path of scale is changed alone, to a field of each schema, and objects with values at the bounds show whom that breaks.
func TestEachPathOfScale(t *testing.T) {
	const safe = "{type: integer, minimum: 0, maximum: 2147483647}"
	replicas := map[string]crddiff.Level{
		safe: crddiff.Requests,
		"{type: integer, minimum: 0, maximum: 2147483648}":           crddiff.Stored,
		"{type: integer, minimum: 0, maximum: 2147483646}":           crddiff.Requests,
		"{type: integer, minimum: 0, format: int32}":                 crddiff.Requests,
		"{type: integer, minimum: 0, format: int64}":                 crddiff.Stored,
		"{type: integer, minimum: 1, format: int32}":                 crddiff.Requests,
		"{type: integer, minimum: -1, format: int32}":                crddiff.Stored,
		"{type: integer, minimum: 0}":                                crddiff.Stored,
		"{type: integer, maximum: 3}":                                crddiff.Stored,
		"{type: integer}":                                            crddiff.Stored,
		"{type: integer, minimum: 0, maximum: 3, nullable: true}":    crddiff.Stored,
		"{type: string}":                                             crddiff.Stored,
		"{x-kubernetes-preserve-unknown-fields: true}":               crddiff.Stored,
		"{x-kubernetes-int-or-string: true, minimum: 0, maximum: 3}": crddiff.Stored,
		"{type: object, additionalProperties: " + safe + "}":         crddiff.Stored,
	}
	selectors := map[string]crddiff.Level{
		"{type: string}": crddiff.Requests, "{type: string, nullable: true}": crddiff.Stored, "{type: integer}": crddiff.Stored, "{x-kubernetes-preserve-unknown-fields: true}": crddiff.Stored,
	}
	values := []any{nil, "", "a=b", true, int64(-1), int64(0), int64(1), int64(1<<31 - 1), int64(1 << 31), 0.5, map[string]any{"x": int64(0)}, []any{}}
	const none = ""
	for _, test := range []struct {
		field       string // of scale
		in, was, is string // the object that has the field, and the paths before and after
		schemas     map[string]crddiff.Level
		nobody      bool // a change that cannot break stored objects breaks nobody
	}{
		{"specReplicasPath", "spec", ".spec.one", ".spec.other", replicas, false},
		{"statusReplicasPath", "status", ".status.one", ".status.other", replicas, false},
		{"labelSelectorPath", "status", ".status.text", ".status.other", selectors, false},
		{"labelSelectorPath", "status", none, ".status.other", selectors, true},
	} {
		for schema, want := range test.schemas {
			if want == crddiff.Requests && test.nobody {
				want = crddiff.None
			}
			version := func(path string) map[string]any {
				fields := "{one: " + safe + ", text: {type: string}, other: " + safe + "}"
				properties := "{spec: {type: object, properties: " + fields + "}, status: {type: object, properties: " + fields + "}}"
				v := structuraltest.ParseObject(t, "{schema: {type: object, properties: "+properties+"}, subresources: {status: {}, scale: {specReplicasPath: .spec.one, statusReplicasPath: .status.one}}}")
				of := v["schema"].(object)["properties"].(object)[test.in].(object)["properties"].(object)
				of["other"] = structuraltest.ParseObject(t, schema)
				scale := v["subresources"].(object)["scale"].(object)
				if delete(scale, test.field); path != none {
					scale[test.field] = path
				}
				return v
			}
			old, err := crdjudge.New(version(test.was))
			if err != nil {
				t.Fatal(err)
			}
			new, err := crdjudge.New(version(test.is))
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s becomes %s, which is %s", test.field, test.is, schema)
			if level, changes := crdjudge.Said(t, old, new); level != want {
				t.Errorf("%s: is said to break %s, want %s: %v", name, level, want, changes)
			}
			var shown crdjudge.Shown
			for _, value := range values {
				obj := crdjudge.Named(object{test.in: object{"other": value}})
				if s := crdjudge.Judge(old, new, obj); s.Level > shown.Level {
					shown = s
				}
			}
			// An object cannot show that clients read another field.
			if (shown.Level == crddiff.Stored) != (want == crddiff.Stored) {
				t.Errorf("%s: objects show %s, want %s: %s", name, shown.Level, want, shown.How)
			}
		}
	}
}

// A path leads through objects; where no object has a field, nobody has replicas that could be refused.
func TestPathsOfScaleThatLeadNowhere(t *testing.T) {
	for spec, want := range map[string]crddiff.Level{
		"{type: object, properties: {b: {type: object, properties: {k: {type: integer, minimum: 0, maximum: 9}}}}}":      crddiff.None,
		"{type: object, properties: {b: {type: object, properties: {k: {type: integer, minimum: 0}}}}}":                  crddiff.Stored,
		"{type: object, properties: {b: {type: object, properties: {m: {type: integer}}}}}":                              crddiff.None,
		"{type: object, properties: {b: {type: object}}}":                                                                crddiff.None,
		"{type: object, properties: {c: {type: object}}}":                                                                crddiff.None,
		"{type: object, properties: {b: {type: object, x-kubernetes-preserve-unknown-fields: true}}}":                    crddiff.Stored,
		"{type: object, x-kubernetes-preserve-unknown-fields: true}":                                                     crddiff.Stored,
		"{type: object, properties: {b: {type: object, additionalProperties: {type: integer, minimum: 0, maximum: 9}}}}": crddiff.None,
		"{type: object, properties: {b: {type: object, additionalProperties: {type: integer}}}}":                         crddiff.Stored,
		"{type: object, properties: {b: {type: object, additionalProperties: true}}}":                                    crddiff.Stored,
		"{type: object, additionalProperties: {type: object, properties: {k: {type: integer, minimum: 0, maximum: 9}}}}": crddiff.None,
		"{type: object, properties: {b: {type: integer}}}":                                                               crddiff.Stored,
		"{type: object, properties: {b: {type: array, items: {type: string}}}}":                                          crddiff.Stored,
	} {
		version := func(scale string) map[string]any {
			return structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: "+spec+"}}"+scale+"}")
		}
		old, err := crdjudge.New(version(""))
		if err != nil {
			t.Fatal(err)
		}
		new, err := crdjudge.New(version(", subresources: {scale: {specReplicasPath: .spec.b.k, statusReplicasPath: .status.k}}"))
		if err != nil {
			t.Fatal(err)
		}
		if level, changes := crdjudge.Said(t, old, new); level != want {
			t.Errorf("%s: is said to break %s, want %s: %v", spec, level, want, changes)
		}
		var shown crdjudge.Shown
		for _, b := range []any{int64(1), []any{"a"}, object{"k": int64(-1)}, object{"k": int64(0)}, object{"k": int64(9)}, object{"k": int64(1 << 31)}, object{"k": "x"}, object{"k": object{}}} {
			if s := crdjudge.Judge(old, new, crdjudge.Named(object{"spec": object{"b": b}})); s.Level > shown.Level {
				shown = s
			}
		}
		if shown.Level != want {
			t.Errorf("%s: objects show %s, want %s: %s", spec, shown.Level, want, shown.How)
		}
	}
}

// A new default of replicas, wherever it stands, breaks stored objects if scale does not take it, and otherwise none.
func TestDefaultsOfReplicas(t *testing.T) {
	side := func(spec string) *crdjudge.Side {
		s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: "+spec+"}}, subresources: {scale: {specReplicasPath: .spec.b.k, statusReplicasPath: .status.k}}}"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, schema := range []string{ // with the default, which is new, in brackets
		"{type: object, properties: {b: {type: object, properties: {k: {type: integer[, default: %s]}}}}}",
		"{type: object, properties: {b: {type: object[, default: {k: %s}], properties: {k: {type: integer}}}}}",
		"{type: object, properties: {b: {type: object[, default: {}], properties: {k: {type: integer, default: %s}}}}}",
		"{type: object, properties: {b: {type: object[, default: {k: %s}], x-kubernetes-preserve-unknown-fields: true}}}",
		"{type: object, properties: {b: {type: object[, default: {k: %s}], additionalProperties: {type: integer}}}}",
		"{type: object[, default: {b: {k: %s}}], properties: {b: {type: object, properties: {k: {type: integer}}}}}",
		"{type: object[, default: {}], properties: {b: {type: object, default: {k: %s}, properties: {k: {type: integer}}}}}",
		"{type: object[, default: {b: {}}], properties: {b: {type: object, properties: {k: {type: integer, default: %s}}}}}",
		"{type: object[, default: {b: {k: %s}}], x-kubernetes-preserve-unknown-fields: true}",
		"{type: object[, default: {b: {k: %s}}], additionalProperties: {type: object, additionalProperties: {type: integer}}}",
		"{type: object[, default: {b: {}}], additionalProperties: {type: object, properties: {k: {type: integer, default: %s}}}}",
		"{type: object[, default: {b: {}}], properties: {b: {type: object}}}", "{type: object[, default: {}], properties: {c: {type: object}}}",
	} {
		for _, value := range []string{"-1", "0", "1", "2147483647", "2147483648"} {
			name := strings.ReplaceAll(schema, "%s", value)
			before, rest, _ := strings.Cut(name, "[")
			added, after, _ := strings.Cut(rest, "]")
			old, new := side(before+after), side(before+added+after)
			var shown crdjudge.Shown
			for _, obj := range []string{"{}", "{spec: {}}", "{spec: {b: {}}}"} {
				if s := crdjudge.Judge(old, new, crdjudge.Named(structuraltest.ParseObject(t, obj))); s.Level > shown.Level {
					shown = s
				}
			}
			if level, changes := crdjudge.Said(t, old, new); level != shown.Level {
				t.Errorf("%s: is said to break %s, and breaks %s: %v %s", name, level, shown.Level, changes, shown.How)
			}
		}
	}
}
