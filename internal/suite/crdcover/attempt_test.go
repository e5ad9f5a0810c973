package crdcover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// An attempt shows the constraints that it violates, with the places of the values, and the defaults that were applied.
func TestAttemptsShowViolations(t *testing.T) {
	crd := structuraltest.CRDWith(`type: object
required: [a]
properties:
  a: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: self != 'x'}, {rule: self == oldSelf}]}
  b: {type: integer, default: 1}
  f: {type: string, anyOf: [{pattern: ^a}, {maxLength: 1}], not: {enum: [ab]}}
  g: {type: string, not: {maxLength: 1}}
  c: {type: array, items: {type: object, properties: {d: {type: integer, maximum: 5}}, anyOf: [{required: [d]}, {required: [e]}], x-kubernetes-preserve-unknown-fields: true}}
`)
	k, _ := kindOf(t, crd)
	for _, tt := range []struct {
		request string
		want    []string // constraints with paths
	}{
		{"{a: q}", []string{"default b 1"}},
		{"{a: q, b: 2}", nil},
		{"{a: x}", []string{"rule a self != 'x' at a"}},
		{"{a: abcd, b: 2}", []string{"maxLength a 3 at a"}},
		{"{}", []string{"required a at a"}},
		{"{a: 1}", []string{"none at a"}},
		{"{a: q, c: [{e: 1}, {d: 6}]}", []string{"maximum c[].d 5 at c[1].d"}},
		// The errors of the schemas in a junctor are not others.
		{"{a: q, c: [{d: 1}, {}]}", []string{"anyOf c[] 2 schemas at c[1]"}},
		{"{a: q, f: bc}", []string{"anyOf f 2 schemas at f"}},
		{"{a: q, f: ab}", []string{"not f at f"}},
		// A wrong type is, whatever else the value violates.
		{"{a: q, g: 1}", []string{"none at g", "not g at g"}},
		{"{a: q, c: [{}], b: x}", []string{"anyOf c[] 2 schemas at c[0]", "none at b"}},
		{"{a: q} -> {a: z, b: 2}", []string{"rule a self == oldSelf at a"}},
		{"{a: q, b: 2} -> {a: q}", []string{"default b 1"}},
	} {
		was, is, isUpdate := strings.Cut(tt.request, " -> ")
		var old map[string]any
		if isUpdate {
			old = object(t, was)
			old["metadata"] = map[string]any{"name": "a", "namespace": "default", "uid": "u", "creationTimestamp": "2024-01-01T00:00:00Z", "generation": int64(1)}
		} else {
			is = was
		}
		sent := object(t, is)
		before := structuraltest.ToJSON(t, []any{sent, old})
		a := k.Try(sent, old, prunert.Request{})
		if after := structuraltest.ToJSON(t, []any{sent, old}); after != before {
			t.Errorf("%s: Try has changed the objects to %s", tt.request, after)
		}
		refused := slices.ContainsFunc(tt.want, func(s string) bool { return strings.Contains(s, " at ") })
		if (a.Answer.Refusal != nil) != refused {
			t.Errorf("%s: %v", tt.request, a.Answer.Err())
		}
		var got []string
		for _, v := range a.Violations {
			words := "none"
			if v.Number >= 0 {
				c := k.Constraints()[v.Number]
				words = strings.TrimSpace(fmt.Sprint(c.Kind, " ", c.Path, " ", c.Text))
			}
			if a.Answer.Refusal != nil {
				words += " at " + v.Path.String()
			}
			got = append(got, words)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, tt.want) { // each error at a place shows all of its constraints
			t.Errorf("%s: got %q, want %q", tt.request, got, tt.want)
		}
	}
	for i, c := range k.Constraints() {
		if r := k.Rule(i); (r != nil) != (c.Kind == Rule) || r != nil && r.UsesOld != strings.Contains(c.Text, "oldSelf") {
			t.Errorf("%s: the rule is %v", c.Title(), r)
		}
	}
}

// An error is one of a rule because the rule has made it, whatever the texts of rules and objects are: messages can be those of other
// rules, and names in an object can be any words.
func TestViolationsAreNotTakenFromTexts(t *testing.T) {
	crd := structuraltest.CRDWith(`type: object
properties:
  a:
    type: object
    properties: {b: {type: string, maxLength: 9}}
    x-kubernetes-validations:
    - {rule: self.b != 'x', message: the same, fieldPath: .b, reason: FieldValueForbidden}
    - {rule: self.b != 'z', message: the same, messageExpression: "self.b == 'z' ? 'prune-gen constraint 0' : 'none'"}
`)
	k, _ := kindOf(t, crd)
	for _, tt := range []struct{ request, want, text string }{
		{"{a: {b: x}}", "[{0 a}]", `a.b: Forbidden: the same`},
		{"{a: {b: z}}", "[{1 a}]", `a: Invalid value: prune-gen constraint 0`},
		{"{a: {}}", "[{0 a} {1 a}]", `a: Invalid value: "object": no such key: b evaluating rule: the same`},
		{"{metadata: {name: a, namespace: default, ownerReferences: [{apiVersion: v1, kind: A, name: a, uid: a, controller: true}, " +
			"{apiVersion: v1, kind: A, name: prune-gen constraint 0, uid: b, controller: true}]}}", "[{-1 metadata.ownerReferences}]",
			`Only one reference can have Controller set to true. Found "true" in references for A/a and A/prune-gen constraint 0`},
	} {
		a := k.Try(object(t, tt.request), nil, prunert.Request{})
		if got := fmt.Sprint(a.Violations); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.request, got, tt.want)
		}
		if err := a.Answer.Err(); err == nil || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: %v, want %s", tt.request, err, tt.text)
		}
	}
}
