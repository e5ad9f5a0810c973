package lower

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// compileRule returns Go code for a rule, or the reason why there is none: the rule is then evaluated by its program.
//
// The code is an expression much like the rule, after variables for the fields that the rule reads more than once. It is sure of its
// verdict, or leaves the rule to the program: if CEL has an error, or a value does not have the type in the schema, its reader records
// that. So it has no error texts, and need not be right about objects that the schema does not allow.
func compileRule(e *prunecel.Expr, self *prunecel.Type, optionalOld bool) (code *plan.RuleCode, why string) {
	if optionalOld {
		return nil, "oldSelf is optional"
	}
	defer func() {
		if r := recover(); r != nil {
			reason, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			code, why = nil, string(reason)
		}
	}()
	// The first pass counts how often the rule reads each field, the second one writes the code.
	c := &ruleCompiler{sources: map[sourceKey]*source{}}
	c.compile(e, self)
	c.decided = true
	c.compile(e, self)
	return c.rule, ""
}

// unsupported is the panic of a ruleCompiler that meets what it cannot compile.
type unsupported string

// ruleCompiler compiles one rule.
type ruleCompiler struct {
	rule  *plan.RuleCode
	names goNames
	// sources are the variables of CEL. What the first pass notes about them decides what the second one does.
	sources map[sourceKey]*source
	decided bool
	// vars are the variables of CEL here, and known the fields that exist here.
	vars  map[string]*source
	known map[*source]int
	// block is the innermost function of Go, and cost what running it costs, without its loops and texts.
	block *ruleBlock
	cost  int
	// loops counts the loops around, and conditions what may keep the code here from running in the block.
	loops, conditions int
}

// ruleBlock is the body of a function.
type ruleBlock struct{ lets []plan.Let }

func (c *ruleCompiler) compile(e *prunecel.Expr, self *prunecel.Type) {
	c.rule, c.names, c.vars, c.known = &plan.RuleCode{}, goNames{}, map[string]*source{}, map[*source]int{}
	c.block, c.cost = &ruleBlock{}, 0
	c.declare("self", nil, plan.Name("r.Self"), self)
	c.declare("oldSelf", nil, plan.Name("r.Old"), self)
	c.rule.Value = c.truth(e)
	c.rule.Lets, c.rule.Cost = c.block.lets, c.cost
}

// pay adds to the cost of the current function.
func (c *ruleCompiler) pay(cost int) { c.cost += cost }

// payText pays for reading a constant text.
func (c *ruleCompiler) payText(s string) { c.pay(len(s)/10 + 1) }

// maybe compiles code that runs in some cases only.
func (c *ruleCompiler) maybe(compile func(*prunecel.Expr) plan.GoValue, e *prunecel.Expr) plan.GoValue {
	c.conditions++
	defer func() { c.conditions-- }()
	return compile(e)
}

// value compiles an expression.
func (c *ruleCompiler) value(e *prunecel.Expr) plan.GoValue {
	switch e.Op {
	case prunecel.OpConst:
		switch e.Const.(type) {
		case string, int64, float64, bool:
			return plan.Literal{Of: e.Const}
		}
		panic(unsupported("a constant " + e.String()))
	case prunecel.OpIdent:
		c.pay(1)
		if s := c.vars[e.Name]; s != nil {
			return c.read(s)
		}
		panic(unsupported("the variable " + e.Name))
	case prunecel.OpSelect:
		return c.field(e)
	case prunecel.OpHas:
		return c.test(e)
	case prunecel.OpCall:
		return c.call(e)
	case prunecel.OpFold:
		return c.fold(e)
	case prunecel.OpList, prunecel.OpMap:
		if e.IsEmpty() {
			c.pay(40) // what an empty map costs, and a list costs less
			return plan.Name(map[prunecel.Op]string{prunecel.OpList: "[]any(nil)", prunecel.OpMap: "map[string]any(nil)"}[e.Op])
		}
	}
	panic(unsupported(fmt.Sprintf("%.40s", e)))
}

// truth compiles an expression that must be a boolean. A value that the schema does not specify may have another type.
func (c *ruleCompiler) truth(e *prunecel.Expr) plan.GoValue {
	if kindOf(e) != prunecel.KindBool {
		panic(unsupported("a condition of " + typeText(e)))
	}
	return c.value(e)
}

// uses reports whether an expression refers to a variable.
func uses(e *prunecel.Expr, name string) bool {
	if e.Op == prunecel.OpIdent && e.Name == name {
		return true
	}
	for _, a := range e.Args {
		if uses(a, name) {
			return true
		}
	}
	return false
}
