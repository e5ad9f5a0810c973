package dynamic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// ruled returns what a rule that is false says about {a: x}.
func ruled(t *testing.T, rule string) prunert.ErrorList {
	t.Helper()
	crd, err := load.CRD([]byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string, x-kubernetes-validations: ["+rule+"]}}}")), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	errs, _ := resources[0].ValidateRules(map[string]any{"a": "x"}, nil)
	return errs
}

// A message that an expression makes is used up to 5 KiB.
func TestMessagesOfRulesHaveALimit(t *testing.T) {
	for size, used := range map[int]bool{5120: true, 5121: false} {
		made := strings.Repeat("m", size)
		errs := ruled(t, fmt.Sprintf(`{rule: "false", message: plain, messageExpression: "'%s'"}`, made))
		want := "plain"
		if used {
			want = made
		}
		if len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), want) {
			t.Errorf("%d: %.200v", size, errs)
		}
	}
}

// An error about a duplicate has the value and no message, as in the API server.
func TestErrorsOfRulesHaveTheirReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"FieldValueDuplicate": `a: Duplicate value: "x"`,
		"FieldValueInvalid":   `a: Invalid value: "x": plain`,
		"FieldValueForbidden": `a: Forbidden: plain`,
		"FieldValueRequired":  `a: Required value: plain`,
	} {
		errs := ruled(t, `{rule: "false", message: plain, reason: `+reason+`}`)
		if len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("%s: %q, want %q", reason, errs, want)
		}
	}
}

// The API server passes over rules on values whose type rules do not know.
func TestRulesOnValuesThatRulesDoNotSee(t *testing.T) {
	crd, err := load.CRD([]byte(structuraltest.CRDWith(`{type: object, properties: {a: {type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: string, x-kubernetes-validations: [{rule: self == 'x'}]}}}}}}`)), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	obj := map[string]any{"a": map[string]any{"k": map[string]any{"b": "y"}}}
	if errs, _ := resources[0].ValidateRules(obj, nil); len(errs) > 0 {
		t.Error(errs)
	}
}
