// Package interpretjson follows a schema through the bytes of JSON documents, to prune them. It reads and writes JSON with package
// prunejson, as generated code does; the schema decides what it keeps, member by member. Generated code is tested against it.
package interpretjson
