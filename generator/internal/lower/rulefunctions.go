package lower

import (
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
	args := c.values(e)
	if f != "HasText" {
		c.spendText(args[1], 1)
		return plan.Call{Func: f, Args: args}
	}
	sub, ok := textOf(args[1])
	if !ok {
		panic(unsupported("contains with a text that is not constant"))
	}
	c.spendText(args[0], len(sub)/10+1)
	return plan.Call{Func: f, Args: args}
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
	s := c.value(e.Args[0])
	c.spendText(s, len(pattern)/4+1)
	return plan.Method{Of: plan.RulePattern(numberOf(&c.rule.Patterns, pattern)), Name: method, Args: []plan.GoValue{s}}
}

// formatTest recognizes format.<name>().validate(text).hasValue().
func formatTest(e *prunecel.Expr) (name string, text *prunecel.Expr, ok bool) {
	if e.Name != "hasValue" || e.Args[0].Overload != "format-validate" || kindOf(e.Args[0].Args[1]) != prunecel.KindString {
		return "", nil, false
	}
	format := e.Args[0].Args[0]
	name, ok = strings.CutPrefix(format.Name, "format.")
	return name, e.Args[0].Args[1], ok && format.Op == prunecel.OpCall && len(format.Args) == 0
}

// function compiles a call of a function of the libraries.
func (c *ruleCompiler) function(e *prunecel.Expr) plan.GoValue {
	if e.Name == "find" && len(e.Args) == 2 {
		return c.withPattern(e, "Find")
	}
	if name, text, ok := formatTest(e); ok {
		const cost = 280 // the regular expression of no format costs more
		s := c.value(text)
		c.pay(3)
		c.spendText(s, cost)
		return opposite(plan.Call{Func: "HasFormat", Args: []plan.GoValue{plan.Literal{Of: name}, s}})
	}
	if v, ok := c.optionalField(e); ok {
		return v
	}
	f := prunecel.Lookup(e.Overload)
	if f == nil || f.Go == "" {
		panic(unsupported("the function " + e.Name))
	}
	args := c.values(e)
	c.pay(2)
	for i, a := range e.Args {
		switch kindOf(a) {
		case prunecel.KindString:
			c.spendText(args[i], 2) // none costs more
		case prunecel.KindList:
			if !plain(a.Type.Elem) {
				panic(unsupported("the function " + e.Name + " of " + typeText(a)))
			}
			c.add(c.spend(length(args[i]), 12))
		case prunecel.KindIntOrString, prunecel.KindNone, prunecel.KindMap, prunecel.KindObject:
			panic(unsupported("the function " + e.Name + " of " + typeText(a)))
		}
	}
	call := plan.Call{Func: f.Go, Args: args}
	if !f.Fails {
		return call
	}
	v := c.orError(variable(e.Name), call, expected)
	switch e.Name {
	case "join", "replace":
		c.spendText(v, 2) // what they make may be longer than what they are given
	}
	return v
}
