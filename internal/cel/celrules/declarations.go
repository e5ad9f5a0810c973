package celrules

import (
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// function is a function that Kubernetes adds to those of CEL.
type function struct {
	Name      string
	Overload  string
	Signature string             // see parseSignature
	Since     kubeversion.Change // 0 for those that were always there
}

// functions returns the functions that Kubernetes adds to CEL.
func functions() []function {
	var all []function
	for _, f := range prunecel.Functions() {
		if f.Signature != "" { // cel-go declares the others
			all = append(all, function{f.Name, f.Overload, f.Signature, f.Since})
		}
	}
	return all
}
