package generator

import (
	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
)

// ObjectMeta returns the file of the runtime that prunes and checks metadata. ObjectMeta is a schema like any other, so
// its functions are generated like any others.
func ObjectMeta() (File, error) {
	_, prune, check := lower.ObjectMeta()
	f := emit.NewFile(emit.ImplPath, emit.ImplName, emit.Preamble{})
	for _, n := range prune.Funcs {
		emit.Prune.Node(f.Group, n)
	}
	for _, n := range check.Funcs {
		emit.Check.Node(f.Group, n)
	}
	return render(f, "zz_generated.objectmeta.go")
}
