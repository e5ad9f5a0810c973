package celrules

import (
	"cmp"
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

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Environment is the set of functions that rules may use: those of a version of Kubernetes, in the server of this version or of the next
// one.
type Environment struct {
	server    kubeversion.Version
	functions kubeversion.Version
}

// Stored has all functions of a version of Kubernetes. Its API server evaluates rules with it.
func Stored(v kubeversion.Version) Environment {
	v = cmp.Or(v, kubeversion.Newest)
	return Environment{v, v}
}

// New has the functions that rules of new CRDs may use: an API server refuses rules that the previous version cannot evaluate.
func New(v kubeversion.Version) Environment {
	e := Stored(v)
	e.functions = v.Before()
	return e
}

// Has reports whether rules may use what a change added.
func (e Environment) Has(c kubeversion.Change) bool {
	if c.Kind() == kubeversion.Function {
		return e.functions.Has(c)
	}
	return e.server.Has(c)
}

// Kubernetes returns the version of the server.
func (e Environment) Kubernetes() kubeversion.Version { return e.server }

// Env returns the environment without variables. It is made when the first rule is checked: that takes milliseconds, which
// programs without rules do not pay.
func (e Environment) Env() *cel.Env {
	base, ok := bases.Load(e)
	if !ok {
		base, _ = bases.LoadOrStore(e, sync.OnceValue(func() *cel.Env { return makeBase(e) }))
	}
	return base.(func() *cel.Env)()
}

var bases sync.Map // of func() *cel.Env by Environment

// makeBase panics if the declarations contradict each other, which no input can cause.
func makeBase(e Environment) *cel.Env {
	options := []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true), // once, not for each node
		cel.DefaultUTCTimeZone(true),
		cel.CostEstimatorOptions(checker.PresenceTestHasCost(false)),
	}
	for _, library := range []struct {
		since  kubeversion.Change
		option cel.EnvOption
		before cel.EnvOption // nil for nothing
	}{
		{since: kubeversion.MixedNumbers, option: cel.CrossTypeNumericComparisons(true)},
		{since: kubeversion.OptionalTypes, option: optionalTypes(e)},
		{since: kubeversion.Addresses, option: cel.Types(cel.OpaqueType("net.IP"), cel.OpaqueType("net.CIDR"))}, // rules can name them
		{since: kubeversion.CheckedLiterals, option: cel.ASTValidators(
			cel.ValidateDurationLiterals(),
			cel.ValidateTimestampLiterals(),
			cel.ValidateRegexLiterals(),
			cel.ValidateHomogeneousAggregateLiterals(),
		)},
		{since: kubeversion.MoreStrings, option: ext.Strings(ext.StringsVersion(2)), before: ext.Strings(ext.StringsVersion(0))},
		{since: kubeversion.Sets, option: ext.Sets()},
		{since: kubeversion.TwoVariables, option: ext.TwoVarComprehensions()},
		{since: kubeversion.MoreLists, option: ext.Lists(ext.ListsVersion(3))},
	} {
		if e.Has(library.since) {
			options = append(options, library.option)
		} else if library.before != nil {
			options = append(options, library.before)
		}
	}
	// The overloads of indexOf and lastIndexOf come from two libraries, whose order changed when the one of Kubernetes got a new version.
	at := 0
	if e.Has(kubeversion.Includes) {
		at = len(options)
	}
	env, err := cel.NewEnv(slices.Insert(options, at, declarations(e)...)...)
	if err != nil {
		panic(fmt.Errorf("environment of rules: %w", err))
	}
	return env
}

func optionalTypes(e Environment) cel.EnvOption {
	if e.Has(kubeversion.MoreOptionals) {
		return cel.OptionalTypes()
	}
	return cel.OptionalTypes(cel.OptionalTypesVersion(1))
}

// declarations declares the functions of Kubernetes.
func declarations(e Environment) []cel.EnvOption {
	var options []cel.EnvOption
	for _, f := range prunecel.Functions() {
		if f.Signature == "" || !e.Has(f.Since) { // cel-go declares those without one
			continue
		}
		member, args, result := signature(f)
		overload := cel.Overload
		if member {
			overload = cel.MemberOverload
		}
		var bound []cel.OverloadOpt
		if len(args) == 0 {
			bound = append(bound, cel.FunctionBinding(neverRun)) // cel-go wants to know that it exists
		}
		options = append(options, cel.Function(f.Name, overload(f.Overload, args, result, bound...)))
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
