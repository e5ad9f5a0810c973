// Package interpret follows a schema and an object side by side, to prune, check, default, normalize and validate the object as
// the API server does.
//
// Its functions are the references that generated code is tested against. They are written to be obviously right, not fast, and
// call nothing that generated code calls.
package interpret
