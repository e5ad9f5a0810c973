package prunecel

import "testing"

func TestOverloadsAreUniqueAndHaveParameters(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Functions() {
		if seen[f.Overload] {
			t.Errorf("%s is listed twice", f.Overload)
		}
		seen[f.Overload] = true
		if f.Call == nil || f.Since == "" || f.Name == "" {
			t.Errorf("%s is not complete", f.Overload)
		}
		if got := Lookup(f.Overload); got == nil || got.Overload != f.Overload {
			t.Errorf("Lookup(%s) = %v", f.Overload, got)
		}
	}
}
