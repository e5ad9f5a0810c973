package emit

import (
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// nullRule returns the rule for nulls of a slot.
func nullRule(s plan.Slot) plan.NullRule {
	rule, _ := s.(plan.NullRule)
	return rule
}

func hasDefault(f plan.Field) bool { return nullRule(f.Slot).Default != nil }

// nullInRange emits what becomes of a null while a map is ranged over:
//
//	if v == nil {
//		delete(obj, k)
//		continue
//	}
//
// or, if there is a default, obj[k] = <default>.
func nullInRange(g *jen.Group, s plan.Slot) {
	var replace jen.Code
	switch rule := nullRule(s); rule.Null {
	case plan.NullKeep:
		return
	case plan.NullDrop:
		replace = jen.Delete(jen.Id("obj"), jen.Id("k"))
	case plan.NullDefault:
		replace = jen.Id("obj").Index(jen.Id("k")).Op("=").Add(literal(rule.Default.JSON))
	}
	g.If(jen.Id("v").Op("==").Nil()).Block(replace, jen.Continue())
}

// fillIn emits, for each field of n that has a default,
//
//	if obj["replicas"] == nil {
//		obj["replicas"] = int64(1)
//	}
//
// if null counts as missing, and otherwise
//
//	if _, ok := obj["replicas"]; !ok {
//		obj["replicas"] = int64(1)
//	}
func fillIn(g *jen.Group, n *plan.Node) {
	for _, f := range n.Fields {
		rule := nullRule(f.Slot)
		if rule.Default == nil {
			continue
		}
		field := func() *jen.Statement { return jen.Id("obj").Index(jen.Lit(f.Name)) }
		set := field().Op("=").Add(literal(rule.Default.JSON))
		if rule.Null == plan.NullDefault {
			g.If(field().Op("==").Nil()).Block(set)
		} else {
			g.If(jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Add(field()), jen.Op("!").Id("ok")).Block(set)
		}
	}
}

// literal returns a JSON value as Go source, which makes it anew each time it runs.
func literal(v any) *jen.Statement {
	switch v := v.(type) {
	case nil:
		return jen.Nil()
	case map[string]any:
		return object().ValuesFunc(func(g *jen.Group) {
			for _, k := range slices.Sorted(maps.Keys(v)) {
				g.Line().Lit(k).Op(":").Add(literal(v[k]))
			}
			if len(v) > 0 {
				g.Line()
			}
		})
	case []any:
		return jen.Index().Any().ValuesFunc(func(g *jen.Group) {
			for _, e := range v {
				g.Add(literal(e))
			}
		})
	}
	return jen.Lit(v)
}
