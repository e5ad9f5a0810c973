package lower

import (
	"fmt"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// goKinds are the types of Go for values of a kind, and the methods of a reader that make such values from decoded JSON. Each method has a
// twin that reports whether there is one. The elements of a list that a rule computes are values already.
var goKinds = map[prunecel.Kind]struct{ typ, method string }{
	prunecel.KindBool: {"bool", "Bool"}, prunecel.KindInt: {"int64", "Int"}, prunecel.KindDouble: {"float64", "Double"}, prunecel.KindString: {"string", "String"},
	prunecel.KindList: {"[]any", "List"}, prunecel.KindObject: {"map[string]any", "Object"}, prunecel.KindMap: {"map[string]any", "Object"},
	prunecel.KindOpaque: {"map[string]any", "Object"}, prunecel.KindIntOrString: {"any", "IntOrString"},
}

// goType returns the type of Go for values of a type, "" if there is none.
func goType(t *prunecel.Type) string {
	if t.Kind == prunecel.KindMap && t.Computed {
		return ""
	}
	return goKinds[t.Kind].typ
}

// readerMethod returns the method of a reader that makes a value.
func readerMethod(t *prunecel.Type) (method string) {
	switch {
	case t == nil:
		panic(unsupported("a value of an unknown type"))
	case goType(t) == "":
		panic(unsupported("a value of type " + typeName(t)))
	}
	return goKinds[t.Kind].method
}

// convert returns raw as a value of type t.
func convert(raw plan.GoValue, t *prunecel.Type) plan.GoValue {
	return plan.Method{Name: readerMethod(t), Args: []plan.GoValue{raw}}
}

// convertMaybe returns raw as a value of type t, and whether it is one.
func convertMaybe(raw plan.GoValue, t *prunecel.Type) plan.GoValue {
	return plan.Method{Name: fmt.Sprintf("Maybe%s", readerMethod(t)), Args: []plan.GoValue{raw}}
}

// has returns whether raw is a value of type t.
func has(raw plan.GoValue, t *prunecel.Type) plan.GoValue {
	return plan.Call{Func: "Has", Args: []plan.GoValue{convertMaybe(raw, t)}}
}

// length returns len(v).
func length(v plan.GoValue) plan.GoValue {
	return plan.Call{Builtin: true, Func: "len", Args: []plan.GoValue{v}}
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
	if e.Type == nil {
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

// typed returns the value of an expression as one that has a type in Go: constants, and what is computed from them, have none.
func typed(v plan.GoValue, e *prunecel.Expr) plan.GoValue {
	if kindOf(e) == prunecel.KindInt {
		switch v.(type) {
		case plan.Literal, plan.Infix:
			return plan.Call{Builtin: true, Func: "int64", Args: []plan.GoValue{v}}
		}
	}
	return v
}

// plain reports whether decoded JSON of a type is the value of CEL.
func plain(t *prunecel.Type) bool {
	return t != nil && (t.Kind == prunecel.KindString || t.Kind == prunecel.KindInt || t.Kind == prunecel.KindBool)
}
