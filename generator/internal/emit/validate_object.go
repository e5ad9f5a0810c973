package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// validateObject emits what applies to the object obj. For few fields it is
//
//	n += pruneimpl.Required(obj, rec, "extra")
//	n += pruneimpl.RequireFields(obj, rec, pruneimpl.TypeString, "name")
//	n += pruneimpl.CheckFields(obj, rec, pruneimpl.TypeBoolean, "stdin", "tty")
//	if v, ok := obj["ports"]; ok {
//		n += rec.Field("ports", <call>)
//	}
//	if v, ok := obj["image"]; ok {
//		n += rec.Field("image", <call>)
//	} else {
//		n += rec.Missing("image")
//	}
//
// For many, and where every other key has a value to validate or may not be there, a range comes instead.
func validateObject(g *jen.Group, n *plan.Node) {
	rules := validated(n).Rules
	switch validated(n).Resource {
	case plan.ResourceRoot:
		add(g, impl("CheckRoot").Call(jen.Id("obj"), jen.Id("rec")))
	case plan.ResourceRootTwice:
		add(g, impl("CheckRoot").Call(jen.Id("obj"), jen.Id("rec")))
		add(g, impl("CheckTypeMeta").Call(jen.Id("obj"), jen.Id("rec")))
	case plan.ResourceEmbedded:
		add(g, impl("CheckEmbedded").Call(jen.Id("obj"), jen.Id("rec")))
	}
	emitLimit(g, rules.MinProperties, "MinProperties", "obj")
	emitLimit(g, rules.MaxProperties, "MaxProperties", "obj")
	if len(n.Fields) == 0 && n.Rest == plan.RestKeep {
		requireNames(g, names(rules.Required))
		return
	}
	if n.Walk.Ranges {
		requireNames(g, names(rules.Required))
		validateRange(g, n)
		return
	}
	validateLookUp(g, n)
}

// names returns the strings in a list as fields, so that they are printed like the names of fields.
func names(v *plan.Value) []plan.Field {
	var all []plan.Field
	if v != nil {
		for _, e := range v.JSON.([]any) {
			all = append(all, plan.Field{Name: e.(string)})
		}
	}
	return all
}

// requireNames emits n += pruneimpl.Required(obj, rec, "image", "name")
func requireNames(g *jen.Group, names []plan.Field) {
	if len(names) > 0 {
		add(g, impl("Required").Call(append([]jen.Code{jen.Id("obj"), jen.Id("rec")}, arguments(names)...)...))
	}
}

// validateLookUp emits a lookup for each field, those that are listed first.
func validateLookUp(g *jen.Group, n *plan.Node) {
	looked := map[string]bool{}
	for _, f := range n.Fields {
		looked[f.Name] = f.Slot == plan.Presence{}
	}
	var others []plan.Field
	for _, f := range names(validated(n).Rules.Required) {
		if !looked[f.Name] {
			others = append(others, f)
		}
	}
	requireNames(g, others)
	for _, same := range n.Walk.Groups {
		if same.Listed {
			add(g, validateListed(same))
			continue
		}
		for _, f := range same.Fields {
			validateField(g, f)
		}
	}
}

// validateListed returns the call that validates all fields of a group, of which only the type counts, with its format.
func validateListed(same plan.Group) jen.Code {
	do := validated(same.Node())
	function := "Check"
	if same.Slot() == (plan.Presence{}) {
		function = "Require"
	}
	args := []jen.Code{jen.Id("obj"), jen.Id("rec"), typeSet(do.Types)}
	if do.Format != "" {
		function += "Format"
		args = append(args, jen.Lit(do.Format))
	}
	return impl(function + "Fields").Call(append(args, arguments(same.Fields)...)...)
}

func validateField(g *jen.Group, f plan.Field) {
	call := validateCall(f.Node, jen.Id("v"), jen.Id("rec"))
	if call == nil {
		return
	}
	found := g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("obj").Index(jen.Lit(f.Name)), jen.Id("ok")).Block(
		jen.Id("n").Op("+=").Id("rec").Dot("Field").Call(jen.Lit(f.Name), call),
	)
	if f.Slot == (plan.Presence{}) {
		found.Else().Block(jen.Id("n").Op("+=").Id("rec").Dot("Missing").Call(jen.Lit(f.Name)))
	}
}

// validateRange emits
//
//	for k, v := range obj {
//		switch k {
//		case "args", "image":
//			n += rec.Field(k, <call>)
//		default:
//			<what applies to the rest>
//		}
//	}
func validateRange(g *jen.Group, n *plan.Node) {
	rest := func(g *jen.Group) {
		switch n.Rest {
		case plan.RestRefuse:
			g.Id("n").Op("+=").Id("rec").Dot("Forbidden").Call(jen.Id("k"))
		case plan.RestWalk:
			g.Id("n").Op("+=").Id("rec").Dot("Key").Call(jen.Id("k"), validateCall(n.RestNode, jen.Id("v"), jen.Id("rec")))
		}
	}
	calls := false
	for _, f := range n.Fields {
		calls = calls || validated(f.Node).Kind != plan.ValidateNothing
	}
	value := "v"
	if !calls && n.Rest != plan.RestWalk {
		value = "_"
	}
	loop := jen.List(jen.Id("k"), jen.Id(value)).Op(":=").Range().Id("obj")
	if value == "_" {
		loop = jen.Id("k").Op(":=").Range().Id("obj")
	}
	g.For(loop).BlockFunc(func(g *jen.Group) {
		if len(n.Fields) == 0 {
			rest(g)
			return
		}
		g.Switch(jen.Id("k")).BlockFunc(func(g *jen.Group) {
			for _, same := range rangeGroups(n) {
				call := validateCall(same[0].Node, jen.Id("v"), jen.Id("rec"))
				g.Case(literals(same)...).BlockFunc(func(g *jen.Group) {
					if call != nil {
						g.Id("n").Op("+=").Id("rec").Dot("Field").Call(jen.Id("k"), call)
					}
				})
			}
			if n.Rest != plan.RestKeep {
				g.Default().BlockFunc(rest)
			}
		})
	})
}

// rangeGroups returns the fields of an object, those together that have one node: whether they must be there is no matter.
func rangeGroups(n *plan.Node) [][]plan.Field {
	var all [][]plan.Field
	at := map[*plan.Node]int{}
	for _, same := range n.Walk.Groups {
		for _, f := range same.Fields {
			i, ok := at[f.Node]
			if !ok || !same.Listed && validated(f.Node).Kind == plan.ValidateWalk {
				i = len(all)
				at[f.Node] = i
				all = append(all, nil)
			}
			all[i] = append(all[i], f)
		}
	}
	return all
}
