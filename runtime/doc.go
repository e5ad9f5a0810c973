// Package prunert is what users of generated code meet at run time: Resource, which holds the functions for a kind, Register
// and Lookup, which find it by group, version and kind, and the errors that the functions return.
//
// It is small on purpose and imports the standard library alone. Objects are what a JSON decoder of the Kubernetes API
// machinery makes: nil, bool, int64, float64, string, []any and map[string]any.
//
// What only generated code calls is in the package pruneimpl below.
package prunert
