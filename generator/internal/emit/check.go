package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Check is the family of functions that check types.
var Check = Functions{Verb: "check", In: CheckUnit, Node: emitCheck, Notes: walkNotes}

// CheckAPI emits Check<Kind>.
var CheckAPI = api("returns an error for every value of a type that the schema does not allow, nil if there is none.", `
func <Function>(obj map[string]any) prunert.ErrorList {
	<recorder>
	if <root>(obj, &rec) == 0 {
		return nil
	}
	return rec.Errors()
}`)

var checkWalk = walk{verb: "check", call: checkCall, list: "pruneimpl.CheckFields(obj, rec, %s, ", metadata: plan.Check{Kind: plan.CheckMetadata}}

// emitCheck emits the function that checks a value as n says.
func emitCheck(g *jen.Group, n *plan.Node) {
	w := checkWalk
	types := checked(n).Types
	w.function(g, n, "checks "+typedPlace(n, typeSummary(types)), func() {
		switch n.Walk.Form {
		case plan.FormObject:
			assertOr(g, "obj", "map[string]any", typeCall(types))
			w.fields(g, n)
		case plan.FormList:
			write(g, "list, n := pruneimpl.CheckList(v, rec, %s)", typeSet(types))
			w.elements(g, n)
		case plan.FormAny:
			if types != 0 {
				add(g, typeCall(types))
			}
			w.objectOrList(g, n)
		default:
			panic("nothing checks in the form of node " + n.Name)
		}
	})
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
		return "check" + n.Name + "(v, rec)"
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
