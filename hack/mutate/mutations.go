package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// mutation replaces a part of a file. It keeps the number of lines.
type mutation struct {
	file             string
	src              []byte
	line, start, end int    // the latter two in bytes
	text             string // what the part becomes
	switched         string // what is compiled: the text if mutOn(#), where # is the number
	number           string // among the chosen ones
	broken, caught   bool
}

// replace returns a source in which a mutation's part has another text.
func replace(src []byte, m *mutation, text string) []byte {
	return []byte(string(src[:m.start]) + text + string(src[m.end:]))
}

// String returns the line before and after, of several lines the first.
func (m *mutation) String() string {
	line := func(src []byte) string { return strings.TrimSpace(strings.Split(string(src), "\n")[m.line-1]) }
	return fmt.Sprintf("%s:%d: %s → %s", m.file, m.line, line(m.src), line(replace(m.src, m, m.text)))
}

// room returns the folder that says what a file is about.
func (m *mutation) room() string {
	parts := strings.Split(m.file, "/")
	if depth := slices.Index(parts, "internal") + 2; depth > 1 && depth < len(parts) {
		return strings.Join(parts[:depth], "/")
	}
	return parts[0]
}

func (m *mutation) overlaps(o *mutation) bool { return m.start < o.end && o.start < m.end }

// helper is a file of each mutated package; its name is a hole.
//
//go:embed switch.go.txt
var helper string

var otherOperator = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutations returns all mutations of a file, nil if it is generated. Some of them do not compile.
func mutations(name string, src []byte) ([]*mutation, error) {
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
	file string
	src  []byte
	of   *token.File
	all  []*mutation
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.of.Offset(n.Pos()):f.of.Offset(n.End())])
}

func (f *finder) replace(n ast.Node, text, switched string) {
	text += strings.Repeat("\n", strings.Count(f.text(n), "\n")-strings.Count(text, "\n"))
	f.all = append(f.all, &mutation{file: f.file, src: f.src, line: f.of.Line(n.Pos()), start: f.of.Offset(n.Pos()), end: f.of.Offset(n.End()), text: text, switched: switched})
}

// drop drops a statement.
func (f *finder) drop(n ast.Node) { f.replace(n, "{}", "if !mutOn(#) { "+f.text(n)+" }") }

// choose replaces a boolean expression.
func (f *finder) choose(n ast.Expr, text string) {
	f.replace(n, text, "(mutOn(#) && ("+text+") || !mutOn(#) && ("+f.text(n)+"))")
}

// binary replaces an operator. It returns the operands to look at.
func (f *finder) binary(n *ast.BinaryExpr) []ast.Expr {
	whole, at, other := f.text(n), int(n.OpPos-n.Pos()), otherOperator[n.Op]
	before, after := whole[:at], whole[at+len(n.Op.String()):]
	switch {
	case other == token.ILLEGAL:
	case n.Op != token.ADD && n.Op != token.SUB:
		f.choose(n, before+other.String()+after)
		if isLiteral(n.Y, token.INT) { // of the type of the other operand
			f.choose(n, strings.TrimSuffix(whole, f.text(n.Y))+"("+f.text(n.Y)+" + 1)")
			return []ast.Expr{n.X}
		}
	case !isLiteral(n.X, token.STRING) && !isLiteral(n.Y, token.STRING): // which show that texts are joined
		f.replace(n, before+other.String()+after, fmt.Sprintf("mutSum(mutOn(#) != %v, %s,%s)", n.Op == token.SUB, before, after))
	}
	return []ast.Expr{n.X, n.Y}
}

func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		// The condition stays, so that what it mentions is used.
		c := "(" + f.text(n.Cond) + ")"
		f.replace(n.Cond, "!"+c, "mutOn(#) != "+c)
		f.replace(n.Cond, c+" || true", c+" || mutOn(#)")
		f.replace(n.Cond, c+" && false", c+" && !mutOn(#)")
	case *ast.BinaryExpr:
		for _, operand := range f.binary(n) {
			ast.Inspect(operand, f.node)
		}
		return false
	case *ast.BasicLit:
		if n.Kind == token.INT {
			f.replace(n, "("+n.Value+" + 1)", "mutPick(mutOn(#), "+n.Value+", "+n.Value+" + 1)")
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.replace(n, "false", "!mutOn(#)")
		case "false":
			f.replace(n, "true", "mutOn(#)")
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

// isLiteral reports whether an operand is a literal of a kind.
func isLiteral(e ast.Expr, kind token.Token) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == kind
}
