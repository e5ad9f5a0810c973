package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
)

// The expressions in Kubernetes' tests of its libraries and of their costs, as rules.
func TestExpressionsOfKubernetesLibraryTestsSayTheSame(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	note := [][2]string{{"env.Compile(expr)", "noted(env, expr)"}}
	answers := scratch.Foreign{
		Package: "k8s.io/apiserver/pkg/cel/library",
		Files:   []string{"cidr_test.go", "cost_test.go", "format_test.go", "ip_test.go", "quantity_test.go", "semver_test.go"},
		Edits:   map[string][][2]string{"cidr_test.go": note, "cost_test.go": note, "ip_test.go": note, "quantity_test.go": note, "semver_test.go": note},
		Added:   map[string]string{"zz_inside_test.go": "package library\n" + noted, "zz_outside_test.go": "package library_test\n" + noted},
		Run:     ".",
	}.Answers(t)
	texts := map[string]string{} // types, by expression
	for _, line := range answers {
		var e struct{ Text, Type string }
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		texts[e.Text] = e.Type
	}
	evaluated, refused, differ := 0, 0, 0
	for _, text := range sortedKeys(texts) {
		for _, r := range rulesAbout(text, texts[text]) {
			s, err := subjectOf(text, apiextensionsv1.ValidationRules{r})
			if err != nil {
				t.Fatal(err)
			}
			c := Case{Subject: s, Object: map[string]any{}}
			if out := c.Compare(); out.Differs {
				if differ++; differ <= 20 {
					t.Error(out)
				}
			}
			if said := strings.Join(s.Theirs(c.Object, nil).Errors, "\n"); strings.Contains(said, "rule compile error") {
				refused++
			} else {
				evaluated++
			}
		}
	}
	t.Logf("%d expressions: %d rules are evaluated, %d do not compile, %d differences", len(texts), evaluated, refused, differ)
	if len(texts) < leastExpressions {
		t.Errorf("%d expressions only", len(texts))
	}
}

// leastExpressions is how many different expressions those tests have at least.
const leastExpressions = 500

// rulesAbout returns rules that show the value of an expression.
func rulesAbout(text, typ string) apiextensionsv1.ValidationRules {
	if typ == "bool" || typ == "" {
		return apiextensionsv1.ValidationRules{{Rule: text}}
	}
	return apiextensionsv1.ValidationRules{
		{Rule: fmt.Sprintf("dyn(%s) == dyn(%s)", text, text)},
		{Rule: "false", MessageExpression: fmt.Sprintf("'%%s'.format([dyn(%s)])", text)},
		{Rule: fmt.Sprintf("'%%s'.format([dyn(%s)]) == ''", text)},
	}
}

// noted is the source of a function that compiles an expression and records it.
const noted = `
import (
	"encoding/json"
	"os"

	"github.com/google/cel-go/cel"
)

func noted(env *cel.Env, text string) (*cel.Ast, *cel.Issues) {
	tree, issues := env.Compile(text)
	typ := ""
	if issues.Err() == nil {
		typ = tree.OutputType().String()
	}
	answer(map[string]string{"text": text, "type": typ})
	return tree, issues
}
` + scratch.Answer
