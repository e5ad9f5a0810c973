package interpret_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the recorded files")

// recordedObjects are objects by their schemas.
var recordedObjects = []struct {
	schema  string
	objects []string
}{
	{`{type: object, properties: {a: {type: string}}}`, []string{
		`{}`, `{apiVersion: 1, kind: null, metadata: x, a: b}`, `{apiVersion: a/b, kind: K}`, `{apiVersion: a/b/c, kind: ''}`, `{metadata: null}`, `{metadata: []}`, `{metadata: 1}`, `{metadata: {}}`, `{metadata: {name: 1, labels: {a: 1}, z: 2}}`,
		`{metadata: {generation: 0, name: '', labels: {}, finalizers: [], ownerReferences: [], managedFields: [], deletionGracePeriodSeconds: 0, creationTimestamp: null, deletionTimestamp: null}}`,
		`{metadata: {generation: 2.0, deletionGracePeriodSeconds: 1e3, labels: {a: null, b: ''}, annotations: {c: null}, finalizers: [null, x]}}`,
		`{metadata: {generation: 1.5, deletionGracePeriodSeconds: 1e30}}`, `{metadata: {generation: 9007199254740993.0}}`,
		`{metadata: {creationTimestamp: '2020-01-01T01:00:00+01:00', deletionTimestamp: '0001-01-01T00:00:00Z', managedFields: [{time: '2020-01-01T00:00:00.5Z', fieldsV1: {a: 1.0, b: [2.5, {c: 3.0}]}, operation: '', z: 1}, null, {}]}}`,
		`{metadata: {creationTimestamp: '0001-01-01T00:00:00Z', deletionTimestamp: yesterday, managedFields: [{time: x}, {time: '0001-01-01T00:00:00Z'}]}}`,
		`{metadata: {ownerReferences: [{}, null, {name: a, controller: false, blockOwnerDeletion: null, z: {x: 1}}, {controller: 1}]}}`,
		`{metadata: {ownerReferences: [{name: a, z: 1}, {z: 1}], z: 1, w: {x: 1}}, b: {c: 1}, a: {d: 1}}`, `{metadata: {ownerReferences: x, labels: [], finalizers: {a: 1}, z: 1, w: 2}}`,
		`{a: null, b: null}`, `{a: [{b: 1}, [{c: 2}]]}`, `{"": 1, "a.b": 2, "[0]": 3}`,
	}},
	{`{type: object, properties: {r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true},
		e: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {a: {type: string}}}}}},
		m: {type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}}}}}}`, []string{
		`{r: {}}`, `{r: null}`, `{r: x, e: {a: 1}, m: [1]}`, `{r: {apiVersion: 1, kind: {}, metadata: 1, x: {w: 1}}}`, `{r: {apiVersion: '', kind: '', metadata: null}}`, `{r: {apiVersion: a/b/c, kind: A_b, metadata: {name: a/b, generateName: ., namespace: A, z: 1}}}`,
		`{e: [{apiVersion: v1, kind: A, metadata: {name: '', labels: {}, z: 1, w: {x: 2}}, spec: {a: 1, b: 2}, c: 3}, null, {metadata: {generation: x, labels: {a: 1}}}, [{metadata: {z: 1}}]]}`,
		`{m: {a: {kind: A, apiVersion: v1, metadata: {generation: 1.0, finalizers: [null]}, a: 1, b: 2}, a.b: {metadata: {z: 1}}, c: null, d: [1]}}`,
		`{e: [{apiVersion: v1, kind: A, metadata: {name: a/b, generation: -1}}, {apiVersion: v1, kind: A, metadata: {labels: {a b: c d}}}], m: {k: {apiVersion: v1, kind: A, metadata: {generateName: a%}}}}`,
		`{m: {d: {metadata: {z: 1}}, b: {metadata: {z: 1, w: 2}}, a: {metadata: {z: 1}}, c: {metadata: {z: 1}}}, r: {metadata: {z: 1}}, e: [{metadata: {z: 1}}, {metadata: {z: 1}}]}`,
		`{m: {kind: {metadata: []}, metadata: {metadata: {name: x, q: 1}}}}`,
	}},
	{`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {o: {type: object, properties: {a: {type: integer}}}, l: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {o: {type: object}}}},
		m: {type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object, properties: {a: {type: integer}}}}, any: {x-kubernetes-preserve-unknown-fields: true},
		t: {type: object, additionalProperties: true}, f: {type: object, additionalProperties: false}, p: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {q: {type: object, properties: {r: {type: object}}}}}}}`, []string{
		`{u: {v: 1}, o: {a: 1, b: 2}, l: [{o: {x: 1}, w: {z: 1}}, [{o: 1}]], m: {k: {a: 1, b: 2}, i: 1}, any: {a: [{b: 1}]}, t: {a: {b: 1}}, f: {a: {b: 1}, c: 1}}`,
		`{p: {q: {r: {s: 1}, t: 2}, u: {v: 1}}, o: [{a: 1, b: 2}, {c: 1}], any: [[{a: 1}]], m: [{a: 1}], t: [1], f: []}`, `{metadata: {z: 1}, kind: [1], apiVersion: {a: 1}}`,
	}},
	{`{type: object, properties: {d: {type: string, default: x}, v: {type: string, default: w, nullable: true}, o: {type: object, default: {a: 1}, properties: {a: {type: integer}, b: {type: integer, default: 2}, c: {type: string, nullable: true}}},
		l: {type: array, items: {type: object, default: {k: z}, properties: {k: {type: string}, d: {type: integer, default: 3}}}}, m: {type: object, additionalProperties: {type: integer, default: 4}},
		s: {type: array, items: {type: string}}, i: {type: integer}, j: {type: object, nullable: true, properties: {k: {type: integer, default: 5}}}}}`, []string{
		`{}`, `{d: null, v: null, o: null, l: null, m: null, s: null, i: null, j: null}`, `{o: {}, l: [null, {}, {d: null, k: null}], m: {a: null, b: 1}, s: [null, a], i: 1, j: {}}`,
		`{o: {a: null, b: null, c: null, z: null}, l: {a: null}, m: [null], s: {a: null}, j: {k: null}, z: null}`, `{d: 1, o: [], l: x, i: 1.0, j: 1}`,
	}},
	{`{type: object, required: [s], minProperties: 2, properties: {s: {type: string, minLength: 2, maxLength: 3, pattern: '^a'}, i: {type: integer, format: int32, minimum: 2, maximum: 4, exclusiveMaximum: true, multipleOf: 2},
		f: {type: number, format: float, minimum: 0.5, exclusiveMinimum: true, multipleOf: 0.25}, l: {type: array, minItems: 1, maxItems: 2, uniqueItems: true, items: {type: integer}}, e: {enum: [a, 1, null, {b: 1}, [c]], x-kubernetes-preserve-unknown-fields: true},
		o: {type: object, maxProperties: 1, additionalProperties: false}, p: {type: object, required: [a, b], additionalProperties: {type: string, nullable: true}}, x: {x-kubernetes-int-or-string: true, maximum: 5, maxLength: 1},
		any: {anyOf: [{required: [a]}, {required: [b], properties: {b: {}}}], type: object, x-kubernetes-preserve-unknown-fields: true}, one: {type: integer, oneOf: [{minimum: 5}, {maximum: 2}, {multipleOf: 2}]},
		all: {type: integer, allOf: [{minimum: 5}, {maximum: 7}]}, not: {type: integer, not: {enum: [1]}}, set: {type: array, x-kubernetes-list-type: set, items: {type: string}},
		lm: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, j], items: {type: object, required: [k], properties: {k: {type: string}, j: {type: integer, default: 1}, v: {type: integer, maximum: 3}}}}}}`, []string{
		`{}`, `{s: a}`, `{s: abcd, i: 1}`, `{s: bb, i: 5}`, `{s: aé, i: 4}`, `{s: 1, i: 3, f: 0.5}`, `{s: abc, i: 3000000000, f: 0.6}`, `{s: abc, i: 2.0, f: 1}`, `{s: abc, i: 2.5, f: 1e39}`, `{s: null, i: null, f: null, l: null, o: null}`,
		`{l: [], o: {}}`, `{l: [1, 2, 3], o: {a: 1}}`, `{l: [1, 1], o: {a: 1, b: 2}}`, `{l: [a, null], o: x}`, `{l: {a: 1}, o: []}`, `{e: a, p: {a: x, b: null}}`, `{e: b, p: {a: 1}}`, `{e: 1.0, p: {c: x}}`, `{e: null}`, `{e: {b: 1}}`, `{e: [c]}`, `{e: [d], x: 6}`, `{e: 97, x: ab}`,
		`{x: 1.5}`, `{x: 7.0, any: {}}`, `{x: true, any: {a: 1}}`, `{x: null, any: {b: 1}}`, `{one: 1}`, `{one: 2}`, `{one: 3}`, `{one: 4}`, `{one: 6}`, `{all: 4}`, `{all: 6}`, `{all: 8}`, `{all: x}`, `{not: 1}`, `{not: 2}`,
		`{set: [a, b, a, b, a]}`, `{set: [a]}`, `{lm: [{k: a, j: 1, v: 4}, {k: a, j: 2}, {k: a, j: 1}, {k: a}]}`, `{lm: [{k: a}, 1, {k: a}]}`, `{lm: [null, null, {}]}`,
	}},
	{`{type: object, properties: {status: {type: object, required: [a], properties: {a: {type: integer, maximum: 3}, b: {type: string, maxLength: 1}, l: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}, spec: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}`, []string{
		`{}`, `{status: null}`, `{status: {}}`, `{status: {a: 4, b: xy}}`, `{status: {a: 4, b: xy}, spec: [a, a]}`, `{status: {a: 4, l: [x, x]}}`, `{status: {a: 1, l: [x, x]}, spec: [b, b]}`, `{status: 1}`, `{status: {a: 5, b: xy}}`,
	}},
}

// What is asked about an object is answered in the order in which an API server comes to it. An update is one of the object before.
func TestAnswersAboutObjectsAreRecorded(t *testing.T) {
	var have strings.Builder
	for _, r := range recordedObjects {
		written := structuraltest.ParseSchema(t, r.schema)
		s := structuraltest.NewSchema(t, r.schema)
		fmt.Fprintf(&have, "schema %s\n", strings.Join(strings.Fields(r.schema), " "))
		for _, how := range []interpret.PruneOptions{{}, {Semantics: structural.KEP2332}, {PreserveUnknownFields: true}} {
			var fields []string
			interpret.Fields(s, how, func(path string) { fields = append(fields, path) })
			fmt.Fprintf(&have, "  fields %s %t: %s\n", how.Semantics, how.PreserveUnknownFields, strings.Join(fields, " "))
		}
		var before map[string]any
		for _, text := range r.objects {
			obj := structuraltest.ParseObject(t, text)
			fmt.Fprintf(&have, "object %s\n", structuraltest.ToJSON(t, obj))
			writeAnswers(t, &have, obj, before, s, written)
			before = obj
		}
	}
	recorded.Compare(t, *update, "testdata/answers.txt", have.String())
}

func writeAnswers(t *testing.T, have *strings.Builder, obj, before map[string]any, s *structural.Schema, written *structural.JSONSchema) {
	t.Helper()
	said := map[string]string{} // who said what: most answers are those of others, too
	say := func(who, what string) {
		if what == "" {
			return
		}
		if said[what] != "" {
			fmt.Fprintf(have, "  %s: as %s\n", who, said[what])
			return
		}
		said[what] = who
		fmt.Fprintf(have, "  %s:%s\n", who, what)
	}
	list := func(who string, errs prunert.ErrorList) {
		what := ""
		for _, e := range errs {
			if e.Detail != "name or generateName is required" { // as in all of them
				what += "\n    " + e.Error()
			}
		}
		say(who, what)
	}
	copied := func() map[string]any { return jsonvalue.Copy(obj) }
	for _, how := range []interpret.PruneOptions{{}, {Semantics: structural.KEP2332}, {PreserveUnknownFields: true}} {
		if dropped := interpret.Prune(copied(), s, how); dropped != nil {
			say(fmt.Sprintf("prune %s %t", how.Semantics, how.PreserveUnknownFields), fmt.Sprintf(" %q", dropped))
		}
	}
	for _, from := range []struct {
		name   string
		source prunert.Source
	}{{"request", prunert.FromRequest}, {"storage", prunert.FromStorage}} {
		normal := copied()
		unknown, err := new(interpret.Work).Normalize(normal, interpret.PruneDefaults(s), interpret.PruneOptions{}, prunert.NormalizeOptions{Source: from.source, ReportUnknown: true})
		what := ""
		if text := structuraltest.ToJSON(t, normal); text != structuraltest.ToJSON(t, obj) {
			what += " " + text
		}
		if len(unknown) > 0 {
			what += fmt.Sprintf(" without %q", unknown)
		}
		if err != nil {
			for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
				var one *prunert.Error
				if !errors.As(e, &one) {
					t.Fatalf("%T", e)
				}
				what += "\n    " + one.Error()
			}
		}
		say(from.name, what)
	}
	list("check", new(interpret.Work).Check(copied(), s))
	list("validate", new(interpret.Work).Validate(copied(), written))
	list("metadata", pruneimpl.CheckMetadataValues(copied(), nil, false, interpret.MetadataShape(written)))
	if before == nil {
		return
	}
	list("update", new(interpret.Work).ValidateUpdate(copied(), before, written))
	list("update of itself", new(interpret.Work).ValidateUpdate(copied(), obj, written))
	list("status", new(interpret.Work).ValidateStatus(copied(), before, written))
}
