// Package source describes generated Go source: files, and errors in them.
package source

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}
