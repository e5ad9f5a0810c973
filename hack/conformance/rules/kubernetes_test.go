package rules

import (
	"encoding/json"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
)

// kubernetesTests are the tests of Kubernetes whose tables have schemas with rules, objects, and the expected texts and costs.
const kubernetesTests = "^(TestValidationExpressions|TestValidationExpressionsAtSchemaLevels|TestCELValidationLimit|TestCELMaxRecursionDepth|TestMessageExpression|" +
	"TestReasonAndFldPath|TestRatcheting|TestOptionalOldSelf|TestOptionalOldSelfCheckForNull|TestOptionalOldSelfIsOptionalType|TestCelCostStability)$"

// The validator of Kubernetes' tests asks our rules, too.
func TestKubernetesTestsGetTheSameFromOurRules(t *testing.T) {
	answers := scratch.Foreign{
		Package: "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel",
		Files:   []string{"validation_test.go", "celcoststability_test.go", "values_test.go", "compilation_test.go"},
		Edits: map[string][][2]string{"validation.go": {
			{"	opt := options{}\n", "	opt := options{}\n	defer func() { compare(s, fldPath, obj, oldObj, costBudget, &opt, errs, remainingBudget) }()\n"},
			{"	compilationSchema := *nodeSchema\n", "	compilationSchema := *nodeSchema\n	lastLimit = perCallLimit\n"},
		}},
		Added: map[string]string{"zz_compare.go": comparison},
		Run:   kubernetesTests,
	}.Answers(t)
	differ := 0
	for _, line := range answers {
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			continue
		}
		if differ++; differ <= 20 {
			t.Errorf("%s", text)
		}
	}
	t.Logf("asked %d times, %d differences", len(answers), differ)
	if len(answers) < 1150 {
		t.Errorf("asked %d times only", len(answers))
	}
}

const comparison = `package cel

import (
	"context"
	"encoding/json"
	"os"

	"github.com/prune-gen/prune-gen/hack/conformance/rules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var lastLimit uint64

func compare(s *Validator, at *field.Path, obj, old any, budget int64, opt *options, errs field.ErrorList, remaining int64) {
	if s == nil || !hasXValidations(s.Schema) { // NewValidator does not return such ones
		return
	}
	v := rules.Value{
		Schema: s.Schema, IsResource: s.isResourceRoot, Value: obj, Old: old, Ratchets: opt.currentCorrelation != nil,
		Costs: prunecel.Costs{Call: int64(lastLimit), All: budget},
	}
	text := v.Compare(at, errs, remaining)
	for again := 0; text != "" && again < 100; again++ { // maps are read in any order
		errs, remaining = s.validate(context.Background(), at, obj, old, opt.ratchetingOptions, budget)
		text = v.Compare(at, errs, remaining)
	}
	answer(text)
}
` + scratch.Answer
