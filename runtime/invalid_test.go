package prunert_test

import (
	"slices"
	"strings"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// ruledCRD has rules, of which one compares with the object before, and a status. Its other kind has no rules.
const ruledCRD = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "PLURAL.example.com"},
	"spec": {"group": "example.com", "scope": "Cluster", "names": {"kind": "KIND", "plural": "PLURAL", "singular": "SINGULAR", "listKind": "KINDList"},
	"versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
		"spec": {"type": "object", RULES "properties": {"n": {"type": "integer", "maximum": 50}, "text": {"type": "string", "maxLength": 3}}},
		"status": {"type": "object", "properties": {"phase": {"type": "string", "maxLength": 3},
			"tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}}}}}}}]}}`

func ruledResource(t *testing.T, kind, rules string) prunert.Resource {
	t.Helper()
	lower := strings.ToLower(kind)
	text := strings.NewReplacer("KIND", kind, "PLURAL", lower+"s", "SINGULAR", lower, "RULES", rules).Replace(ruledCRD)
	return compiled(t, decoded(t, text))[0]
}

const ruledRules = `"x-kubernetes-validations": [{"rule": "!has(self.n) || self.n < 9"}, {"rule": "!has(self.n) || self.n >= oldSelf.n"}],`

// wantErrors compares errors without the values that they are about.
func wantErrors(t *testing.T, what string, errs prunert.ErrorList, want ...string) {
	t.Helper()
	var have []string
	for _, e := range errs {
		have = append(have, strings.TrimSuffix(e.Field+": "+string(e.Type)+": "+e.Detail, ": "))
	}
	if !slices.Equal(have, want) {
		t.Errorf("%s: have\n\t%s\nwant\n\t%s", what, strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// One function finds all errors of an object. CEL rules are evaluated only if there are no others.
func TestInvalidFindsEverything(t *testing.T) {
	r := ruledResource(t, "Ruled", ruledRules)
	obj := func(fields string) map[string]any {
		return decoded(t, `{"apiVersion": "example.com/v1", "kind": "Ruled", `+fields+`}`)
	}
	const named = `"metadata": {"name": "a", "resourceVersion": "1", "uid": "u"}`
	const (
		tooMany    = `spec: FieldValueInvalid: failed rule: !has(self.n) || self.n < 9`
		decreased  = `spec: FieldValueInvalid: failed rule: !has(self.n) || self.n >= oldSelf.n`
		tooLong    = `spec.text: FieldValueTooLong: may not be more than 3 bytes`
		noName     = `metadata.name: FieldValueRequired: name or generateName is required`
		tooLarge   = `spec.n: FieldValueInvalid: spec.n in body should be less than or equal to 50`
		notChecked = `<nil>: FieldValueInvalid: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`
	)
	for _, c := range []struct {
		name, obj, old string
		want           []string
	}{
		{"a good object", named + `, "spec": {"n": 3}`, "", nil},
		{"a rule", named + `, "spec": {"n": 10}`, "", []string{tooMany}},
		{"no name, and a rule", `"spec": {"n": 3}`, "", []string{noName, notChecked}},
		{"a bound, which does not keep rules from being evaluated", named + `, "spec": {"n": 60}`, "", []string{tooLarge, tooMany}},
		{"a length, which does", named + `, "spec": {"n": 10, "text": "long"}`, "", []string{tooLong, notChecked}},
		{"a good update", named + `, "spec": {"n": 4}`, named + `, "spec": {"n": 3}`, nil},
		{"an update that a rule forbids", named + `, "spec": {"n": 2}`, named + `, "spec": {"n": 3}`, []string{decreased}},
		{"an update of what was wrong before", named + `, "spec": {"n": 60}`, named + `, "spec": {"n": 60}`, nil},
		{"an update with a length", named + `, "spec": {"n": 2, "text": "long"}`, named + `, "spec": {"n": 3}`, []string{tooLong, notChecked}},
	} {
		var old map[string]any
		if c.old != "" {
			old = obj(c.old)
		}
		errs, _ := r.ValidateAll(obj(c.obj), old)
		wantErrors(t, c.name, errs, c.want...)
	}
}

// A set validates by the resource of the object, and each item of a list by its own.

// compiled returns the resources of a CRD.
func compiled(t *testing.T, crd map[string]any) []prunert.Resource {
	t.Helper()
	read, err := load.Object(crd, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(read)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
