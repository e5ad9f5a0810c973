package target

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/structural"
)

const renameHint = "rename it, or generate into a directory of its own with --output-dir"

// clashes reports the names that generated code and the package cannot both have.
func (c *compilation) clashes() []structural.Finding {
	var found []structural.Finding
	clash := func(id *ast.Ident, format string) {
		found = append(found, c.finding(IDClash, id.Pos(), fmt.Sprintf(format, id.Name), renameHint))
	}
	imported := map[string]bool{}
	for _, f := range c.ours.Syntax {
		for _, spec := range f.Imports {
			imported[c.importName(spec)] = true
		}
	}
	declared := func(name string) bool { _, ok := slices.BinarySearch(c.ours.Declared, name); return ok }
	predeclared := func(name string) bool { _, ok := slices.BinarySearch(c.ours.Predeclared, name); return ok }
	for _, f := range slices.Concat(c.files, c.tests) {
		for _, id := range declaredIn(f) {
			switch {
			case declared(id.Name):
				clash(id, "%s is declared here, and generated code declares it, too")
			case imported[id.Name]:
				clash(id, "%s is declared here, and generated code has an import of that name")
			case predeclared(id.Name):
				clash(id, "%s is declared here, and generated code needs the one that is part of Go")
			}
		}
		for _, spec := range f.Imports {
			switch name := c.importName(spec); {
			case name == ".":
				c.dotImport(spec, declared, clash)
			case declared(name):
				clash(&ast.Ident{NamePos: spec.Pos(), Name: name}, "%s is imported here, and generated code declares it")
			}
		}
	}
	slices.SortStableFunc(found, func(a, b structural.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return found
}

// dotImport reports the names that a file imports as if it declared them.
func (c *compilation) dotImport(spec *ast.ImportSpec, declared func(string) bool, clash func(*ast.Ident, string)) {
	pkg, err := c.module.Import(importPath(spec))
	if err != nil {
		return
	}
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) && declared(name) {
			clash(&ast.Ident{NamePos: spec.Pos(), Name: name}, "%s is imported here, and generated code declares it")
		}
	}
}

// declaredIn returns the names that a file declares for the whole package.
func declaredIn(f *ast.File) (ids []*ast.Ident) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Name.Name != "init" {
				ids = append(ids, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					ids = append(ids, spec.Name)
				case *ast.ValueSpec:
					ids = append(ids, spec.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(ids, func(id *ast.Ident) bool { return id.Name == "_" })
}

// importName returns the name that an import has in its file, as far as it is known.
func (c *compilation) importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	if pkg, err := c.module.Import(importPath(spec)); err == nil {
		return pkg.Name()
	}
	return path.Base(importPath(spec))
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "" // a file that does not parse
	}
	return path
}
