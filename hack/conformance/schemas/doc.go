// Package schemas holds the JSON Schemas that prune-gen writes against its own answers, by a library that validates with them.
package schemas
