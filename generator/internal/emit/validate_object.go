package emit

import (
	"fmt"

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
		write(g, "n += pruneimpl.CheckRoot(obj, rec)")
	case plan.ResourceRootTwice:
		write(g, "n += pruneimpl.CheckRoot(obj, rec)\nn += pruneimpl.CheckTypeMeta(obj, rec)")
	case plan.ResourceEmbedded:
		write(g, "n += pruneimpl.CheckEmbedded(obj, rec)")
	}
	emitLimit(g, rules.MinProperties, "MinProperties", "obj")
	emitLimit(g, rules.MaxProperties, "MaxProperties", "obj")
	if names := undeclared(n); len(names) > 0 {
		write(g, "n += pruneimpl.Required(obj, rec, %s)", arguments(names))
	}
	switch {
	case len(n.Fields) == 0 && n.Rest == plan.RestKeep:
	case n.Walk.Ranges:
		validateWalk.rangeFields(g, n, rangeGroups(n))
	default:
		validateLookUp(g, n)
	}
}

// undeclared returns the names of the required fields for which there are no other rules.
func undeclared(n *plan.Node) []plan.Field {
	required := validated(n).Rules.Required
	if required == nil {
		return nil
	}
	declared := make(map[string]bool, len(n.Fields))
	for _, f := range n.Fields {
		declared[f.Name] = isRequired(f)
	}
	var all []plan.Field
	for _, e := range required.JSON.([]any) {
		if name := e.(string); !declared[name] {
			all = append(all, plan.Field{Name: name})
		}
	}
	return all
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
		write(g, "known := 0")
	}
	for i, same := range all {
		count := ""
		switch {
		case !exits || i == len(all)-1:
		case i < required:
			count = "known++"
		default:
			count = countAndExit
		}
		if exits && i == required && required > 0 {
			write(g, exitIfAllKnown)
		}
		validateWalk.lookUpField(g, same.Fields[0], count)
	}
}

// validateListed returns the call that validates the type and format of all fields of a group.
func validateListed(same plan.Group) string {
	do := validated(same.Node())
	function, arg := "Check", typeSet(do.Types)
	if isRequired(same.Fields[0]) {
		function = "Require"
	}
	if do.Format != "" {
		function += "Format"
		arg += ", " + quote(do.Format)
	}
	return fmt.Sprintf("pruneimpl.%sFields(obj, rec, %s, %s)", function, arg, arguments(same.Fields))
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
