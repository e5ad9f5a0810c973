package crddiff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/testing/crdjudge"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// schemasOfAField are schemas that take, keep and fill in other values, one than the other.
var schemasOfAField = []string{
	"{type: string}", "{type: string, minLength: 1}", "{type: string, minLength: 2}", "{type: string, maxLength: 1}", "{type: string, maxLength: 2}", "{type: string, pattern: '^a'}", "{type: string, format: date}",
	"{type: string, format: unknown}", "{type: string, enum: [a, ab]}", "{type: string, enum: [ab, abc]}", "{type: string, enum: [a]}", "{type: string, nullable: true}", "{type: string, default: a}", "{type: string, default: ab}",
	"{type: string, nullable: true, default: a}", "{type: string, not: {enum: [a]}}", "{type: string, anyOf: [{maxLength: 1}, {minLength: 3}]}", "{type: string, anyOf: [{minLength: 3}, {maxLength: 1}]}", "{type: string, anyOf: [{maxLength: 1}]}", "{type: string, allOf: [{minLength: 1}]}", "{type: string, allOf: [{minLength: 1}, {maxLength: 2}]}", "{type: string, oneOf: [{minLength: 1}]}",
	"{type: integer}", "{type: integer, minimum: 1}", "{type: integer, minimum: 1, exclusiveMinimum: true}", "{type: integer, maximum: 1}", "{type: integer, maximum: 2, exclusiveMaximum: true}", "{type: integer, multipleOf: 2}",
	"{type: number}", "{type: number, minimum: 1}", "{type: number, maximum: 1.5}", "{type: boolean}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-preserve-unknown-fields: true}",
	"{type: array, items: {type: string}}", "{type: array, minItems: 1, items: {type: string}}", "{type: array, maxItems: 1, items: {type: string}}", "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
	"{type: array, items: {type: string, maxLength: 1}}", "{type: array, items: {type: integer}}", "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}", "{type: array, items: {type: object, properties: {a: {type: string}}}}",
	"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}",
	"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, properties: {a: {type: string, default: x}}}}",
	"{type: object}", "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {a: {type: integer}}}", "{type: object, required: [a], properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string, default: x}}}",
	"{type: object, required: [a], properties: {a: {type: string, default: x}}}", "{type: object, properties: {b: {type: string}}}", "{type: object, properties: {a: {type: string}, b: {type: string}}}", "{type: object, minProperties: 1, properties: {a: {type: string}}}",
	"{type: object, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}", "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string, maxLength: 1}}", "{type: object, additionalProperties: {type: integer}}",
	"{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}",
	"{type: object, additionalProperties: true}", "{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
	"{type: string, x-kubernetes-validations: [{rule: \"self == oldSelf\"}]}", "{type: string, x-kubernetes-validations: [{rule: \"oldSelf != 'a'\"}]}",
	"{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: \"self.a != 'xy'\"}]}", "{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: \"!has(self.a) || self.a != 'x'\"}]}",
	"{type: object, properties: {a: {type: string, default: x}}, x-kubernetes-validations: [{rule: \"self.a != 'xy'\"}]}",
	"{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: \"self.a == oldSelf.a\"}]}", "{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: \"!has(oldSelf.a) || self.a == oldSelf.a\"}]}",
	"{type: string, x-kubernetes-validations: [{rule: \"self != 'a'\"}]}", "{type: string, x-kubernetes-validations: [{rule: \"self != 'a'\"}, {rule: \"self != 'ab'\"}]}",
}

var valuesOfAField = []string{
	"", "null", `""`, `"a"`, `"ab"`, `"abc"`, `"b"`, `"2020-01-01"`, "0", "1", "2", "3", "1.5", "true", "[]", `["a"]`, `["ab"]`, `["a", "a"]`, `["a", "b"]`, "[1]", `[{}]`, `[{"a": "x"}, {"a": "x"}]`, `[{"a": "x"}, {}]`, `[{"a": "x", "b": "y"}]`, "[[]]",
	"{}", `{"a": "x"}`, `{"a": "xy"}`, `{"a": 1}`, `{"b": "y"}`, `{"a": "x", "b": "y"}`, `{"a": {"c": 1}}`, `{"a": {}}`, `{"c": {"c": 1}}`, `[{"a": "x"}]`, `{"a": true}`, `{"b": true}`, `{"c": "z"}`, `{"c": 1}`, `{"c": {"d": 1}}`, `{"a": "x", "c": "z"}`, `[{"d": 1}]`,
	`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": {}}`, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n", "x": 1}, "spec": {}}`,
}

// fates are what becomes of the values of a field under a schema.
type fates struct {
	crd      *structural.CRD
	resource prunert.Resource
	created  []string        // the spec as it is stored, by value, "" for a value that is refused
	breaks   []crddiff.Level // by value, of one that was stored as it is written
	holds    map[string]bool // types of values
}

const crdWithField = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {f: %s}}}}}}
`

func fatesUnder(t *testing.T, schema string) *fates {
	t.Helper()
	f := &fates{crd: parse(t, fmt.Sprintf(crdWithField, schema)), holds: map[string]bool{}}
	all, err := dynamic.Compile(f.crd)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	f.resource = all[0]
	for _, value := range valuesOfAField {
		text := f.create(t, value)
		if strings.Contains(schema, "format: date") && strings.HasPrefix(value, "[") {
			text = "" // the API server takes lists for strings that have a format, which is nobody's intention
		}
		f.created = append(f.created, text)
		f.breaks = append(f.breaks, f.level(t, value, text))
		if text == writtenSpec(t, value) {
			f.holds[jsonType(value)] = true
		}
	}
	return f
}

// jsonType returns the type of a JSON value, by which decoders differ.
func jsonType(value string) string {
	switch {
	case value == "":
		return "missing"
	case strings.Contains(value, ".") && !strings.ContainsAny(value, `"{[`):
		return "number"
	case strings.ContainsAny(value[:1], "0123456789"):
		return "integer"
	}
	return value[:1]
}

// level returns how a value breaks that is stored as it is written.
func (f *fates) level(t *testing.T, value string, created string) crddiff.Level {
	stored := app(specOf(t, value))
	read := app(specOf(t, value)) // as the API server reads it
	if _, err := f.resource.Normalize(read, prunert.NormalizeOptions{}); err != nil || !crdjudge.Contains(read["spec"], stored["spec"]) {
		return crddiff.Stored
	}
	update := app(structuraltest.ParseObject(t, specText(t, read)))
	update["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b"}
	if a := f.resource.Update(update, read, prunert.Request{}); a.Refusal != nil {
		return crddiff.Stored
	}
	if created == "" || !crdjudge.Contains(structuraltest.ParseObject(t, created), stored["spec"]) {
		return crddiff.Requests
	}
	return crddiff.None
}

// The level of a change is that of the object which it breaks most: among the objects that the old CRD stores as they are written, one
// that loses something when it is read or cannot be updated elsewhere, or one that is refused as a new object or stored otherwise, unless what is
// stored is the same with more in it. If the new CRD accepts what the old one did not, there is a change, and it breaks readers if no
// value of this type was accepted.
func TestLevelsAreThoseOfObjects(t *testing.T) {
	all := make([]*fates, len(schemasOfAField))
	for i, schema := range schemasOfAField {
		all[i] = fatesUnder(t, schema)
	}
	written := make([]string, len(valuesOfAField))
	for k, value := range valuesOfAField {
		written[k] = writtenSpec(t, value)
	}
	seen := map[crddiff.Level]int{}
	unproven, pairs := 0, 0
	for i, old := range all {
		for j, new := range all {
			if (i+j)%3 > 0 && !strings.HasPrefix(schemasOfAField[j], schemasOfAField[i][:len("{type: obj")]) {
				continue // most types have nothing in common
			}
			pairs++
			changes := changesOf(t, old.crd, new.crd)
			said := crddiff.None
			for _, c := range changes {
				said = max(said, c.Level)
			}
			if i == j && len(changes) > 0 {
				t.Errorf("%s has changed: %v", schemasOfAField[i], changes)
			}
			want, witness := crddiff.None, ""
			find := func(l crddiff.Level, value string) {
				if l > want {
					want, witness = l, value
				}
			}
			for k, value := range valuesOfAField {
				switch was, is := old.created[k], new.created[k]; {
				case was == written[k]:
					if old.breaks[k] == crddiff.None {
						find(new.breaks[k], value)
					}
				case was != "" && is != was && crdjudge.Contains(structuraltest.ParseObject(t, was), specOf(t, value)) && (is == "" || !crdjudge.Contains(structuraltest.ParseObject(t, is), structuraltest.ParseObject(t, was))):
					find(crddiff.Requests, value) // its default is another one
					if old.breaks[k] == crddiff.None {
						find(new.breaks[k], value) // it was stored before there was a default
					}
				case is == written[k]:
					if len(changes) == 0 {
						t.Errorf("%s is accepted by %s and was not by %s, and nothing has changed", value, schemasOfAField[j], schemasOfAField[i])
					}
					if !old.holds[jsonType(value)] && !(jsonType(value) == "integer" && old.holds["number"]) {
						find(crddiff.Readers, value)
					}
				}
			}
			seen[want]++
			if said < want {
				t.Errorf("%s to %s breaks %s: %s, and is said to break %s: %v", schemasOfAField[i], schemasOfAField[j], want, witness, said, changes)
			}
			if said > want {
				unproven++ // what is new together with something that is gone, and what server-side apply does
				t.Logf("%s to %s is said to break %s, and breaks %s: %v", schemasOfAField[i], schemasOfAField[j], said, want, changes)
			}
		}
	}
	if unproven > pairs/15 || seen[crddiff.None] < 100 || seen[crddiff.Readers] < 50 || seen[crddiff.Requests] < 500 || seen[crddiff.Stored] < 300 {
		t.Errorf("of %d pairs, %v; %d have no object that proves them", pairs, seen, unproven)
	}
}

func app(spec map[string]any) map[string]any {
	return map[string]any{"apiVersion": "example.com/v1", "kind": "App", "metadata": map[string]any{"name": "a"}, "spec": spec}
}

// specOf returns the spec of an object with the field, "" for none.
func specOf(t *testing.T, value string) map[string]any {
	t.Helper()
	if value != "" {
		value = `"f": ` + value
	}
	return structuraltest.ParseObject(t, "{"+value+"}")
}

// writtenSpec returns the spec as it is written.
func writtenSpec(t *testing.T, value string) string { return specText(t, app(specOf(t, value))) }

// specText returns the spec of an object.
func specText(t *testing.T, obj map[string]any) string {
	t.Helper()
	text, err := json.Marshal(obj["spec"])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// create returns the spec as it is stored, "" if the object is refused.
func (f *fates) create(t *testing.T, value string) string {
	t.Helper()
	obj := app(specOf(t, value))
	if a := f.resource.Create(obj, prunert.Request{}); a.Refusal != nil {
		return ""
	}
	return specText(t, obj)
}

// A value with fields that the schema does not specify never counts as unchanged, nor does anything around it, whatever it is in, except for
// lists that are compared as a whole: objects show whether a field that becomes required beside it breaks requests or stored objects.
func TestUnspecifiedFieldsInEachPlace(t *testing.T) {
	for _, value := range []struct{ schema, value string }{
		{"{type: object, properties: {x: {type: integer}}}", "{x: 1}"},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true}", "{x: 1}"},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true}", "{apiVersion: v1, kind: A, metadata: {name: a}}"},
		{"{x-kubernetes-preserve-unknown-fields: true}", "{x: 1}"},
	} {
		for _, place := range []struct{ schema, value string }{
			{"%s", "%s"},
			{"{type: object, properties: {p: %s}}", "{p: %s}"},
			{"{type: object, additionalProperties: %s}", "{k: %s}"},
			{"{type: object, additionalProperties: {type: object, additionalProperties: %s}}", "{k: {k: %s}}"},
			{"{type: object, additionalProperties: {type: object, properties: {p: %s}}}", "{k: {p: %s}}"},
			{"{type: object, properties: {p: {type: object, additionalProperties: %s}}}", "{p: {k: %s}}"},
			{"{type: array, items: %s}", "[%s]"},
			{"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}, p: %s}}}", "[{id: a, p: %s}]"},
			{"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}, p: {type: object, additionalProperties: %s}}}}", "[{id: a, p: {k: %s}}]"},
		} {
			side := func(required string) *crdjudge.Side {
				s, err := crdjudge.New(structuraltest.ParseObject(t, "{schema: {type: object, properties: {spec: {type: object"+required+", properties: {a: {type: string}, t: "+fmt.Sprintf(place.schema, value.schema)+"}}}}}"))
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			old, new := side(""), side(", required: [a]")
			shown := crdjudge.Judge(old, new, crdjudge.Named(structuraltest.ParseObject(t, "{spec: {t: "+fmt.Sprintf(place.value, value.value)+"}}")))
			if level, changes := crdjudge.Said(t, old, new); level != shown.Level || level == crddiff.None {
				t.Errorf(place.schema+": is said to break %s, and breaks %s: %v %s", value.schema, level, shown.Level, changes, shown.How)
			}
		}
	}
}
