package celrules

import (
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// function is a function that Kubernetes adds to those of CEL.
type function struct {
	Name      string
	Overload  string
	Signature string // see parseSignature
	Since     int    // the minor version of Kubernetes 1 that has it first, 0 for those that had it always
}

// functions returns the functions that Kubernetes adds to CEL.
func functions() []function {
	var all []function
	for _, f := range prunecel.Functions() {
		if f.Signature == "" {
			continue // cel-go declares it
		}
		since, err := strconv.Atoi(strings.TrimPrefix(f.Since, "1."))
		if err != nil {
			panic("version of " + f.Name + ": " + err.Error())
		}
		all = append(all, function{f.Name, f.Overload, f.Signature, since})
	}
	return all
}
