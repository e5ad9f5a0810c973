package emit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Check is the family of functions that check types.
var Check = Functions{Verb: "check", In: CheckUnit, Node: emitCheck, InPlace: func(n *plan.Node) bool { return checkInPlace(n) != "" }}

// CheckAPI emits Check<Kind>.
var CheckAPI = api("returns an error for every value of a type that the schema does not allow, nil if there is none.", `
func <Function>(obj map[string]any) prunert.ErrorList {
	return pruneimpl.Check(obj, <root><by>)
}`)

var checkWalk = walk{verb: "check", call: checkCall, metadata: plan.Check{Kind: plan.CheckMetadata}}

// emitCheck emits the function that checks a value as n says.
func emitCheck(g *jen.Group, n *plan.Node) {
	w := checkWalk
	types := checked(n).Types
	w.function(g, n, "Checks "+typedPlace(n, typeSummary(types)), func() {
		switch n.Walk.Form {
		case plan.FormObject:
			if call := checkLeaves(n); call != "" {
				write(g, "return %s", call)
				return
			}
			beginObject(g, n, types)
			checkFields(g, n)
		case plan.FormList:
			write(g, "list, n := pruneimpl.CheckList(v, rec, %s)", typeSet(types))
			w.elements(g, n)
		case plan.FormAny:
			if types != 0 {
				add(g, typeCall(types))
			}
			w.objectOrList(g, n, func() {
				countFields(g, n)
				checkFields(g, n)
			})
		default:
			panic("nothing checks in the form of node " + n.Name)
		}
	})
}

// checkFields emits what happens to the left fields of the object obj.
func checkFields(g *jen.Group, n *plan.Node) {
	if n.Walk.Ranges {
		checkWalk.rangeFields(g, n)
	} else {
		checkWalk.lookUps(g, n, func(same plan.Group) string {
			return fmt.Sprintf("pruneimpl.CheckFields(obj, rec, &left, %s, %s)", typeSet(checked(same.Node()).Types), arguments(same.Fields))
		})
	}
	write(g, "return n")
}

// beginObject emits what begins a function on objects: any other value is walked as an object without fields.
func beginObject(g *jen.Group, n *plan.Node, types plan.Types) {
	left := "_"
	if countsFields(n) {
		left = "left"
	}
	write(g, "obj, %s, n := pruneimpl.CheckObject(v, rec, %s)", left, typeSet(types))
}

// checkLeaves returns the call that checks an object whose fields are leaves of one type, "" for other objects.
func checkLeaves(n *plan.Node) string {
	if n.Walk.Form != plan.FormObject || n.Walk.Ranges || len(n.Walk.Groups) != 1 || !n.Walk.Groups[0].Listed {
		return ""
	}
	return fmt.Sprintf("pruneimpl.CheckLeafObject(v, rec, %s, %s, %s)", typeSet(checked(n).Types), typeSet(checked(n.Walk.Groups[0].Node()).Types), arguments(n.Fields))
}

// checkInPlace returns the call that checks v as n says, if it is so short that no function is made for it.
func checkInPlace(n *plan.Node) string {
	if n.Path == "" {
		return ""
	}
	types := typeSet(checked(n).Types)
	switch {
	case n.Walk.Form == plan.FormList && checked(n.Elem).Kind == plan.CheckLeaf:
		return fmt.Sprintf("pruneimpl.CheckElements(v, rec, %s, %s)", types, typeSet(checked(n.Elem).Types))
	case n.Walk.Form == plan.FormList:
		return checkEach(types, checkCall(n.Elem))
	case n.Walk.Form == plan.FormObject && len(n.Fields) == 0 && n.Rest == plan.RestWalk && checked(n.RestNode).Kind == plan.CheckLeaf:
		return fmt.Sprintf("pruneimpl.CheckValues(v, rec, %s, %s)", types, typeSet(checked(n.RestNode).Types))
	case isShort(n.Fields):
		return checkLeaves(n)
	}
	return ""
}

// checkEach returns the call that checks a list each of whose elements is checked by a call, "" if that is not the call of a function.
func checkEach(types, elem string) string {
	if function := each(elem); function != "" {
		return fmt.Sprintf("pruneimpl.CheckEach(v, rec, %s, %s)", types, function)
	}
	return ""
}

func checked(n *plan.Node) plan.Check { return n.Do.(plan.Check) }

// checkCall returns the call that checks v as n says.
func checkCall(n *plan.Node) string {
	switch do := checked(n); do.Kind {
	case plan.CheckNothing:
		return ""
	case plan.CheckLeaf:
		return typeCall(do.Types)
	case plan.CheckMetadata:
		return "pruneimpl.CheckMetadata(v, rec)"
	case plan.CheckWalk:
		return cmp.Or(checkInPlace(n), "check"+n.Name+"(v, rec)")
	}
	panic("nothing checks like node " + n.Name)
}

// add emits n += <call>, unless there is nothing to call.
func add(g *jen.Group, call string) {
	if call != "" {
		write(g, "n += %s", call)
	}
}

// typeCall returns the call that checks the type of v.
func typeCall(types plan.Types) string { return "pruneimpl.CheckType(v, rec, " + typeSet(types) + ")" }

// typeSet returns types as the runtime's constants: pruneimpl.TypeString|pruneimpl.TypeNull
func typeSet(types plan.Types) string {
	var constants []string
	for _, one := range types.Each() {
		name := "null"
		if one != plan.TypeNull {
			name = one.String()
		}
		constants = append(constants, "Type"+strings.ToUpper(name[:1])+name[1:])
	}
	if constants == nil {
		return "0"
	}
	return "pruneimpl." + strings.Join(constants, "|pruneimpl.")
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
