package generator

import (
	"bytes"
	"go/token"
	"strings"
)

// IsPackageName reports whether a Go package can be called name.
func IsPackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_"
}

// IsLibraryName reports whether a Go package that is not a program can be called name.
func IsLibraryName(name string) bool {
	return IsPackageName(name) && name != "main"
}

// IsFileName reports whether name has the form of the names of generated files. No other file should have such a name.
func IsFileName(name string) bool {
	return strings.HasPrefix(name, FilePrefix) && strings.HasSuffix(name, ".go")
}

// IsGenerated reports whether the first line of a file's text is GeneratedBy.
func IsGenerated(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r"))) == GeneratedBy
}

// IsDirective reports whether a Go comment is an instruction to the compiler, to cgo or to the go command.
func IsDirective(comment string) bool {
	for _, prefix := range []string{"//go:", "//line ", "/*line ", "//export ", "//extern "} {
		if strings.HasPrefix(comment, prefix) {
			return true
		}
	}
	text, ok := strings.CutPrefix(comment, "//")
	return ok && strings.HasPrefix(strings.TrimSpace(text), "+build")
}
