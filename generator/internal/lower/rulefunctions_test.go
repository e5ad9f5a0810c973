package lower

import (
	"maps"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// Compiled rules call what their programs call: the runtime says which function of Go each overload is.
func TestFunctionsOfRulesAreThoseOfTheRuntime(t *testing.T) {
	all := map[string]string{}
	for overload, f := range ruleFunctions {
		all[overload] = f.name
	}
	for overload, f := range arithmeticFunctions {
		all[overload] = f.name
	}
	for _, overload := range slices.Sorted(maps.Keys(all)) {
		switch f := prunecel.Lookup(overload); {
		case f == nil:
			t.Errorf("there is no overload %s", overload)
		case f.Go != all[overload]:
			t.Errorf("%s is %s, and rules are compiled to %s", overload, f.Go, all[overload])
		}
	}
}
