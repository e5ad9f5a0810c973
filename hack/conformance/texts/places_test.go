// Package texts finds the places in the sources of the API server that make the text of an error, and those of them that were run.
package texts

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a call in the sources that makes a text.
type Place struct {
	File string // with its package, as a profile of the coverage has it
	// Function is where the call is, and Call the call as it is written, in one line.
	Function, Call string

	at position
}

func (p Place) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.at.line, p.Function, p.Call)
}

type position struct{ line, column int }

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column))
}

// Find returns the places in a package whose files are in a folder, in the order of the sources.
func Find(pkg, folder string) ([]Place, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []Place
	for _, name := range files {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_generated") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := inFile(path.Join(pkg, base), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func inFile(name string, source []byte) ([]Place, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []Place
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n == nil || !makesText(n) {
				return true
			}
			at, end := fset.Position(n.Pos()), fset.Position(n.End())
			call := strings.Join(strings.Fields(string(source[at.Offset:end.Offset])), " ")
			all = append(all, Place{File: name, Function: fn.Name.Name, Call: call, at: position{at.Line, at.Column}})
			return false
		})
	}
	return all, nil
}

// constructors are the functions of the package field that make errors.
var constructors = []string{"Invalid", "Required", "Forbidden", "NotSupported", "Duplicate", "TooMany", "TooLong", "TooLongMaxLength",
	"TooFewItems", "InternalError", "TypeInvalid", "NotFound"}

// makesText reports whether n makes an error, or appends or returns a string as a reason for one.
func makesText(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if is(n.Fun, "field", constructors...) || is(n.Fun, "fmt", "Errorf") || is(n.Fun, "errors", "New") {
			return true
		}
		fun, ok := n.Fun.(*ast.Ident)
		return ok && fun.Name == "append" && len(n.Args) == 2 && isString(n.Args[1])
	case *ast.ReturnStmt:
		return slices.ContainsFunc(n.Results, func(e ast.Expr) bool {
			list, ok := e.(*ast.CompositeLit)
			return isString(e) && !isEmpty(e) || ok && slices.ContainsFunc(list.Elts, isString)
		})
	}
	return false
}

// is reports whether e is one of the functions of a package.
func is(e ast.Expr, pkg string, functions ...string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg && slices.Contains(functions, s.Sel.Name)
}

// isString reports whether e is a text: a literal, texts joined, or one that is formatted.
func isString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isString(e.X) || isString(e.Y))
	case *ast.CallExpr:
		return is(e.Fun, "fmt", "Sprintf")
	}
	return false
}

func isEmpty(e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	return ok && literal.Value == `""`
}

// block is a part of a file that runs as a whole.
type block struct {
	from, to position
	runs     int
}

// Profile says which parts of which files were run.
type Profile map[string][]block

// ReadProfile reads what go test writes for -coverprofile.
func ReadProfile(data []byte) (Profile, error) {
	p := Profile{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		var b block
		var statements int
		if n, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from.line, &b.from.column, &b.to.line, &b.to.column, &statements, &b.runs); !ok || n != 6 {
			return nil, fmt.Errorf("read the profile: %q: %w", line, err)
		}
		p[name] = append(p[name], b)
	}
	return p, nil
}

// Ran reports whether the place was run.
func (p Profile) Ran(at Place) bool {
	return slices.ContainsFunc(p[at.File], func(b block) bool {
		return b.runs > 0 && b.from.compare(at.at) <= 0 && at.at.compare(b.to) < 0
	})
}
