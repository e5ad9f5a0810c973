package prunecel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Costs find the values that a search through the whole stack finds.
func TestCostsForgetTheLastValue(t *testing.T) {
	exprs := make([]*Expr, 6)
	for i := range exprs {
		exprs[i] = &Expr{}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := costs{limit: math.MaxUint64}
		var all []seen
		for n := range 200 {
			e := exprs[r.IntN(len(exprs))]
			if r.IntN(3) > 0 {
				all = append(all, seen{n, e})
				c.observe(n, e)
				continue
			}
			last := len(all) - 1
			for last >= 0 && all[last].of != e {
				last--
			}
			var want any
			if last >= 0 {
				want, all = all[last].value, all[:last]
			}
			if have, ok := c.forget(e); have != want || ok != (last >= 0) {
				t.Fatalf("forget = %v, %t, want %v", have, ok, want)
			}
		}
	}
}
