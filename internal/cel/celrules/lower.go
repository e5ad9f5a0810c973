package celrules

import (
	"errors"
	"fmt"
	"maps"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// lowering turns checked trees into expressions.
type lowering struct {
	tree *ast.AST
	vars map[string]*prunecel.Type // from the schema
}

// lower returns the expression of a checked tree about a value of type self. optionalOld says that oldSelf is an optional value.
func lower(tree *ast.AST, self *prunecel.Type, optionalOld bool) (*prunecel.Expr, error) {
	old := self
	if optionalOld {
		old = &prunecel.Type{Computed: true, Kind: prunecel.KindOptional, Elem: self}
	}
	l := &lowering{tree, map[string]*prunecel.Type{Self: self, OldSelf: old}}
	return l.expr(tree.Expr())
}

func (l *lowering) expr(e ast.Expr) (*prunecel.Expr, error) {
	out := &prunecel.Expr{}
	var err error
	switch e.Kind() {
	case ast.LiteralKind:
		out.Op = prunecel.OpConst
		out.Const, err = constant(e.AsLiteral())
	case ast.IdentKind:
		err = l.ident(out, e, e.AsIdent())
	case ast.SelectKind:
		err = l.selection(out, e)
	case ast.CallKind:
		err = l.call(out, e)
	case ast.ListKind:
		err = l.list(out, e.AsList())
	case ast.MapKind:
		err = l.entries(out, e.AsMap())
	case ast.ComprehensionKind:
		err = l.fold(out, e.AsComprehension())
	case ast.StructKind:
		err = l.message(out, e.AsStruct())
	default:
		err = fmt.Errorf("an expression of kind %d is not supported", e.Kind())
	}
	if err != nil {
		return nil, err
	}
	if out.Type == nil {
		out.Type = computed(l.tree.GetType(e.ID()))
	}
	return out, nil
}

func (l *lowering) exprs(out *prunecel.Expr, all []ast.Expr) error {
	for _, e := range all {
		arg, err := l.expr(e)
		if err != nil {
			return err
		}
		out.Args = append(out.Args, arg)
	}
	return nil
}

// constant returns the value of a literal.
func constant(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Null:
		return nil, nil
	case types.Bool:
		return bool(v), nil
	case types.Int:
		return int64(v), nil
	case types.Uint:
		return uint64(v), nil
	case types.Double:
		return float64(v), nil
	case types.String:
		return string(v), nil
	case types.Bytes:
		return []byte(v), nil
	}
	return nil, fmt.Errorf("a literal of type %s is not supported", v.Type().TypeName())
}

// ident lowers a variable, or the name of a type.
func (l *lowering) ident(out *prunecel.Expr, e ast.Expr, name string) error {
	if r, ok := l.tree.ReferenceMap()[e.ID()]; ok {
		if r.Value != nil {
			v, err := constant(r.Value)
			out.Op, out.Const = prunecel.OpConst, v
			return err
		}
		name = r.Name
		if t := l.tree.GetType(e.ID()); t.Kind() == types.TypeKind {
			if params := t.Parameters(); len(params) == 1 {
				name = params[0].TypeName()
			}
			out.Op, out.Const = prunecel.OpConst, prunecel.TypeValue(name)
			return nil
		}
	}
	out.Op, out.Name, out.Type = prunecel.OpIdent, name, l.vars[name]
	return nil
}

// selection lowers a.b, has(a.b), or a name with dots.
func (l *lowering) selection(out *prunecel.Expr, e ast.Expr) error {
	if r, ok := l.tree.ReferenceMap()[e.ID()]; ok {
		return l.ident(out, e, r.Name)
	}
	sel := e.AsSelect()
	out.Op, out.Name = prunecel.OpSelect, sel.FieldName()
	if err := l.exprs(out, []ast.Expr{sel.Operand()}); err != nil {
		return err
	}
	if sel.IsTestOnly() {
		out.Op = prunecel.OpHas
		return nil
	}
	out.Type = fieldOf(out.Args[0].Type, sel.FieldName())
	return nil
}

// fieldOf returns the type of a field or of a value of a map, nil if it is not known.
func fieldOf(t *prunecel.Type, name string) *prunecel.Type {
	switch {
	case t == nil || t.Computed:
		return nil
	case t.Kind == prunecel.KindMap:
		return t.Elem
	case t.Kind == prunecel.KindObject:
		if name, ok := prunecel.Unescape(name); ok {
			return t.Fields[name]
		}
	}
	return nil
}

func (l *lowering) call(out *prunecel.Expr, e ast.Expr) error {
	c := e.AsCall()
	out.Op, out.Name = prunecel.OpCall, c.FunctionName()
	if r, ok := l.tree.ReferenceMap()[e.ID()]; ok && len(r.OverloadIDs) == 1 && !isOperator(out.Name) {
		out.Overload = r.OverloadIDs[0]
	}
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	if err := l.exprs(out, args); err != nil {
		return err
	}
	switch out.Name {
	case "_[_]":
		out.Type = elementOf(out.Args[0].Type)
	case "_?_:_":
		switch a, b := out.Args[1], out.Args[2]; {
		case a.Type == b.Type, b.IsEmpty():
			out.Type = a.Type
		case a.IsEmpty():
			out.Type = b.Type
		}
	}
	return nil
}

// isOperator reports whether a function has one meaning for all types, so that its overload does not matter.
func isOperator(name string) bool {
	switch name {
	case "_&&_", "_||_", "!_", "_?_:_", "_==_", "_!=_", "@not_strictly_false", "_[_]", "size":
		return true
	}
	return false
}

// elementOf returns the type of the elements of a list, or of the values of a map.
func elementOf(t *prunecel.Type) *prunecel.Type {
	if t != nil && (t.Kind == prunecel.KindList || t.Kind == prunecel.KindMap) {
		return t.Elem
	}
	return nil
}

func (l *lowering) list(out *prunecel.Expr, list ast.ListExpr) error {
	out.Op = prunecel.OpList
	if indices := list.OptionalIndices(); len(indices) > 0 {
		out.Optional = make([]bool, list.Size())
		for _, i := range indices {
			out.Optional[i] = true
		}
	}
	return l.exprs(out, list.Elements())
}

func (l *lowering) entries(out *prunecel.Expr, m ast.MapExpr) error {
	out.Op = prunecel.OpMap
	optional := false
	for _, entry := range m.Entries() {
		e := entry.AsMapEntry()
		optional = optional || e.IsOptional()
		out.Optional = append(out.Optional, e.IsOptional())
		if err := l.exprs(out, []ast.Expr{e.Key(), e.Value()}); err != nil {
			return err
		}
	}
	if !optional {
		out.Optional = nil
	}
	return nil
}

// messageProblem says why prune-gen cannot make a message of protocol buffers, "" if it can, which is the case for messages that stand
// for scalars. Others that the API server can make are google.protobuf.ListValue and Struct, the entries of the last, Any and Empty.
func messageProblem(tree *ast.AST, s ast.StructExpr) string {
	fields := prunecel.MessageFields(s.TypeName())
	if fields == nil {
		return fmt.Sprintf("prune-gen does not support messages %s, which the API server does", s.TypeName())
	}
	if s.TypeName() == "google.protobuf.Value" && len(s.Fields()) > 1 {
		return "prune-gen does not support messages google.protobuf.Value with several fields, of which the API server takes any"
	}
	for _, field := range s.Fields() {
		f := field.AsStructField()
		t := tree.GetType(f.Value().ID())
		if f.IsOptional() && t.TypeName() == "optional_type" {
			t = t.Parameters()[0]
		}
		// A value of any type, or one that may be null, would have to be converted as messages do.
		if kind, ok := fields[f.Name()]; !ok || t.IsAssignableType(types.NullType) || computed(t).Kind != kind {
			return fmt.Sprintf("prune-gen does not support messages %s with a field %s of type %s, which the API server does", s.TypeName(), f.Name(), t)
		}
	}
	return ""
}

// unsupported says which part of a checked tree prune-gen cannot evaluate, "" for none.
func unsupported(tree *ast.AST) (problem string) {
	if tree != nil {
		ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			if e.Kind() == ast.StructKind && problem == "" {
				problem = messageProblem(tree, e.AsStruct())
			}
		}))
	}
	return problem
}

func (l *lowering) message(out *prunecel.Expr, s ast.StructExpr) error {
	if problem := messageProblem(l.tree, s); problem != "" {
		return errors.New(problem)
	}
	out.Op, out.Name = prunecel.OpMessage, s.TypeName()
	optional := false
	for _, field := range s.Fields() {
		f := field.AsStructField()
		out.Args = append(out.Args, &prunecel.Expr{Op: prunecel.OpConst, Const: f.Name()})
		if err := l.exprs(out, []ast.Expr{f.Value()}); err != nil {
			return err
		}
		out.Optional = append(out.Optional, f.IsOptional())
		optional = optional || f.IsOptional()
	}
	if !optional {
		out.Optional = nil
	}
	return nil
}

func (l *lowering) fold(out *prunecel.Expr, c ast.ComprehensionExpr) error {
	out.Op, out.Var, out.Var2, out.Accu = prunecel.OpFold, c.IterVar(), c.IterVar2(), c.AccuVar()
	if err := l.exprs(out, []ast.Expr{c.IterRange(), c.AccuInit()}); err != nil {
		return err
	}
	outer := l.vars
	defer func() { l.vars = outer }()
	l.vars = maps.Clone(outer)
	over := out.Args[prunecel.FoldRange].Type
	first, second := elementOf(over), (*prunecel.Type)(nil)
	if over != nil && over.Kind == prunecel.KindMap {
		first, second = &prunecel.Type{Computed: true, Kind: prunecel.KindString}, first
	} else if out.Var2 != "" {
		first, second = &prunecel.Type{Computed: true, Kind: prunecel.KindInt}, first
	}
	l.vars[out.Var] = first
	if out.Var2 != "" {
		l.vars[out.Var2] = second
	}
	l.vars[out.Accu] = nil
	if err := l.exprs(out, []ast.Expr{c.LoopCondition(), c.LoopStep()}); err != nil {
		return err
	}
	maps.Copy(l.vars, map[string]*prunecel.Type{out.Var: outer[out.Var]})
	if out.Var2 != "" {
		l.vars[out.Var2] = outer[out.Var2]
	}
	if err := l.exprs(out, []ast.Expr{c.Result()}); err != nil {
		return err
	}
	if out.IsFilter() {
		// Its elements are those of the range, as the object has them.
		if elem := elementOf(over); elem != nil && over.Kind == prunecel.KindList {
			out.Type = &prunecel.Type{Kind: prunecel.KindList, Elem: elem, Computed: over.Computed}
		}
	}
	return nil
}

// computed returns the type of a value that a rule computes.
func computed(t *cel.Type) *prunecel.Type {
	out := &prunecel.Type{Computed: true, Name: t.TypeName(), Kind: prunecel.KindOther}
	param := func(i int) *prunecel.Type {
		if params := t.Parameters(); i < len(params) {
			return computed(params[i])
		}
		return &prunecel.Type{Computed: true, Kind: prunecel.KindOther}
	}
	switch t.Kind() {
	case types.BoolKind:
		out.Kind = prunecel.KindBool
	case types.IntKind:
		out.Kind = prunecel.KindInt
	case types.UintKind:
		out.Kind = prunecel.KindUint
	case types.DoubleKind:
		out.Kind = prunecel.KindDouble
	case types.StringKind:
		out.Kind = prunecel.KindString
	case types.BytesKind:
		out.Kind = prunecel.KindBytes
	case types.DurationKind:
		out.Kind = prunecel.KindDuration
	case types.TimestampKind:
		out.Kind = prunecel.KindTimestamp
	case types.NullTypeKind:
		out.Kind = prunecel.KindNull
	case types.ListKind:
		out.Kind, out.Elem = prunecel.KindList, param(0)
	case types.MapKind:
		out.Kind, out.Elem = prunecel.KindMap, param(1)
	default:
		if t.TypeName() == "optional_type" {
			out.Kind, out.Elem = prunecel.KindOptional, param(0)
		}
	}
	return out
}
