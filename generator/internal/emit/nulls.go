package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// nullRule returns the rule for nulls of a slot.
func nullRule(s plan.Slot) plan.NullRule {
	rule, _ := s.(plan.NullRule)
	return rule
}

func hasDefault(f plan.Field) bool { return nullRule(f.Slot).Default != nil }

// nullInRange returns the code for a null in a range over a map, "" if it stays.
func nullInRange(s plan.Slot) string {
	switch rule := nullRule(s); rule.Null {
	case plan.NullDrop:
		return "if v == nil {\ndelete(obj, k)\ncontinue\n}"
	case plan.NullDefault:
		return fmt.Sprintf("if v == nil {\nobj[k] = %s\ncontinue\n}", literal(rule.Default.JSON))
	}
	return ""
}

// nullsTogether reports whether a range drops nulls in one place, after it has looked at the field: all that stay or were replaced, except
// those of a few fields, for which it returns a condition.
func nullsTogether(n *plan.Node) (except string, ok bool) {
	const most = 3 // exceptions that are still easier to read than a check in each case
	switch n.Rest {
	case plan.RestDrop:
	case plan.RestWalk:
		ok = nullRule(n.RestSlot).Null == plan.NullDrop
		if !ok {
			return "", false
		}
	default:
		return "", false
	}
	kept := 0
	for _, f := range n.Fields {
		switch nullRule(f.Slot).Null {
		case plan.NullDrop:
			ok = true
		case plan.NullKeep:
			kept++
			except += fmt.Sprintf(" && k != %s", quote(f.Name))
		}
	}
	return except, ok && kept <= most
}

// nullElement emits the code for a null in a list.
func nullElement(g *jen.Group, s plan.Slot) {
	if d := nullRule(s).Default; d != nil {
		write(g, "if v == nil {\nlist[i] = %s\ncontinue\n}", literal(d.JSON))
	}
}

// fillIn emits the code that sets each field of n with a default if it is missing, or if it is null and that counts as missing.
func fillIn(g *jen.Group, n *plan.Node) {
	for _, f := range n.Fields {
		rule := nullRule(f.Slot)
		switch {
		case rule.Default == nil:
		case rule.Null == plan.NullDefault:
			write(g, "if obj[%s] == nil {\nobj[%[1]s] = %s\n}", quote(f.Name), literal(rule.Default.JSON))
		default:
			write(g, "if _, ok := obj[%s]; !ok {\nobj[%[1]s] = %s\n}", quote(f.Name), literal(rule.Default.JSON))
		}
	}
}

// literal returns a JSON value as Go source, which makes it anew each time it runs.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case map[string]any:
		entries := ""
		for _, k := range slices.Sorted(maps.Keys(v)) {
			entries += fmt.Sprintf("\n%s: %s,", quote(k), literal(v[k]))
		}
		if entries != "" {
			entries += "\n"
		}
		return "map[string]any{" + entries + "}"
	case []any:
		return "[]any{" + literalsOf(v) + "}"
	case string:
		return quote(v)
	case int64:
		return fmt.Sprintf("int64(%d)", v)
	case float64:
		text := fmt.Sprintf("%#v", v)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	return fmt.Sprintf("%#v", v)
}

// literalsOf returns the elements of a list as Go source.
func literalsOf(all []any) string {
	literals := make([]string, len(all))
	for i, v := range all {
		literals[i] = literal(v)
	}
	return strings.Join(literals, ", ")
}
