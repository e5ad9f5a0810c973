package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// validateObject emits what applies to the object obj, of which left fields were not found yet. For few fields it is
//
//	n += pruneimpl.Required(obj, rec, "extra")
//	n += pruneimpl.RequireFields(obj, rec, &left, pruneimpl.TypeString, "name")
//	if v, ok := obj["image"]; ok {
//		n += rec.Field("image", <call>)
//		left--
//	} else {
//		n += rec.Missing("image")
//	}
//	n += pruneimpl.CheckFields(obj, rec, &left, pruneimpl.TypeBoolean, "stdin", "tty")
//	if left == 0 {
//		return n
//	}
//	if v, ok := obj["env"]; ok && rec.Last("env", <call>, &n, &left) {
//		return n
//	}
//	if v, ok := obj["ports"]; ok {
//		n += rec.Field("ports", <call>)
//	}
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
		validateWalk.rangeFields(g, n)
	default:
		validateWalk.lookUps(g, n, validateListed)
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

// begins reports whether the function for an object begins with CheckObject, which returns an object without fields for any other value: that
// lacks nothing but fields of which RequireFields knows.
func begins(n *plan.Node) bool {
	do := validated(n)
	return do.Resource == plan.ResourceNone && !do.Rules.MinProperties.Set && len(undeclared(n)) == 0 &&
		!slices.ContainsFunc(n.Walk.Groups, func(same plan.Group) bool { return isRequired(same.Fields[0]) && (!same.Listed || n.Walk.Ranges) })
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
	return fmt.Sprintf("pruneimpl.%sFields(obj, rec, &left, %s, %s)", function, arg, arguments(same.Fields))
}
