package lower

import (
	"fmt"
	"maps"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// compileRule returns Go code for a rule. Where it cannot, it says why: the rule is then evaluated by its program.
//
// The code is sure of its verdict, or leaves the rule to the program: wherever CEL has an error, or a value is not what the schema
// says, it returns Unsure. So it has no texts of errors, and need not be right about objects that the schema does not allow.
func compileRule(e *prunecel.Expr, self *prunecel.Type, optionalOld bool) (code *plan.RuleCode, why string) {
	if optionalOld {
		return nil, "oldSelf is optional"
	}
	c := &ruleCompiler{rule: &plan.RuleCode{}, loop: &ruleLoop{}, names: newRuleNames()}
	defer func() {
		if r := recover(); r != nil {
			reason, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			code, why = nil, string(reason)
		}
	}()
	c.ruleBlock = &ruleBlock{fail: plan.Return{Values: []plan.GoValue{plan.OfRule("Unsure"), plan.Literal{Of: 0}}}, vars: map[string]plan.GoValue{}}
	body := c.within(func() {
		for _, v := range [...]string{"self", "oldSelf"} {
			if uses(e, v) {
				raw := plan.Name(map[string]string{"self": "raw", "oldSelf": "oldRaw"}[v])
				c.vars[v] = c.convert(raw, self, v, surprise)
			}
		}
		ok := c.value(e)
		var spent plan.GoValue = plan.Literal{Of: c.loop.cost}
		if c.metered {
			spent = plan.Name("meter.Spent")
		}
		c.add(plan.Return{Values: []plan.GoValue{plan.Call{Func: "Of", Args: []plan.GoValue{ok}}, spent}})
	})
	if c.metered {
		meter := plan.Call{Func: "NewMeter", Args: []plan.GoValue{plan.Literal{Of: c.loop.cost}}}
		body = append(plan.Code{plan.Let{Names: []string{"meter"}, Value: meter}}, body...)
	}
	c.rule.Body = body.WithoutUnused()
	return c.rule, ""
}

// unsupported is the panic of a ruleCompiler that meets what it cannot compile.
type unsupported string

// ruleCompiler compiles one rule.
type ruleCompiler struct {
	rule *plan.RuleCode
	*ruleBlock
	loop  *ruleLoop
	names *ruleNames
	// metered says that the cost of the rule depends on the object.
	metered bool
}

// ruleLoop is the body of a loop, or of the rule itself.
type ruleLoop struct {
	cost int // of one round, by the count of the API server, without loops and texts in it
}

// ruleBlock is a block of Go.
type ruleBlock struct {
	outer *ruleBlock
	code  plan.Code
	fail  plan.Stmt // ends the code where CEL has an error
	// fails says that valid objects can make the block fail.
	fails bool
	// spends says that some of what the block costs is known only where it runs.
	spends bool
	vars   map[string]plan.GoValue
	// read and tested have the variables of Go for fields that were read and tested, and known the tests that were true.
	read   map[string]plan.GoValue
	tested map[string]testedField
	known  map[string]bool
}

// within compiles a block, and returns its code.
func (c *ruleCompiler) within(compile func()) plan.Code {
	b := c.compile(c.fail, compile)
	c.fails, c.spends = c.fails || b.fails, c.spends || b.spends
	return b.code
}

// compile compiles a block that ends with fail where CEL has an error.
func (c *ruleCompiler) compile(fail plan.Stmt, compile func()) *ruleBlock {
	outer := c.ruleBlock
	c.ruleBlock = &ruleBlock{
		outer: outer, fail: fail, vars: map[string]plan.GoValue{}, read: map[string]plan.GoValue{}, tested: map[string]testedField{}, known: map[string]bool{},
	}
	compile()
	b := c.ruleBlock
	c.ruleBlock = outer
	return b
}

// canFail reports whether the block can fail, and the code can go on. It cannot where the block fails before it says what it costs:
// CEL may evaluate all of it.
func (b *ruleBlock) canFail() bool { return b.fails && !b.spends }

// join makes the code of a block part of the current one.
func (c *ruleCompiler) join(b *ruleBlock) {
	c.add(b.code...)
	c.fails, c.spends = c.fails || b.fails, c.spends || b.spends
	maps.Copy(c.read, b.read)
	maps.Copy(c.tested, b.tested)
	maps.Copy(c.known, b.known)
}

// add adds a statement to the current block.
func (c *ruleCompiler) add(s ...plan.Stmt) { c.code = append(c.code, s...) }

// name returns a new name of Go, if possible the one that is wanted.
func (c *ruleCompiler) name(wanted string) string { return c.names.name(wanted) }

// must adds a variable for a value of Go that comes with another one, which says whether there is a value: ok or err. It ends the code
// where there is none.
func (c *ruleCompiler) must(wanted string, ok plan.Name, value plan.GoValue, f failure) plan.Name {
	name := c.name(wanted)
	c.add(plan.Must{Name: name, Ok: ok, Value: value, Otherwise: plan.Code{c.fail}})
	c.fails = c.fails || bool(f)
	return plan.Name(name)
}

// failure says whether valid objects can cause an error.
type failure bool

const (
	expected failure = true
	surprise failure = false
)

// failIf ends the code if cond is true.
func (c *ruleCompiler) failIf(cond plan.GoValue, f failure) {
	c.add(plan.If{Cond: cond, Then: plan.Code{c.fail}})
	c.fails = c.fails || bool(f)
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

// value compiles an expression.
func (c *ruleCompiler) value(e *prunecel.Expr) plan.GoValue {
	switch e.Op {
	case prunecel.OpConst:
		switch e.Const.(type) {
		case string, int64, bool, float64:
			return plan.Literal{Of: e.Const}
		}
		panic(unsupported("a constant " + e.String()))
	case prunecel.OpIdent:
		c.pay(1)
		for b := c.ruleBlock; b != nil; b = b.outer {
			if v, ok := b.vars[e.Name]; ok {
				return v
			}
		}
		panic(unsupported("the variable " + e.Name))
	case prunecel.OpSelect:
		return c.field(e)
	case prunecel.OpHas:
		return c.test(e).has
	case prunecel.OpCall:
		return c.call(e)
	case prunecel.OpFold:
		return c.fold(e)
	}
	panic(unsupported(fmt.Sprintf("%.40s", e)))
}

// truth compiles an expression that must be a boolean. What the schema does not know may be something else.
func (c *ruleCompiler) truth(e *prunecel.Expr) plan.GoValue {
	if kindOf(e) != prunecel.KindBool {
		panic(unsupported("a condition of " + typeText(e)))
	}
	return c.value(e)
}
