package generator

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	prunegen "github.com/prune-gen/prune-gen"
	"github.com/prune-gen/prune-gen/generator/internal/emit"
)

// RuntimePath is the import path of the runtime, as far as users of generated code meet it.
const RuntimePath = emit.RuntimePath

// RuntimePaths returns the import paths of the packages of the runtime that generated code imports, each after those that it
// imports. The first two are imported by all of it.
func RuntimePaths() []string {
	return []string{emit.RuntimePath, emit.ImplPath, emit.FormatPath, emit.NetPath, emit.JSONPath}
}

// ImportPaths returns the import paths of all packages that generated code imports.
func ImportPaths() []string { return append([]string{ioPath}, RuntimePaths()...) }

// ioPath is the package of the standard library that functions for streams mention.
const ioPath = emit.IOPath

// ioSource is as much of it as they mention.
const ioSource = `package io
type Reader interface { Read(p []byte) (n int, err error) }
type Writer interface { Write(p []byte) (n int, err error) }`

// Compiled is a generated package that compiles by itself.
type Compiled struct {
	Fset   *token.FileSet
	Syntax []*ast.File
	// Declared are the names that it declares, and Predeclared those of Go's own that it uses, both sorted.
	Declared    []string
	Predeclared []string
}

// Compile makes sure, as far as parser and types go, that files are a package that compiles, given the runtime as it is in
// this program. It needs neither a module nor the go command. The error is a *SourceError.
func Compile(files []File) (*Compiled, error) {
	c := &Compiled{Fset: token.NewFileSet()}
	for _, f := range files {
		syntax, err := parser.ParseFile(c.Fset, f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, newSourceError(f.Name, f.Content, err)
		}
		c.Syntax = append(c.Syntax, syntax)
	}
	var first error
	config := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) {
			if !slices.Contains(ImportPaths(), path) {
				return nil, errors.New("generated code has no business with it")
			}
			return BuiltinPackage(path)
		}),
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check("generated", c.Fset, c.Syntax, info)
	if first == nil {
		first = err
	}
	if first != nil {
		return nil, locateError(files, first)
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

// locateError finds the file that the type checker complains about.
func locateError(files []File, err error) *SourceError {
	var check types.Error
	if errors.As(err, &check) {
		name := check.Fset.PositionFor(check.Pos, false).Filename
		for _, f := range files {
			if f.Name == name {
				return newSourceError(f.Name, f.Content, err)
			}
		}
	}
	return &SourceError{File: "generated code", Message: err.Error()}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// BuiltinPackage returns what one of ImportPaths exports, as far as types go and generated code is concerned, from the source
// that is built into this program.
func BuiltinPackage(path string) (*types.Package, error) {
	packages, err := builtinPackages()
	return packages[path], err
}

var builtinPackages = sync.OnceValues(func() (map[string]*types.Package, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "io.go", ioSource, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	pkg, err := new(types.Config).Check(ioPath, fset, []*ast.File{file}, nil)
	if err != nil {
		return nil, err
	}
	return BuiltinRuntime(pkg)
})

// BuiltinRuntime returns the packages of the runtime that is built into this program, as far as types go, by their import
// paths. Where they mention the package io, it is this one, which is returned with them.
func BuiltinRuntime(io *types.Package) (map[string]*types.Package, error) {
	packages := map[string]*types.Package{ioPath: io}
	for _, importPath := range RuntimePaths() {
		fset := token.NewFileSet()
		files, err := runtimeFiles(fset, "runtime"+strings.TrimPrefix(importPath, emit.RuntimePath))
		if err != nil {
			return nil, err
		}
		// But for io, the runtime imports the standard library in its function bodies only, as far as types are concerned:
		// nothing that it exports mentions it. So the one can be left out without a loss, and with it the other.
		config := types.Config{
			IgnoreFuncBodies: true,
			Importer: importerFunc(func(path string) (*types.Package, error) {
				if p, ok := packages[path]; ok {
					return p, nil
				}
				return nil, errors.New("not needed")
			}),
			Error: func(error) {},
		}
		packages[importPath], _ = config.Check(importPath, fset, files, nil)
	}
	return packages, nil
}

// runtimeFiles parses the files of a folder of the runtime that belong to a program.
func runtimeFiles(fset *token.FileSet, dir string) ([]*ast.File, error) {
	entries, err := prunegen.Runtime.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	context := build.Default
	context.JoinPath = path.Join
	context.OpenFile = func(name string) (io.ReadCloser, error) { return prunegen.Runtime.Open(name) }
	var files []*ast.File
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if match, err := context.MatchFile(dir, e.Name()); err != nil || !match {
			continue
		}
		source, err := prunegen.Runtime.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, e.Name(), source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
