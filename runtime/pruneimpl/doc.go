// Package pruneimpl is called by generated code and by nothing else. It holds the parts that are the same for every schema
// and changes with the generator: only SupportsGeneratedV1 promises anything.
//
// A function that prunes or checks a value returns how many events it recorded, 0 nearly always, and its caller then says
// where they belong. A path is thus put together from its end, and only where there is something to say.
package pruneimpl

//go:generate go run ../../generator/internal/objectmeta

// SupportsGeneratedV1 exists as long as this package fits code that was generated for the first version of the contract
// between the two. Generated files refer to it, so that a runtime they do not fit fails to compile and says why.
const SupportsGeneratedV1 = true
