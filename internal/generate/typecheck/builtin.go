package typecheck

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"strings"
	"sync"

	prunegen "github.com/prune-gen/prune-gen"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// RuntimePaths returns the import paths of the packages of the runtime that generated code imports, each after those that it
// imports. All generated code imports the first two.
func RuntimePaths() []string {
	return []string{gosource.RuntimePath, gosource.ImplPath, gosource.FormatPath, gosource.NetPath, gosource.JSONPath, gosource.CELPath}
}

// ImportPaths returns the import paths of all packages that generated code imports.
func ImportPaths() []string { return append([]string{gosource.IOPath}, RuntimePaths()...) }

// standardSources declare the types of the standard library that the runtime exports mention, with what the code of rules uses of them.
var standardSources = map[string]string{
	gosource.IOPath: `package io
type Reader interface { Read(p []byte) (n int, err error) }
type Writer interface { Write(p []byte) (n int, err error) }`,
	"time": `package time
type Duration int64
type Time struct{ _ int }`,
	"net/netip": `package netip
type Addr struct{ _ int }
type Prefix struct{ _ int }
func (Prefix) Addr() Addr`,
	"net/url": `package url
type URL struct{ Scheme, Host string }
func (*URL) Hostname() string
func (*URL) Port() string
func (*URL) EscapedPath() string`,
	"regexp": `package regexp
type Regexp struct{ _ int }`,
	"sync": `package sync
type Once struct{ _ int }`,
}

// Builtin returns the types of the package with one of ImportPaths, from the source that is built into this program.
func Builtin(path string) (*types.Package, error) {
	packages, err := builtinPackages()
	return packages[path], err
}

var builtinPackages = sync.OnceValues(func() (map[string]*types.Package, error) { return BuiltinRuntime(nil) })

// BuiltinRuntime returns the types of the packages of the runtime that is built into this program, by import path. The
// packages import io, which is in the map as well; nil stands for one with the types that the runtime mentions.
func BuiltinRuntime(io *types.Package) (map[string]*types.Package, error) {
	packages := map[string]*types.Package{}
	for importPath, text := range standardSources {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, importPath, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if packages[importPath], err = new(types.Config).Check(importPath, fset, []*ast.File{file}, nil); err != nil {
			return nil, err
		}
	}
	if io != nil {
		packages[gosource.IOPath] = io
	}
	// Others import kubeversion, and generated code does not.
	for _, importPath := range append([]string{gosource.RuntimePath + "/kubeversion"}, RuntimePaths()...) {
		fset := token.NewFileSet()
		files, err := runtimeFiles(fset, "runtime"+strings.TrimPrefix(importPath, gosource.RuntimePath))
		if err != nil {
			return nil, err
		}
		// Nothing that the runtime exports mentions more of the standard library. So function bodies are ignored, and with them all
		// other imports.
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

// runtimeFiles parses the files of a folder of the runtime, without those for other platforms.
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
		if e.IsDir() {
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
