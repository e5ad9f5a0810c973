package crddiff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// schemasOfAField are schemas that take, keep and fill in other values, one than the other.
var schemasOfAField = []string{
	"{type: string}", "{type: string, minLength: 1}", "{type: string, minLength: 2}", "{type: string, maxLength: 1}", "{type: string, maxLength: 2}", "{type: string, pattern: '^a'}", "{type: string, format: date}",
	"{type: string, format: unknown}", "{type: string, enum: [a, ab]}", "{type: string, enum: [ab, abc]}", "{type: string, enum: [a]}", "{type: string, nullable: true}", "{type: string, default: a}", "{type: string, default: ab}",
	"{type: string, nullable: true, default: a}", "{type: string, not: {enum: [a]}}", "{type: string, anyOf: [{maxLength: 1}, {minLength: 3}]}", "{type: string, allOf: [{minLength: 1}]}", "{type: string, oneOf: [{minLength: 1}]}",
	"{type: integer}", "{type: integer, minimum: 1}", "{type: integer, minimum: 1, exclusiveMinimum: true}", "{type: integer, maximum: 1}", "{type: integer, maximum: 2, exclusiveMaximum: true}", "{type: integer, multipleOf: 2}",
	"{type: number}", "{type: number, minimum: 1}", "{type: number, maximum: 1.5}", "{type: boolean}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-preserve-unknown-fields: true}",
	"{type: array, items: {type: string}}", "{type: array, minItems: 1, items: {type: string}}", "{type: array, maxItems: 1, items: {type: string}}", "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
	"{type: array, items: {type: string, maxLength: 1}}", "{type: array, items: {type: integer}}", "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}", "{type: array, items: {type: object, properties: {a: {type: string}}}}",
	"{type: object}", "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {a: {type: integer}}}", "{type: object, required: [a], properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string, default: x}}}",
	"{type: object, required: [a], properties: {a: {type: string, default: x}}}", "{type: object, properties: {b: {type: string}}}", "{type: object, properties: {a: {type: string}, b: {type: string}}}", "{type: object, minProperties: 1, properties: {a: {type: string}}}",
	"{type: object, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}", "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string, maxLength: 1}}", "{type: object, additionalProperties: {type: integer}}",
	"{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}",
	"{type: object, additionalProperties: true}", "{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}",
	"{type: string, x-kubernetes-validations: [{rule: \"self != 'a'\"}]}", "{type: string, x-kubernetes-validations: [{rule: \"self != 'a'\"}, {rule: \"self != 'ab'\"}]}",
}

var valuesOfAField = []string{
	"", "null", `""`, `"a"`, `"ab"`, `"abc"`, `"b"`, `"2020-01-01"`, "0", "1", "2", "3", "1.5", "true", "[]", `["a"]`, `["ab"]`, `["a", "a"]`, `["a", "b"]`, "[1]", `[{}]`, `[{"a": "x", "b": "y"}]`, "[[]]",
	"{}", `{"a": "x"}`, `{"a": "xy"}`, `{"a": 1}`, `{"b": "y"}`, `{"a": "x", "b": "y"}`, `{"a": {"c": 1}}`, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n", "x": 1}, "spec": {}}`,
}

// If an object that the old CRD stores as it is written is refused by the new one, or is stored as something else, a change is breaking, unless
// what is stored is the same with more in it. If it is the other way around, there is a change.
func TestWhatBreaksObjectsIsBreaking(t *testing.T) {
	const form = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {f: %s}}}}}}
`
	crds := make([]*structural.CRD, len(schemasOfAField))
	stored := make([][]string, len(schemasOfAField)) // by value, "" for one that is refused
	for i, schema := range schemasOfAField {
		crds[i] = parse(t, fmt.Sprintf(form, schema))
		all, err := dynamic.Compile(crds[i])
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		for _, value := range valuesOfAField {
			text := store(t, all[0], value)
			if strings.Contains(schema, "format: date") && strings.HasPrefix(value, "[") {
				text = "" // the API server takes lists for strings that have a format, which is nobody's intention
			}
			stored[i] = append(stored[i], text)
		}
	}
	asWritten := make([]string, len(valuesOfAField))
	for k, value := range valuesOfAField {
		asWritten[k] = written(t, value)
	}
	broken, mended := 0, 0
	for i, old := range crds {
		for j, new := range crds {
			if (i+j)%3 > 0 && !strings.HasPrefix(schemasOfAField[j], schemasOfAField[i][:len("{type: obj")]) {
				continue // most types have nothing in common
			}
			changes := changesOf(t, old, new)
			breaking := false
			for _, c := range changes {
				breaking = breaking || c.Breaking
			}
			if i == j && len(changes) > 0 {
				t.Errorf("%s has changed: %v", schemasOfAField[i], changes)
			}
			for k, value := range valuesOfAField {
				switch was, is := stored[i][k], stored[j][k]; {
				case was == is:
				case was == "":
					mended++
					if len(changes) == 0 {
						t.Errorf("%s is accepted by %s and was not by %s, and nothing has changed", value, schemasOfAField[j], schemasOfAField[i])
					}
				case was != asWritten[k]: // somebody wrote what the old CRD dropped or replaced
				case is == "" || !isFilledIn(t, was, is):
					broken++
					if !breaking {
						t.Errorf("%s was stored as %s by %s and is as %q by %s, and that is said to break nothing: %v", value, was, schemasOfAField[i], is, schemasOfAField[j], changes)
					}
				}
			}
		}
	}
	if broken < 1000 || mended < 1000 {
		t.Errorf("%d values are broken, %d mended", broken, mended)
	}
}

// specOf returns the spec of an object with the field, "" for none.
func specOf(t *testing.T, value string) map[string]any {
	t.Helper()
	if value != "" {
		value = `"f": ` + value
	}
	return structuraltest.ParseObject(t, "{"+value+"}")
}

// written returns the spec as it is written.
func written(t *testing.T, value string) string {
	t.Helper()
	text, err := json.Marshal(specOf(t, value))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// store returns the spec as it is stored, "" if the object is refused.
func store(t *testing.T, r prunert.Resource, value string) string {
	t.Helper()
	obj := map[string]any{"apiVersion": "example.com/v1", "kind": "App", "metadata": map[string]any{"name": "a"}, "spec": specOf(t, value)}
	if _, err := r.Normalize(obj, prunert.NormalizeOptions{}); err != nil {
		return ""
	}
	if len(r.Validate(obj)) > 0 || len(r.ValidateMetadata(obj, nil)) > 0 {
		return ""
	}
	if r.HasRules {
		if errs, _ := r.ValidateRules(obj, nil); len(errs) > 0 {
			return ""
		}
	}
	text, err := json.Marshal(obj["spec"])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// isFilledIn reports whether one object is another with more in it: that is what a new default does, and a field that is new.
func isFilledIn(t *testing.T, was, is string) bool {
	t.Helper()
	var contains func(a, b any) bool
	contains = func(a, b any) bool {
		switch b := b.(type) {
		case map[string]any:
			m, ok := a.(map[string]any)
			for k, v := range b {
				if ok {
					below, there := m[k]
					ok = there && contains(below, v)
				}
			}
			return ok
		case []any:
			l, ok := a.([]any)
			ok = ok && len(l) == len(b)
			for i := range b {
				ok = ok && contains(l[i], b[i])
			}
			return ok
		}
		return a == b
	}
	var objects [2]any
	for i, text := range []string{was, is} {
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&objects[i]); err != nil {
			t.Fatal(err)
		}
	}
	return contains(objects[1], objects[0])
}
