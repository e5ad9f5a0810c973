package gotypes

import (
	"go/types"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// forms is a set of forms that a JSON value has.
type forms uint8

const (
	isBoolean forms = 1 << iota
	isInteger
	isFraction // a number that is not an integer
	isString
	isObject
	isList

	isNumber = isInteger | isFraction
	isAny    = isBoolean | isNumber | isString | isObject | isList
)

// String lists the forms for people.
func (f forms) String() string {
	if f == isAny {
		return "any value"
	}
	var names []string
	for _, n := range []struct {
		forms forms
		name  string
	}{{isNumber, "a number"}, {isInteger, "an integer"}, {isString, "a string"}, {isBoolean, "a boolean"}, {isObject, "an object"}, {isList, "a list"}} {
		if f&n.forms == n.forms {
			names = append(names, n.name)
			f &^= n.forms
		}
	}
	return strings.Join(names, " or ")
}

// taken returns the forms that a schema takes.
func taken(s *structural.Schema) forms {
	switch s.Type {
	case "boolean":
		return isBoolean
	case "integer":
		return isInteger
	case "number":
		return isNumber
	case "string":
		return isString
	case "object":
		return isObject
	case "array":
		return isList
	}
	if s.XIntOrString {
		return isInteger | isString
	}
	return isAny
}

// shape is what the values of a Go type are in JSON.
type shape struct {
	writes forms // those that values of the type become
	reads  forms // those that the type can hold

	elem   types.Type // that of the elements of a list or of the values of a map, nil for other types
	fields types.Type // the struct, nil for other types

	zero any // the zero value as the server decodes it; that of a struct follows from its fields
}

// opaque is the shape of types about which nothing is known.
var opaque = shape{writes: isAny, reads: isAny, zero: unknownZero{}}

func scalar(f forms, zero any) shape { return shape{writes: f, reads: f, zero: zero} }

// The packages of Kubernetes whose types are known.
const (
	metaPath     = "k8s.io/apimachinery/pkg/apis/meta/v1"
	intstrPath   = "k8s.io/apimachinery/pkg/util/intstr"
	resourcePath = "k8s.io/apimachinery/pkg/api/resource"
)

// knownShape returns the shape of a type that has its own functions for JSON or that encoding/json treats in a special way.
func knownShape(t types.Type) (shape, bool) {
	switch qualified(t) {
	case metaPath + ".Time", metaPath + ".MicroTime":
		return scalar(isString, nil), true
	case metaPath + ".Duration":
		return scalar(isString, "0s"), true
	case "time.Time":
		return scalar(isString, "0001-01-01T00:00:00Z"), true
	case intstrPath + ".IntOrString":
		return scalar(isInteger|isString, int64(0)), true
	case resourcePath + ".Quantity":
		return shape{writes: isString, reads: isString | isNumber, zero: "0"}, true
	case "encoding/json.Number":
		return scalar(isNumber, int64(0)), true
	}
	return shape{}, false
}

// qualified returns the path of the package and the name of a type, "" for a type without a name.
func qualified(t types.Type) string {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// pointed returns the type that pointers of t point to in the end.
func pointed(t types.Type) types.Type {
	const most = 100 // type P *P is legal
	for range most {
		t = types.Unalias(t)
		pointer, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return t
		}
		t = pointer.Elem()
	}
	return types.Typ[types.Invalid]
}

// shapeOf returns the shape of a type that pointed has returned.
func shapeOf(t types.Type) shape {
	if known, ok := knownShape(t); ok {
		return known
	}
	if _, ok := t.(*types.TypeParam); ok || hasMethods(t) {
		return opaque
	}
	switch writes, reads := hasMethod(t, "MarshalText", 0), hasMethod(t, "UnmarshalText", 1); {
	case writes && reads:
		return scalar(isString, unknownZero{})
	case writes || reads:
		return opaque
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return scalar(isBoolean, false)
		case info&types.IsInteger != 0:
			return scalar(isInteger, int64(0))
		case info&types.IsFloat != 0:
			return scalar(isNumber, int64(0))
		case info&types.IsString != 0:
			return scalar(isString, "")
		}
	case *types.Slice:
		if isByte(u.Elem()) {
			return scalar(isString, nil) // base64
		}
		return shape{writes: isList, reads: isList, elem: u.Elem()}
	case *types.Array:
		return shape{writes: isList, reads: isList, elem: u.Elem(), zero: unknownZero{}}
	case *types.Map:
		return shape{writes: isObject, reads: isObject, elem: u.Elem()}
	case *types.Struct:
		return shape{writes: isObject, reads: isObject, fields: t}
	}
	return opaque
}

// quotedShape returns the shape of a field with the option string, which encoding/json heeds for scalars.
func quotedShape(s shape) shape {
	if s.writes&(isList|isObject) == 0 {
		return scalar(isString, unknownZero{})
	}
	return s
}

// isByte reports whether encoding/json writes a slice of elements of type t as a string.
func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8 && !hasMethods(t) && !hasMethod(t, "MarshalText", 0)
}

// hasMethods reports whether a type or a pointer to it has its own methods for JSON.
func hasMethods(t types.Type) bool {
	return hasMethod(t, "MarshalJSON", 0) || hasMethod(t, "UnmarshalJSON", 1)
}

// hasMethod reports whether a type or a pointer to it has a method with that many parameters.
func hasMethod(t types.Type, name string, params int) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Params().Len() == params
}
