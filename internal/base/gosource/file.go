// Package gosource describes generated Go source: files, and errors in them.
package gosource

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}
