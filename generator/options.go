package generator

import (
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Options says what to generate, and how.
type Options struct {
	// Package is the name of the Go package.
	Package string
	// Features are the functions to generate; none means all.
	Features Features
	// Semantics is the reading of preserved subtrees.
	Semantics structural.Semantics
	// Header is put at the top of every file, as comment lines: a licence, for example. It is Go source already.
	Header string
	// BuildTag is the expression of a //go:build line.
	BuildTag string
	// Register adds a file that registers the resources when the program starts.
	Register bool
}

// check returns what is wrong with the options that end up in the files.
func (o Options) check() error {
	if !validPackageName(o.Package) {
		return fmt.Errorf("%q is not a name for a Go package", o.Package)
	}
	if err := checkHeader(o.Header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if o.BuildTag == "" {
		return nil
	}
	if _, err := constraint.Parse("//go:build " + o.BuildTag); err != nil || strings.Contains(o.BuildTag, "\n") {
		return fmt.Errorf("%q is not an expression for a //go:build line", o.BuildTag)
	}
	return nil
}

// checkHeader wants a header to be comments, and none of them to mean something to the compiler.
func checkHeader(header string) error {
	f, err := parser.ParseFile(token.NewFileSet(), "", header+"\n\npackage p\n", parser.ParseComments)
	if err != nil || len(f.Decls) > 0 {
		return fmt.Errorf("only Go comments can stand there")
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			for _, directive := range []string{"//go:", "//line ", "/*line ", "// +build", "//+build"} {
				if strings.HasPrefix(c.Text, directive) {
					return fmt.Errorf("%s is not for headers", strings.TrimSpace(directive))
				}
			}
		}
	}
	return nil
}

// validPackageName reports whether s can be the name of a package.
func validPackageName(s string) bool {
	return token.IsIdentifier(s) && s != "_"
}
