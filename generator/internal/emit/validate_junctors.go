package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// validateJunctors emits what junctors say about a value that is not null.
func validateJunctors(g *jen.Group, n *plan.Node) {
	if len(n.Branches) == 0 {
		return
	}
	write(g, "if v == nil {\nreturn n\n}")
	for _, j := range []plan.Junctor{plan.AnyOf, plan.OneOf} {
		if len(n.Of(j)) > 0 {
			write(g, "n += %s%s(v, rec)", j, n.Name)
		}
	}
	if all := n.Of(plan.AllOf); len(all) > 0 {
		write(g, "n += pruneimpl.AllOf(rec, %s)", strings.Join(branchCalls(all, "rec"), ", "))
	}
	for _, not := range branchCalls(n.Of(plan.Not), "nil") {
		write(g, "if %s == 0 {\nn += rec.Not()\n}", not)
	}
}

// emitAlternatives emits the functions for anyOf and oneOf.
func emitAlternatives(g *jen.Group, n *plan.Node) {
	emit := func(j plan.Junctor, end, says, valid string) {
		all := n.Of(j)
		if len(all) == 0 {
			return
		}
		name := j.String() + n.Name
		doc(g, fmt.Sprintf("%s validates %s by %d alternatives: %s.", name, place(n), len(all), says))
		write(g, `func %s(v any, rec *pruneimpl.Recorder) int {
			if !rec.Choosing() && %s {
				return 0
			}
			if rec == nil {
				return 1
			}
			c := rec.Choose()
			c.Try(%s)
			return c.%s()
		}
		`, name, valid, strings.Join(branchCalls(all, "rec"), ")\nc.Try("), end)
	}
	emit(plan.AnyOf, "AnyOf", "at least one must be valid", "("+strings.Join(branchCalls(n.Of(plan.AnyOf), "nil"), " == 0 || ")+" == 0)")
	emit(plan.OneOf, "OneOf", "exactly one must be valid", "pruneimpl.One("+strings.Join(branchCalls(n.Of(plan.OneOf), "nil"), ", ")+")")
}

// branchCalls returns the calls for the branches of a junctor.
func branchCalls(all []*plan.Node, rec string) []string {
	var calls []string
	for _, n := range all {
		calls = append(calls, validateCall(n, rec))
	}
	return calls
}
