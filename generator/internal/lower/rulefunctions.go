package lower

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// textTest compiles contains, startsWith and endsWith.
func (c *ruleCompiler) textTest(e *prunecel.Expr) plan.GoValue {
	f := ""
	switch e.Overload {
	case "contains_string":
		f = "HasText"
	case "starts_with_string":
		f = "HasPrefix"
	case "ends_with_string":
		f = "HasSuffix"
	}
	if f == "" || kindOf(e.Args[0]) != prunecel.KindString || kindOf(e.Args[1]) != prunecel.KindString {
		panic(unsupported(e.Name + " of " + typeText(e.Args[0])))
	}
	if f == "HasText" {
		if _, ok := constantText(e.Args[1]); !ok {
			panic(unsupported("contains with a text that is not constant"))
		}
	}
	return plan.Method{Name: f, Args: c.values(e)}
}

// matches compiles matches with a constant pattern.
func (c *ruleCompiler) matches(e *prunecel.Expr) plan.GoValue {
	return c.withPattern(e, "Match")
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

// formatTest compiles format.<name>().validate(text) as whether the text has the format.
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
	return plan.Method{Name: "HasFormat", Args: []plan.GoValue{plan.Literal{Of: name}, c.value(text)}}, true
}

// function compiles a call of a function of the libraries.
func (c *ruleCompiler) function(e *prunecel.Expr) plan.GoValue {
	if e.Name == "find" && len(e.Args) == 2 {
		return c.withPattern(e, "Find")
	}
	if e.Name == "hasValue" {
		if has, ok := c.formatTest(e.Args[0]); ok {
			return opposite(has)
		}
	}
	if v, ok := c.optionalField(e); ok {
		return v
	}
	f := prunecel.Lookup(e.Overload)
	if f == nil || f.Go == "" {
		panic(unsupported("the function " + e.Name))
	}
	c.pay(2)
	for _, a := range e.Args {
		switch kind := kindOf(a); {
		case kind == prunecel.KindIntOrString || kind == prunecel.KindNone || kind == prunecel.KindMap || kind == prunecel.KindObject,
			kind == prunecel.KindList && !plain(a.Type.Elem):
			panic(unsupported("the function " + e.Name + " of " + typeText(a)))
		}
	}
	return c.called(f, c.values(e))
}

// called returns a call of a function of the libraries by the reader, which pays for the texts and lists in it and records an error.
func (c *ruleCompiler) called(f *prunecel.Function, args []plan.GoValue) plan.GoValue {
	call := "Call%d"
	if f.Fails {
		call = "Try%d"
	}
	return plan.Call{Func: fmt.Sprintf(call, len(args)), Reader: true, Args: append([]plan.GoValue{plan.Function(f.Go)}, c.stepped(args)...)}
}
