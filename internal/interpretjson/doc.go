// Package interpretjson follows a schema through the bytes of JSON documents, to prune them. Its functions are the references
// that generated code is tested against.
package interpretjson
