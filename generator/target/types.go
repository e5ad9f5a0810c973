package target

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// Files returns the paths of the files of the package, without tests.
func (p *Package) Files() []string {
	var all []string
	for _, name := range p.files {
		all = append(all, p.path(name))
	}
	return all
}

// Declares reports whether the package declares one of the names as a type. No file needs to compile.
func (p *Package) Declares(names map[string]bool) bool {
	for _, file := range p.Files() {
		f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		for _, decl := range f.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && names[spec.Name.Name] {
					return true
				}
			}
		}
	}
	return false
}

// Types returns what the package declares, with the places of that. The error is the first reason why its declarations do not
// compile; what is unknown because of it has an invalid type. Bodies of functions are ignored.
func (p *Package) Types(m *Module) (*types.Package, *token.FileSet, error) {
	var first error
	fail := func(err error) {
		if first == nil {
			first = err
		}
	}
	var files []*ast.File
	for _, file := range p.Files() {
		f, err := parser.ParseFile(m.fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			fail(err)
		}
		if f != nil {
			files = append(files, f)
		}
	}
	config := types.Config{Importer: m, IgnoreFuncBodies: true, FakeImportC: true, Error: fail}
	// Error has the errors already.
	pkg, _ := config.Check(p.Name, m.fset, files, nil)
	return pkg, m.fset, first
}
