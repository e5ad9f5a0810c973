package projection

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
)

const heading = `# A first list for prune-gen project, for objects of type %s: the fields that the packages select,
# each with the first place, and as comments the places where whole objects go elsewhere. Look there for what else to keep: the list promises
# nothing but that. Tests, generated files and other modules were not read.
`

// First returns a first keep-list for objects of a Go type: a line for each field that packages select, and a comment for each place where they pass
// on a whole object. Places are relative to the directory root.
func First(ctx context.Context, t types.Type, from []*packages.Package, root string) (string, error) {
	whole, _, err := keeplist.Objects(ctx, t)
	if err != nil {
		return "", err
	}
	s := &scan{root: root, typ: t.String(), whole: whole, own: map[string]bool{}, vars: map[types.Object]*keeplist.Place{}, found: map[string]use{}}
	for _, p := range from {
		s.own[p.PkgPath] = true
	}
	for _, p := range from {
		s.Info, s.fset = p.TypesInfo, p.Fset
		for _, file := range p.Syntax {
			ast.PreorderStack(file, nil, func(n ast.Node, around []ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					s.expr(e, around[len(around)-1])
				}
				return !ast.IsGenerated(file)
			})
		}
	}
	var lines []string
	for _, path := range sorted.Keys(s.found) {
		covers := func(other string) bool { return other != path && keeplist.Covers(path, other) && !s.found[other].asks }
		if !s.found[path].asks || !slices.ContainsFunc(sorted.Keys(s.found), covers) {
			lines = append(lines, path+"  # "+s.found[path].at)
		}
	}
	if lines = append(lines, s.notes...); len(lines) == 0 {
		return "", fmt.Errorf("the packages use no objects of type %s", t)
	}
	printable := func(r rune) rune { // literals in expressions may have line breaks
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}
	text := fmt.Sprintf(heading, t)
	for _, line := range lines {
		text += strings.Map(printable, line) + "\n"
	}
	return text, nil
}

// scan looks for the places of objects in packages.
type scan struct {
	*types.Info
	fset      *token.FileSet
	root, typ string
	whole     *keeplist.Place
	own       map[string]bool                  // the packages, by path
	vars      map[types.Object]*keeplist.Place // variables that hold parts of objects
	found     map[string]use
	notes     []string
}

// use is the first use of a field.
type use struct {
	at   string
	asks bool // only whether it is nil, or how long it is; it is kept whole if no field below it is used
}

// expr notes what an expression does with a place of objects, unless the node around it is a longer one.
func (s *scan) expr(e ast.Expr, around ast.Node) {
	x, _ := e.(*ast.SelectorExpr)
	if sel := s.Selections[x]; sel != nil && sel.Kind() == types.MethodVal {
		s.method(x, sel)
	} else if p := s.place(e); p != nil && operand(around) != e {
		if p != s.whole {
			s.part(e, p, around)
		} else if where := s.elsewhere(e, around); where != "" {
			s.notes = append(s.notes, "# "+s.at(e)+": "+where)
		}
	}
}

// operand returns the expression that another one takes a part of, or the address, or what it points to, nil for others.
func operand(n ast.Node) ast.Expr {
	switch e := n.(type) {
	case *ast.ParenExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.IndexExpr:
		return e.X
	case *ast.SelectorExpr:
		return e.X
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return e.X
		}
	}
	return nil
}

// isWhole reports whether a type is that of the objects, or of pointers, lists or maps of them.
func (s *scan) isWhole(t types.Type) bool { return t != nil && keeplist.Strip(t).String() == s.typ }

// place returns the place of objects that an expression denotes, nil if it does not or if it is a new object.
func (s *scan) place(e ast.Expr) (p *keeplist.Place) {
	if x := operand(e); x != nil {
		p = s.place(x)
	}
	switch e := e.(type) {
	case *ast.Ident:
		p = s.vars[s.Uses[e]]
	case *ast.IndexExpr:
		if p != nil && p != s.whole {
			p = p.Elem()
		}
	case *ast.SelectorExpr:
		if sel := s.Selections[e]; sel != nil && sel.Kind() == types.FieldVal {
			p, _ = s.through(p, sel.Recv(), sel.Index())
		}
	case *ast.CompositeLit, *ast.UnaryExpr:
		return p
	}
	if p == nil && s.Types[e].IsValue() && s.isWhole(s.Types[e].Type) {
		return s.whole
	}
	return p
}

// through returns the place and the type at the end of a way through fields, which may pass embedded ones.
func (s *scan) through(p *keeplist.Place, t types.Type, index []int) (*keeplist.Place, types.Type) {
	for _, i := range index {
		if t = pointee(t).Underlying().(*types.Struct).Field(i).Type(); s.isWhole(t) {
			p = s.whole
		} else if p != nil {
			p, _ = p.Field(i)
		}
	}
	return p, t
}

// method notes what a method does with its receiver. Those of metadata are called after fields.
func (s *scan) method(e *ast.SelectorExpr, sel *types.Selection) {
	p, t := s.through(s.place(e.X), sel.Recv(), sel.Index()[:len(sel.Index())-1])
	if p == s.whole {
		if f := sel.Obj(); !s.own[f.Pkg().Path()] && f.Name() != "DeepCopy" && f.Name() != "DeepCopyInto" {
			s.notes = append(s.notes, "# "+s.at(e)+": receiver of "+types.ExprString(e))
		}
	} else if p != nil {
		u, _ := pointee(t).Underlying().(*types.Struct)
		for i := 0; u != nil && i < u.NumFields(); i++ {
			if name := u.Field(i).Name(); sel.Obj().Name() == "Get"+name || sel.Obj().Name() == "Set"+name {
				p, _ = p.Field(i)
				break
			}
		}
		s.use(p, use{at: s.at(e)})
	}
}

// part notes the use of a part of an object. If a new variable gets it, and parts of it can be told apart, the uses of the variable count.
func (s *scan) part(e ast.Expr, p *keeplist.Place, around ast.Node) {
	var variable ast.Expr
	asks := false
	switch around := around.(type) {
	case *ast.AssignStmt:
		if i := slices.Index(around.Rhs, e); i >= 0 {
			variable = around.Lhs[i]
		}
	case *ast.RangeStmt:
		if asks = around.Value == nil; !asks {
			variable, p = around.Value, p.Elem()
		}
	case *ast.CallExpr:
		asks = s.Types[around.Fun].IsBuiltin() && types.ExprString(around.Fun) == "len"
	case *ast.BinaryExpr:
		asks = s.Types[around.X].IsNil() || s.Types[around.Y].IsNil()
	}
	if id, ok := variable.(*ast.Ident); ok && id.Name != "_" && s.Defs[id] != nil && !p.IsLeaf() {
		s.vars[s.Defs[id]] = p
		return
	}
	s.use(p, use{s.at(e), asks})
}

// use notes the use of a field, unless it is always kept or not part of the JSON form.
func (s *scan) use(p *keeplist.Place, u use) {
	if p == nil || keeplist.IsKept(p.Path()) {
		return
	}
	if p.Path() == "" { // an embedded struct
		for _, field := range p.Children() {
			s.use(field, u)
		}
	} else if old, ok := s.found[p.Path()]; !ok || old.asks && !u.asks {
		s.found[p.Path()] = u
	}
}

// elsewhere says where a whole object goes: to what is not a variable of its type, or a parameter of such a type in one of the packages.
func (s *scan) elsewhere(e ast.Expr, around ast.Node) string {
	switch n := around.(type) {
	case *ast.ReturnStmt:
		return "returned"
	case *ast.SendStmt, *ast.KeyValueExpr:
		return "stored"
	case *ast.CompositeLit:
		if !s.isWhole(s.TypeOf(n)) {
			return "stored"
		}
	case *ast.ValueSpec:
		if to := n.Names[slices.Index(n.Values, e)]; !s.isWhole(s.TypeOf(to)) {
			return "stored in " + to.Name
		}
	case *ast.AssignStmt:
		if i := slices.Index(n.Rhs, e); i >= 0 {
			_, isField := n.Lhs[i].(*ast.SelectorExpr)
			if t := s.TypeOf(n.Lhs[i]); t != nil && (isField || !s.isWhole(t)) {
				return "stored in " + types.ExprString(n.Lhs[i])
			}
		}
	case *ast.CallExpr:
		name, _ := n.Fun.(*ast.Ident)
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
			name = sel.Sel
		}
		switch f := s.Uses[name].(type) {
		case *types.Builtin:
			if f.Name() != "append" || s.isWhole(s.TypeOf(n)) {
				return ""
			}
		case *types.Func:
			params := f.Signature().Params()
			if i := min(slices.Index(n.Args, e), params.Len()-1); f.Name() == "DeepCopyInto" || i >= 0 && s.own[f.Pkg().Path()] && s.isWhole(params.At(i).Type()) {
				return ""
			}
		}
		return "argument of " + types.ExprString(n.Fun)
	}
	return ""
}

// at returns the file and line of an expression.
func (s *scan) at(e ast.Expr) string {
	at := s.fset.PositionFor(e.Pos(), false)
	return fmt.Sprintf("%s:%d", filepath.ToSlash(strings.TrimPrefix(at.Filename, s.root+string(filepath.Separator))), at.Line)
}
