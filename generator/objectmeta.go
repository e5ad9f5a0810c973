package generator

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// ObjectMeta returns the file of a package of the runtime that works on metadata. ObjectMeta is a schema like any other, so
// its functions are generated like any others.
func ObjectMeta(pkg string) (File, error) {
	prune, check := lower.ObjectMeta()
	var f emit.File
	about := "This file works on the metadata of objects."
	all := func(fn emit.Functions, tree *plan.Tree) {
		for _, n := range tree.Funcs {
			if fn.Declares(n) {
				fn.Node(f.Group, n)
			}
		}
	}
	switch pkg {
	case emit.ImplName:
		f = emit.NewFile(gosource.ImplPath, pkg, emit.Preamble{About: about})
		all(emit.Prune, prune)
		all(emit.Check, check)
	case emit.JSONName:
		f = emit.NewFile(gosource.JSONPath, pkg, emit.Preamble{About: about})
		all(emit.JSON, prune)
		all(emit.Decode, prune)
	default:
		return File{}, fmt.Errorf("nothing in package %q works on metadata", pkg)
	}
	return new(renderer).render(f, "zz_generated.objectmeta.go")
}
