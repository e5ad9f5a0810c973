package lower

import (
	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// goType returns the type of Go for values of a type.
func goType(t *prunecel.Type) string {
	switch t.Kind {
	case prunecel.KindBool:
		return "bool"
	case prunecel.KindInt:
		return "int64"
	case prunecel.KindDouble:
		return "float64"
	case prunecel.KindString:
		return "string"
	case prunecel.KindList:
		return "[]any"
	case prunecel.KindObject, prunecel.KindOpaque:
		return "map[string]any"
	case prunecel.KindMap:
		if !t.Computed {
			return "map[string]any"
		}
	case prunecel.KindIntOrString:
		return "any"
	}
	return ""
}

// fromRaw returns the function of the runtime that makes a value from decoded JSON, empty if an assertion does.
func fromRaw(t *prunecel.Type) string {
	if t.Computed {
		return ""
	}
	switch t.Kind {
	case prunecel.KindDouble:
		return "Number"
	case prunecel.KindIntOrString:
		return "IntOrString"
	case prunecel.KindBytes:
		return "Bytes"
	case prunecel.KindDuration:
		return "Duration"
	case prunecel.KindDate:
		return "DateOf"
	case prunecel.KindDateTime:
		return "TimeOf"
	}
	return ""
}

// made returns an expression of Go with two values: the value of type t that raw is, and whether it is one.
func made(raw plan.GoValue, t *prunecel.Type) plan.GoValue {
	if f := fromRaw(t); f != "" {
		return plan.Call{Func: f, Args: []plan.GoValue{raw}}
	}
	typ := goType(t)
	if typ == "" {
		panic(unsupported("a value of type " + typeName(t)))
	}
	return plan.Assert{Of: raw, Type: typ}
}

// convert makes a value of type t from raw, in a variable that is called name if possible.
func (c *ruleCompiler) convert(raw plan.GoValue, t *prunecel.Type, name string, f failure) plan.GoValue {
	if t == nil {
		panic(unsupported("a value of an unknown type"))
	}
	return c.must(name, "ok", made(raw, t), f)
}

// kindOf returns the kind of the values of an expression.
func kindOf(e *prunecel.Expr) prunecel.Kind {
	if e.Type == nil {
		return prunecel.KindNone
	}
	switch e.Type.Kind {
	case prunecel.KindDate, prunecel.KindDateTime:
		return prunecel.KindTimestamp
	}
	return e.Type.Kind
}

// typeText names the type of an expression.
func typeText(e *prunecel.Expr) string {
	switch {
	case e.Type == nil:
		return "an unknown type"
	}
	return typeName(e.Type)
}

// typeName names a type.
func typeName(t *prunecel.Type) string {
	if t.Computed {
		return t.Name
	}
	return t.String()
}

// typed returns the value of an expression as one that has a type in Go: constants have none.
func typed(v plan.GoValue, e *prunecel.Expr) plan.GoValue {
	if _, isName := v.(plan.Name); isName || kindOf(e) != prunecel.KindInt {
		return v
	}
	return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{v}}
}

// plain reports whether decoded JSON of a type is the value of CEL.
func plain(t *prunecel.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind {
	case prunecel.KindString, prunecel.KindInt, prunecel.KindBool:
		return true
	}
	return false
}
