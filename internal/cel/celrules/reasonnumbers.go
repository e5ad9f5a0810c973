package celrules

import (
	"math/bits"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// aggregate is for sum, max and min of integers.
func aggregate(e *prunecel.Expr, list, elem, v known) (known, *Failure) {
	if e.Name != "sum" {
		if v.num = elem.num; list.size.lo == 0 {
			return v, fails(FailsMissing, "%s may be empty", shown(list.key))
		}
		return v, nil
	}
	lo, ok := times(min(elem.num.lo, 0), list.size.hi)
	hi, fits := times(max(elem.num.hi, 0), list.size.hi)
	if !ok || !fits {
		return v, fails(FailsNumber, "the sum of %s may overflow", shown(list.key))
	}
	v.num = span{lo, hi}
	return v, nil
}

// arithmetic returns the span of a result, and whether it never overflows.
func arithmetic(overload string, args []known) (span, bool) {
	a := args[0].num
	if overload == "negate_int64" {
		return span{-a.hi, -a.lo}, a.lo != anyInt.lo
	}
	b := args[1].num
	switch overload {
	case "add_int64":
		lo, ok := plus(a.lo, b.lo)
		hi, fits := plus(a.hi, b.hi)
		return span{lo, hi}, ok && fits
	case "subtract_int64":
		if b.lo == anyInt.lo {
			return anyInt, false
		}
		lo, ok := plus(a.lo, -b.hi)
		hi, fits := plus(a.hi, -b.lo)
		return span{lo, hi}, ok && fits
	}
	out := span{anyInt.hi, anyInt.lo}
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			n, ok := times(x, y)
			if !ok {
				return anyInt, false
			}
			out = out.union(span{n, n})
		}
	}
	return out, true
}

func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0) || b == 0
}

func times(a, b int64) (int64, bool) {
	abs := func(n int64) uint64 {
		if n < 0 {
			return -uint64(n)
		}
		return uint64(n)
	}
	hi, lo := bits.Mul64(abs(a), abs(b))
	return a * b, hi == 0 && lo < 1<<63
}

// NeverOverflows reports whether an integer that an expression computes from constants and sizes fits, whatever the schema: (has(a) ? 1 : 0) + size(b).
func NeverOverflows(e *prunecel.Expr) bool {
	_, ok := spanOf(e)
	return ok
}

// spanOf returns between which bounds an integer is that an expression computes from constants and sizes, and whether it is one.
func spanOf(e *prunecel.Expr) (span, bool) {
	if e.Op == prunecel.OpConst {
		n, ok := e.Const.(int64)
		return span{n, n}, ok
	}
	if e.Op != prunecel.OpCall {
		return anyInt, false
	}
	if e.Name == "size" {
		return anySize, true
	}
	args := make([]known, len(e.Args))
	for i, a := range e.Args {
		var ok bool
		if args[i].num, ok = spanOf(a); !ok && !(e.Name == "_?_:_" && i == 0) {
			return anyInt, false
		}
	}
	switch {
	case e.Name == "_?_:_":
		return args[1].num.union(args[2].num), true
	case e.Overload == "add_int64", e.Overload == "subtract_int64", e.Overload == "multiply_int64", e.Overload == "negate_int64":
		return arithmetic(e.Overload, args)
	}
	return anyInt, false
}
