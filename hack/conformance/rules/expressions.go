package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"k8s.io/apiserver/pkg/cel/environment"
)

// expressions makes expressions over AllTypes, of any type and with all functions of the API server's environment.
type expressions struct {
	rng       *rand.Rand
	overloads []overload
	scope     []variable
	names     int
	// plain says that expressions are such as people write: with common functions, and without macros that few use.
	plain bool
}

// familiar are the functions that people use.
var familiar = []string{
	operators.LogicalAnd, operators.LogicalOr, operators.LogicalAnd, operators.LogicalNot, operators.Conditional, operators.Equals, operators.NotEquals, operators.Less,
	operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In, operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo,
	operators.Negate, operators.Index, "size", "matches", "contains", "startsWith", "endsWith", "split", "substring", "indexOf", "lowerAscii", "find", "replace", "join", "int",
	"string", "duration", "double",
}

type overload struct {
	function string
	*decls.OverloadDecl
}

type variable struct {
	name string
	typ  *types.Type
}

// newExpressions returns a maker of expressions.
func newExpressions(seed uint64) *expressions {
	e := &expressions{rng: rand.New(rand.NewPCG(seed, 0x65787072)), overloads: overloads()}
	if seed%2 == 1 {
		e.overloads = slices.DeleteFunc(e.overloads, func(o overload) bool { return !slices.Contains(familiar, o.function) })
		e.plain = true
	}
	e.scope = []variable{{"self", types.NewObjectType("root")}}
	return e
}

// overloads returns the overloads that rules can call.
func overloads() []overload {
	env := kube.BaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	var all []overload
	functions := env.Functions()
	for _, name := range sortedKeys(functions) {
		switch {
		case strings.Contains(name, "@") && name != operators.In, strings.HasPrefix(name, "__"), name == operators.OptSelect:
			continue
		}
		for _, o := range functions[name].OverloadDecls() {
			if !usesAuthorizer(o) {
				all = append(all, overload{name, o})
			}
		}
	}
	return all
}

// usesAuthorizer reports whether an overload is about the authorizer, which rules do not have.
func usesAuthorizer(o *decls.OverloadDecl) bool {
	return slices.ContainsFunc(append(slices.Clone(o.ArgTypes()), o.ResultType()), func(t *types.Type) bool {
		return strings.HasPrefix(t.TypeName(), "kubernetes.authorization")
	})
}

func (e *expressions) oneIn(n int) bool { return e.rng.IntN(n) == 0 }

// simple are types that a type parameter can stand for.
var simple = []*types.Type{
	types.StringType, types.StringType, types.IntType, types.IntType, types.DoubleType, types.BoolType, types.UintType, types.BytesType, types.DurationType,
	types.TimestampType, listOf(types.StringType), listOf(types.IntType), mapOf(types.StringType), types.NewMapType(types.IntType, types.StringType),
	types.NewOptionalType(types.StringType), types.NewOptionalType(types.IntType), types.NewObjectType("o"), types.NewObjectType("ml"), listOf(types.NewObjectType("ml")),
	listOf(types.DynType), types.NewObjectType("kubernetes.Quantity"), types.NullType,
}

// Expr returns an expression of a type.
func (e *expressions) Expr(t *types.Type, depth int) string {
	if depth <= 0 || e.oneIn(6) {
		if leaf, ok := e.leaf(t, depth); ok {
			return leaf
		}
	}
	for range 30 {
		if text, ok := e.composite(t, depth); ok {
			return text
		}
	}
	if leaf, ok := e.leaf(t, depth); ok {
		return leaf
	}
	return "dyn(" + e.Expr(pick(e.rng, simple), min(depth-1, 1)) + ")"
}

// composite returns an expression with others in it; false where it found none.
func (e *expressions) composite(t *types.Type, depth int) (string, bool) {
	switch e.rng.IntN(8) {
	case 0, 1:
		if text, ok := e.macro(t, depth); ok {
			return text, true
		}
	case 2:
		if e.oneIn(4) {
			return fmt.Sprintf("(%s ? %s : %s)", e.Expr(types.BoolType, depth-1), e.Expr(t, depth-1), e.Expr(t, depth-1)), true
		}
	}
	o := pick(e.rng, e.overloads)
	bound := map[string]*types.Type{}
	if !unify(o.ResultType(), t, bound) {
		return "", false
	}
	var args []string
	for _, a := range o.ArgTypes() {
		args = append(args, e.argument(e.substitute(a, bound), depth-1))
	}
	return render(o, args), true
}

// argument returns an expression for an argument. Now and then it has another type, which only evaluation shows.
func (e *expressions) argument(t *types.Type, depth int) string {
	if e.oneIn(40) && !e.plain {
		return "dyn(" + e.Expr(pick(e.rng, simple), depth) + ")"
	}
	return e.Expr(t, depth)
}

// unify makes a declared type fit a wanted one.
func unify(declared, wanted *types.Type, bound map[string]*types.Type) bool {
	if declared.Kind() == types.TypeParamKind {
		if b, ok := bound[declared.TypeName()]; ok {
			return b.IsExactType(wanted)
		}
		bound[declared.TypeName()] = wanted
		return true
	}
	if declared.Kind() != wanted.Kind() || declared.TypeName() != wanted.TypeName() || len(declared.Parameters()) != len(wanted.Parameters()) {
		return false
	}
	for i, p := range declared.Parameters() {
		if !unify(p, wanted.Parameters()[i], bound) {
			return false
		}
	}
	return true
}

// substitute returns a type without parameters.
func (e *expressions) substitute(t *types.Type, bound map[string]*types.Type) *types.Type {
	if t.Kind() == types.TypeParamKind {
		if bound[t.TypeName()] == nil {
			bound[t.TypeName()] = pick(e.rng, simple)
		}
		return bound[t.TypeName()]
	}
	var params []*types.Type
	for _, p := range t.Parameters() {
		params = append(params, e.substitute(p, bound))
	}
	switch {
	case t.Kind() == types.ListKind:
		return types.NewListType(params[0])
	case t.Kind() == types.MapKind:
		return types.NewMapType(params[0], params[1])
	case t.TypeName() == "optional_type":
		return types.NewOptionalType(params[0])
	}
	return t
}

// render returns the text of a call.
func render(o overload, args []string) string {
	switch o.function {
	case operators.Conditional:
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2])
	case operators.Index:
		return fmt.Sprintf("%s[%s]", args[0], args[1])
	case operators.OptIndex:
		return fmt.Sprintf("%s[?%s]", args[0], args[1])
	}
	if symbol, ok := operators.FindReverse(o.function); ok && symbol != "" {
		if len(args) == 1 {
			return fmt.Sprintf("(%s%s)", symbol, args[0])
		}
		return fmt.Sprintf("(%s %s %s)", args[0], symbol, args[1])
	}
	if o.IsMemberFunction() {
		return fmt.Sprintf("%s.%s(%s)", args[0], o.function, strings.Join(args[1:], ", "))
	}
	return fmt.Sprintf("%s(%s)", o.function, strings.Join(args, ", "))
}
