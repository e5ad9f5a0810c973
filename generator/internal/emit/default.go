package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Default is the family of functions that fill in defaults.
var Default = Functions{Verb: "default", In: NormalizeUnit, Node: emitDefault}

// DefaultAPI emits Default<Kind>.
var DefaultAPI = api("sets every missing field of obj that has a default, in nested objects too. A null that the schema does not allow "+
	"counts as missing.", `
func <Function>(obj map[string]any) {
	<root>(obj)
}`)

// emitDefault emits the function that fills in the defaults of a value.
func emitDefault(g *jen.Group, n *plan.Node) {
	doc(g, fmt.Sprintf("default%s fills in the defaults of %s.", n.Name, place(n)))
	write(g, "func default%s(v any) {", n.Name)
	switch {
	case !n.WalksObject() && n.Elem == nil:
		write(g, "// The schema has no defaults.")
	case n.Elem == nil:
		assertOr(g, "obj", "map[string]any", "")
		defaultFields(g, n)
	case !n.WalksObject():
		write(g, "list, _ := v.([]any)")
		defaultElements(g, n)
	default:
		write(g, "switch v := v.(type) {\ncase map[string]any:\nobj := v")
		defaultFields(g, n)
		write(g, "case []any:\nlist := v")
		defaultElements(g, n)
		write(g, "}")
	}
	write(g, "}\n")
}

// defaultFields emits what happens to the fields of an object. Defaults are complete, so only fields that were present must be
// visited; to visit all of them does no harm.
func defaultFields(g *jen.Group, n *plan.Node) {
	fillIn(g, n)
	if n.Rest != plan.RestWalk {
		for _, f := range n.Fields {
			if call := defaultCall(f.Node); call != "" {
				write(g, "if v, ok := obj[%s]; ok {\n%s\n}", quote(f.Name), call)
			}
		}
		return
	}
	key := "k"
	if len(n.Fields) == 0 && nullRule(n.RestSlot).Default == nil {
		key = "_"
	}
	write(g, "for %s, v := range obj {", key)
	if len(n.Fields) > 0 {
		write(g, "switch k {")
		var plain []plan.Field
		for _, f := range n.Fields {
			if call := defaultCall(f.Node); call != "" {
				write(g, "case %s:\n%s", quote(f.Name), call)
			} else {
				plain = append(plain, f)
			}
		}
		if len(plain) > 0 {
			write(g, "case %s:", literals(plain))
		}
		write(g, "default:")
	}
	write(g, "%s", nullInRange(n.RestSlot))
	write(g, "%s", defaultCall(n.RestNode))
	if len(n.Fields) > 0 {
		write(g, "}")
	}
	write(g, "}")
}

// defaultElements emits what happens to the elements of a list.
func defaultElements(g *jen.Group, n *plan.Node) {
	index := "_"
	if nullRule(n.ElemSlot).Default != nil {
		index = "i"
	}
	write(g, "for %s, v := range list {", index)
	nullElement(g, n.ElemSlot)
	write(g, "%s", defaultCall(n.Elem))
	write(g, "}")
}

// defaultCall returns the call that fills in the defaults in v, "" if there are none.
func defaultCall(n *plan.Node) string {
	if n.Do != plan.DefaultWalk {
		return ""
	}
	return "default" + n.Name + "(v)"
}
