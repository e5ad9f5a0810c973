// Package golden holds CRDs and the code that prune-gen generates from them, so that a change to the generator shows in review
// as a change to code that people read.
//
// A case is a folder:
//
//	crd.yaml                 one or more CRDs
//	options.yaml             options of the generator, if they are not the default
//	zz_generated.*.go        the generated code; in a folder for each version if there are several
//	objects/<name>.in.json   an object
//	          .old.json      the object that it replaces in an update, if any
//	          .want.json     the object after pruning
//	          .dropped.txt   the paths that pruning reports, one a line
//	          .check.txt     the values of the wrong type, one a line
//	          .normal.txt    the object after normalizing, as it comes from a request, with unknown fields and errors
//	          .stored.txt    the same, as it comes from storage
//	          .validate.txt  the faults by the schema, one a line
//	          .update.txt    the faults in an update
//	          .metadata.txt  the faults in metadata
//
// An empty text file is absent. An object belongs to the kind that its apiVersion and kind name or else to the only kind of the case.
//
// The folder refused holds CRDs for which no code can be generated, as text archives with the error.
//
// go test ./golden compares all files with what prune-gen makes now, and go test ./golden -update writes them. The expected results
// for objects come from the references in package structural; the tests in the folder run compare generated code with them. A new
// case must be added to the table there.
package golden
