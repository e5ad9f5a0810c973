// Package schemas compares the JSON Schemas that prune-gen writes with its own answers, using a library that validates with them.
package schemas
