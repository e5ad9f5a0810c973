package lower

import (
	"iter"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

type testedField struct{ value, has plan.Name }

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
				c.failIf(opposite(f.has), expected)
				c.known[test] = true
			}
			return f.value
		}
	}
	obj, t := c.object(e.Args[0])
	field, name, always := fieldType(e, t)
	c.pay(1)
	v := c.convert(plan.Index{Of: obj, Key: plan.Literal{Of: name}}, field, variable(name), failure(!always))
	if price(e) > 0 {
		c.read[key] = v
	}
	return v
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
	f := testedField{plan.Name(c.name(variable(name))), plan.Name(c.name("has" + upperFirst(words(name))))}
	raw := plan.Index{Of: obj, Key: plan.Literal{Of: name}}
	c.add(plan.Let{Names: []string{string(f.value), string(f.has)}, Value: made(raw, field)})
	if t.Kind == prunecel.KindMap {
		// A key with null is there.
		isKey := c.sureOf("isKey", plan.Call{Func: "HasKey", Args: []plan.GoValue{obj, plan.Literal{Of: name}}})
		c.failIf(plan.Infix{Op: "!=", X: isKey, Y: f.has}, surprise)
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
