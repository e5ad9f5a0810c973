package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitCheckAPI emits
//
//	func Check<Kind>(obj map[string]any) prunert.ErrorList {
//		var rec prunert.Recorder
//		if check<Kind>(obj, &rec) == 0 {
//			return nil
//		}
//		return rec.Errors()
//	}
func emitCheckAPI(g *jen.Group, k *Kind) {
	doc(g, fmt.Sprintf("Check%s returns every value that is not of the type the schema wants, nil if there is none.", k.Ident))
	g.Func().Id(functionName(FeatureCheck, k.Ident)).Params(jen.Id("obj").Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(rt("Recorder")),
		jen.If(jen.Id("check"+k.Check.Name).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot("Errors").Call()),
	)
	g.Line()
}

// emitCheck emits the function that checks a value as n says. An object:
//
//	func check<Name>(v any, rec *prunert.Recorder) (n int) {
//		obj, ok := v.(map[string]any)
//		if !ok {
//			return prunert.CheckType(v, rec, prunert.TypeObject)
//		}
//		<fields>
//	}
//
// A list is the same with []any and elements. Where the schema says more than that, or something else, the type is
// checked first, and then the value is walked as what it is: a mismatch does not end the check.
func emitCheck(g *jen.Group, n *Node) {
	w := walk{verb: "check", call: checkCall, leaves: checkLeaves}
	doc(g, fmt.Sprintf("check%s checks %s. It is %s.", n.Name, place(n), typeSummary(n)))
	w.function(g, n, func(g *jen.Group) {
		switch {
		case slices.Equal(n.Types, []string{"object"}) && n.Elem == nil:
			assertOr(g, "obj", object(), typeCall(n, jen.Id("v")))
			w.fields(g, n)
		case slices.Equal(n.Types, []string{"array"}) && !walksObject(n):
			assertOr(g, "list", jen.Index().Any(), typeCall(n, jen.Id("v")))
			w.elements(g, n)
		default:
			if len(n.Types) > 0 {
				g.Id("n").Op("+=").Add(typeCall(n, jen.Id("v")))
			}
			w.objectOrList(g, n)
		}
	})
	g.Line()
}

// checkCall returns the call that checks v as n says.
func checkCall(n *Node, v jen.Code) jen.Code {
	switch n.Kind {
	case NodeKeep:
		return nil
	case NodeLeaf:
		return typeCall(n, v)
	case NodeMetadata:
		return rt("CheckMetadata").Call(v, jen.Id("rec"))
	case NodeFunc:
		return jen.Id("check"+n.Name).Call(v, jen.Id("rec"))
	}
	panic("nothing checks like node " + n.Name)
}

// checkLeaves returns the call that checks the named fields of an object, of which only the type counts.
func checkLeaves(n *Node, names []jen.Code) jen.Code {
	if n.Kind != NodeLeaf {
		return nil
	}
	return rt("CheckFields").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec"), typeSet(n)}, names...)...)
}

// typeCall returns the call that checks the type of v: prunert.CheckType(v, rec, <types>)
func typeCall(n *Node, v jen.Code) jen.Code {
	return rt("CheckType").Call(v, jen.Id("rec"), typeSet(n))
}

// typeSet returns the types of n as the runtime's constants: prunert.TypeString|prunert.TypeNull
func typeSet(n *Node) jen.Code {
	set := &jen.Statement{}
	for i, typ := range n.Types {
		if i > 0 {
			set.Op("|")
		}
		set.Add(rt(typeConstants[typ]))
	}
	if n.Nullable {
		set.Op("|").Add(rt("TypeNull"))
	}
	return set
}

// typeConstants are the runtime's names for the types of a schema, and for those of ObjectMeta.
var typeConstants = map[string]string{
	"string":  "TypeString",
	"boolean": "TypeBoolean",
	"integer": "TypeInteger",
	"number":  "TypeNumber",
	"object":  "TypeObject",
	"array":   "TypeArray",
	"int64":   "TypeInt64",
	"time":    "TypeTime",
}

func typeSummary(n *Node) string {
	names := map[string]string{
		"": "of any type", "object": "an object", "array": "a list", "integer,string": "an integer or a string",
		"integer": "an integer", "string": "a string", "boolean": "a boolean", "number": "a number",
	}
	s := names[strings.Join(n.Types, ",")]
	if n.Nullable {
		s += " or null"
	}
	return s
}
