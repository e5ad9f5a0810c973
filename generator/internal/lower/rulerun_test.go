package lower

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl/pruneformat"
)

// runRule runs the code of a rule as Go would. What would not compile, or panic, panics.
func runRule(code *plan.RuleCode, self, old any) prunecel.Verdict {
	reader := &prunecel.Reader{Self: self, Old: old, Spent: int64(code.Cost), Round: int64(code.Round)}
	r := &ruleRun{code: code, reader: reader, vars: map[string]any{"r.Self": self, "r.Old": old, "[]any(nil)": []any(nil), "map[string]any(nil)": map[string]any(nil)}}
	return reader.Verdict(r.body(code.Lets, code.Value).(bool))
}

// ruleRun has the variables of a rule. All have names of their own, whatever function they are in.
type ruleRun struct {
	code   *plan.RuleCode
	reader *prunecel.Reader
	vars   map[string]any
}

// body runs the body of a function.
func (r *ruleRun) body(lets []plan.Let, value plan.GoValue) any {
	for _, l := range lets {
		values := r.values(l.Value)
		if len(values) != len(l.Names) {
			panic(fmt.Sprintf("%d values for %q", len(values), l.Names))
		}
		for i, name := range l.Names {
			defer r.declare(name, values[i])()
		}
	}
	return r.value(value)
}

// declare declares a variable, and returns a function that ends it.
func (r *ruleRun) declare(name string, v any) (end func()) {
	if name == "_" {
		return func() {}
	}
	if _, ok := r.vars[name]; ok {
		panic(name + " is declared twice")
	}
	r.vars[name] = v
	return func() { delete(r.vars, name) }
}

// value returns the one value of an expression. Integers are int64, whatever their type in Go.
func (r *ruleRun) value(v plan.GoValue) any {
	values := r.values(v)
	if len(values) != 1 {
		panic(fmt.Sprintf("%#v has %d values", v, len(values)))
	}
	return values[0]
}

func (r *ruleRun) values(v plan.GoValue) []any {
	switch v := v.(type) {
	case plan.Name:
		value, ok := r.vars[string(v)]
		if !ok {
			panic(string(v) + " is not declared")
		}
		return []any{value}
	case plan.Literal:
		if n, ok := v.Of.(int); ok {
			return []any{int64(n)}
		}
		return []any{v.Of}
	case plan.Member:
		of := reflect.ValueOf(r.value(v.Of))
		if method, ok := strings.CutSuffix(v.Name, "()"); ok {
			return callOf(of.MethodByName(method), nil)
		}
		return []any{of.Elem().FieldByName(v.Name).Interface()}
	case plan.RulePattern:
		return []any{&pruneformat.Pattern{Text: r.code.Patterns[v]}}
	case plan.RuleType:
		return []any{&prunecel.TypeSource{Text: r.code.Types[v]}}
	case plan.Opposite:
		return []any{!r.value(v.X).(bool)}
	case plan.Infix:
		return []any{r.infix(v)}
	case plan.Index:
		m, _ := r.value(v.Of).(map[string]any)
		return []any{m[r.value(v.Key).(string)]}
	case plan.Call:
		return r.call(v)
	case plan.Method:
		return callOf(reflect.ValueOf(r.reader).MethodByName(v.Name), r.args(v.Args))
	case plan.Func:
		return []any{r.function(v)}
	}
	panic(fmt.Sprintf("%T", v))
}

func (r *ruleRun) args(args []plan.GoValue) []any {
	var all []any
	for _, a := range args {
		all = append(all, r.values(a)...) // of one that has several values, all are arguments
	}
	return all
}

// function returns a function of Go that runs the code of f.
func (r *ruleRun) function(f plan.Func) any {
	run := func(arg any) any {
		if f.Param != "" {
			defer r.declare(f.Param, arg)()
		}
		return r.body(f.Lets, f.Value)
	}
	switch f.ParamType + " " + f.Result {
	case "any bool":
		return func(e any) bool { return run(e).(bool) }
	case "string bool":
		return func(e string) bool { return run(e).(bool) }
	}
	if f.ParamType != "" {
		panic(f.ParamType + " " + f.Result)
	}
	return func() any { return run(nil) }
}

func (r *ruleRun) infix(v plan.Infix) any {
	x := r.value(v.X)
	switch v.Op {
	case "&&":
		return x.(bool) && r.value(v.Y).(bool)
	case "||":
		return x.(bool) || r.value(v.Y).(bool)
	}
	y := r.value(v.Y)
	switch v.Op {
	case "==":
		return x == y
	case "!=":
		return x != y
	}
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	if a.Type() != b.Type() {
		panic(fmt.Sprintf("%T %s %T", x, v.Op, y))
	}
	switch {
	case a.CanInt():
		return infix(v.Op, a.Int(), b.Int())
	case a.CanFloat():
		return infix(v.Op, a.Float(), b.Float())
	}
	s, t := x.(string), y.(string)
	switch v.Op {
	case "<":
		return s < t
	case "<=":
		return s <= t
	case ">":
		return s > t
	case ">=":
		return s >= t
	case "+":
		return s + t
	}
	panic(v.Op)
}

func infix[T int64 | float64](op string, x, y T) any {
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	case ">=":
		return x >= y
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	panic(op)
}

func (r *ruleRun) call(c plan.Call) []any {
	args := r.args(c.Args)
	if c.Builtin {
		switch c.Func {
		case "len":
			if args[0] == nil {
				return []any{int64(0)}
			}
			return []any{int64(reflect.ValueOf(args[0]).Len())}
		case "int64":
			return []any{args[0].(int64)}
		case "float64":
			return []any{args[0].(float64)}
		}
		panic(c.Func)
	}
	switch c.Func {
	case "Has":
		return []any{args[1].(bool)}
	case "In":
		for _, v := range args[1:] {
			if v == args[0] {
				return []any{true}
			}
		}
		return []any{false}
	case "Either":
		return []any{prunecel.Either(args[0].(bool), args[1], args[2])}
	case "Choose":
		return []any{prunecel.Choose(args[0].(bool), args[1].(func() any), args[2].(func() any))}
	case "HasElement":
		return []any{r.hasElement(args)}
	}
	if c.Func != "Length" {
		panic(c.Func)
	}
	return []any{prunecel.Length(args[0].(string))}
}

func (r *ruleRun) hasElement(args []any) bool {
	list, _ := args[0].([]any)
	switch v := args[1].(type) {
	case string:
		return prunecel.HasElement(r.reader, list, v)
	case int64:
		return prunecel.HasElement(r.reader, list, v)
	default:
		return prunecel.HasElement(r.reader, list, v.(bool))
	}
}

func callOf(f reflect.Value, args []any) []any {
	var in []reflect.Value
	for i, a := range args {
		v := reflect.ValueOf(a)
		want := f.Type().In(i)
		switch {
		case a == nil:
			v = reflect.Zero(want)
		case v.Type() != want && v.Type() == reflect.TypeFor[int64]() && want.Kind() == reflect.Int:
			v = v.Convert(want)
		}
		in = append(in, v)
	}
	var out []any
	for _, v := range f.Call(in) {
		if v.Kind() == reflect.Int {
			v = v.Convert(reflect.TypeFor[int64]())
		}
		out = append(out, v.Interface())
	}
	return out
}
