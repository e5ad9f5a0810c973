package lower

import (
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// call compiles a call.
func (c *ruleCompiler) call(e *prunecel.Expr) plan.GoValue {
	switch e.Name {
	case "_&&_", "_||_":
		return c.junction(e)
	case "_?_:_":
		return c.choice(e)
	case "!_":
		c.pay(1)
		if kindOf(e.Args[0]) != prunecel.KindBool {
			panic(unsupported("! of a value that is not a boolean"))
		}
		return opposite(c.value(e.Args[0]))
	case "_==_", "_!=_":
		return c.equality(e)
	case "_<_", "_<=_", "_>_", "_>=_":
		return c.order(e)
	case "@in":
		return c.membership(e)
	case "size":
		return c.size(e)
	case "_[_]":
		return c.element(e)
	case "hasValue", "orValue":
		return c.optional(e)
	case "matches":
		return c.withPattern(e, "Match")
	case "find":
		return c.withPattern(e, "Find")
	}
	switch e.Overload {
	case "add_string":
		return plan.Method{Name: "Concat", Args: c.texts(e)}
	case "contains_string":
		if _, ok := constantText(e.Args[1]); !ok {
			panic(unsupported("contains with a text that is not constant"))
		}
		return plan.Method{Name: "HasText", Args: c.texts(e)}
	case "starts_with_string":
		return plan.Method{Name: "HasPrefix", Args: c.texts(e)}
	case "ends_with_string":
		return plan.Method{Name: "HasSuffix", Args: c.texts(e)}
	case "add_int64":
		if celrules.NeverOverflows(e) {
			c.pay(1)
			args := c.values(e)
			return plan.Infix{Op: "+", X: args[0], Y: args[1]}
		}
	}
	return c.function(e)
}

// values compiles the arguments of a call.
func (c *ruleCompiler) values(e *prunecel.Expr) []plan.GoValue {
	all := make([]plan.GoValue, len(e.Args))
	for i, a := range e.Args {
		all[i] = c.value(a)
	}
	return all
}

// texts compiles the arguments of a call, which must be texts. A value that the schema does not specify may be another.
func (c *ruleCompiler) texts(e *prunecel.Expr) []plan.GoValue {
	for _, a := range e.Args {
		if kindOf(a) != prunecel.KindString {
			panic(unsupported(e.Name + " of " + typeText(a)))
		}
	}
	return c.values(e)
}

// size compiles size(x).
func (c *ruleCompiler) size(e *prunecel.Expr) plan.GoValue {
	c.pay(1)
	arg := e.Args[0]
	if arg.IsFilter() {
		return c.count(arg)
	}
	switch kindOf(arg) {
	case prunecel.KindString:
		return plan.Call{Func: "Length", Args: c.values(e)}
	case prunecel.KindList, prunecel.KindMap, prunecel.KindObject, prunecel.KindOpaque:
		if goType(arg.Type) != "" {
			return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{length(c.value(arg))}}
		}
	}
	panic(unsupported("size of " + typeText(arg)))
}

// element compiles x[i].
func (c *ruleCompiler) element(e *prunecel.Expr) plan.GoValue {
	of, index := e.Args[0], e.Args[1]
	if of.Type == nil || of.Type.Elem == nil {
		panic(unsupported("an element of " + typeText(of)))
	}
	c.pay(2)
	x, i := c.value(of), c.value(index)
	switch {
	case kindOf(of) == prunecel.KindList && kindOf(index) == prunecel.KindInt:
		if split, ok := x.(plan.Method); ok && split.Name == "Split" {
			// One of the strings, without a list of all.
			return plan.Method{Name: "Part", Args: append(split.Args, i)}
		}
		return convert(plan.Method{Name: "Element", Args: []plan.GoValue{x, i}}, of.Type.Elem)
	case kindOf(of) == prunecel.KindMap && !of.Type.Computed && kindOf(index) == prunecel.KindString:
		return convert(plan.Method{Name: "Entry", Args: []plan.GoValue{x, i}}, of.Type.Elem)
	}
	panic(unsupported("an element of " + typeText(of)))
}

// withPattern compiles the call of a method of a constant pattern.
func (c *ruleCompiler) withPattern(e *prunecel.Expr, method string) plan.GoValue {
	pattern, ok := e.Args[1].Const.(string)
	if e.Args[1].Op != prunecel.OpConst || !ok || kindOf(e.Args[0]) != prunecel.KindString {
		panic(unsupported(e.Name + " with a pattern that is not constant"))
	}
	if _, err := regexp.Compile(pattern); err != nil {
		panic(unsupported("a pattern that is wrong"))
	}
	return plan.Method{Name: method, Args: []plan.GoValue{plan.RulePattern(numberOf(&c.rule.Patterns, pattern)), c.value(e.Args[0])}}
}

// formatTest compiles format.<name>().validate(text).hasValue() as whether the text does not have the format.
func (c *ruleCompiler) formatTest(e *prunecel.Expr) (plan.GoValue, bool) {
	if e.Overload != "format-validate" || kindOf(e.Args[1]) != prunecel.KindString {
		return nil, false
	}
	format, text := e.Args[0], e.Args[1]
	name, ok := strings.CutPrefix(format.Name, "format.")
	if !ok || format.Op != prunecel.OpCall || len(format.Args) > 0 {
		return nil, false
	}
	c.pay(3)
	return opposite(plan.Method{Name: "HasFormat", Args: []plan.GoValue{plan.Literal{Of: name}, c.value(text)}}), true
}

// function compiles a call of a function that the table has a method for.
func (c *ruleCompiler) function(e *prunecel.Expr) plan.GoValue {
	f := prunecel.Lookup(e.Overload)
	if f == nil || f.Go == "" {
		panic(unsupported("the function " + e.Name))
	}
	for _, a := range e.Args {
		if kind := kindOf(a); kind == prunecel.KindIntOrString || kind == prunecel.KindNone {
			panic(unsupported("the function " + e.Name + " of " + typeText(a)))
		}
	}
	c.pay(2)
	args := c.values(e)
	if member, ok := strings.CutPrefix(f.Go, "."); ok {
		return plan.Member{Of: args[0], Name: member}
	}
	return plan.Method{Name: f.Go, Args: args}
}
