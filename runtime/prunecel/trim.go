package prunecel

// TrimType returns the type of self with only the parts that the expressions use.
func TrimType(self *Type, exprs ...*Expr) *Type {
	t := trimmer{fields: map[*Type]map[string]bool{}, whole: map[*Type]bool{}}
	for _, e := range exprs {
		t.expr(e)
	}
	return t.trim(self, map[*Type]*Type{})
}

// trimmer records which parts of a type expressions use.
type trimmer struct {
	fields map[*Type]map[string]bool
	whole  map[*Type]bool
}

func (t *trimmer) expr(e *Expr) {
	switch {
	case e.Op == OpSelect || e.Op == OpHas:
		if operand := e.Args[0].Type; operand != nil && operand.Kind == KindObject {
			if name, ok := Unescape(e.Name); ok {
				if t.fields[operand] == nil {
					t.fields[operand] = map[string]bool{}
				}
				t.fields[operand][name] = true
			}
		}
	case e.isCall("size"):
	case e.isCall("_[_]"):
		t.uses(e.Args[1])
	case e.Op == OpFold:
		for _, a := range e.Args[FoldRange+1:] {
			t.uses(a)
		}
	default:
		for _, a := range e.Args {
			t.uses(a)
		}
	}
	for _, a := range e.Args {
		t.expr(a)
	}
}

// uses notes that an expression is used as a whole.
func (t *trimmer) uses(e *Expr) {
	for typ := e.Type; typ != nil; typ = typ.Elem {
		if !typ.Computed {
			t.whole[typ] = true
		}
	}
}

// trim returns a type with what was looked at.
func (t *trimmer) trim(typ *Type, done map[*Type]*Type) *Type {
	if typ == nil || t.whole[typ] {
		return typ
	}
	if out, ok := done[typ]; ok {
		return out
	}
	out := *typ
	done[typ] = &out
	out.Elem = t.trim(typ.Elem, done)
	if typ.Kind == KindObject {
		out.Fields = map[string]*Type{}
		for name := range t.fields[typ] {
			if f := typ.Fields[name]; f != nil {
				out.Fields[name] = t.trim(f, done)
			}
		}
	}
	return &out
}
