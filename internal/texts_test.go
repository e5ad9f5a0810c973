package internal_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// readsTexts are the functions that may decide by the text of an error, with the reason why nothing else tells. What an error or a finding is
// about, it carries: an id, a path, a kind.
var readsTexts = map[string]string{
	"internal/text/yamltext.readYAMLError": "the YAML parser has one type for all errors, with nothing in it but a text",
	"internal/generate/target.firstLine":   "the go command prints its errors",
	"internal/answer/manifest.nextField":   "a server sends a warning as a text, which may begin with a path",
}

// Nothing is decided by the English text of an error or a finding, except where another program gives nothing but a text.
func TestTextsDecideNothing(t *testing.T) {
	packages := map[string][]*ast.File{}
	for _, root := range []string{"cmd", "crddiff", "generator", "internal", "lint", "manifest", "runtime", "structural"} {
		err := fs.WalkDir(os.DirFS(".."), root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || name == "internal/testing" || d.Name() == "testdata":
				return cmp.Or(err, fs.SkipDir)
			case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path.Join("..", name), nil, parser.SkipObjectResolution)
			packages[path.Dir(name)] = append(packages[path.Dir(name)], f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	found := map[string]bool{}
	for dir, files := range packages {
		for name := range decidingByText(files) {
			found[dir+"."+name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if readsTexts[name] == "" {
			t.Errorf("%s decides by the text of an error or a finding", name)
		}
	}
	for name := range readsTexts {
		if !found[name] {
			t.Errorf("%s does not decide by a text any more", name)
		}
	}
	if len(readsTexts) > 3 {
		t.Errorf("%d functions may decide by texts", len(readsTexts))
	}
}

// decidingByText returns the functions of a package that compare a text of an error or a finding, or look for something in it. A text is followed
// through variables, and through the functions of the package.
func decidingByText(files []*ast.File) map[string]bool {
	d := &texts{functions: map[string]*ast.FuncDecl{}, params: map[*ast.Field]bool{}, results: map[string]bool{}, deciding: map[string]bool{}}
	for _, f := range files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				d.functions[fn.Name.Name] = fn
			}
		}
	}
	for known := -1; known != len(d.params)+len(d.results); {
		known = len(d.params) + len(d.results)
		for _, f := range files {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
					d.function(fn)
				}
			}
		}
	}
	return d.deciding
}

// texts follows texts through a package.
type texts struct {
	functions map[string]*ast.FuncDecl
	params    map[*ast.Field]bool // that are given a text
	results   map[string]bool     // of functions that return one
	deciding  map[string]bool
	vars      map[string]bool // of the current function
}

func (d *texts) function(fn *ast.FuncDecl) {
	d.vars = map[string]bool{}
	for _, p := range fn.Type.Params.List {
		for _, name := range p.Names {
			d.vars[name.Name] = d.params[p]
		}
	}
	name := fn.Name.Name
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok && d.isText(n.Rhs[min(i, len(n.Rhs)-1)]) {
					d.vars[id.Name] = true
				}
			}
		case *ast.ReturnStmt:
			if slices.ContainsFunc(n.Results, d.isText) {
				d.results[name] = true
			}
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (d.isText(n.X) && isWords(n.Y) || d.isText(n.Y) && isWords(n.X)) {
				d.deciding[name] = true
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && d.isText(n.Tag) {
				d.deciding[name] = true
			}
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				of, isField := n.X.(*ast.SelectorExpr)
				d.vars[id.Name] = isField && of.Sel.Name == "Warnings"
			}
		case *ast.CallExpr:
			d.call(name, n)
		}
		return true
	})
}

// call follows texts into a function of the package, and notes a call that looks for something in one.
func (d *texts) call(in string, call *ast.CallExpr) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if fn := d.functions[f.Name]; fn != nil && fn.Recv == nil {
			d.pass(fn, call)
		}
	case *ast.SelectorExpr:
		if fn := d.functions[f.Sel.Name]; fn != nil && fn.Recv != nil {
			d.pass(fn, call)
		}
		of, _ := f.X.(*ast.Ident)
		searches := of != nil && of.Name == "strings" && slices.Contains(searching, f.Sel.Name) && !isSign(call.Args) ||
			strings.HasPrefix(f.Sel.Name, "Match") || strings.HasPrefix(f.Sel.Name, "FindString")
		if searches && slices.ContainsFunc(call.Args, d.isText) {
			d.deciding[in] = true
		}
	}
}

// searching are the functions of package strings that look for another text.
var searching = []string{"Contains", "HasPrefix", "HasSuffix", "Cut", "CutPrefix", "CutSuffix", "EqualFold", "Index", "LastIndex"}

// isSign reports whether the text that is looked for has no letters: it separates parts of any text.
func isSign(args []ast.Expr) bool {
	text, ok := args[len(args)-1].(*ast.BasicLit)
	return ok && strings.IndexFunc(text.Value, unicode.IsLetter) < 0 || ok && text.Value == `"\n"`
}

// pass notes the parameters of a function that are given texts.
func (d *texts) pass(fn *ast.FuncDecl, call *ast.CallExpr) {
	var params []*ast.Field
	for _, p := range fn.Type.Params.List {
		for range max(1, len(p.Names)) {
			params = append(params, p)
		}
	}
	for i, arg := range call.Args {
		if i < len(params) && d.isText(arg) && isString(params[i].Type) {
			d.params[params[i]] = true
		}
	}
}

// isText reports whether an expression is the text of an error or a finding, or a part of one.
func (d *texts) isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return d.vars[e.Name]
	case *ast.ParenExpr:
		return d.isText(e.X)
	case *ast.SliceExpr:
		return d.isText(e.X)
	case *ast.IndexExpr:
		return d.isText(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (d.isText(e.X) || d.isText(e.Y))
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Message", "message", "Detail", "Err", "MessageErr", "Problem"}, e.Sel.Name)
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		switch {
		case !ok:
			id, _ := e.Fun.(*ast.Ident)
			return id != nil && d.results[id.Name] && returnsString(d.functions[id.Name])
		case f.Sel.Name == "Error" && len(e.Args) == 0, f.Sel.Name == "Body" && len(e.Args) == 0:
			return true
		}
		of, _ := f.X.(*ast.Ident)
		return of != nil && of.Name == "strings" && len(e.Args) > 0 && d.isText(e.Args[0])
	}
	return false
}

// isWords reports whether an expression is a text that is not empty.
func isWords(e ast.Expr) bool {
	text, ok := e.(*ast.BasicLit)
	return ok && text.Kind == token.STRING && len(text.Value) > 2
}

func isString(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "string"
}

func returnsString(fn *ast.FuncDecl) bool {
	return fn != nil && fn.Type.Results != nil && slices.ContainsFunc(fn.Type.Results.List, func(f *ast.Field) bool { return isString(f.Type) })
}
