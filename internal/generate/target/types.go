package target

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// Files returns the paths of the files of the package, without tests.
func (p *Package) Files() []string {
	var all []string
	for _, name := range p.files {
		all = append(all, p.path(name))
	}
	return all
}

// parse parses files of the package, as far as they parse. The error is the first reason why one does not.
func (p *Package) parse(fset *token.FileSet, names []string) (files []*ast.File, first error) {
	for _, name := range names {
		f, err := parser.ParseFile(fset, p.path(name), nil, parser.SkipObjectResolution)
		if first == nil {
			first = err
		}
		if f != nil {
			files = append(files, f)
		}
	}
	return files, first
}

// Declares reports whether the package declares one of the names. No file needs to compile.
func (p *Package) Declares(names map[string]bool) bool {
	files, _ := p.parse(token.NewFileSet(), p.files)
	for _, f := range files {
		if slices.ContainsFunc(declaredIn(f), func(id *ast.Ident) bool { return names[id.Name] }) {
			return true
		}
	}
	return false
}

// Types returns the declarations of the package, with their places. The error is the first reason why its declarations do not
// compile; what is unknown because of it has an invalid type. Bodies of functions are ignored.
func (p *Package) Types(m *Module) (*types.Package, *token.FileSet, error) {
	files, first := p.parse(m.fset, p.files)
	config := types.Config{Importer: m, IgnoreFuncBodies: true, FakeImportC: true, Error: func(err error) { first = cmp.Or(first, err) }}
	// Error has the errors already.
	pkg, _ := config.Check(p.Name, m.fset, files, nil)
	return pkg, m.fset, first
}
