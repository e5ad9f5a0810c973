// Package prunert is what users of generated code meet at run time: Resource, which holds the functions for a kind, Register
// and Lookup, which find it by group, version and kind, and the errors that the functions return.
//
// It is small on purpose and imports the standard library alone.
//
// # What generated functions take
//
// Objects are what a JSON decoder of the Kubernetes API machinery makes: nil, bool, int64, float64, string, []any and
// map[string]any. Values of any other type, a map[string]string or a []string for example, are neither looked into nor
// reported. CheckDecoded finds them, in tests of code that builds objects by hand.
//
// A function takes objects of its own version and kind, and does not ask whether they are: Resource.Matches does.
//
// Pruning changes the object in place. Copy an object first that others read, one from an informer's cache for example.
//
// # What Check does not check
//
// Check is about the types of values alone. It knows nothing of required, enum, pattern, minimum, maxLength, format, oneOf
// and the other value validations, of CEL rules, of what metadata may hold beyond its types (a name that is no DNS name),
// and of fields that the schema does not specify, which PruneReport finds. nil means that every value has the type that the
// schema says, not that the API server takes the object.
//
// # What Validate does not validate
//
// Validate reports all that a schema says about values, types included. It evaluates no CEL rules, which Resource.HasRules
// reports, and of metadata it looks at the types alone, unless the schema says more.
//
// What only generated code calls is in the package pruneimpl below.
package prunert
