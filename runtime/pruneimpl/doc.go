// Package pruneimpl is called only by generated code. It holds the parts that are the same for every schema
// and changes with the generator: only SupportsGeneratedV1 promises anything.
//
// A function that prunes or checks a value returns how many events it recorded, 0 nearly always, and its caller then records the step that
// leads to them. A path is thus built from its end, and only if there is something to report.
package pruneimpl

//go:generate go run ../../generator/internal/objectmeta

// SupportsGeneratedV1 exists as long as this package supports code that was generated for the first version of the contract between the
// two. Generated files refer to it, so that they fail to compile against an incompatible runtime.
const SupportsGeneratedV1 = true
