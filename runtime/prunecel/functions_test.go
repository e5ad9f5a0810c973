package prunecel_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

func TestOverloadsAreUniqueAndHaveParameters(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range prunecel.Functions() {
		if seen[f.Overload] {
			t.Errorf("%s is listed twice", f.Overload)
		}
		seen[f.Overload] = true
		if f.Call == nil || f.Name == "" {
			t.Errorf("%s is not complete", f.Overload)
		}
		if got := prunecel.Lookup(f.Overload); got == nil || got.Overload != f.Overload {
			t.Errorf("Lookup(%s) = %v", f.Overload, got)
		}
	}
}
