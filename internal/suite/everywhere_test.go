package suite_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// A case expects what all versions of Kubernetes with the CRD answer, as precisely as they agree. If one of them answers something else,
// it is named, and the case expects what its own version answers: after an update, the case passes with all other versions that have the CRD,
// or the failure says so.
func TestWhatEveryVersionAnswers(t *testing.T) {
	const (
		format   = "a: {type: string, format: k8s-short-name}"             // checked since 1.35
		items    = "a: {type: array, maxItems: 1, items: {type: integer}}" // one item is called "1 items" before 1.34
		rule     = "b: {type: integer, x-kubernetes-validations: [{rule: self < 1, message: too large}]}"
		fixed    = "d: {type: string, format: k8s-short-name, x-kubernetes-validations: [{rule: self == oldSelf, message: immutable}]}"
		distinct = "c: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: '[self].distinct() == [self]'}]}" // refused before 1.34
		unruled  = "}'\n    expectedWarnings: []\n    initialCRDPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/b/x-kubernetes-validations}]"
		notShort = `a: Invalid value: "Q": a in body must be of type k8s-short-name: "Q"`
	)
	for _, test := range []struct {
		in         kubeversion.Version
		properties string
		object     string
		want       string
		err        string
	}{
		{35, format, "a: q", "", ""},
		{34, format, "a: q", "", ""},
		{34, format, "a: Q", "", "Kubernetes 1.35 refuses the object"},
		{35, format, "a: Q", notShort, "Kubernetes 1.33 does not refuse the object"},
		// CEL rules are checked where the format is not.
		{35, format + ", " + rule, "a: Q, b: 1", notShort, "Kubernetes 1.33 refuses the object for another reason"},
		{34, format + ", " + rule, "a: Q, b: 1", `b: Invalid value: "integer": too large`, "Kubernetes 1.35 refuses the object for another reason"},
		{34, format, "a: Q, r: 1", `<nil>: Invalid value: "object": too large`, "Kubernetes 1.35 refuses the object for another reason"},
		// All errors, one of them, its detail, its field and type.
		{34, items + ", " + rule, "a: [x], b: x", `a[0]: Invalid value: "string": a[0] in body must be of type integer: "string", b: Invalid value: "string": b in body must be of type integer: "string"`, ""},
		{33, items, "a: [1, x]", `a[1]: Invalid value: "string": a[1] in body must be of type integer: "string"`, ""},
		{33, items, "a: [1, 1]", "a: Too many", ""},
		{34, format + ", " + rule, "b: 1", "too large", ""},
		{37, items + ", " + distinct, "a: [1, 1]", "a: Too many: 2: must have at most 1 item", ""},
		// Updates, and the warning about a value that is not changed, which has the value since 1.35.
		{37, fixed, "d: q -> d: p", "immutable", ""},
		{34, fixed, "d: Q -> d: q", `d: Invalid value: "string": immutable`, "Kubernetes 1.35 refuses the initial object"},
		{37, rule, "b: 1 -> b: 1, r: 0" + unruled, "", "Kubernetes 1.33 answers with other warnings"},
		{37, rule, "b: 1 -> b: 2" + unruled, "too large", ""},
	} {
		crd := []byte(structuraltest.CRDWith("{type: object, properties: {" + test.properties + ", r: {type: integer}}, x-kubernetes-validations: [{rule: '!has(self.r) || self.r < 1', message: too large}]}"))
		v := variant(t, "crd.yaml", crd)
		v.CRD.Kubernetes = test.in
		vs := &suite.Variants{All: []*suite.Variant{v}}
		const kind = "'{apiVersion: example.com/v1, kind: Job, "
		suiteText := "crdName: jobs.example.com\ntests:\n  onCreate:\n  - name: a\n    initial: " + kind + test.object
		if initial, updated, ok := strings.Cut(suiteText, " -> "); ok {
			suiteText = strings.Replace(initial, "onCreate", "onUpdate", 1) + "}'\n    updated: " + kind + updated
		}
		if !strings.HasSuffix(suiteText, unruled) {
			suiteText += "}'"
		}
		s := read(t, "s.yaml", []byte(suiteText+"\n"))
		r := vs.Runs(s)[0]
		r.Do(nil)
		got, other := r.Everywhere()
		says := ""
		if other != nil {
			says = other.Error()
		}
		if got != test.want || says != test.err {
			t.Errorf("{%s} of {%s} in %s:\ngot  %q, %s\nwant %q, %s", test.object, test.properties, test.in, got, says, test.want, test.err)
		}
		text, err := s.Update([]*suite.Run{r})
		if err != nil {
			t.Fatal(err)
		}
		last := r.Failures[len(r.Failures)-1].Message
		if want := says + ": the case fails with --kubernetes "; other != nil && !strings.HasPrefix(last, want) || other == nil && strings.Contains(last, "--kubernetes") {
			t.Errorf("{%s} of {%s} in %s: the update says %q, want %q", test.object, test.properties, test.in, last, want)
		}
		for _, version := range kubeversion.Known() {
			of := variant(t, "crd.yaml", crd)
			of.CRD.Kubernetes = version
			if _, err := of.Resources(); err != nil {
				continue
			}
			_, runs := results(&suite.Variants{All: []*suite.Variant{of}}, read(t, "s.yaml", text))
			if fails := runs[0].Failures != nil; fails && other == nil || version == test.in && fails || other != nil && version == other.In && !fails {
				t.Errorf("Kubernetes %s, which %q: after the update in %s: %v\n%s", version, says, test.in, runs[0].Failures, text)
			}
		}
	}
}
