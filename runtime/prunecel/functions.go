package prunecel

import (
	"errors"
	"slices"
	"strings"
)

// A Function is an overload of a function of the API server's environment.
type Function struct {
	// Name is what rules call: "charAt", "_+_", "lists.range".
	Name string
	// Overload is the identifier of the overload in cel-go or Kubernetes.
	Overload string
	// Signature declares an overload of Kubernetes' own libraries, as in "string.find(string) string"; those of cel-go declare themselves.
	Signature string
	// Since is the first Kubernetes version whose environment has the overload.
	Since string
	// Go is the function of this package that compiled code calls; "" for none.
	Go string
	// Call calls the overload. It checks the types of args, none of which is an error.
	Call func(args []any) (any, error)
	// Cost is what a call of the overload costs at run time; nil is 1. Each of args, and the result, may be an error.
	Cost func(args []any, result any) uint64
	// DynCost is what a call costs where the checker left several overloads to choose from; nil is 1.
	DynCost func(args []any, result any) uint64

	params []param
	guard  guard
}

// A guard says how an overload checks the types of its arguments before it is called.
type guard uint8

const (
	// Mismatches are reported with the types of all arguments.
	guardTypes guard = iota
	// The function reports mismatches itself.
	guardNone
	// The operator of the left operand's type reports mismatches; types without the operator are reported with its name.
	guardOperator
)

// Functions returns all overloads; overloads of a name are in the order in which the server tries them.
func Functions() []Function { return table().rows }

// Lookup returns the overload with the identifier, nil if it does not exist.
func Lookup(overload string) *Function { return table().overloads[overload] }

// Dispatch calls the overload of the function that the run-time types of args select.
func Dispatch(name string, args []any) (any, error) {
	overloads := table().names[name]
	for _, f := range overloads {
		if f.guard == guardOperator || len(overloads) == 1 || f.accepts(args) {
			return f.Call(args)
		}
	}
	return nil, noSuchOverload(name, args)
}

// DispatchCost returns what a call costs whose overload was selected at run time.
func DispatchCost(name string, args []any, result any) uint64 {
	for _, f := range table().names[name] {
		if f.DynCost != nil {
			return f.DynCost(args, result)
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
		stringFunctions(), regexFunctions(), listFunctions(), kubeListFunctions(), setFunctions(), optionalFunctions(),
		urlFunctions(), ipFunctions(), cidrFunctions(), quantityFunctions(), semverFunctions(), formatFunctions(),
	)
	for i := range t.rows {
		f := &t.rows[i]
		if f.Signature != "" {
			f.params = signatureParams(f.Signature)
		}
		if f.guard == guardTypes {
			f.Call = guardedCall(f.Name, f.params, f.Call)
		}
		t.overloads[f.Overload] = f
		t.names[f.Name] = append(t.names[f.Name], f)
	}
	return t
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

func (f *Function) accepts(args []any) bool {
	return f.guard == guardNone && len(args) == len(f.params) || acceptsAll(f.params, args)
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
	if p.name != TypeOf(v) {
		return false
	}
	if p.elem == nil || p.elem.name == "" {
		return true
	}
	items, err := Items(v)
	return err == nil && (len(items) == 0 || p.elem.accepts(items[0]))
}

// noSuchOverload returns the error for arguments that no overload of a function accepts.
func noSuchOverload(name string, args []any) error {
	var b strings.Builder
	b.WriteString("no such overload: ")
	b.WriteString(name)
	b.WriteByte('(')
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			return err
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(TypeOf(arg))
	}
	b.WriteByte(')')
	return errors.New(b.String())
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

// signatureParams returns the parameters of a signature, the receiver first: "string.find(string) string", "url(string)
// kubernetes.URL", "ip.isCanonical(string) bool".
func signatureParams(signature string) []param {
	head, rest, _ := strings.Cut(signature, "(")
	var params []param
	// A list's type is all of the receiver that has parentheses.
	if elem, ok := strings.CutPrefix(signature, "list("); ok {
		elem, member, _ := strings.Cut(elem, ").")
		params = append(params, paramOf("list("+elem+")"))
		_, rest, _ = strings.Cut(member, "(")
	} else if i := strings.LastIndexByte(head, '.'); i >= 0 && !isNamespace(head[:i]) {
		params = append(params, paramOf(head[:i]))
	}
	rest = rest[:strings.LastIndex(rest, ") ")]
	for _, arg := range strings.Split(rest, ", ") {
		if arg != "" {
			params = append(params, paramOf(arg))
		}
	}
	return params
}

// isNamespace reports whether a signature's prefix is part of the function's name, as in ip.isCanonical, and not a receiver.
func isNamespace(prefix string) bool { return prefix == "ip" || prefix == "format" }

// as returns a value as what a typed function takes; lists of any kind become []any.
func as[T any](v any) (T, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	var t T
	switch p := any(&t).(type) {
	case *any: // null
		return t, nil
	case *[]any:
		items, err := Items(v)
		*p = items
		return t, err
	}
	return t, errNoSuchOverload
}

// call1, call2 and call3 box functions that cannot fail, call1e, call2e, call3e and call4e those that can.

func call1[A, R any](f func(A) R) func([]any) (any, error) {
	return call1e(func(a A) (R, error) { return f(a), nil })
}

func call2[A, B, R any](f func(A, B) R) func([]any) (any, error) {
	return call2e(func(a A, b B) (R, error) { return f(a, b), nil })
}

func call3[A, B, C, R any](f func(A, B, C) R) func([]any) (any, error) {
	return call3e(func(a A, b B, c C) (R, error) { return f(a, b, c), nil })
}

func call4e[A, B, C, D, R any](f func(A, B, C, D) (R, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		d, err := as[D](args[3])
		if err != nil {
			return nil, err
		}
		return call3e(func(a A, b B, c C) (R, error) { return f(a, b, c, d) })(args)
	}
}

func call1e[A, R any](f func(A) (R, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return boxed(f(a))
	}
}

func call2e[A, B, R any](f func(A, B) (R, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		b, err := as[B](args[1])
		if err != nil {
			return nil, err
		}
		return boxed(f(a, b))
	}
}

func call3e[A, B, C, R any](f func(A, B, C) (R, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		b, err := as[B](args[1])
		if err != nil {
			return nil, err
		}
		c, err := as[C](args[2])
		if err != nil {
			return nil, err
		}
		return boxed(f(a, b, c))
	}
}

func boxed[R any](r R, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}
