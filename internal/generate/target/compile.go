package target

import (
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/structural"
)

var ids structural.IDTable

// The rules of the findings of Compile.
var (
	IDClash   = ids.Add("package/clash", "The package and the generated code declare the same name.")
	IDRuntime = ids.Add("package/runtime", "The generated code does not compile with the runtime that the module requires.")
	IDBroken  = ids.Add("package/broken", "The package does not compile, with or without generated code.")
)

// Rules returns the rules and their summaries.
func IDs() []structural.IDInfo { return ids }

// Compile compiles the package together with the generated files, which compile by themselves, and with what the
// module provides. An error keeps the files from being written. A warning reports a package that does not compile without
// them either.
func (p *Package) Compile(ours *typecheck.Package, m *Module) []structural.Finding {
	c := &compilation{pkg: p, ours: ours, module: m}
	c.files, c.broken = p.parse(ours.Fset, p.files)
	c.tests, _ = p.parse(ours.Fset, p.tests) // one that does not parse does not keep the package from compiling
	if found := c.clashes(); len(found) > 0 {
		return found
	}
	return c.compile()
}

type compilation struct {
	pkg    *Package
	ours   *typecheck.Package
	module *Module

	files []*ast.File
	tests []*ast.File
	// broken is the first error in a file of the package.
	broken error
}

// compile compiles the files of the package and the generated ones as one package.
func (c *compilation) compile() []structural.Finding {
	own := map[*token.File]bool{}
	for _, f := range c.ours.Syntax {
		own[c.ours.Fset.File(f.FileStart)] = true
	}
	var found []structural.Finding
	config := types.Config{
		Importer:    c.module,
		FakeImportC: true,
		Error: func(err error) {
			var e types.Error
			switch {
			case errors.As(err, &e) && own[e.Fset.File(e.Pos)]:
				found = append(found, c.finding(IDRuntime, e.Pos, "generated code does not compile here: "+e.Msg, c.runtimeHint()))
			case c.broken == nil:
				c.broken = err
			}
		},
	}
	// Error has the errors already.
	config.Check(c.ours.Syntax[0].Name.Name, c.ours.Fset, slices.Concat(c.files, c.ours.Syntax), nil)
	const most = 10
	if len(found) > 0 {
		return found[:min(most, len(found))]
	}
	// Without a module the imports are unknown, and nobody can tell whether the files compile.
	if c.broken == nil || !c.module.known() && !isSyntax(c.broken) {
		return nil
	}
	return []structural.Finding{c.brokenFinding()}
}

// runtimeHint is the hint for generated code that does not compile with the runtime of the module.
func (c *compilation) runtimeHint() string {
	const get = "that of this prune-gen: go get github.com/prune-gen/prune-gen@VERSION"
	if v := c.module.RuntimeVersion; v != "" {
		return fmt.Sprintf("the module requires version %s of the runtime; make it %s", v, get)
	}
	return "make the runtime " + get + ", or update what replaces it"
}

func isSyntax(err error) bool {
	var list scanner.ErrorList
	return errors.As(err, &list)
}

// brokenFinding reports why the package does not compile, with or without generated code.
func (c *compilation) brokenFinding() structural.Finding {
	f := structural.Finding{ID: IDBroken, File: c.pkg.Dir}
	text := c.broken.Error()
	var list scanner.ErrorList
	var e types.Error
	switch {
	case errors.As(c.broken, &list) && len(list) > 0:
		at := list[0].Pos
		f.File, f.Line, f.Column, text = at.Filename, at.Line, at.Column, list[0].Msg
	case errors.As(c.broken, &e):
		f, text = c.finding(IDBroken, e.Pos, "", ""), e.Msg
	}
	f.Severity = structural.SeverityWarning
	f.Message = "the package does not compile, with or without generated code: " + text
	f.Hint = "the generated files compile by themselves and are written anyway"
	return f
}

// finding returns an error at a position, without regard to line directives.
func (c *compilation) finding(id structural.ID, pos token.Pos, message, hint string) structural.Finding {
	at := c.ours.Fset.PositionFor(pos, false)
	if filepath.Base(at.Filename) == at.Filename {
		at.Filename = c.pkg.path(at.Filename)
	}
	return structural.Finding{
		ID: id, File: at.Filename, Line: at.Line, Column: at.Column,
		Severity: structural.SeverityError, Message: message, Hint: hint,
	}
}
