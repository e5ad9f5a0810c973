// Package typecheck type-checks generated packages. It needs neither a module nor the go command: the source of the runtime
// is built into the program.
package typecheck

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// Package is a generated package that compiles by itself.
type Package struct {
	Fset   *token.FileSet
	Syntax []*ast.File
	// Declared are the names that the package declares, and Predeclared the predeclared identifiers that it uses, both sorted.
	Declared    []string
	Predeclared []string
}

// Check parses and type-checks files as one package, with the runtime that is built into this program. The error is a
// *gosource.Error.
func Check(files []gosource.File) (*Package, error) {
	c := &Package{Fset: token.NewFileSet()}
	for _, f := range files {
		syntax, err := parser.ParseFile(c.Fset, f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, gosource.NewError(f, err)
		}
		c.Syntax = append(c.Syntax, syntax)
	}
	config := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) {
		if !slices.Contains(ImportPaths(), path) {
			return nil, errors.New("generated code must not import it")
		}
		return Builtin(path)
	})}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check("generated", c.Fset, c.Syntax, info)
	if err != nil {
		return nil, locateError(files, err)
	}
	c.Declared = pkg.Scope().Names()
	used := map[string]bool{}
	for id, obj := range info.Uses {
		if obj.Parent() == types.Universe {
			used[id.Name] = true
		}
	}
	c.Predeclared = slices.Sorted(maps.Keys(used))
	return c, nil
}

// locateError returns the error of the type checker with the file that it is about.
func locateError(files []gosource.File, err error) *gosource.Error {
	var check types.Error
	if errors.As(err, &check) {
		name := check.Fset.PositionFor(check.Pos, false).Filename
		for _, f := range files {
			if f.Name == name {
				return gosource.NewError(f, err)
			}
		}
	}
	return &gosource.Error{File: "generated code", Message: err.Error()}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
