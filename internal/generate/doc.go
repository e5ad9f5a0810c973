// Package generate is the room of what only the commands need around package generator: the Go package that code goes into, type-checking, Go types beside
// schemas, and keep-lists with what drops other fields. It imports generator, base, text, answer and lint.
package generate
