package lower

import (
	"fmt"

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

// readerMethod returns the method of a reader that makes a value from decoded JSON, and its twin that reports whether there is one. The
// elements of a list that a rule computes are values already.
func readerMethod(t *prunecel.Type) (method string) {
	if t == nil {
		panic(unsupported("a value of an unknown type"))
	}
	switch t.Kind {
	case prunecel.KindBool:
		return "Bool"
	case prunecel.KindInt:
		return "Int"
	case prunecel.KindDouble:
		return "Double"
	case prunecel.KindString:
		return "String"
	case prunecel.KindList:
		return "List"
	case prunecel.KindObject, prunecel.KindMap, prunecel.KindOpaque:
		if goType(t) != "" {
			return "Object"
		}
	case prunecel.KindIntOrString:
		return "IntOrString"
	}
	panic(unsupported("a value of type " + typeName(t)))
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
	if t == nil {
		return false
	}
	switch t.Kind {
	case prunecel.KindString, prunecel.KindInt, prunecel.KindBool:
		return true
	}
	return false
}
