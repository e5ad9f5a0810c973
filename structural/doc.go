// Package structural is the model of CustomResourceDefinitions: a CRD and its versions, schemas as they are written and as
// structural schemas (KEP-2335), the rules that make a schema structural, paths, findings and the hash of what decides behavior.
//
// Below it, load reads CRDs from YAML or JSON, and dynamic makes resources of CRDs that are known only at run time.
//
// NewSchema converts a schema as it is written into a Schema, in which structure and value validation are different types.
// Validate returns every rule of KEP-2335 that a Schema breaks, with the texts of the API server.
//
// The keywords of a schema are named once, in the tags of JSONSchema. Every finding carries the id of a rule; each package lists its
// own in Rules. Nothing here touches the disk or the terminal, and no input makes it panic.
package structural
