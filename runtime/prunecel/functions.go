package prunecel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// A Function is an overload of a function of the API server's environment.
type Function struct {
	// Name is the name in rules: "charAt", "_+_", "lists.range".
	Name string
	// Overload is the identifier of the overload in cel-go or Kubernetes.
	Overload string
	// Signature declares an overload of Kubernetes' own libraries, as in "string.find(string) string"; those of cel-go declare themselves.
	Signature string
	// Since is the change of Kubernetes that brought the overload, 0 if it was always there.
	Since kubeversion.Change
	// Go is the method of Reader that compiled code calls, or with a period what it reads of the argument, "" if it leaves the rule to its
	// program.
	Go string
	// Fails says that there are arguments of the right types for which the function is an error.
	Fails bool
	// Call calls the overload. It checks the types of args, none of which is an error.
	Call func(args []any) (any, error)
	// Cost is the cost of a call of the overload at run time; nil is 1. Each of args, and the result, may be an error.
	Cost func(args []any, result any) uint64
	// dynCost is the cost of a call if the checker left several overloads to choose from; nil is 1.
	dynCost func(args []any, result any) uint64
	// Estimate is how the cost of a call is estimated before it runs.
	Estimate Estimate

	params []param // not of guardOperator
	guard  guard
}

// An Estimate is how the API server bounds the cost of calls of a function that is not estimated by cel-go. Operands are arguments, the
// receiver first.
type Estimate uint8

const (
	// EstimateElse is left to cel-go, which takes 1 for what it does not know, or to code for this function in package celrules.
	EstimateElse Estimate = iota
	// EstimateRead is for reading the first operand once, EstimateReadTwice for twice.
	EstimateRead
	EstimateReadTwice
	// EstimateCopy is for reading the first operand once; the result is as large.
	EstimateCopy
	// EstimateSearch is for looking at each element of the first operand, or reading it if it is a text.
	EstimateSearch
	// EstimateSearchAny is EstimateSearch for an operand that may also be a single value.
	EstimateSearchAny
)

// A guard says how an overload checks the types of its arguments before it is called.
type guard uint8

const (
	// Mismatches are reported with the types of all arguments.
	guardTypes guard = iota
	// The function reports mismatches itself.
	guardNone
	// The operator of the left operand's type reports mismatches; types without the operator are reported with its name. Each overload
	// calls the function for all types.
	guardOperator
	// The same where each overload has a function of its own.
	guardOperand
)

// Functions returns all overloads; overloads of a name are in the order in which the server tries them.
func Functions() []Function { return table().rows }

// Lookup returns the overload with the identifier, nil if it does not exist.
func Lookup(overload string) *Function { return table().overloads[overload] }

// Dispatch calls the overload of the function that the run-time types of args select.
func Dispatch(name string, args []any) (any, error) {
	overloads := table().names[name]
	for _, f := range overloads {
		if len(overloads) == 1 || f.accepts(args) {
			return f.Call(args)
		}
	}
	if len(overloads) > 0 && overloads[0].guard == guardOperand {
		return overloads[0].Call(args) // which is an error
	}
	return nil, noSuchOverload(name, args)
}

// DispatchCost returns the cost of a call whose overload was selected at run time.
func DispatchCost(name string, args []any, result any) uint64 {
	for _, f := range table().names[name] {
		if f.dynCost != nil {
			return f.dynCost(args, result)
		}
	}
	return 1
}

type functionTable struct {
	rows      []Function
	overloads map[string]*Function
	names     map[string][]*Function
}

var functions lazy[*functionTable]

func table() *functionTable { return functions.get(newTable) }

func newTable() *functionTable {
	t := &functionTable{overloads: map[string]*Function{}, names: map[string][]*Function{}}
	t.rows = slices.Concat(
		arithmeticFunctions(), comparisonFunctions(), conversionFunctions(), timeFunctions(),
		stringFunctions(), since(kubeversion.MoreStrings, moreStringFunctions()), regexFunctions(),
		since(kubeversion.MoreLists, listFunctions()), kubeListFunctions(),
		since(kubeversion.Sets, setFunctions()), since(kubeversion.OptionalTypes, optionalFunctions()), since(kubeversion.MoreOptionals, moreOptionalFunctions()),
		urlFunctions(), since(kubeversion.Addresses, ipFunctions()), since(kubeversion.Addresses, cidrFunctions()),
		since(kubeversion.Quantities, quantityFunctions()), since(kubeversion.Semver, semverFunctions()), since(kubeversion.NamedFormats, formatFunctions()),
		since(kubeversion.Authorizer, authorizerFunctions()), since(kubeversion.AuthorizerSelector, selectorFunctions()),
	)
	for i := range t.rows {
		f := &t.rows[i]
		switch f.guard {
		case guardTypes:
			f.Call = guardedCall(f.Name, f.params, f.Call)
		case guardOperand:
			f.Call = t.operandCall(f.Name, f.Call)
		}
		t.overloads[f.Overload] = f
		t.names[f.Name] = append(t.names[f.Name], f)
	}
	return t
}

// since returns rows as what a change brought, except for those that came later.
func since(c kubeversion.Change, rows []Function) []Function {
	for i := range rows {
		rows[i].Since = cmp.Or(rows[i].Since, c)
	}
	return rows
}

// guardedCall returns call with a check of the arguments' types.
func guardedCall(name string, params []param, call func([]any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		if !acceptsAll(params, args) {
			return nil, noSuchOverload(name, args)
		}
		return call(args)
	}
}

// operandCall returns call with the error of the operator for a left operand that no overload takes.
func (t *functionTable) operandCall(name string, call func([]any) (any, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		v, err := call(args)
		if err == errNoSuchOverload && !slices.ContainsFunc(t.names[name], func(f *Function) bool { return f.params[0].accepts(args[0]) }) {
			return nil, noOperator(args[0], name)
		}
		return v, err
	}
}

func (f *Function) accepts(args []any) bool {
	switch f.guard {
	case guardOperator:
		return true
	case guardNone:
		return len(args) == len(f.params)
	}
	return acceptsAll(f.params, args)
}

// A param is the type of a parameter: the name of a type at run time and, for lists, the type of the elements. The empty name
// stands for any type.
type param struct {
	name string
	elem *param
}

func acceptsAll(params []param, args []any) bool {
	if len(params) != len(args) {
		return false
	}
	for i := range params {
		if !params[i].accepts(args[i]) {
			return false
		}
	}
	return true
}

// accepts reports whether v has the type. Only the first element of a list is looked at.
func (p *param) accepts(v any) bool {
	if p.name == "" {
		return true
	}
	if p.name != typeOf(v) {
		return false
	}
	if p.elem == nil || p.elem.name == "" {
		return true
	}
	items, err := itemsOf(v)
	return err == nil && (len(items) == 0 || p.elem.accepts(items[0]))
}

// noSuchOverload returns the error for arguments that no overload of a function accepts.
func noSuchOverload(name string, args []any) error {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			return err
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(typeOf(arg))
	}
	b.WriteByte(')')
	return fmt.Errorf("%w: %s", errNoSuchOverload, &b)
}

// paramsOf returns the types that a text such as "string list(int) dyn" names.
func paramsOf(text string) []param {
	var params []param
	for _, name := range strings.Fields(text) {
		params = append(params, paramOf(name))
	}
	return params
}

func paramOf(name string) param {
	if elem, ok := strings.CutPrefix(name, "list("); ok {
		p := paramOf(strings.TrimSuffix(elem, ")"))
		return param{name: "list", elem: &p}
	}
	switch name {
	case "dyn", "A":
		return param{}
	case "duration":
		return param{name: typeDuration}
	case "timestamp":
		return param{name: typeTimestamp}
	case "optional":
		return param{name: "optional_type"}
	}
	return param{name: name}
}

// parseSignature returns the name and the parameters of a signature, the receiver first: "string.find(string) string", "url(string)
// kubernetes.URL", "ip.isCanonical(string) bool".
func parseSignature(signature string) (name string, params []param) {
	name, rest, _ := strings.Cut(signature, "(")
	// In a receiver, only the type of a list has parentheses.
	if elem, ok := strings.CutPrefix(signature, "list("); ok {
		elem, member, _ := strings.Cut(elem, ").")
		params = append(params, paramOf("list("+elem+")"))
		name, rest, _ = strings.Cut(member, "(")
	} else if i := strings.LastIndexByte(name, '.'); i >= 0 && !isNamespace(name[:i]) {
		params = append(params, paramOf(name[:i]))
		name = name[i+1:]
	}
	rest = rest[:strings.LastIndex(rest, ") ")]
	for _, arg := range strings.Split(rest, ", ") {
		if arg != "" {
			params = append(params, paramOf(arg))
		}
	}
	return name, params
}

// isNamespace reports whether a signature's prefix is part of the function's name, as in ip.isCanonical, and not a receiver.
func isNamespace(prefix string) bool { return prefix == "ip" || prefix == "format" }

// as converts a value to the parameter type of a typed function; lists of any kind become []any.
func as[T any](v any) (T, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	var t T
	switch p := any(&t).(type) {
	case *any: // null
		return t, nil
	case *[]any:
		items, err := itemsOf(v)
		*p = items
		return t, err
	}
	return t, errNoSuchOverload
}

// standard returns an overload of cel-go, whose parameters are given as in "string list(int)". Its costs are those of a call and of a call
// that is selected at run time; one stands for both.
func standard(name, overload, params string, call caller, cost ...costFunc) Function {
	return newFunction(Function{Name: name, Overload: overload, params: paramsOf(params)}, call, cost)
}

// kubernetes returns an overload of Kubernetes' libraries.
func kubernetes(signature, overload string, call caller, cost ...costFunc) Function {
	name, params := parseSignature(signature)
	return newFunction(Function{Name: name, Overload: overload, Signature: signature, params: params}, call, cost)
}

func newFunction(f Function, call caller, cost []costFunc) Function {
	f.Call, f.Fails = call.call, call.fails
	if len(cost) > 0 {
		f.Cost, f.dynCost = cost[0], cost[len(cost)-1]
	}
	return f
}

// since returns f as what a change brought.
func (f Function) since(c kubeversion.Change) Function {
	f.Since = c
	return f
}

// estimated returns f with an estimate.
func (f Function) estimated(e Estimate) Function {
	f.Estimate = e
	return f
}

// compiled returns f with what compiled code calls.
func (f Function) compiled(name string) Function {
	f.Go = name
	return f
}

// guarded returns f with another guard.
func (f Function) guarded(g guard) Function {
	f.guard = g
	return f
}

// caller is a typed function that takes and returns boxed values.
type caller struct {
	call  func([]any) (any, error)
	fails bool
}

// call1, call2 and call3 box functions that cannot fail, call1e, call2e, call3e and call4e those that can.

func call1[A, R any](f func(A) R) caller {
	return caller{call1e(func(a A) (R, error) { return f(a), nil }).call, false}
}

func call2[A, B, R any](f func(A, B) R) caller {
	return caller{call2e(func(a A, b B) (R, error) { return f(a, b), nil }).call, false}
}

func call3[A, B, C, R any](f func(A, B, C) R) caller {
	return caller{call3e(func(a A, b B, c C) (R, error) { return f(a, b, c), nil }).call, false}
}

func call1e[A, R any](f func(A) (R, error)) caller {
	return caller{func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return boxed(f(a))
	}, true}
}

func call2e[A, B, R any](f func(A, B) (R, error)) caller {
	return caller{func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		b, err := as[B](args[1])
		if err != nil {
			return nil, err
		}
		return boxed(f(a, b))
	}, true}
}

func call3e[A, B, C, R any](f func(A, B, C) (R, error)) caller {
	return caller{func(args []any) (any, error) {
		c, err := as[C](args[2])
		if err != nil {
			return nil, err
		}
		return call2e(func(a A, b B) (R, error) { return f(a, b, c) }).call(args)
	}, true}
}

func call4e[A, B, C, D, R any](f func(A, B, C, D) (R, error)) caller {
	return caller{func(args []any) (any, error) {
		d, err := as[D](args[3])
		if err != nil {
			return nil, err
		}
		return call3e(func(a A, b B, c C) (R, error) { return f(a, b, c, d) }).call(args)
	}, true}
}

func boxed[R any](r R, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}
