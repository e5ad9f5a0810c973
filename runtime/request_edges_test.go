package prunert_test

import (
	"strings"
	"testing"

	v1 "github.com/prune-gen/prune-gen/examples/operator/api/v1"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// An object stays in the namespace in which it is stored, whatever an update says.
func TestUpdatesStayInTheNamespace(t *testing.T) {
	old := stored(t)
	old["metadata"].(map[string]any)["namespace"] = "a"
	for namespace, refused := range map[string]bool{"": false, "a": false, "b": true} {
		obj := clone(old)
		obj["metadata"].(map[string]any)["namespace"] = namespace
		answer := v1.CronTabResource.Update(obj, old, prunert.Request{})
		if err := answer.Err(); (err != nil) != refused || refused && !strings.Contains(err.Error(), "the namespace of the provided object does not match") {
			t.Errorf("%q: %v", namespace, err)
		} else if !refused && answer.Object["metadata"].(map[string]any)["namespace"] != "a" {
			t.Errorf("%q: stored in %v", namespace, answer.Object["metadata"])
		}
	}
}

func TestATextOfTwoCausesIsPrintedOnce(t *testing.T) {
	cause := prunert.Cause{Reason: "FieldValueInvalid", Field: "spec", Message: "no"}
	r := &prunert.Refusal{Reason: "Invalid", Kind: "CronTab", Name: "n", Causes: []prunert.Cause{cause, cause}}
	if got := r.Error(); got != `The CronTab "n" is invalid: spec: no` {
		t.Errorf("%q", got)
	}
}

// A refusal quotes thirty bytes of a document, and says that there are more only if there are.
func TestRefusalsQuoteTheBeginningOfADocument(t *testing.T) {
	for name, want := range map[string]string{
		"abcdef":  `({"metadata":{"name":"abcdef"}})`,
		"abcdefg": `({"metadata":{"name":"abcdefg"} ...)`,
	} {
		answer := v1.CronTabResource.CreateJSON([]byte(`{"metadata":{"name":"`+name+`"}}`), prunert.Request{})
		if err := answer.Err(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want it to end with %s", err, want)
		}
	}
}

func TestOwnersHaveNoNulls(t *testing.T) {
	obj := decoded(t, cronTab)
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "n", "uid": "u", "blockOwnerDeletion": nil, "controller": nil}
	obj["metadata"].(map[string]any)["ownerReferences"] = []any{owner}
	answer := v1.CronTabResource.Create(obj, prunert.Request{})
	if answer.Err() != nil {
		t.Fatal(answer.Err())
	}
	got, _ := answer.Object["metadata"].(map[string]any)["ownerReferences"].([]any)[0].(map[string]any)
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestEventsAreNoOwners(t *testing.T) {
	for version, refused := range map[string]bool{"v1": true, "/v1": true, "events.k8s.io/v1": false} {
		obj := decoded(t, cronTab)
		obj["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"apiVersion": version, "kind": "Event", "name": "n", "uid": "u"}}
		answer := v1.CronTabResource.Create(obj, prunert.Request{})
		if err := answer.Err(); (err != nil) != refused || refused && !strings.Contains(err.Error(), "is disallowed from being an owner") {
			t.Errorf("%s: %v", version, err)
		}
	}
}
