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
)

// RuntimePath is the import path of the package that generated code calls.
const RuntimePath = runtimePath

// Checked is a generated package that compiles by itself.
type Checked struct {
	Fset   *token.FileSet
	Syntax []*ast.File
	// Declared are the names that it declares, and Predeclared those of Go's own that it uses, both sorted.
	Declared    []string
	Predeclared []string
}

// TypeCheck checks that files are a package that compiles, given the runtime as it is in this program. It needs neither
// a module nor the go command. The error is a *SourceError.
func TypeCheck(files []File) (*Checked, error) {
	c := &Checked{Fset: token.NewFileSet()}
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
			if path == runtimePath {
				return BuiltinRuntime()
			}
			return nil, errors.New("generated code has no business with it")
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

// BuiltinRuntime returns what the runtime exports, as far as types go, from the source that is built into this program.
func BuiltinRuntime() (*types.Package, error) { return builtinRuntime() }

var builtinRuntime = sync.OnceValues(func() (*types.Package, error) {
	const dir = "runtime"
	entries, err := prunegen.Runtime.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	context := build.Default
	context.JoinPath = path.Join
	context.OpenFile = func(name string) (io.ReadCloser, error) { return prunegen.Runtime.Open(name) }
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
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
	// The runtime imports the standard library in its function bodies only, as far as types are concerned: nothing that
	// it exports mentions another package. So the one can be left out without a loss, and with it the other.
	config := types.Config{
		IgnoreFuncBodies: true,
		Importer:         importerFunc(func(string) (*types.Package, error) { return nil, errors.New("not needed") }),
		Error:            func(error) {},
	}
	pkg, _ := config.Check(runtimePath, fset, files, nil)
	return pkg, nil
})
