// Package interpret follows a schema and an object side by side, to prune, check, default, normalize and validate the object as
// the API server does.
//
// Its functions are the references that generated code is tested against. They are written to be obviously right, not fast. What no
// schema decides they leave to the functions that generated code calls: formats, and apiVersion, kind and the values of metadata.
package interpret
