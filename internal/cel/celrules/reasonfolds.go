package celrules

import (
	"fmt"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// fold is eval for a comprehension that is what one of the macros expands to.
func (c *reasoning) fold(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	over, failure := c.eval(e.Args[prunecel.FoldRange], f)
	if failure != nil {
		return v, failure
	}
	if over.null {
		return v, fails(FailsMissing, "%s may be null", shown(over.key))
	}
	body, kind := Macro(e)
	if kind == "" {
		return v, fails(FailsUnknown, "nothing is known about a comprehension of it")
	}
	restore, failure := c.bind(e, over, f)
	defer restore()
	if failure != nil {
		return v, failure
	}
	inner := f
	var truths truth
	for i, x := range body {
		known, failure := known{}, (*Failure)(nil)
		truths = 0
		for _, g := range c.applied(over.key, inner) { // in each case
			var k = anyKnown(x)
			if k, failure = c.whole(x, g); failure != nil {
				return v, failure
			}
			if truths |= k.truth; known.typ == nil {
				known = k
			} else {
				known = known.join(k)
			}
		}
		body0 := i == 0
		switch {
		case kind == "map" && i == len(body)-1:
			v.elem, v.size = &known, over.size
			if len(body) > 1 {
				v.size.lo = 0
			}
		case kind == "filter":
			elem := c.env.value
			elem.of = over.key
			v.elem, v.size = &elem, span{0, over.size.hi}
			if over.schema != nil {
				v.schema, v.elem = over.schema, nil // elements as the object has them
				v.typ = over.typ
			}
		}
		if body0 && over.key != "" && known.key != "" {
			v.key = kind + "(" + over.key + ", " + known.key + ")"
		} else if !body0 {
			v.key = ""
		}
		if i < len(body)-1 {
			inner = c.given(x, true, inner)
		}
	}
	switch {
	case kind == "all" && (truths == isTrueOnly || over.size.hi == 0):
		v.truth = isTrueOnly
	case kind == "exists" && (truths == isFalseOnly || over.size.hi == 0):
		v.truth = isFalseOnly
	case kind == "exists" && truths == isTrueOnly && over.size.lo > 0, kind == "exists" && c.some(over.key, body[0], f):
		v.truth = isTrueOnly
	}
	if v.truth == isEither && f.find(factTrue, v.key) != nil {
		v.truth = isTrueOnly
	}
	return v, nil
}

// bind binds the variables of a comprehension to an element, until restore is called.
func (c *reasoning) bind(e *prunecel.Expr, over known, f *fact) (restore func(), failure *Failure) {
	outer := c.env
	c.folds++
	restore = func() {
		c.env = outer
		c.folds--
	}
	key := fmt.Sprintf("%s#%d", e.Var, c.folds)
	isMap := kindIs(over.typ, prunecel.KindMap) || kindIs(over.typ, prunecel.KindObject) || kindIs(over.typ, prunecel.KindOpaque)
	switch {
	case isMap:
		if over.schema != nil {
			c.sees(over.schema)
		}
		k := known{key: key, typ: &prunecel.Type{Computed: true, Kind: prunecel.KindString}, truth: isEither, num: anyInt, size: anySize, of: over.key}
		if e.Var2 != "" {
			if !kindIs(over.typ, prunecel.KindMap) {
				return restore, fails(FailsUnknown, "nothing is known about values of %s", shown(over.key))
			}
			value, failure := c.elementOf(over, key+"!", f)
			if failure != nil {
				return restore, failure
			}
			c.env = &binding{c.env, e.Var2, value}
		}
		c.env = &binding{c.env, e.Var, k}
	default:
		elem, failure := c.elementOf(over, key, f)
		if failure != nil {
			return restore, failure
		}
		elem.of = over.key
		if e.Var2 != "" {
			c.env = &binding{c.env, e.Var2, elem}
			elem = known{key: key + "!", typ: &prunecel.Type{Computed: true, Kind: prunecel.KindInt}, truth: isEither, num: span{0, max(over.size.hi-1, 0)}, size: anySize, of: ""}
		}
		c.env = &binding{c.env, e.Var, elem}
	}
	return restore, nil
}

// Macro returns the expressions that a macro evaluates for each element, and its name, "" for other comprehensions.
func Macro(e *prunecel.Expr) (body []*prunecel.Expr, kind string) {
	step := e.Args[prunecel.FoldStep]
	isAccu := func(x *prunecel.Expr) bool { return x.Op == prunecel.OpIdent && x.Name == e.Accu }
	one := func(x *prunecel.Expr) *prunecel.Expr { // accu + [one]
		if x.Op == prunecel.OpCall && x.Name == "_+_" && isAccu(x.Args[0]) && x.Args[1].Op == prunecel.OpList && len(x.Args[1].Args) == 1 && x.Args[1].Optional == nil {
			return x.Args[1].Args[0]
		}
		return nil
	}
	if step.Op != prunecel.OpCall {
		return nil, ""
	}
	switch {
	case step.Name == "_&&_" && isAccu(step.Args[0]):
		return step.Args[1:], "all"
	case step.Name == "_||_" && isAccu(step.Args[0]):
		return step.Args[1:], "exists"
	case step.Name == "_?_:_" && step.Args[1].Overload == "add_int64" && isAccu(step.Args[2]):
		return step.Args[:1], "exists_one"
	case step.Name == "_?_:_" && e.IsFilter():
		return step.Args[:1], "filter"
	case step.Name == "_?_:_" && one(step.Args[1]) != nil && isAccu(step.Args[2]):
		return []*prunecel.Expr{step.Args[0], one(step.Args[1])}, "map"
	case one(step) != nil:
		return []*prunecel.Expr{one(step)}, "map"
	}
	return nil, ""
}
