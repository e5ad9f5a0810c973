// Package jsonschema converts the schemas of CRDs to JSON Schema, for editors and for programs that validate manifests.
//
// What the schemas refuse, the API server refuses or drops, except for loose spellings that only the server accepts, such as 01.2.3.4 for
// an address. Objects are closed where the server drops unknown fields. Where JSON Schema cannot say what the server does, the schema
// says less: CEL rules and the keys of list maps are left out.
package jsonschema
