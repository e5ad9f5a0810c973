package rules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write what Kubernetes says to the rules in internal/cel/celrules/testdata instead of comparing with it")

// recordedRule is a line of expressions.jsonl: the schema and the objects, or a rule with what Kubernetes says.
type recordedRule struct {
	Schema  json.RawMessage     `json:"schema,omitempty"`
	Objects [][]json.RawMessage `json:"objects,omitempty"` // each an object, or one with the one that it replaces

	Rule    string           `json:"rule,omitempty"`
	Message string           `json:"messageExpression,omitempty"`
	MaxCost uint64           `json:"maxCost,omitempty"`
	Answers []recordedAnswer `json:"answers,omitempty"` // for each object, or one for all
}

type recordedAnswer struct {
	Errors   []string `json:"errors,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Spent    int64    `json:"spent"`
}

// The answers that the tests of internal/cel/celrules compare with are those of Kubernetes. To add a rule, write a line with only the rule, and
// let this write the rest: go test ./rules -run TestRecorded -update. Kubernetes reads maps in any order: answers that depend on it cannot
// be recorded.
func TestRecordedRulesAreAnsweredByKubernetes(t *testing.T) {
	if !*update {
		testsize.Large(t, "asks Kubernetes again about everything that the tests of internal/cel/celrules compare with")
	}
	scratch.Newest(t, "the answers are recorded for the newest version")
	prunelimits.Set(prunelimits.Limits{})
	const file = "../../../internal/cel/celrules/testdata/expressions.jsonl"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var head recordedRule
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recordedRule
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Schema != nil {
			head = r
		} else {
			r.ask(t, head)
		}
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(out.Bytes(), data) {
		t.Errorf("%s is not current; to write it again: go test ./rules -run TestRecorded -update", file)
	}
}

// ask asks Kubernetes about a rule.
func (r *recordedRule) ask(t *testing.T, head recordedRule) {
	t.Helper()
	s, err := structuralOf(head.Schema, apiextensionsv1.ValidationRules{{Rule: r.Rule, MessageExpression: r.Message}})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := cel.Compile(s, model.SchemaDeclType(s, true), celconfig.PerCallLimit,
		kube.BaseEnvSet(environment.DefaultCompatibilityVersion()), cel.StoredExpressionsEnvLoader())
	if err != nil {
		t.Fatal(err)
	}
	r.MaxCost = compiled[0].MaxCost
	subject, err := NewSubject(r.Rule, kube.Convert[*structural.Schema](s), s)
	if err != nil {
		t.Fatal(err)
	}
	r.Answers = nil
	for _, objects := range head.Objects {
		var both [2]map[string]any
		for i, text := range objects {
			if err := utiljson.Unmarshal(text, &both[i]); err != nil {
				t.Fatal(err)
			}
		}
		r.Answers = append(r.Answers, subject.recorded(both[0], both[1]))
	}
	if !slices.ContainsFunc(r.Answers, func(a recordedAnswer) bool { return !reflect.DeepEqual(a, r.Answers[0]) }) {
		r.Answers = r.Answers[:1]
	}
}

func (s *Subject) recorded(obj, old map[string]any) recordedAnswer {
	theirs, errs := s.ask(obj, old)
	a := recordedAnswer{Warnings: theirs.Warnings, Spent: celconfig.RuntimeCELCostBudget - theirs.Remaining}
	for _, e := range errs {
		a.Errors = append(a.Errors, string(e.Type)+" "+selfType.ReplaceAllString(e.Error(), "selfType0"))
	}
	slices.Sort(a.Errors) // Kubernetes has them in any order
	return a
}
