package celrules

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// junction is eval for && and ||. An operand that fails does not matter where another one decides, on either side of it: operands are taken
// as they can be shown not to fail where those before do not decide.
func (c *reasoning) junction(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	decides := e.Name == "_||_"
	terms := Terms(e, e.Name)
	keys := make([]string, len(terms))
	left := len(terms)
	done := make([]bool, len(terms))
	all := truthOf(!decides)
	for left > 0 {
		progress := false
		var first *Failure
		for i, t := range terms {
			if done[i] {
				continue
			}
			x, failure := c.eval(t, f)
			if failure != nil {
				if first == nil {
					first = failure
				}
				continue
			}
			keys[i], done[i], progress = x.key, true, true
			left--
			if x.truth == truthOf(decides) {
				v.truth = x.truth
				return v, nil
			}
			all |= x.truth
			f = c.given(t, !decides, f)
		}
		if !progress {
			return v, first
		}
	}
	v.truth = all
	if all != truthOf(!decides) {
		v.truth = isEither
	}
	if !slices.Contains(keys, "") {
		v.key = c.junctionKey(e.Name, terms, keys)
	}
	return v, nil
}

// junctionKey returns the key of && or ||, without has(a.b) if another operand of && reads a.b.
func (c *reasoning) junctionKey(name string, terms []*prunecel.Expr, keys []string) string {
	if name == "_&&_" {
		var reads *fact
		for i, t := range terms {
			if t.Op != prunecel.OpHas {
				reads = c.reads(terms[i], reads)
			}
		}
		kept := keys[:0:0]
		for i, t := range terms {
			if field, ok := strings.CutPrefix(keys[i], "has("); !ok || t.Op != prunecel.OpHas || reads.find(factExists, strings.TrimSuffix(field, ")")) == nil {
				kept = append(kept, keys[i])
			}
		}
		keys = kept
	}
	if len(keys) == 1 {
		return keys[0]
	}
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return name + "(" + strings.Join(keys, ", ") + ")"
}

// Terms returns the operands of a chain of && or ||.
func Terms(e *prunecel.Expr, name string) []*prunecel.Expr {
	if e.Op != prunecel.OpCall || e.Name != name {
		return []*prunecel.Expr{e}
	}
	return append(Terms(e.Args[0], name), Terms(e.Args[1], name)...)
}

// choice is eval for c ? a : b.
func (c *reasoning) choice(e *prunecel.Expr, f *fact) (known, *Failure) {
	v := anyKnown(e)
	cond, failure := c.eval(e.Args[0], f)
	if failure != nil {
		return v, failure
	}
	var branches []known
	for i, is := range []bool{true, false} {
		if cond.truth&truthOf(is) == 0 {
			continue
		}
		b, failure := c.eval(e.Args[i+1], c.given(e.Args[0], is, f))
		if failure != nil {
			return v, failure
		}
		branches = append(branches, b)
	}
	if out := branches[0]; len(branches) == 1 {
		return out, nil
	}
	out := branches[0].join(branches[1])
	if out.typ == nil {
		out.typ = e.Type
	}
	out.key = callKey(e.Name, []known{cond, branches[0], branches[1]})
	return out, nil
}
