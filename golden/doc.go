// Package golden holds CRDs and the code that prune-gen makes of them, so that a change to the generator shows in review
// as a change to code that people read.
//
// A case is a folder:
//
//	crd.yaml                 one or more CRDs
//	options.yaml             what is generated, where it is not the default
//	zz_generated.*.go        what prune-gen makes of them; in a folder per version where there are several
//	objects/<name>.in.json   an object
//	          .want.json     the object after pruning
//	          .dropped.txt   the paths that pruning reports, one a line; absent if there are none
//	          .check.txt     the values of the wrong type, one a line; absent if there are none
//
// An object belongs to the kind that its apiVersion and kind name, or, where they do not, to the only kind of the case.
//
// The folder refused holds CRDs that no code can be made of, as text archives with the error that says so.
//
// go test ./golden compares all of it with what prune-gen makes now, and go test ./golden -update writes it again. Objects
// get what the reference pruner and a plain checker of types make of them; that generated code agrees is what the tests in
// the folder run are for. There a new case has to be entered in a table.
package golden
