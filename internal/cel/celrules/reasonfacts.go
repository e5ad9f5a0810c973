package celrules

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// given returns the facts, and those that follow from an expression that is true, or false, and does not fail.
func (c *reasoning) given(e *prunecel.Expr, is bool, f *fact) *fact {
	if c.steps > meter.RuleSteps {
		return f
	}
	if e.Op == prunecel.OpCall {
		switch {
		case e.Name == "!_":
			return c.given(e.Args[0], !is, f)
		case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
			for _, t := range Terms(e, e.Name) {
				f = c.given(t, is, f)
			}
			return f
		}
	}
	f = c.reads(e, f)
	trusted := c.trusting
	c.trusting = true
	v, _ := c.eval(e, f)
	c.trusting = trusted
	switch {
	case e.Op == prunecel.OpHas:
		if key := strings.TrimSuffix(strings.TrimPrefix(v.key, "has("), ")"); is {
			return f.with(factExists, key)
		}
		return f.with(factFalse, v.key)
	case e.Op == prunecel.OpFold && is:
		f = c.quantified(e, f)
	case e.Op == prunecel.OpCall:
		f = c.compared(e, is, f)
	}
	if is {
		return f.with(factTrue, v.key)
	}
	return f.with(factFalse, v.key)
}

// reads returns the facts, and those that follow from an expression that does not fail: what it reads exists.
func (c *reasoning) reads(e *prunecel.Expr, f *fact) *fact {
	switch e.Op {
	case prunecel.OpSelect:
		f = c.reads(e.Args[0], f)
		of, _ := c.eval(e.Args[0], f)
		f = f.with(factExists, of.key)
		if v, _ := c.field(e, f); v.key != "" {
			f = f.with(factExists, v.key)
		}
	case prunecel.OpHas:
		f = c.reads(e.Args[0], f)
		of, _ := c.eval(e.Args[0], f)
		f = f.with(factExists, of.key)
	case prunecel.OpCall:
		switch e.Name {
		case "_&&_", "_||_", "_?_:_", "or", "orValue", "_?._", "_[?_]": // which do not look at all operands
			return f
		}
		for _, a := range e.Args {
			f = c.reads(a, f)
		}
		if e.Name == "_[_]" {
			if v, _ := c.index(e, f); v.key != "" {
				f = f.with(factExists, v.key)
			}
		} else if v, _ := c.call(e, f); v.key != "" {
			f = f.with(factRuns, v.key)
		}
	case prunecel.OpFold:
		f = c.reads(e.Args[prunecel.FoldRange], f)
	}
	return f
}

// compared adds what follows from a comparison, or from the call of a function, that is true or false.
func (c *reasoning) compared(e *prunecel.Expr, is bool, f *fact) *fact {
	if len(e.Args) == 0 {
		return f
	}
	a, _ := c.eval(e.Args[0], f)
	if is {
		if parses := map[string]string{"isURL": "url", "isIP": "ip", "isCIDR": "cidr", "isQuantity": "quantity", "isSemver": "semver"}[e.Name]; parses != "" && a.key != "" {
			return &fact{next: f, kind: factParses, key: a.key, text: parses}
		}
	}
	if len(e.Args) != 2 {
		return f
	}
	b, _ := c.eval(e.Args[1], f)
	name := e.Name
	switch name {
	case "contains":
		if is && a.key != "" && len(b.texts) == 1 && b.texts[0] != "" {
			f = &fact{next: f, kind: factSize, key: "split(" + a.key + ", " + b.key + ")", span: span{2, anySize.hi}}
		}
		return f
	case "@in":
		if is && len(a.texts) == 1 && e.Args[0].Op == prunecel.OpConst && kindIs(b.typ, prunecel.KindMap) {
			f = f.with(factExists, entryKey(b.key, a.texts[0]))
		}
		return f
	case "_==_", "_!=_":
		if (name == "_==_") != is {
			if other := c.otherType(e, f); other != nil {
				return other
			}
			if kindIs(a.typ, prunecel.KindInt) && kindIs(b.typ, prunecel.KindInt) {
				f = unequal(e.Args[0], a, b.num, unequal(e.Args[1], b, a.num, f))
			}
			return f
		}
		if e.Args[0].Op == prunecel.OpCall && e.Args[0].Name == "type" && e.Args[1].Op == prunecel.OpConst {
			if x, _ := c.eval(e.Args[0].Args[0], f); x.key != "" {
				f = &fact{next: f, kind: factType, key: x.key, text: fmt.Sprint(e.Args[1].Const)}
			}
		}
		f = bounded(e.Args[0], a, b.num, f)
		return bounded(e.Args[1], b, a.num, f)
	case "_<_", "_<=_", "_>_", "_>=_":
	default:
		return f
	}
	if !kindIs(a.typ, prunecel.KindInt) || !kindIs(b.typ, prunecel.KindInt) {
		return f
	}
	if !is {
		name = map[string]string{"_<_": "_>=_", "_<=_": "_>_", "_>_": "_<=_", "_>=_": "_<_"}[name]
	}
	x, y := e.Args[0], e.Args[1]
	if name == "_>_" || name == "_>=_" {
		a, b, x, y = b, a, y, x
	}
	gap := int64(0) // a + gap <= b
	if name == "_<_" || name == "_>_" {
		gap = 1
	}
	if b.num.hi >= anyInt.lo+gap {
		f = bounded(x, a, span{anyInt.lo, b.num.hi - gap}, f)
	}
	if a.num.lo <= anyInt.hi-gap {
		f = bounded(y, b, span{a.num.lo + gap, anyInt.hi}, f)
	}
	return f
}

// otherType adds the other type of an integer or string that does not have the type it is compared with, nil for other comparisons.
func (c *reasoning) otherType(e *prunecel.Expr, f *fact) *fact {
	if e.Args[0].Op != prunecel.OpCall || e.Args[0].Name != "type" || e.Args[1].Op != prunecel.OpConst {
		return nil
	}
	x, _ := c.eval(e.Args[0].Args[0], f)
	other := map[string]string{"int": "string", "string": "int"}[fmt.Sprint(e.Args[1].Const)]
	if x.key == "" || other == "" || !kindIs(x.typ, prunecel.KindIntOrString) {
		return nil
	}
	return &fact{next: f, kind: factType, key: x.key, text: other}
}

// bounded adds that an integer, or the size of a value, is in a span.
func bounded(e *prunecel.Expr, v known, s span, f *fact) *fact {
	if v.key == "" || e.Op == prunecel.OpConst || s == anyInt {
		return f
	}
	f = &fact{next: f, kind: factNum, key: v.key, span: s}
	if of, ok := strings.CutPrefix(v.key, "size("); ok {
		f = &fact{next: f, kind: factSize, key: strings.TrimSuffix(of, ")"), span: s}
	}
	return f
}

// unequal adds that an integer is not another one, where that is a bound.
func unequal(e *prunecel.Expr, v known, other span, f *fact) *fact {
	switch {
	case other.lo != other.hi:
	case v.num.lo == other.lo:
		return bounded(e, v, span{v.num.lo + 1, v.num.hi}, f)
	case v.num.hi == other.hi:
		return bounded(e, v, span{v.num.lo, v.num.hi - 1}, f)
	}
	return f
}

// quantified adds what all or exists say about elements.
func (c *reasoning) quantified(e *prunecel.Expr, f *fact) *fact {
	body, kind := Macro(e)
	over, _ := c.eval(e.Args[prunecel.FoldRange], f)
	if over.key == "" || e.Var2 != "" {
		return f
	}
	switch kind {
	case "all":
		return &fact{next: f, kind: factAll, key: over.key, text: e.Var, body: body[0], env: c.env}
	case "exists":
		return &fact{next: f, kind: factSome, key: over.key, text: e.Var, body: body[0], env: c.env}
	}
	return f
}

// applied returns the facts, and what is known about all elements of a list applied to the bound element, for each of several cases.
func (c *reasoning) applied(over string, f *fact) []*fact {
	cases := []*fact{f}
	for g := f; g != nil && over != "" && !c.applying; g = g.next {
		if g.kind == factAll && g.key == over {
			cases = c.inElement(g, cases)
		}
	}
	return cases
}

// inElement adds what a fact about elements says about the bound one.
func (c *reasoning) inElement(g *fact, cases []*fact) []*fact {
	element := c.env.value
	inner := c.env
	c.env, c.applying = &binding{g.env, g.text, element}, true
	defer func() { c.env, c.applying = inner, false }()
	return c.cases(g.body, true, cases)
}

// some reports whether an element for which something is known to hold satisfies an expression.
func (c *reasoning) some(over string, e *prunecel.Expr, f *fact) bool {
	for g := f; g != nil && over != "" && !c.applying; g = g.next {
		if g.kind != factSome || g.key != over {
			continue
		}
		holds := true
		for _, known := range c.inElement(g, []*fact{f}) {
			v, failure := c.eval(e, known)
			holds = holds && failure == nil && v.truth == isTrueOnly
		}
		if holds {
			return true
		}
	}
	return false
}

// maxCases is how many cases are examined separately.
const maxCases = 32

// cases returns the facts and those that follow from an expression that is true, or false: one set for each way in which it can be.
func (c *reasoning) cases(e *prunecel.Expr, is bool, all []*fact) []*fact {
	if e.Op == prunecel.OpCall {
		switch {
		case e.Name == "!_":
			return c.cases(e.Args[0], !is, all)
		case e.Name == "_&&_" && is, e.Name == "_||_" && !is:
			for _, t := range Terms(e, e.Name) {
				all = c.cases(t, is, all)
			}
			return all
		case e.Name == "_&&_" || e.Name == "_||_":
			var out []*fact
			for _, t := range Terms(e, e.Name) {
				out = append(out, c.cases(t, is, all)...)
			}
			if len(out) <= maxCases {
				return out
			}
		case e.Name == "_?_:_":
			out := append(c.cases(e.Args[1], is, c.cases(e.Args[0], true, all)), c.cases(e.Args[2], is, c.cases(e.Args[0], false, all))...)
			if len(out) <= maxCases {
				return out
			}
		}
	}
	out := make([]*fact, len(all))
	for i, f := range all {
		out[i] = c.given(e, is, f)
	}
	return out
}
