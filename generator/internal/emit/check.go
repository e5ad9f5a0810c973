package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Check is the family of functions that check types.
var Check = Functions{Verb: "check", In: CheckUnit, Node: emitCheck}

// CheckAPI emits
//
//	func Check<Kind>(obj map[string]any) prunert.ErrorList {
//		var rec pruneimpl.Recorder
//		if check<Kind>(obj, &rec) == 0 {
//			return nil
//		}
//		return rec.Errors()
//	}
func CheckAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" returns an error for every value of a type that the schema does not allow, nil if there is none.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.If(jen.Id(names.Root).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot("Errors").Call()),
	)
	g.Line()
}

var checkWalk = walk{verb: "check", call: checkCall, list: checkList, metadata: plan.Check{Kind: plan.CheckMetadata}}

// emitCheck emits the function that checks a value as n says. An object:
//
//	func check<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		obj, ok := v.(map[string]any)
//		if !ok {
//			return pruneimpl.CheckType(v, rec, pruneimpl.TypeObject)
//		}
//		<fields>
//	}
//
// A list begins with list, n := pruneimpl.CheckList(v, rec, pruneimpl.TypeArray) and has elements. Otherwise the type is checked
// first, and then the value is walked by its own type.
func emitCheck(g *jen.Group, n *plan.Node) {
	w := checkWalk
	types := checked(n).Types
	doc(g, fmt.Sprintf("%s%s checks %s.", w.verb, n.Name, typedPlace(n, typeSummary(types))))
	w.function(g, n, func(g *jen.Group) {
		switch n.Walk.Form {
		case plan.FormObject:
			assertOr(g, "obj", object(), typeCall(types, jen.Id("v")))
			w.fields(g, n)
		case plan.FormList:
			listOr(g, "CheckList", typeSet(types))
			w.elements(g, n)
		case plan.FormAny:
			if types != 0 {
				g.Id("n").Op("+=").Add(typeCall(types, jen.Id("v")))
			}
			w.objectOrList(g, n)
		default:
			panic("nothing checks in the form of node " + n.Name)
		}
	})
	g.Line()
}

func checked(n *plan.Node) plan.Check { return n.Do.(plan.Check) }

// checkCall returns the call that checks v as n says.
func checkCall(n *plan.Node, v jen.Code) jen.Code {
	switch do := checked(n); do.Kind {
	case plan.CheckNothing:
		return nil
	case plan.CheckLeaf:
		return typeCall(do.Types, v)
	case plan.CheckMetadata:
		return impl("CheckMetadata").Call(v, jen.Id("rec"))
	case plan.CheckWalk:
		return jen.Id("check"+n.Name).Call(v, jen.Id("rec"))
	}
	panic("nothing checks like node " + n.Name)
}

// checkList returns the call that checks the types of the named fields of an object.
func checkList(n *plan.Node, names []jen.Code) jen.Code {
	return impl("CheckFields").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec"), typeSet(checked(n).Types)}, names...)...)
}

// typeCall returns the call that checks the type of v: pruneimpl.CheckType(v, rec, <types>)
func typeCall(types plan.Types, v jen.Code) jen.Code {
	return impl("CheckType").Call(v, jen.Id("rec"), typeSet(types))
}

// typeSet returns types as the runtime's constants: pruneimpl.TypeString|pruneimpl.TypeNull
func typeSet(types plan.Types) jen.Code {
	set := &jen.Statement{}
	if types == 0 {
		set.Lit(0)
	}
	for i, one := range types.Each() {
		if i > 0 {
			set.Op("|")
		}
		set.Add(impl(typeConstant(one)))
	}
	return set
}

// typeConstant returns the runtime's name for a type.
func typeConstant(t plan.Types) string {
	switch t {
	case plan.TypeString:
		return "TypeString"
	case plan.TypeBoolean:
		return "TypeBoolean"
	case plan.TypeInteger:
		return "TypeInteger"
	case plan.TypeNumber:
		return "TypeNumber"
	case plan.TypeObject:
		return "TypeObject"
	case plan.TypeArray:
		return "TypeArray"
	case plan.TypeInt64:
		return "TypeInt64"
	case plan.TypeTime:
		return "TypeTime"
	case plan.TypeNull:
		return "TypeNull"
	}
	panic("no constant for the type " + t.String())
}

// typedPlace names the part of an object that a function is for, with its type. The root is always an object.
func typedPlace(n *plan.Node, summary string) string {
	if n.Path == "" {
		return place(n)
	}
	return fmt.Sprintf("%s (%s)", place(n), summary)
}

func typeSummary(types plan.Types) string {
	s := ""
	switch types &^ plan.TypeNull {
	case 0:
		s = "of any type"
	case plan.TypeObject:
		s = "an object"
	case plan.TypeArray:
		s = "a list"
	case plan.TypeInteger | plan.TypeString:
		s = "an integer or a string"
	case plan.TypeInteger:
		s = "an integer"
	case plan.TypeString:
		s = "a string"
	case plan.TypeBoolean:
		s = "a boolean"
	case plan.TypeNumber:
		s = "a number"
	}
	if types&plan.TypeNull != 0 {
		s += " or null"
	}
	return s
}
