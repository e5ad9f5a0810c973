package generator

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"

	"github.com/prune-gen/prune-gen/structural"
)

// Options selects what to generate.
type Options struct {
	// Package is the name of the Go package.
	Package string
	// Features are the functions to generate. None means DefaultFeatures.
	Features Features
	// Semantics is the reading of preserved subtrees.
	Semantics structural.Semantics
	// Header is Go comments for the top of every file: a licence, for example.
	Header string
	// Sharing says which equal parts of schemas share a function.
	Sharing Sharing
	// Register adds a file that registers the resources when the program starts.
	Register bool
}

// validate returns an error for options that cannot be part of a file.
func (o Options) validate() error {
	if !IsPackageName(o.Package) {
		return fmt.Errorf("%q is not a name for a Go package", o.Package)
	}
	if err := CheckHeader(o.Header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	return nil
}

// CheckHeader returns an error unless a header consists of comments, none of them a directive.
func CheckHeader(header string) error {
	f, err := parser.ParseFile(token.NewFileSet(), "", header+"\n\npackage p\n", parser.ParseComments)
	if err != nil || len(f.Decls) > 0 {
		return errors.New("only Go comments are allowed")
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if IsDirective(c.Text) {
				return fmt.Errorf("%q is a directive, not a comment", c.Text)
			}
		}
	}
	return nil
}
