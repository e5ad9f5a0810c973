package tests

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter/functions"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"k8s.io/apimachinery/pkg/util/version"
)

// serverEnv is the environment of stored expressions, that is, with all functions.
var serverEnv = sync.OnceValue(func() *cel.Env {
	return kube.BaseEnvSet(version.MajorMinor(1, uint(kube.Minor()))).StoredExpressionsEnv()
})

// serverFunctions are the functions of the environment, which copies them on each call.
var serverFunctions = sync.OnceValue(func() map[string]*decls.FunctionDecl { return serverEnv().Functions() })

// serverCall calls a function as the server does where the types are not known before.
func serverCall(function string, args ...ref.Val) ref.Val {
	for _, o := range serverBindings(function) {
		if o.Operator != function {
			continue
		}
		switch {
		case len(args) == 1 && o.Unary != nil:
			return o.Unary(args[0])
		case len(args) == 2 && o.Binary != nil:
			return o.Binary(args[0], args[1])
		}
		return o.Function(args...)
	}
	panic("no function " + function)
}

var bindings sync.Map

func serverBindings(function string) []*functions.Overload {
	if all, ok := bindings.Load(function); ok {
		return all.([]*functions.Overload)
	}
	all, err := serverFunctions()[function].Bindings()
	if err != nil {
		panic(err)
	}
	bindings.Store(function, all)
	return all
}

// A call is an expression that calls a function with variables.
type call struct {
	program   cel.Program
	overloads []string // those that the checker leaves
	args      int
	lazy      bool // the second argument is not always evaluated
}

// newCall returns the call of a function with arguments of the types; member is whether the first is the receiver.
func newCall(function string, member bool, argTypes []*types.Type) (*call, error) {
	var vars []cel.EnvOption
	names := make([]string, len(argTypes))
	for i, t := range argTypes {
		names[i] = fmt.Sprintf("a%d", i)
		vars = append(vars, cel.Variable(names[i], t))
	}
	env, err := serverEnv().Extend(vars...)
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(expression(function, member, names))
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(ast, cel.CostLimit(math.MaxUint64))
	if err != nil {
		return nil, err
	}
	return &call{program, ast.NativeRep().GetOverloadIDs(ast.NativeRep().Expr().ID()), len(argTypes),
		function == "or" || function == "orValue"}, nil
}

func expression(function string, member bool, args []string) string {
	switch {
	case function == "-_":
		return "-" + args[0]
	case strings.HasPrefix(function, "_"):
		return args[0] + " " + strings.Trim(function, "_") + " " + args[1]
	case member:
		return args[0] + "." + function + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}

// eval returns the result of a call, which may be an error, and what the call itself costs.
func (c *call) eval(args []pair) (ref.Val, uint64) {
	vars := map[string]any{}
	for i, arg := range args {
		vars[fmt.Sprintf("a%d", i)] = arg.theirs
	}
	result, details, err := c.program.Eval(vars)
	if err != nil {
		result = types.WrapErr(err)
	}
	evaluated := uint64(c.args)
	if c.lazy {
		if o, ok := args[0].theirs.(*types.Optional); !ok || o.HasValue() {
			evaluated = 1
		}
	}
	return result, *details.ActualCost() - evaluated
}

// withoutParams returns a type with dyn for type parameters.
func withoutParams(t *types.Type) *types.Type {
	switch t.Kind() {
	case types.TypeParamKind:
		return types.DynType
	case types.ListKind:
		return types.NewListType(withoutParams(t.Parameters()[0]))
	case types.OpaqueKind:
		if t.TypeName() == "optional_type" {
			return types.NewOptionalType(withoutParams(t.Parameters()[0]))
		}
	}
	return t
}

func overloadDecl(function, overload string) *decls.OverloadDecl {
	f, ok := serverFunctions()[function]
	if !ok {
		return nil
	}
	for _, o := range f.OverloadDecls() {
		if o.ID() == overload {
			return o
		}
	}
	return nil
}
