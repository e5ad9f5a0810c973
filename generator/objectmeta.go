package generator

import (
	"github.com/prune-gen/prune-gen/structural"
)

// ObjectMeta returns the file of the runtime that prunes and checks metadata. ObjectMeta is a schema like any other, so
// its functions are generated like any others.
func ObjectMeta() (File, error) {
	k := &Kind{Kind: "ObjectMeta", Ident: "ObjectMeta"}
	schema := structural.ObjectMeta()
	k.Prune = (&pruneLowering{newInterner(), structural.APIServer}).lower(schema, preserveOwn)
	k.Check = (&checkLowering{interner: newInterner(), formats: true}).lower(schema)

	f := newFile(Options{Package: runtimeName}, runtimePath)
	for _, n := range nameNodes([]*Kind{k}, func(k *Kind) *Node { return k.Prune }) {
		emitPrune(f.Group, n)
	}
	for _, n := range nameNodes([]*Kind{k}, func(k *Kind) *Node { return k.Check }) {
		emitCheck(f.Group, n)
	}
	return render(f, "zz_generated.objectmeta.go")
}
