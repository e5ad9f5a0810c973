// Package structural reads CustomResourceDefinitions, says exactly why a schema is not structural (KEP-2335), and prunes
// objects by following a schema (KEP-2332).
//
// The way of the data:
//
//	Load        bytes            -> []*CRD, with the schemas as they are written and the place of every node
//	NewSchema   *JSONSchema      -> *Schema, in which structure and value validation are different types
//	Validate    *Schema          -> every rule that is broken, in the words of the API server
//	Prune       object, *Schema  -> the object without what the schema does not specify, and the dropped paths
//
// Prune is the reference that generated code is tested against: it is written to be obviously right, not fast.
// Nothing here touches the disk or the terminal, and no input makes it panic.
package structural
