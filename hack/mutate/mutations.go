package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// mutation replaces a part of a file. It keeps the number of lines.
type mutation struct {
	file       string
	src        []byte
	line       int
	start, end int // in bytes
	text       string
	generic    bool // in a generic function
}

// apply returns the mutated source.
func (m mutation) apply() []byte {
	return []byte(string(m.src[:m.start]) + m.text + string(m.src[m.end:]))
}

// diff returns the line before and after, of several lines the first.
func (m mutation) diff() string {
	line := func(src []byte) string { return strings.TrimSpace(strings.Split(string(src), "\n")[m.line-1]) }
	return fmt.Sprintf("%s:%d: %s → %s", m.file, m.line, line(m.src), line(m.apply()))
}

var otherOperator = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutations returns all mutations of a file, nil if it is generated. Some of them do not compile.
func mutations(name string, src []byte) ([]mutation, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	f := &finder{file: name, src: src, of: fset.File(file.Pos())}
	ast.Inspect(file, f.node)
	return f.all, nil
}

type finder struct {
	file    string
	src     []byte
	of      *token.File
	generic bool
	all     []mutation
}

func (f *finder) replace(from, to token.Pos, text string) {
	start, end := f.of.Offset(from), f.of.Offset(to)
	text += strings.Repeat("\n", strings.Count(string(f.src[start:end]), "\n")-strings.Count(text, "\n"))
	f.all = append(f.all, mutation{f.file, f.src, f.of.Line(from), start, end, text, f.generic})
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.of.Offset(n.Pos()):f.of.Offset(n.End())])
}

// drop drops a statement.
func (f *finder) drop(n ast.Node) { f.replace(n.Pos(), n.End(), "{}") }

func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.generic = n.Type.TypeParams != nil || n.Recv != nil && strings.Contains(f.text(n.Recv), "[")
	case *ast.IfStmt:
		// The condition stays, so that what it mentions is used.
		f.replace(n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
		f.replace(n.Cond.Pos(), n.Cond.End(), "("+f.text(n.Cond)+") || true")
		f.replace(n.Cond.Pos(), n.Cond.End(), "("+f.text(n.Cond)+") && false")
	case *ast.BinaryExpr:
		if other, ok := otherOperator[n.Op]; ok && !isText(n.X) && !isText(n.Y) {
			f.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			f.replace(n.Pos(), n.End(), "("+n.Value+" + 1)")
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.replace(n.Pos(), n.End(), "false")
		case "false":
			f.replace(n.Pos(), n.End(), "true")
		}
	case *ast.IncDecStmt, *ast.BranchStmt, *ast.ReturnStmt:
		f.drop(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.drop(n)
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && f.text(call.Fun) != "panic" { // which is for what cannot happen
			f.drop(n)
		}
	case *ast.ArrayType, *ast.ImportSpec: // a length is rarely behavior
		return false
	}
	return true
}

// isText reports whether an operand shows that + joins texts.
func isText(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING
}
