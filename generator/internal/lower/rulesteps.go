package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// stepped returns the arguments of a call. Where two or more of the library's calls would be in it, each becomes a variable before it, one
// for each step.
func (c *ruleCompiler) stepped(args []plan.GoValue) []plan.GoValue {
	inside := 0
	for _, a := range args {
		inside += libraryCalls(a)
	}
	if !c.steps || inside < 2 {
		return args
	}
	for i, a := range args {
		args[i] = c.step(a)
	}
	return args
}

// step returns the variable for a call of the library, which it declares, and other values as they are. A sum that another one begins
// with becomes that sum: nothing else refers to the variable of a step.
func (c *ruleCompiler) step(v plan.GoValue) plan.GoValue {
	call, ok := libraryCall(v)
	if !ok {
		return v
	}
	function := string(call.Args[0].(plan.Function))
	c.block.steps++
	if before, ok := call.Args[1].(plan.Name); ok && c.stepOf[before] == function {
		c.block.lets = append(c.block.lets, plan.Let{Names: []string{string(before)}, Again: true, Value: v})
		return before
	}
	name := plan.Name(c.name(stepName(function)))
	c.stepOf[name] = function
	c.block.lets = append(c.block.lets, plan.Let{Names: []string{string(name)}, Value: v})
	return name
}

// libraryCall returns the call of a function of the libraries that a value is.
func libraryCall(v plan.GoValue) (plan.Call, bool) {
	call, ok := v.(plan.Call)
	if ok && len(call.Args) > 1 {
		_, ok = call.Args[0].(plan.Function)
		return call, ok
	}
	return call, false
}

// libraryCalls returns the number of calls of the libraries in a value, without those in functions.
func libraryCalls(v plan.GoValue) (n int) {
	var args []plan.GoValue
	switch v := v.(type) {
	case plan.Call:
		if _, ok := libraryCall(v); ok {
			n++
		}
		args = v.Args
	case plan.Method:
		args = v.Args
	case plan.Infix:
		args = []plan.GoValue{v.X, v.Y}
	case plan.Opposite:
		args = []plan.GoValue{v.X}
	case plan.Index:
		args = []plan.GoValue{v.Of, v.Key}
	}
	for _, a := range args {
		n += libraryCalls(a)
	}
	return n
}

// use says what a value is for.
type use uint8

const (
	operand use = iota // of an operator
	result             // of the function
)

// result compiles the boolean that a function returns.
func (c *ruleCompiler) result(e *prunecel.Expr) plan.GoValue {
	if e.Op == prunecel.OpCall && (e.Name == "_&&_" || e.Name == "_||_") {
		return c.junction(e, result)
	}
	return c.truth(e)
}
