package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// validateObject emits what applies to the object obj. For few fields it is
//
//	n += pruneimpl.Required(obj, rec, "extra")
//	known := 0
//	if v, ok := obj["image"]; ok {
//		n += rec.Field("image", <call>)
//		known++
//	} else {
//		n += rec.Missing("image")
//	}
//	if known == len(obj) {
//		return n
//	}
//	if v, ok := obj["ports"]; ok {
//		n += rec.Field("ports", <call>)
//		if known++; known == len(obj) {
//			return n
//		}
//	}
//	if v, ok := obj["tty"]; ok {
//		n += rec.Field("tty", <call>)
//	}
//
// or, if all fields have the same type and no other rules,
//
//	n += pruneimpl.CheckFields(obj, rec, pruneimpl.TypeBoolean, "stdin", "tty")
//
// For many fields, and if other keys have a value to validate or are forbidden, a range comes instead.
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
	requireNames(g, undeclared(n))
	if n.Walk.Ranges {
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

// undeclared returns the names of the required fields for which there are no other rules.
func undeclared(n *plan.Node) []plan.Field {
	declared := make(map[string]bool, len(n.Fields))
	for _, f := range n.Fields {
		if isRequired(f) {
			declared[f.Name] = true
		}
	}
	return slices.DeleteFunc(names(validated(n).Rules.Required), func(name plan.Field) bool { return declared[name.Name] })
}

func isRequired(f plan.Field) bool { return f.Slot == plan.Presence{} }

// validateLookUp emits a lookup for each field, or one call for all of them. The code returns once it has found all fields of the
// object.
func validateLookUp(g *jen.Group, n *plan.Node) {
	all := n.Walk.Groups
	if len(all) == 1 && all[0].Listed {
		add(g, validateListed(all[0]))
		return
	}
	required := 0
	for required < len(all) && isRequired(all[required].Fields[0]) {
		required++
	}
	exits := len(all) > 1 && required < len(all)
	if exits {
		g.Id("known").Op(":=").Lit(0)
	}
	for i, same := range all {
		count := countNothing
		switch {
		case !exits || i == len(all)-1:
		case i < required:
			count = countField
		default:
			count = countAndExit
		}
		if exits && i == required && required > 0 {
			g.If(jen.Id("known").Op("==").Len(jen.Id("obj"))).Block(jen.Return(jen.Id("n")))
		}
		validateField(g, same.Fields[0], count)
	}
}

// validateListed returns the call that validates the type and format of all fields of a group.
func validateListed(same plan.Group) jen.Code {
	do := validated(same.Node())
	function := "Check"
	if isRequired(same.Fields[0]) {
		function = "Require"
	}
	args := []jen.Code{jen.Id("obj"), jen.Id("rec"), typeSet(do.Types)}
	if do.Format != "" {
		function += "Format"
		args = append(args, jen.Lit(do.Format))
	}
	return impl(function + "Fields").Call(append(args, arguments(same.Fields)...)...)
}

func validateField(g *jen.Group, f plan.Field, count counting) {
	call := validateCall(f.Node, jen.Id("v"), jen.Id("rec"))
	found := g.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("obj").Index(jen.Lit(f.Name)), jen.Id("ok")).BlockFunc(func(g *jen.Group) {
		g.Id("n").Op("+=").Id("rec").Dot("Field").Call(jen.Lit(f.Name), call)
		countFound(g, count)
	})
	if isRequired(f) {
		found.Else().Block(jen.Id("n").Op("+=").Id("rec").Dot("Missing").Call(jen.Lit(f.Name)))
	}
}

// validateRange emits
//
//	left, required := len(obj), 0
//	for k, v := range obj {
//		switch k {
//		case "args", "env":
//			n += rec.Field(k, <call>)
//		case "image":
//			required++
//			n += rec.Field(k, <call>)
//		default:
//			<what applies to the rest>
//		}
//		if left--; left == 0 {
//			break
//		}
//	}
//	if required < 1 {
//		n += pruneimpl.Required(obj, rec, "image")
//	}
//
// Go's map looks for one more field after the last: see rangeFields.
func validateRange(g *jen.Group, n *plan.Node) {
	rest := func(g *jen.Group) {
		switch n.Rest {
		case plan.RestRefuse:
			g.Id("n").Op("+=").Id("rec").Dot("Forbidden").Call(jen.Id("k"))
		case plan.RestWalk:
			g.Id("n").Op("+=").Id("rec").Dot("Key").Call(jen.Id("k"), validateCall(n.RestNode, jen.Id("v"), jen.Id("rec")))
		}
	}
	required := slices.DeleteFunc(slices.Clone(n.Fields), func(f plan.Field) bool { return !isRequired(f) })
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
	if len(required) > 0 {
		g.List(jen.Id("left"), jen.Id("required")).Op(":=").List(jen.Len(jen.Id("obj")), jen.Lit(0))
	} else {
		g.Id("left").Op(":=").Len(jen.Id("obj"))
	}
	g.For(loop).BlockFunc(func(g *jen.Group) {
		defer lastField(g)
		if len(n.Fields) == 0 {
			rest(g)
			return
		}
		g.Switch(jen.Id("k")).BlockFunc(func(g *jen.Group) {
			for _, same := range rangeGroups(n) {
				call := validateCall(same[0].Node, jen.Id("v"), jen.Id("rec"))
				g.Case(literals(same)...).BlockFunc(func(g *jen.Group) {
					if isRequired(same[0]) {
						g.Id("required").Op("++")
					}
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
	if len(required) > 0 {
		g.If(jen.Id("required").Op("<").Lit(len(required))).BlockFunc(func(g *jen.Group) { requireNames(g, required) })
	}
}

// rangeGroups returns the fields of an object, those together that have one node and are required or not.
func rangeGroups(n *plan.Node) [][]plan.Field {
	type key struct {
		node     *plan.Node
		required bool
	}
	var all [][]plan.Field
	at := map[key]int{}
	for _, same := range n.Walk.Groups {
		for _, f := range same.Fields {
			k := key{f.Node, isRequired(f)}
			i, ok := at[k]
			if !ok || !same.Listed && validated(f.Node).Kind == plan.ValidateWalk {
				i = len(all)
				at[k] = i
				all = append(all, nil)
			}
			all[i] = append(all[i], f)
		}
	}
	return all
}
