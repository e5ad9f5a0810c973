package celrules

import (
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

func (c *reasoning) ident(e *prunecel.Expr, f *fact) (known, *Failure) {
	for b := c.env; b != nil; b = b.next {
		if b.name == e.Name {
			v := b.value
			v.num, v.size = f.spans(factNum, v.key, v.num), f.spans(factSize, v.key, v.size)
			return v, nil
		}
	}
	switch {
	case e.Name != Self && e.Name != OldSelf:
		return known{typ: e.Type, truth: isEither, num: anyInt, size: anySize}, fails(FailsUnknown, "%s is not known", e.Name)
	case e.Name == OldSelf && c.optional:
		return known{key: OldSelf, typ: e.Type, truth: isEither, num: anyInt, size: anySize}, nil
	case e.Name == OldSelf && c.unchanged && !c.met.root:
		return c.schemaValue(e.Type, Self, f)
	}
	return c.schemaValue(e.Type, e.Name, f)
}

// field is for a.b and has(a.b).
func (c *reasoning) field(e *prunecel.Expr, f *fact) (known, *Failure) {
	unknown := known{typ: e.Type, truth: isEither, num: anyInt, size: anySize}
	of, failure := c.eval(e.Args[0], f)
	if failure != nil {
		return unknown, failure
	}
	if of.key == OldSelf && c.optional { // a field of an optional value is optional, too
		if e.Op != prunecel.OpHas || !c.unchanged || c.met.root {
			return unknown, nil
		}
		if of, failure = c.schemaValue(e.Args[0].Type.Elem, Self, f); failure != nil {
			return unknown, failure
		}
	}
	if of.null && f.find(factExists, of.key) == nil && !c.trusting {
		return unknown, fails(FailsMissing, "%s may be null", shown(of.key))
	}
	if of.typ == nil || of.schema == nil || of.typ.Kind != prunecel.KindObject && of.typ.Kind != prunecel.KindMap {
		return unknown, fails(FailsUnknown, "nothing is known about %s of %s", e.Name, shown(of.key))
	}
	key, always := "", false
	var t *prunecel.Type
	if of.typ.Kind == prunecel.KindMap {
		key, t = entryKey(of.key, e.Name), of.typ.Elem
	} else {
		name, _ := prunecel.Unescape(e.Name)
		if key, t = of.key+"."+name, of.typ.Fields[name]; of.key == "" {
			key = ""
		}
		if of.key == OldSelf && c.unchanged && !c.optional && name != "metadata" || key == OldSelf+".metadata.name" && c.unchanged {
			key = Self + key[len(OldSelf):] // the root: everything except metadata is unchanged
		}
		always = slices.Contains(validation(of.schema).Required, name) || c.met.isMeta(of, name)
	}
	v, failure := c.schemaValue(t, key, f)
	if failure != nil {
		return unknown, failure
	}
	absent := v.schema != nil && c.met.doubts[v.schema]&isAbsent != 0
	exists := always || f.find(factExists, key) != nil
	if v.schema != nil && v.schema == c.refilled {
		value := c.met.refilled[v.schema]
		if exists, absent = value != nil, value == nil; exists {
			is := constantKnown(&prunecel.Expr{Op: prunecel.OpConst, Const: scalarOr(value), Type: t})
			v.truth, v.num, v.size, v.texts = is.truth, is.num, is.size, is.texts
		}
	}
	v.null = of.typ.Kind == prunecel.KindMap && t.Nullable
	if e.Op == prunecel.OpHas {
		has := known{key: hasKey(key), typ: e.Type, truth: isEither, num: anyInt, size: anySize}
		switch {
		case absent:
			has.truth = isFalseOnly
		case exists:
			has.truth = isTrueOnly
		case f.find(factFalse, has.key) != nil:
			has.truth = isFalseOnly
		}
		return has, nil
	}
	if (absent || !exists) && !c.trusting {
		return v, fails(FailsMissing, "%s may be missing", shown(key))
	}
	return v, nil
}

// scalarOr returns a value if it is a constant of CEL, and otherwise an unknown value.
func scalarOr(v any) any {
	switch v.(type) {
	case bool, int64, string:
		return v
	}
	return nil
}

func hasKey(key string) string {
	if key == "" {
		return ""
	}
	return "has(" + key + ")"
}

func entryKey(of, name string) string {
	if of == "" {
		return ""
	}
	return of + "[" + strconv.Quote(name) + "]"
}

// isMeta reports whether all resources have a field of metadata.
func (m *Met) isMeta(of known, name string) bool {
	switch {
	case m.root && of.key == Self, m.root && of.key == OldSelf:
		return structural.IsMetaField(name)
	case m.root && (of.key == Self+".metadata" || of.key == OldSelf+".metadata"):
		return name == "name"
	}
	return of.schema.XEmbeddedResource && !m.differs[of.schema] && (name == "apiVersion" || name == "kind")
}
