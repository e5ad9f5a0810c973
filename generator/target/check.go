package target

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
)

// Check type-checks the package together with the generated files, which compile by themselves, given what the module
// provides. An error says why the files must not be written; a warning, that the package does not compile for reasons of
// its own.
func (p *Package) Check(ours *generator.Compiled, m *Module) []structural.Finding {
	c := &check{pkg: p, ours: ours, module: m}
	c.parse()
	if found := c.clashes(); len(found) > 0 {
		return found
	}
	return c.together()
}

type check struct {
	pkg    *Package
	ours   *generator.Compiled
	module *Module

	files []*ast.File
	tests []*ast.File
	// broken is the first thing that is wrong with a file of theirs.
	broken error
}

// parse reads the files of the package, into the file set of the generated ones.
func (c *check) parse() {
	read := func(names []string) []*ast.File {
		var files []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(c.ours.Fset, c.pkg.path(name), nil, parser.SkipObjectResolution)
			if err != nil && c.broken == nil {
				c.broken = err
			}
			if f != nil {
				files = append(files, f)
			}
		}
		return files
	}
	c.files = read(c.pkg.files)
	// A test that does not parse is not the business of the package.
	broken := c.broken
	c.tests = read(c.pkg.tests)
	c.broken = broken
}

// together type-checks everything in one piece.
func (c *check) together() []structural.Finding {
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
				found = append(found, c.finding(e.Pos, structural.SeverityError, "generated code does not compile here: "+e.Msg, c.runtimeHint()))
			case c.broken == nil:
				c.broken = err
			}
		},
	}
	path := c.pkg.Name
	if path == "" {
		path = c.ours.Syntax[0].Name.Name
	}
	// What is wrong was told to Error already.
	config.Check(path, c.ours.Fset, slices.Concat(c.files, c.ours.Syntax), nil)
	const most = 10
	if len(found) > 0 {
		return found[:min(most, len(found))]
	}
	// Without a module nobody knows what the files import, and so whether they compile.
	if c.broken == nil || !c.module.known() && !isSyntax(c.broken) {
		return nil
	}
	return []structural.Finding{c.brokenFinding()}
}

// runtimeHint says what can be done about generated code that does not compile with the runtime of the module.
func (c *check) runtimeHint() string {
	if v := c.module.RuntimeVersion; v != "" {
		return fmt.Sprintf("the module requires version %s of the runtime: make it the version of this prune-gen", v)
	}
	return ""
}

func isSyntax(err error) bool {
	var list scanner.ErrorList
	return errors.As(err, &list)
}

// brokenFinding says why the package does not compile with or without generated code.
func (c *check) brokenFinding() structural.Finding {
	const hint = "what was generated compiles by itself and is written all the same"
	var list scanner.ErrorList
	var e types.Error
	switch {
	case errors.As(c.broken, &list) && len(list) > 0:
		at := list[0].Pos
		return structural.Finding{
			File: at.Filename, Line: at.Line, Column: at.Column, Severity: structural.SeverityWarning,
			Message: brokenMessage(list[0].Msg), Hint: hint,
		}
	case errors.As(c.broken, &e):
		return c.finding(e.Pos, structural.SeverityWarning, brokenMessage(e.Msg), hint)
	}
	return structural.Finding{
		File: c.pkg.Dir, Severity: structural.SeverityWarning, Message: brokenMessage(c.broken.Error()), Hint: hint,
	}
}

func brokenMessage(text string) string {
	return "the package does not compile, for reasons of its own: " + text
}

func (c *check) finding(pos token.Pos, severity structural.Severity, message, hint string) structural.Finding {
	at := c.ours.Fset.PositionFor(pos, false)
	if filepath.Base(at.Filename) == at.Filename {
		at.Filename = c.pkg.path(at.Filename)
	}
	return structural.Finding{
		File: at.Filename, Line: at.Line, Column: at.Column, Severity: severity, Message: message, Hint: hint,
	}
}
