package lower

import (
	"fmt"
	"iter"
	"maps"
	"strconv"

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
	c := &ruleCompiler{rule: &plan.RuleCode{}, loop: &ruleLoop{}}
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
				raw := plan.Name(map[string]string{"self": "self", "oldSelf": "old"}[v])
				c.vars[v] = c.convert(raw, self, "v"+raw[:1], surprise)
			}
		}
		ok := c.value(e)
		var spent plan.GoValue = plan.Literal{Of: c.loop.cost}
		if c.metered {
			spent = plan.Name("m.Spent")
		}
		c.add(plan.Return{Values: []plan.GoValue{plan.Call{Func: "Of", Args: []plan.GoValue{ok}}, spent}})
	})
	if c.metered {
		meter := plan.Call{Func: "NewMeter", Args: []plan.GoValue{plan.Literal{Of: c.loop.cost}}}
		body = append(plan.Code{plan.Let{Names: []string{"m"}, Value: meter}}, body...)
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
	names int
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

type testedField struct{ value, has plan.Name }

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

// name returns a new name of Go.
func (c *ruleCompiler) name(prefix string) string {
	c.names++
	return prefix + strconv.Itoa(c.names)
}

// failure says whether valid objects can cause an error.
type failure bool

const (
	expected failure = true
	surprise failure = false
)

// failUnless ends the code unless ok.
func (c *ruleCompiler) failUnless(ok plan.GoValue, f failure) {
	c.failIf(opposite(ok), f)
}

// opposite returns !v.
func opposite(v plan.GoValue) plan.GoValue {
	switch v := v.(type) {
	case plan.Opposite:
		return v.X
	case plan.Infix:
		switch v.Op {
		case "==":
			return plan.Infix{Op: "!=", X: v.X, Y: v.Y}
		case "!=":
			return plan.Infix{Op: "==", X: v.X, Y: v.Y}
		}
	}
	return plan.Opposite{X: v}
}

func (c *ruleCompiler) failIf(cond plan.GoValue, f failure) {
	c.add(plan.If{Cond: cond, Then: plan.Code{c.fail}})
	c.fails = c.fails || bool(f)
}

// pay adds to the cost of a round of the current loop.
func (c *ruleCompiler) pay(cost int) { c.loop.cost += cost }

// spend returns a statement that adds n times cost, and ends the code if that is too much.
func (c *ruleCompiler) spend(n plan.GoValue, cost int) plan.Stmt {
	c.metered, c.spends = true, true
	return plan.If{Cond: opposite(plan.Method{Of: plan.Name("m"), Name: "Spend", Args: []plan.GoValue{n, plan.Literal{Of: cost}}}), Then: plan.Code{c.fail}}
}

// spendText pays for reading a text: a constant one at once, others where the code knows how long they are.
func (c *ruleCompiler) spendText(v plan.GoValue, factor int) {
	if s, ok := textOf(v); ok {
		c.pay((len(s)/10 + 1) * factor)
		return
	}
	c.add(c.spend(plan.Infix{Op: "+", X: plan.Infix{Op: "/", X: length(v), Y: plan.Literal{Of: 10}}, Y: plan.Literal{Of: 1}}, factor))
}

// textOf returns the text of a constant.
func textOf(v plan.GoValue) (string, bool) {
	l, _ := v.(plan.Literal)
	s, ok := l.Of.(string)
	return s, ok
}

func length(v plan.GoValue) plan.GoValue {
	return plan.Call{Builtin: true, Func: "len", Args: []plan.GoValue{v}}
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

// goType returns the type of Go for values of a type.
func goType(t *prunecel.Type) string {
	switch t.Kind {
	case prunecel.KindBool:
		return "bool"
	case prunecel.KindInt:
		return "int64"
	case prunecel.KindDouble:
		return "float64"
	case prunecel.KindString:
		return "string"
	case prunecel.KindList:
		return "[]any"
	case prunecel.KindObject, prunecel.KindOpaque:
		return "map[string]any"
	case prunecel.KindMap:
		if !t.Computed {
			return "map[string]any"
		}
	case prunecel.KindIntOrString:
		return "any"
	}
	return ""
}

// fromRaw returns the function of the runtime that makes a value from decoded JSON, empty if an assertion does.
func fromRaw(t *prunecel.Type) string {
	if t.Computed {
		return ""
	}
	switch t.Kind {
	case prunecel.KindDouble:
		return "Number"
	case prunecel.KindIntOrString:
		return "IntOrString"
	case prunecel.KindBytes:
		return "Bytes"
	case prunecel.KindDuration:
		return "Duration"
	case prunecel.KindDate:
		return "DateOf"
	case prunecel.KindDateTime:
		return "TimeOf"
	}
	return ""
}

// made returns an expression of Go with two values: the value of type t that raw is, and whether it is one.
func made(raw plan.GoValue, t *prunecel.Type) plan.GoValue {
	if f := fromRaw(t); f != "" {
		return plan.Call{Func: f, Args: []plan.GoValue{raw}}
	}
	typ := goType(t)
	if typ == "" {
		panic(unsupported("a value of type " + typeName(t)))
	}
	return plan.Assert{Of: raw, Type: typ}
}

// convert makes a value of type t from raw.
func (c *ruleCompiler) convert(raw plan.GoValue, t *prunecel.Type, prefix plan.Name, f failure) plan.GoValue {
	if t == nil {
		panic(unsupported("a value of an unknown type"))
	}
	v, ok := c.name(string(prefix)), c.name("ok")
	c.add(plan.Let{Names: []string{v, ok}, Value: made(raw, t)})
	c.failUnless(plan.Name(ok), f)
	return plan.Name(v)
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

// object returns the variable of an object or a map of the resource, and its type.
func (c *ruleCompiler) object(e *prunecel.Expr) (plan.GoValue, *prunecel.Type) {
	t := e.Type
	if t == nil || t.Computed || t.Kind != prunecel.KindObject && t.Kind != prunecel.KindMap {
		panic(unsupported("a field of a computed value"))
	}
	return c.value(e), t
}

// fieldType returns the type of the field that an expression reads or tests, its name and whether valid objects always have it.
func fieldType(e *prunecel.Expr, t *prunecel.Type) (field *prunecel.Type, name string, always bool) {
	if t.Kind == prunecel.KindMap {
		return t.Elem, e.Name, false
	}
	name, _ = prunecel.Unescape(e.Name)
	field = t.Fields[name]
	if field == nil {
		panic(unsupported("a field that the schema does not specify"))
	}
	return field, name, t.Always[name]
}

// field compiles a.b.
func (c *ruleCompiler) field(e *prunecel.Expr) plan.GoValue {
	key := e.String()
	test := (&prunecel.Expr{Op: prunecel.OpHas, Name: e.Name, Args: e.Args}).String()
	for b := range c.blocks(e) {
		if v, ok := b.read[key]; ok {
			c.pay(price(e))
			return v
		}
		if f, ok := b.tested[test]; ok {
			c.pay(price(e))
			if !c.isKnown(e, test) {
				c.failUnless(f.has, expected)
				c.known[test] = true
			}
			return f.value
		}
	}
	obj, t := c.object(e.Args[0])
	field, name, always := fieldType(e, t)
	c.pay(1)
	v := c.convert(plan.Index{Of: obj, Key: plan.Literal{Of: name}}, field, "v", failure(!always))
	if price(e) > 0 {
		c.read[key] = v
	}
	return v
}

// price returns the cost of reading a field, with all steps from a variable; 0 if there is more to it than steps.
func price(e *prunecel.Expr) int {
	if e.Op == prunecel.OpIdent {
		return 1
	}
	if e.Op == prunecel.OpSelect || e.Op == prunecel.OpHas {
		if p := price(e.Args[0]); p > 0 {
			return p + 1
		}
	}
	return 0
}

// blocks returns the blocks, inner ones first, that can know an expression: up to the one with a variable that it refers to. Outside of
// that the same text is about another variable of that name.
func (c *ruleCompiler) blocks(e *prunecel.Expr) iter.Seq[*ruleBlock] {
	return func(yield func(*ruleBlock) bool) {
		for b := c.ruleBlock; b != nil; b = b.outer {
			if !yield(b) {
				return
			}
			for name := range b.vars {
				if uses(e, name) {
					return
				}
			}
		}
	}
}

func (c *ruleCompiler) isKnown(e *prunecel.Expr, test string) bool {
	for b := range c.blocks(e) {
		if b.known[test] {
			return true
		}
	}
	return false
}

// test compiles has(a.b).
func (c *ruleCompiler) test(e *prunecel.Expr) testedField {
	key := e.String()
	for b := range c.blocks(e) {
		if f, ok := b.tested[key]; ok {
			c.pay(price(e))
			return f
		}
	}
	obj, t := c.object(e.Args[0])
	field, name, _ := fieldType(e, t)
	c.pay(1)
	f := testedField{plan.Name(c.name("v")), plan.Name(c.name("has"))}
	raw := plan.Index{Of: obj, Key: plan.Literal{Of: name}}
	c.add(plan.Let{Names: []string{string(f.value), string(f.has)}, Value: made(raw, field)})
	if t.Kind == prunecel.KindMap {
		// A key with null is there.
		is, sure := c.name("is"), c.name("sure")
		c.add(plan.Let{Names: []string{is, sure}, Value: plan.Call{Func: "HasKey", Args: []plan.GoValue{obj, plan.Literal{Of: name}}}})
		c.failUnless(plan.Name(sure), surprise)
		c.failIf(plan.Infix{Op: "!=", X: plan.Name(is), Y: f.has}, surprise)
	} else {
		c.failIf(plan.Infix{Op: "&&", X: opposite(f.has), Y: plan.Infix{Op: "!=", X: raw, Y: plan.Name("nil")}}, surprise)
	}
	if price(e) > 0 {
		c.tested[key] = f
	}
	return f
}

// facts notes which tests are true if an expression is true, or false.
func (c *ruleCompiler) facts(e *prunecel.Expr, is bool) {
	switch {
	case e.Op == prunecel.OpHas && is:
		c.known[e.String()] = true
	case e.Op != prunecel.OpCall:
	case e.Name == "!_":
		c.facts(e.Args[0], !is)
	case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
		for _, a := range e.Args {
			c.facts(a, is)
		}
	}
}

// operands returns the operands of a chain of && or ||.
func operands(e *prunecel.Expr, op string) []*prunecel.Expr {
	if e.Op != prunecel.OpCall || e.Name != op {
		return []*prunecel.Expr{e}
	}
	var all []*prunecel.Expr
	for _, a := range e.Args {
		all = append(all, operands(a, op)...)
	}
	return all
}

// junction compiles the operands of && and ||. One that fails does not matter if another decides.
func (c *ruleCompiler) junction(terms []*prunecel.Expr, decides bool) plan.GoValue {
	op := "&&"
	if decides {
		op = "||"
	}
	undecided := func(v plan.GoValue) plan.GoValue {
		if decides {
			return opposite(v)
		}
		return v
	}
	term, rest := terms[0], terms[1:]
	if len(rest) == 0 {
		return c.truth(term)
	}
	names, cost := c.names, c.loop.cost
	var first, second plan.GoValue
	block := c.compile(c.fail, func() { first = c.truth(term) })
	if block.canFail() {
		// Again, in a function of its own.
		c.names, c.loop.cost = names, cost
		block := c.compile(plan.Return{Values: []plan.GoValue{plan.Name("false"), plan.Name("false")}}, func() {
			c.add(plan.Return{Values: []plan.GoValue{c.truth(term), plan.Name("true")}})
		})
		is, ok := plan.Name(c.name("is")), plan.Name(c.name("ok"))
		c.add(plan.Let{Names: []string{string(is), string(ok)}, Value: plan.Try{Type: "bool", Body: block.code}})
		then := c.within(func() {
			second = c.junction(rest, decides)
			// Without the first operand the others must decide.
			c.failIf(plan.Infix{Op: "&&", X: opposite(ok), Y: undecided(second)}, expected)
			c.add(plan.Set{Name: string(is), Value: second})
		})
		c.add(plan.If{Cond: plan.Infix{Op: "||", X: opposite(ok), Y: undecided(is)}, Then: then})
		return is
	}
	c.join(block)
	then := c.within(func() {
		c.facts(term, !decides)
		second = c.junction(rest, decides)
	})
	if len(then) == 0 {
		return plan.Infix{Op: op, X: first, Y: second}
	}
	is := plan.Name(c.name("is"))
	c.add(plan.Let{Names: []string{string(is)}, Value: first},
		plan.If{Cond: undecided(is), Then: append(then, plan.Set{Name: string(is), Value: second})})
	return is
}

// choice compiles c ? a : b.
func (c *ruleCompiler) choice(e *prunecel.Expr) plan.GoValue {
	typ := goType(e.Type)
	if a, b := goType(e.Args[1].Type), goType(e.Args[2].Type); typ == "" || a != b || a != typ {
		panic(unsupported("a choice between values of type " + typeText(e)))
	}
	cond := c.truth(e.Args[0])
	r := c.name("is")
	if typ != "bool" {
		r = c.name("v")
	}
	branch := func(i int, is bool) plan.Code {
		return c.within(func() {
			c.facts(e.Args[0], is)
			c.add(plan.Set{Name: r, Value: c.value(e.Args[i])})
		})
	}
	then, otherwise := branch(1, true), branch(2, false)
	if n := e.Args[2]; n.Op == prunecel.OpConst && (n.Const == int64(0) || n.Const == false || n.Const == "") {
		otherwise = nil // it is declared so
	}
	c.add(plan.Declare{Name: r, Type: typ}, plan.If{Cond: cond, Then: then, Otherwise: otherwise})
	return plan.Name(r)
}
