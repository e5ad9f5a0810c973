// Package structural is the model of CustomResourceDefinitions: a CRD and its versions, schemas as they are written and as
// structural schemas (KEP-2335), the rules that make a schema structural, paths, findings and the hash of what decides behavior.
//
// The packages below it, in the order of the data:
//
//	text           bytes            -> nodes with their places
//	load           nodes            -> []*CRD, with the schemas as they are written and the place of every node
//	manifest       nodes            -> the objects in manifests
//	interpret      object, *Schema  -> what pruning, checking, defaulting, normalizing and validating make of the object
//	interpretjson  bytes, *Schema   -> the same for pruning, without decoding
//	rules          *Schema          -> its CEL rules, parsed and checked
//	lint           *CRD             -> every rule of the API server that is broken, and what loses data
//	skeleton       *JSONSchema      -> the skeletons of KEP-24
//	differ         two *CRDs        -> what changes between them, and what breaks
//	outline        *CRD             -> its fields as a tree for people
//	dynamic        *CRD             -> resources for CRDs that are known only at run time
//	answer         manifests, CRDs  -> what the API server would drop, warn of and refuse, with its place in the text
//	marks          a manifest, CRDs -> what the API server would do to each line
//
// NewSchema converts a schema as it is written into a Schema, in which structure and value validation are different types.
// Validate returns every rule of KEP-2335 that a Schema breaks, with the texts of the API server.
//
// The keywords of a schema are named once, in the tags of JSONSchema. Every finding carries a Rule; Rules lists them. Nothing
// here touches the disk or the terminal, and no input makes it panic.
package structural
