package suite_test

import (
	"fmt"
	"testing"

	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// A case expects what all versions of Kubernetes with the CRD answer, as precisely as they agree. If one of them answers something else,
// it is named, and the case expects what its own version answers.
func TestWhatEveryVersionAnswers(t *testing.T) {
	const (
		format   = "a: {type: string, format: k8s-short-name}"             // checked since 1.35
		items    = "a: {type: array, maxItems: 1, items: {type: integer}}" // one item is called "1 items" before 1.34
		rule     = "b: {type: integer, x-kubernetes-validations: [{rule: self < 1, message: too large}]}"
		distinct = "c: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: '[self].distinct() == [self]'}]}" // refused before 1.34
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
	} {
		v := variant(t, "crd.yaml", []byte(structuraltest.CRDWith("{type: object, properties: {"+test.properties+", r: {type: integer}}, x-kubernetes-validations: [{rule: '!has(self.r) || self.r < 1', message: too large}]}")))
		v.CRD.Kubernetes = test.in
		vs := &suite.Variants{All: []*suite.Variant{v}}
		r := vs.Runs(read(t, "s.yaml", []byte("crdName: jobs.example.com\ntests:\n  onCreate:\n  - initial: '{apiVersion: example.com/v1, kind: Job, "+test.object+"}'\n")))[0]
		r.Do(nil)
		got, err := r.Everywhere()
		if text := fmt.Sprint(err); got != test.want || text != test.err && (err != nil || test.err != "") {
			t.Errorf("{%s} of {%s} in %s:\ngot  %q, %v\nwant %q, %s", test.object, test.properties, test.in, got, err, test.want, test.err)
		}
	}
}
