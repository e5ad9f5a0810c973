// Package structural reads CustomResourceDefinitions, says exactly why a schema is not structural (KEP-2335), and follows
// schemas to prune (KEP-2332) and check objects.
//
// The way of the data:
//
//	Load        bytes            -> []*CRD, with the schemas as they are written and the place of every node
//	NewSchema   *JSONSchema      -> *Schema, in which structure and value validation are different types
//	Validate    *Schema          -> every rule that is broken, in the words of the API server
//	Prune       object, *Schema  -> the object without what the schema does not specify, and the dropped paths
//	Check       object, *Schema  -> every value that is not of the type that the schema wants
//
// WithJSON and Compile do to JSON bytes what Prune does to objects.
//
// Package text, below this one, reads bytes into nodes with places. The keywords of a schema are named once, in the tags of
// JSONSchema. Everything that is found carries a Rule; Rules lists them.
//
// Prune and Check are the references that generated code is tested against: they are written to be obviously right, not
// fast. Nothing here touches the disk or the terminal, and no input makes it panic.
package structural
