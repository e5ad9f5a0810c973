package interpret_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func TestPruneFollowsTheValuesNotTheTypes(t *testing.T) {
	for _, c := range []struct {
		name, schema, object, want string
		dropped                    []string
	}{
		{"a map where a string should be", `{type: string}`, `{p: {a: 1, b: {c: 2}}}`, `{p: {}}`, []string{"p.a", "p.b"}},
		{"a list where a string should be", `{type: string}`, `{p: [1, {a: 2}]}`, `{p: [1, {}]}`, []string{"p[1].a"}},
		{"a list where an object should be", `{type: object, properties: {a: {type: string}}}`,
			`{p: [{a: x, b: 1}]}`, `{p: [{}]}`, []string{"p[0].a", "p[0].b"}},
		{"a map where a list should be", `{type: array, items: {type: object}}`, `{p: {a: 1}}`, `{p: {}}`, []string{"p.a"}},
		{"a map with fields where a list should be", `{type: array, items: {type: object}, properties: {a: {type: string}}}`,
			`{p: {a: 1, b: 2}}`, `{p: {a: 1}}`, []string{"p.b"}},
		{"scalars and null", `{type: object}`, `{p: null}`, `{p: null}`, nil},
		{"scalars in lists", `{type: array}`, `{p: [null, true, 1, 1.5, x]}`, `{p: [null, true, 1, 1.5, x]}`, nil},
		{"lists in lists", `{type: array, items: {type: array, items: {type: object, properties: {a: {type: string}}}}}`,
			`{p: [[{a: x, b: 1}], [], [[{a: x}]]]}`, `{p: [[{a: x}], [], [[{}]]]}`, []string{"p[0][0].b", "p[2][0][0].a"}},
		{"lists in lists that are not specified", `{type: string}`, `{p: [[{a: 1}]]}`, `{p: [[{}]]}`, []string{"p[0][0].a"}},
		{"int-or-string", `{x-kubernetes-int-or-string: true}`, `{p: {a: 1}}`, `{p: {}}`, []string{"p.a"}},
		{"properties beside additionalProperties",
			`{type: object, properties: {a: {type: object}}, additionalProperties: {type: object, properties: {b: {type: string}}}}`,
			`{p: {a: {b: x}, c: {b: x, d: 1}}}`, `{p: {a: {}, c: {b: x}}}`, []string{"p.a.b", "p.c.d"}},
		{"additionalProperties: true", `{type: object, additionalProperties: true}`,
			`{p: {a: {b: 1}, c: 2, d: [{e: 3}]}}`, `{p: {a: {}, c: 2, d: [{}]}}`, []string{"p.a.b", "p.d[0].e"}},
		{"what only value validation names", `{type: object, anyOf: [{properties: {a: {}}}]}`, `{p: {a: 1}}`, `{p: {}}`, []string{"p.a"}},
		{"a default", `{type: object, default: {a: 1}}`, `{p: {a: 1}}`, `{p: {}}`, []string{"p.a"}},
		{"keys with dots", `{type: object, properties: {"a.b": {type: object}}}`, `{p: {a.b: {c.d: 1}, "": 2}}`, `{p: {a.b: {}}}`,
			[]string{"p.", "p.a.b.c.d"}},
		{"an empty key", `{type: object, properties: {"": {type: object}}}`, `{p: {"": {a: 1}}}`, `{p: {"": {}}}`, []string{"p..a"}},
		{"a union", `{type: object, x-kubernetes-unions: [{discriminator: type, fields: {a: A}}]}`, `{p: {type: A, a: 1}}`, `{p: {}}`,
			[]string{"p.a", "p.type"}},
		{"a field without a schema of its own in a list", `{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}`,
			`{p: [{a: {b: 1}}]}`, `{p: [{a: {b: 1}}]}`, nil},
	} {
		for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
			t.Run(c.name+" "+semantics.String(), func(t *testing.T) {
				s := structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.schema+`}}`)
				wantPruned(t, s, interpret.PruneOptions{Semantics: semantics}, c.object, c.want, c.dropped)
			})
		}
	}
}

func TestPrunePreservesUnknownFields(t *testing.T) {
	type result struct {
		want    string
		dropped []string
	}
	for _, c := range []struct {
		name, schema, object string
		apiserver, kep       result
	}{
		{"no fields are specified", `{x-kubernetes-preserve-unknown-fields: true}`, `{p: {a: [{b: {c: 1}}]}}`,
			result{`{p: {a: [{b: {c: 1}}]}}`, nil},
			result{`{p: {a: [{b: {c: 1}}]}}`, nil}},
		{"a field that preserves again",
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`,
			`{p: {a: {b: {c: 1}}}}`,
			result{`{p: {a: {b: {c: 1}}}}`, nil},
			result{`{p: {a: {b: {c: 1}}}}`, nil}},
		{"two levels down",
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, additionalProperties: {type: object}}}}`,
			`{p: {a: {k: {b: 1}}, x: 2}}`,
			result{`{p: {a: {k: {}}, x: 2}}`, []string{"p.a.k.b"}},
			result{`{p: {a: {k: {b: 1}}, x: 2}}`, nil}},
		{"below a field that has properties",
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: object}}}}}`,
			`{p: {a: {b: {c: 1}, d: 2}, x: 3}}`,
			result{`{p: {a: {b: {}}, x: 3}}`, []string{"p.a.b.c", "p.a.d"}},
			result{`{p: {a: {b: {}}, x: 3}}`, []string{"p.a.b.c", "p.a.d"}}},
		{"additionalProperties: true", `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: true}`,
			`{p: {a: {b: 1}}}`,
			result{`{p: {a: {}}}`, []string{"p.a.b"}},
			result{`{p: {a: {b: 1}}}`, nil}},
		// A list inherits, even where its elements have fields, unless those begin again.
		{"a list", `{x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}`,
			`{p: [{a: {b: 1}, c: {d: 2}}]}`,
			result{`{p: [{a: {}, c: {d: 2}}]}`, []string{"p[0].a.b"}},
			result{`{p: [{a: {}}]}`, []string{"p[0].a.b", "p[0].c"}}},
		{"a list of lists", `{x-kubernetes-preserve-unknown-fields: true, items: {type: array, items: {type: object}}}`,
			`{p: [[{a: {b: 1}}]]}`,
			result{`{p: [[{a: {b: 1}}]]}`, nil},
			result{`{p: [[{a: {b: 1}}]]}`, nil}},
		{"a list without items", `{x-kubernetes-preserve-unknown-fields: true}`, `{p: [[{a: 1}], {b: 2}]}`,
			result{`{p: [[{a: 1}], {b: 2}]}`, nil},
			result{`{p: [[{a: 1}], {b: 2}]}`, nil}},
		{"a list in a field",
			`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {l: {type: array, items: {type: object}}}}`,
			`{p: {l: [{a: 1}], m: [{b: 2}]}}`,
			result{`{p: {l: [{}], m: [{b: 2}]}}`, []string{"p.l[0].a"}},
			result{`{p: {l: [{a: 1}], m: [{b: 2}]}}`, nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := structuraltest.NewSchema(t, `{type: object, properties: {p: `+c.schema+`}}`)
			wantPruned(t, s, interpret.PruneOptions{Semantics: structural.APIServer}, c.object, c.apiserver.want, c.apiserver.dropped)
			wantPruned(t, s, interpret.PruneOptions{Semantics: structural.KEP2332}, c.object, c.kep.want, c.kep.dropped)
		})
	}
}

func TestPruneKeepsWhatMakesAResource(t *testing.T) {
	const embedded = `x-kubernetes-embedded-resource: true, type: object`
	for _, c := range []struct {
		name, schema, object, want string
		dropped                    []string
	}{
		{"the root", `{type: object}`, `{apiVersion: v1, kind: K, metadata: {name: a, nope: 1}, x: 2}`,
			`{apiVersion: v1, kind: K, metadata: {name: a}}`, []string{"metadata.nope", "x"}},
		{"a root of anything", `{x-kubernetes-preserve-unknown-fields: true}`, `{metadata: {name: a, nope: 1}, x: {z: 2}}`,
			`{metadata: {name: a}, x: {z: 2}}`, []string{"metadata.nope"}},
		{"a root that is embedded", `{` + embedded + `}`, `{metadata: {nope: 1}, x: 2}`, `{metadata: {}}`, []string{"metadata.nope", "x"}},
		{"the schemas of apiVersion and kind",
			`{type: object, properties: {apiVersion: {type: object}, kind: {type: object}, metadata: {type: object, properties: {nope: {type: string}}}}}`,
			`{apiVersion: {a: 1}, kind: [{b: 2}], metadata: {nope: 3, labels: {c: d}}}`,
			`{apiVersion: {a: 1}, kind: [{b: 2}], metadata: {labels: {c: d}}}`, []string{"metadata.nope"}},
		{"a field", `{type: object, properties: {p: {` + embedded + `, properties: {spec: {type: object}}}}}`,
			`{p: {apiVersion: v1, kind: K, metadata: {name: a, nope: 1}, spec: {x: 2}, z: 3}}`,
			`{p: {apiVersion: v1, kind: K, metadata: {name: a}, spec: {}}}`, []string{"p.metadata.nope", "p.spec.x", "p.z"}},
		{"a field of anything", `{type: object, properties: {p: {` + embedded + `, x-kubernetes-preserve-unknown-fields: true}}}`,
			`{p: {metadata: {nope: 1}, spec: {metadata: {x: 2}}}}`,
			`{p: {metadata: {}, spec: {metadata: {x: 2}}}}`, []string{"p.metadata.nope"}},
		{"elements", `{type: object, properties: {p: {type: array, items: {` + embedded + `}}}}`,
			`{p: [{metadata: {nope: 1}}, {metadata: {labels: {a: b}}, x: 2}]}`,
			`{p: [{metadata: {}}, {metadata: {labels: {a: b}}}]}`, []string{"p[0].metadata.nope", "p[1].x"}},
		{"the values of a map", `{type: object, properties: {p: {type: object, additionalProperties: {` + embedded + `}}}}`,
			`{p: {k: {metadata: {nope: 1}, x: 2}}}`, `{p: {k: {metadata: {}}}}`, []string{"p.k.x", "p[k].metadata.nope"}},
		{"a field without a name", `{type: object, properties: {p: {type: object, properties: {"": {` + embedded + `}}}}}`,
			`{p: {"": {metadata: {nope: 1}, x: 2}}}`, `{p: {"": {metadata: {}}}}`, []string{"p..x", "p[].metadata.nope"}},
		{"a resource in a resource",
			`{type: object, properties: {p: {` + embedded + `, properties: {q: {` + embedded + `}}}}}`,
			`{p: {metadata: {a: 1}, q: {metadata: {b: 2}}}}`, `{p: {metadata: {}, q: {metadata: {}}}}`,
			[]string{"p.metadata.a", "p.q.metadata.b"}},
		{"other names for metadata", `{type: object}`, `{Metadata: {name: a}, apiversion: v1}`, `{}`, []string{"Metadata", "apiversion"}},
		{"metadata that is a string", `{type: object}`, `{metadata: x}`, `{metadata: x}`, nil},
		{"metadata that is null", `{type: object}`, `{metadata: null}`, `{metadata: null}`, nil},
		{"metadata that is a list", `{type: object}`, `{metadata: [{nope: 1}]}`, `{metadata: [{nope: 1}]}`, nil},
		{"metadata of something else", `{type: object, properties: {p: {type: object, properties: {metadata: {type: object}}}}}`,
			`{p: {kind: K, metadata: {name: a}}}`, `{p: {metadata: {}}}`, []string{"p.kind", "p.metadata.name"}},
	} {
		for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
			t.Run(c.name+" "+semantics.String(), func(t *testing.T) {
				wantPruned(t, structuraltest.NewSchema(t, c.schema), interpret.PruneOptions{Semantics: semantics}, c.object, c.want, c.dropped)
			})
		}
	}
}

func TestPruneWithoutASchemaKeepsOnlyWhatMakesAResource(t *testing.T) {
	const object = `{apiVersion: v1, kind: K, metadata: {name: a, nope: 1}, spec: {a: 2}, status: 3}`
	wantPruned(t, nil, interpret.PruneOptions{}, object, `{apiVersion: v1, kind: K, metadata: {name: a}}`,
		[]string{"metadata.nope", "spec", "status"})
	wantPruned(t, nil, interpret.PruneOptions{PreserveUnknownFields: true}, object,
		`{apiVersion: v1, kind: K, metadata: {name: a}, spec: {a: 2}, status: 3}`, []string{"metadata.nope"})
	if dropped := interpret.Prune(nil, nil, interpret.PruneOptions{}); dropped != nil {
		t.Errorf("no object: dropped %q", dropped)
	}
}

func TestPruneThatPreservesEverythingPrunesMetadata(t *testing.T) {
	s := structuraltest.NewSchema(t, `
type: object
properties:
  spec:
    type: object
    properties:
      template: {type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: object}}}
      list: {type: array, items: {type: object, x-kubernetes-embedded-resource: true}}
      map: {type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true}}
`)
	for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
		wantPruned(t, s, interpret.PruneOptions{Semantics: semantics, PreserveUnknownFields: true}, `
metadata: {name: a, nope: 1}
spec:
  template: {metadata: {nope: 1}, a: {b: 2}, c: 3}
  list: [{metadata: {nope: 1}, c: 3}]
  map: {k: {metadata: {nope: 1}, c: 3}}
  unknown: {metadata: {nope: 1}}
unknown: {metadata: {nope: 1}}
`, `
metadata: {name: a}
spec:
  template: {metadata: {}, a: {b: 2}, c: 3}
  list: [{metadata: {}, c: 3}]
  map: {k: {metadata: {}, c: 3}}
  unknown: {metadata: {nope: 1}}
unknown: {metadata: {nope: 1}}
`, []string{"metadata.nope", "spec.list[0].metadata.nope", "spec.map[k].metadata.nope", "spec.template.metadata.nope"})
	}
}

func TestPruneLeavesTheSchemaAlone(t *testing.T) {
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {type: object}}}`)
	before := s.Copy()
	interpret.Prune(structuraltest.ParseObject(t, `{p: {a: 1}, metadata: {b: 2}}`), s, interpret.PruneOptions{})
	if s.XEmbeddedResource || before.XEmbeddedResource {
		t.Error("the root was marked as a resource")
	}
}

// A list that contains itself has no end.
func TestPruneEndsInACycle(t *testing.T) {
	list := []any{map[string]any{"x": int64(1)}, nil}
	list[1] = list
	for _, schema := range []string{`{type: object, properties: {l: {type: array}}}`, `{type: object, properties: {l: {type: array, x-kubernetes-preserve-unknown-fields: true}}}`} {
		obj := map[string]any{"l": list}
		interpret.Prune(obj, structuraltest.NewSchema(t, schema), interpret.PruneOptions{})
		if len(new(interpret.Work).Check(obj, structuraltest.NewSchema(t, schema))) > 0 {
			t.Error("a list is no list")
		}
	}
	meta := map[string]any{"labels": list}
	list[0] = meta
	interpret.Prune(map[string]any{"metadata": meta}, nil, interpret.PruneOptions{})
}

// A map in two places is one map.
func TestPruneOfAMapInTwoPlaces(t *testing.T) {
	shared := map[string]any{"a": int64(1), "b": int64(2), "c": int64(3)}
	obj := map[string]any{"spec": shared, "status": shared}
	dropped := interpret.Prune(obj, structuraltest.NewSchema(t, `{type: object, properties: {
		spec: {type: object, properties: {a: {type: integer}, c: {type: integer}}},
		status: {type: object, properties: {b: {type: integer}, c: {type: integer}}}}}`), interpret.PruneOptions{})
	if len(shared) != 1 || shared["c"] == nil || len(dropped) != 2 {
		t.Errorf("%v is left, and %q dropped", shared, dropped)
	}
}

// The limit on depth is about what lies below each other, not beside.
func TestPruneGoesThroughAnyNumberOfSiblings(t *testing.T) {
	list := make([]any, prunert.MaxDepth+100)
	for i := range list {
		list[i] = map[string]any{"unknown": true}
	}
	s := structuraltest.NewSchema(t, `{type: object, properties: {p: {type: array, items: {type: object}}}}`)
	if dropped := interpret.Prune(map[string]any{"p": list}, s, interpret.PruneOptions{}); len(dropped) != len(list) {
		t.Errorf("%d of %d fields are dropped", len(dropped), len(list))
	}
}

func TestObjectMetaDropsUnknownFieldsDownIntoLists(t *testing.T) {
	wantPruned(t, nil, interpret.PruneOptions{},
		`{metadata: {clusterName: a, ownerReferences: [{name: a}, {nope: 1}, null], managedFields: [{fieldsV1: {x: {}}, fields: {}}]}}`,
		`{metadata: {ownerReferences: [{name: a}, {}, null], managedFields: [{fieldsV1: {x: {}}}]}}`,
		[]string{"metadata.clusterName", "metadata.managedFields[0].fields", "metadata.ownerReferences[1].nope"})
}
