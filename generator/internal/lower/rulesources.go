package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// source is a variable of CEL, or a field of an object in one: self.spec.name.
type source struct {
	typ *prunecel.Type
	// raw is the decoded JSON of a variable. A field has the name of its object around.
	raw    plan.GoValue
	around *source
	name   string
	fields map[string]*source
	// always says that valid objects have the field.
	always bool
	// element says that it is the parameter of a function that a loop calls, as decoded JSON.
	element bool
	// block is the function of Go that can have variables for it, and loops the number of loops around that.
	block *ruleBlock
	loops int

	// What the first pass counts: reads where the value exists, tests by has, and reads where it may not exist. inLoop says that some are
	// in a loop inside of the block, and first that one of the last runs whenever the block does.
	reads, tests, guesses int
	inLoop, first         bool

	// value and has are its variables in Go, once it has them.
	value, has plan.Name
}

// sourceKey identifies a variable in both passes: by its name, and the comprehension that it is the variable of.
type sourceKey struct {
	name string
	fold *prunecel.Expr
}

// declare sets a variable of CEL, and returns a function that sets what it was before.
func (c *ruleCompiler) declare(name string, fold *prunecel.Expr, raw plan.GoValue, t *prunecel.Type) (restore func()) {
	if t == nil {
		panic(unsupported("a value of an unknown type"))
	}
	key := sourceKey{name, fold}
	s := c.sources[key]
	if s == nil {
		s = &source{name: name, typ: t, always: true, fields: map[string]*source{}}
		c.sources[key] = s
	}
	s.raw, s.block, s.loops, s.value = raw, c.block, c.loops, ""
	before := c.vars[name]
	c.vars[name] = s
	return func() { c.vars[name] = before }
}

// source returns the source that an expression of a variable and fields reads, nil for other expressions, and for fields of an object that
// may not exist.
func (c *ruleCompiler) source(e *prunecel.Expr) *source {
	switch e.Op {
	case prunecel.OpIdent:
		return c.vars[e.Name]
	case prunecel.OpSelect, prunecel.OpHas:
		of := c.source(e.Args[0])
		if of == nil || !c.exists(of) || of.typ.Kind != prunecel.KindObject {
			return nil
		}
		typ, name, always := fieldType(e, of.typ)
		s := of.fields[name]
		if s == nil {
			s = &source{typ: typ, around: of, name: name, fields: map[string]*source{}, always: always}
			of.fields[name] = s
		}
		if s.block != of.block {
			s.block, s.loops, s.value, s.has = of.block, of.loops, "", ""
		}
		return s
	}
	return nil
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

// exists reports whether code here can rely on a value.
func (c *ruleCompiler) exists(s *source) bool { return s.always || c.known[s] > 0 }

// isMaybe reports whether a field has two variables, of which one says whether it exists.
func (s *source) isMaybe() bool { return !s.always && s.tests > 0 }

// hasVariables reports whether a source has variables in Go: where that saves a second look at the object.
func (s *source) hasVariables() bool {
	if s.around == nil && !s.element {
		return true
	}
	uses := s.reads
	for _, f := range s.fields {
		if f.hasVariables() {
			uses++
		} else {
			uses += f.reads + f.tests + f.guesses
		}
	}
	switch {
	case s.isMaybe():
		uses += s.tests
	case s.around != nil && !s.around.isThere():
		return false // the variable would fail where the object around it does not exist
	case !s.always:
		return s.first && s.guesses > 1
	}
	return uses > 1 || uses == 1 && s.inLoop
}

// isThere reports whether valid objects have a source, with everything around it.
func (s *source) isThere() bool { return s.always && (s.around == nil || s.around.isThere()) }

// read returns the value of a source that exists.
func (c *ruleCompiler) read(s *source) plan.GoValue {
	c.note(s, &s.reads)
	return c.valueOf(s)
}

// note counts a use of a source.
func (c *ruleCompiler) note(s *source, count *int) {
	if !c.decided {
		*count++
		s.inLoop = s.inLoop || c.loops > s.loops
		s.first = s.first || c.conditions == 0 && c.loops == s.loops
	}
}

// valueOf returns the variable of a source, or an expression that reads it.
func (c *ruleCompiler) valueOf(s *source) plan.GoValue {
	if !c.decided || s.hasVariables() {
		return c.variable(s)
	}
	return convert(c.rawOf(s), s.typ)
}

// rawOf returns the decoded JSON of a source.
func (c *ruleCompiler) rawOf(s *source) plan.GoValue {
	if s.around == nil {
		return s.raw
	}
	return plan.Index{Of: c.valueOf(s.around), Key: plan.Literal{Of: s.name}}
}

// variable returns the variable for the value of a source. The first call declares it.
func (c *ruleCompiler) variable(s *source) plan.Name {
	if s.value != "" {
		return s.value
	}
	raw := c.rawOf(s) // before it, as what it refers to is declared first
	s.value = plan.Name(c.name(variable(s.name)))
	let := plan.Let{Names: []string{string(s.value)}, Value: convert(raw, s.typ)}
	if s.isMaybe() {
		s.has = plan.Name(c.name("has" + upperFirst(words(s.name))))
		let = plan.Let{Names: []string{string(s.value), string(s.has)}, Value: convertMaybe(raw, s.typ)}
		if !s.isRead() {
			let.Names[0] = "_"
		}
	}
	s.block.lets = append(s.block.lets, let)
	return s.value
}

// isRead reports whether code refers to the value of a source, and not only to whether it exists.
func (s *source) isRead() bool {
	for _, f := range s.fields {
		if f.reads+f.tests+f.guesses > 0 || f.isRead() {
			return true
		}
	}
	return s.reads > 0
}

// name returns a new name of Go, if possible the one that is wanted.
func (c *ruleCompiler) name(wanted string) string { return c.names.name(wanted) }

// object returns an object or a map of the resource, and its type.
func (c *ruleCompiler) object(e *prunecel.Expr) (plan.GoValue, *prunecel.Type) {
	t := e.Type
	if t == nil || t.Computed || t.Kind != prunecel.KindObject && t.Kind != prunecel.KindMap {
		panic(unsupported("a field of a computed value"))
	}
	return c.value(e), t
}

// field compiles a.b.
func (c *ruleCompiler) field(e *prunecel.Expr) plan.GoValue {
	if s := c.source(e); s != nil {
		c.pay(price(e))
		if c.exists(s) {
			return c.read(s)
		}
		c.note(s, &s.guesses)
		if s.tests == 0 && c.decided && s.hasVariables() {
			return c.variable(s)
		}
		return convert(c.rawOf(s), s.typ)
	}
	obj, t := c.object(e.Args[0])
	field, name, _ := fieldType(e, t)
	c.pay(1)
	return convert(rawField(obj, t, name), field)
}

// rawField returns the decoded JSON of a field of an object, or of a value of a map, where a null is a value.
func rawField(of plan.GoValue, t *prunecel.Type, name string) plan.GoValue {
	if t.Kind == prunecel.KindMap {
		return plan.Method{Name: "Entry", Args: []plan.GoValue{of, plan.Literal{Of: name}}}
	}
	return plan.Index{Of: of, Key: plan.Literal{Of: name}}
}

// test compiles has(a.b).
func (c *ruleCompiler) test(e *prunecel.Expr) plan.GoValue {
	if s := c.source(e); s != nil {
		c.pay(price(e))
		c.note(s, &s.tests)
		if c.decided && s.isMaybe() && s.hasVariables() {
			c.variable(s)
			return s.has
		}
		return has(c.rawOf(s), s.typ)
	}
	obj, t := c.object(e.Args[0])
	field, name, _ := fieldType(e, t)
	c.pay(1)
	return has(rawField(obj, t, name), field)
}

// price returns the cost of reading a field, with all steps from a variable.
func price(e *prunecel.Expr) int {
	if e.Op == prunecel.OpIdent {
		return 1
	}
	return price(e.Args[0]) + 1
}

// given notes the fields that exist if an expression is true, or false, and returns a function that forgets them.
func (c *ruleCompiler) given(e *prunecel.Expr, is bool) (forget func()) {
	var all []*source
	var note func(e *prunecel.Expr, is bool)
	note = func(e *prunecel.Expr, is bool) {
		switch {
		case e.Op == prunecel.OpHas && is:
			if s := c.source(e); s != nil {
				c.known[s]++
				all = append(all, s)
			}
		case e.Op != prunecel.OpCall:
		case e.Name == "!_":
			note(e.Args[0], !is)
		case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
			for _, a := range e.Args {
				note(a, is)
			}
		}
	}
	note(e, is)
	return func() {
		for _, s := range all {
			c.known[s]--
		}
	}
}
