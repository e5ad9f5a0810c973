package celrules

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
)

// Environment is a set of functions that rules may call.
type Environment int

const (
	// Stored has all functions of Kubernetes 1.37. The API server evaluates rules with it.
	Stored Environment = iota
	// New has the functions of Kubernetes 1.36 alone: an API server refuses new rules that the one before it cannot evaluate.
	New
)

// since returns the version of Kubernetes 1 whose functions e has.
func (e Environment) since() int {
	if e == New {
		return 36
	}
	return 37
}

// Env returns the environment without variables. It is made when the first rule is checked: that takes milliseconds, which
// programs without rules do not pay.
func (e Environment) Env() *cel.Env {
	if e == New {
		return newBase()
	}
	return storedBase()
}

var (
	storedBase = sync.OnceValue(func() *cel.Env { return makeBase(Stored) })
	newBase    = sync.OnceValue(func() *cel.Env { return makeBase(New) })
)

// makeBase panics if the declarations contradict each other, which no input can cause.
func makeBase(e Environment) *cel.Env {
	options := []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true), // once, not for each node
		cel.DefaultUTCTimeZone(true),
		cel.CostEstimatorOptions(checker.PresenceTestHasCost(false)),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		cel.Types(cel.OpaqueType("net.IP"), cel.OpaqueType("net.CIDR")), // rules can name them
		cel.ASTValidators(
			cel.ValidateDurationLiterals(),
			cel.ValidateTimestampLiterals(),
			cel.ValidateRegexLiterals(),
			cel.ValidateHomogeneousAggregateLiterals(),
		),
		ext.Strings(ext.StringsVersion(2)),
		ext.Sets(),
		ext.TwoVarComprehensions(),
		ext.Lists(ext.ListsVersion(3)),
	}
	// The overloads of indexOf and lastIndexOf come from two libraries, whose order changed when the one of Kubernetes got a new version.
	at := len(options)
	if e == New {
		at = 0
	}
	env, err := cel.NewEnv(slices.Insert(options, at, declarations(e)...)...)
	if err != nil {
		panic(fmt.Errorf("environment of rules: %w", err))
	}
	return env
}

// declarations declares the functions of Kubernetes.
func declarations(e Environment) []cel.EnvOption {
	var options []cel.EnvOption
	for _, f := range functions() {
		if f.Since > e.since() {
			continue
		}
		s, err := parseSignature(f.Name, f.Signature)
		if err != nil {
			panic(err)
		}
		overload := cel.Overload
		if s.member {
			overload = cel.MemberOverload
		}
		var bound []cel.OverloadOpt
		if len(s.args) == 0 {
			bound = append(bound, cel.FunctionBinding(neverRun)) // cel-go wants to know that it exists
		}
		options = append(options, cel.Function(f.Name, overload(f.Overload, s.args, s.result, bound...)))
	}
	return options
}

// programOptions make cel-go find the mistakes that the API server finds when it makes programs of checked rules:
// constants that cannot be converted, patterns that do not compile.
func programOptions() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize),
		cel.OptimizeRegex(constantPattern("find"), constantPattern("findAll")),
	}
}

// constantPattern refuses calls of a function whose second argument is a constant that is not a regular expression.
func constantPattern(function string) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   function,
		RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
			if _, err := regexp.Compile(pattern); err != nil {
				return nil, err
			}
			return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), neverRun), nil
		},
	}
}

// neverRun stands for functions of Kubernetes: programs are made to find mistakes and never run.
func neverRun(...ref.Val) ref.Val {
	return types.NoSuchOverloadErr()
}
