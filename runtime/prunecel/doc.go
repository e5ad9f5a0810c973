// Package prunecel evaluates the CEL rules of CustomResourceDefinitions as the API server does: the same answers, the same error
// texts and the same costs. Only generated code and the interpreters of prune-gen call it.
//
// Generated code calls the typed functions here, such as [IsIP] or [ParseQuantity], from Go that was made for one rule. A rule that
// could not be turned into Go, and an object that comes near the limits of cost, go through a [Program], which evaluates the tree of
// a rule.
//
// A value of CEL is a Go value: nil, bool, int64, uint64, float64, string, []byte, time.Duration, time.Time, []any for a list and
// *Map for a map that a rule makes, [Optional], [TypeValue], and the types of Kubernetes' functions. A value in the object is made
// from the decoded JSON where a rule reads it: *Object for an object or a map, *List for a list. An element of a list may be an
// error, which is what a rule gets that reads it.
package prunecel
