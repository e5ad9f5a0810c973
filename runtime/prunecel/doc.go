// Package prunecel evaluates the CEL rules of CustomResourceDefinitions as the API server does: the same answers, the same error
// texts and the same costs. Programs do not need it; its exports are for three callers:
//
//   - Generated code evaluates a rule in Go on what a [Reader] reads, and returns a [Verdict]. It carries tables of [Rules], whose
//     [Rule.Program] evaluates a rule that could not be turned into Go, or an object that comes near the limits of cost.
//   - The compilers of rules, internal/cel/celrules and the generator, make an [Expr] and its [Type], and read [Functions].
//   - The conformance suite calls functions by their names, with [Dispatch].
//
// A value of CEL is a Go value: nil, bool, int64, uint64, float64, string, []byte, time.Duration, time.Time, []any for a list and
// *Map for a map that a rule makes, [Optional], [TypeValue], and the types of Kubernetes' functions. A value in the object is made
// from the decoded JSON where a rule reads it: *objectValue for an object or a map, *listValue for a list. An element of a list may be an
// error, which a rule gets when it reads the element.
package prunecel
