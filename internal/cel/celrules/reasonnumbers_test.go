package celrules

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// edges are integers at which sums and products overflow.
var edges = []int64{math.MinInt64, math.MinInt64 + 1, -3037000500, -2, -1, 0, 1, 2, 3037000499, 3037000500, math.MaxInt64 - 1, math.MaxInt64}

// The span of a result is that of big integers, and it overflows where they do not fit: for every pair of spans between edges.
func TestSpansAreThoseOfBigIntegers(t *testing.T) {
	var spans []span
	for i, lo := range edges {
		for _, hi := range edges[i:] {
			spans = append(spans, span{lo, hi})
		}
	}
	// of returns the span of some results, and whether all of them fit.
	of := func(all ...*big.Int) (s span, fits bool) {
		s, fits = span{math.MaxInt64, math.MinInt64}, true
		for _, n := range all {
			fits = fits && n.IsInt64()
			s = s.union(span{n.Int64(), n.Int64()})
		}
		return s, fits
	}
	check := func(what string, got, want span, ok, fits bool) {
		if ok != fits || fits && got != want {
			t.Errorf("%s: %v %t, want %v %t", what, got, ok, want, fits)
		}
	}
	for _, a := range spans {
		got, ok := arithmetic("negate_int64", []known{{num: a}})
		want, fits := of(new(big.Int).Neg(big.NewInt(a.lo)), new(big.Int).Neg(big.NewInt(a.hi)))
		check(fmt.Sprint("-", a), got, want, ok, fits)
		for _, b := range spans {
			for overload, do := range map[string]func(x, y *big.Int) *big.Int{
				"add_int64":      func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) },
				"subtract_int64": func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) },
				"multiply_int64": func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) },
			} {
				got, ok := arithmetic(overload, []known{{num: a}, {num: b}})
				var all []*big.Int
				for _, x := range []int64{a.lo, a.hi} {
					for _, y := range []int64{b.lo, b.hi} {
						all = append(all, do(big.NewInt(x), big.NewInt(y)))
					}
				}
				want, fits := of(all...)
				if overload == "subtract_int64" && b.lo == math.MinInt64 || overload == "multiply_int64" && want.lo == math.MinInt64 {
					fits = false // the absolute value does not fit
				}
				check(fmt.Sprint(a, overload, b), got, want, ok, fits)
			}
		}
	}
}
