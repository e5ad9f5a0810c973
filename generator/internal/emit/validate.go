package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Validate is the family of functions that validate values.
var Validate = Functions{Verb: "validate", In: ValidateUnit, Node: emitValidate, Notes: validateNotes}

// ValidateAPI emits Validate<Kind>.
var ValidateAPI = api("returns the errors that the API server finds in obj by its schema, without CEL rules; nil if there are none.", `
func <Function>(obj map[string]any) prunert.ErrorList {
	<recorder>
	if <root>(obj, &rec) == 0 {
		return nil
	}
	return rec.Invalid()
}`)

var validateWalk = walk{verb: "validate", call: func(n *plan.Node) string { return validateCall(n, "rec") }}

func validateNotes(n *plan.Node) []string {
	notes := walkNotes(n)
	if validated(n).Counted {
		notes = append(notes, "rec.Count counts how much of an alternative a value matches: where all alternatives fail, the errors of the closest one are reported.")
	}
	return notes
}

func validated(n *plan.Node) plan.Validate { return n.Do.(plan.Validate) }

// emitValidate emits the function that validates a value as n says. An object:
//
//	func validate<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		obj, ok := v.(map[string]any)
//		if !ok {
//			return pruneimpl.CheckType(v, rec, pruneimpl.TypeObject)
//		}
//		<object>
//		return n
//	}
//
// A list or a string is the same with []any or string. Otherwise each keyword is applied to values of its kind:
//
//	func validate<Name>(v any, rec *pruneimpl.Recorder) (n int) {
//		n += pruneimpl.CheckType(v, rec, pruneimpl.TypeInteger)
//		n += pruneimpl.Minimum(v, rec, 1)
//		return n
//	}
func emitValidate(g *jen.Group, n *plan.Node) {
	do := validated(n)
	emitPattern(g, n)
	emitEnum(g, n)
	validateWalk.function(g, n, "validates "+typedPlace(n, validSummary(do)), func() {
		if do.Counted {
			write(g, "rec.Count(v, %s, %s)", typeSet(do.Types), quote(do.Format))
		}
		switch n.Walk.Form {
		case plan.FormObject:
			assertOr(g, "obj", "map[string]any", typed(do))
			validateObject(g, n)
		case plan.FormList:
			if do.List() { // nothing else is said about another value
				assertOr(g, "list", "[]any", typed(do))
			} else {
				write(g, "list, n := pruneimpl.CheckList(v, rec, %s)", typeSet(do.Types))
			}
			validateList(g, n)
		case plan.FormText:
			assertOr(g, "s", "string", typed(do))
			validateText(g, n)
		case plan.FormAny:
			validateAny(g, n)
		default:
			panic("nothing validates in the form of node " + n.Name)
		}
		write(g, "return n")
	})
	emitAlternatives(g, n)
}

// validateAny emits what applies to values of any type, and then what applies to each type.
func validateAny(g *jen.Group, n *plan.Node) {
	do := validated(n)
	rules := do.Rules
	if do.Types != 0 || do.Format != "" {
		add(g, typed(do))
	}
	if rules.Enum != nil {
		add(g, enumCall(n))
	}
	validateJunctors(g, n)
	emitBound(g, rules.MultipleOf, "MultipleOf", "MultipleOf", "MultipleOf")
	emitBound(g, rules.Minimum, "Minimum boundary", "Minimum", "OverMinimum")
	emitBound(g, rules.Maximum, "Maximum boundary", "Maximum", "UnderMaximum")
	for _, k := range []struct {
		name, typ string
		emit      func(*jen.Group, *plan.Node)
		there     bool
	}{
		{"s", "string", validateText, do.Text()},
		{"list", "[]any", validateList, n.Elem != nil || do.List()},
		{"obj", "map[string]any", validateObject, n.WalksObject()},
	} {
		if k.there {
			write(g, "if %s, ok := v.(%s); ok {", k.name, k.typ)
			k.emit(g, n)
			write(g, "}")
		}
	}
}

// typed returns the call that checks the type of v and its format, if there is one.
func typed(do plan.Validate) string {
	switch {
	case do.Kind == plan.ValidateIntOrString || do.Rules.IntOrString:
		return fmt.Sprintf("pruneimpl.IntOrString(v, rec, %s)", typeSet(do.Types))
	case do.Format != "":
		return fmt.Sprintf("pruneimpl.CheckFormat(v, rec, %s, %s)", typeSet(do.Types), quote(do.Format))
	}
	return typeCall(do.Types)
}

// validateCall returns the call that validates v as n says, "" if there is nothing to do.
func validateCall(n *plan.Node, rec string) string {
	do := validated(n)
	switch {
	case do.Kind == plan.ValidateNothing:
		return ""
	case do.Kind == plan.ValidateWalk:
		return fmt.Sprintf("validate%s(v, %s)", n.Name, rec)
	case do.Counted:
		return fmt.Sprintf("pruneimpl.MatchType(v, %s, %s)", rec, typeSet(do.Types))
	}
	return typed(do)
}

// enumCall returns pruneimpl.EnumStrings(v, rec, "Always", "Never"), or the same for any values.
func enumCall(n *plan.Node) string {
	enum := validated(n).Rules.Enum
	if hasCompound(enum) {
		return "pruneimpl.EnumValues(v, rec, &enum" + n.Name + ")"
	}
	function, length := "EnumStrings", 0
	var values []string
	for _, e := range enum.JSON.([]any) {
		s, ok := e.(string)
		if !ok {
			function = "Enum"
		}
		length += len(s) + len(`"", `)
		values = append(values, literal(e))
	}
	return fmt.Sprintf("pruneimpl.%s(v, rec, %s)", function, listed(values, length))
}

// hasCompound reports whether there are objects or lists among values.
func hasCompound(enum *plan.Value) bool {
	return slices.ContainsFunc(enum.JSON.([]any), func(e any) bool {
		switch e.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// emitEnum emits a variable for values among which there are objects or lists.
func emitEnum(g *jen.Group, n *plan.Node) {
	if enum := validated(n).Rules.Enum; enum != nil && hasCompound(enum) {
		write(g, "var enum%s = pruneimpl.Values{Make: func() []any {\nreturn %s\n}}\n", n.Name, literal(enum.JSON))
	}
}

// emitBound emits n += pruneimpl.Minimum(v, rec, 1). If the bound itself does not have the type of the schema, the API server reports
// that for every number, and compares floats.
func emitBound(g *jen.Group, b plan.Bound, what, function, exclusive string) {
	if !b.Set {
		return
	}
	if b.Exclusive {
		function = exclusive
	}
	v := "v"
	if b.Misfit != "" {
		typ, format, _ := strings.Cut(b.Misfit, " ")
		write(g, "n += pruneimpl.Misfit(v, rec, %s, %s, %s)", quote(what), quote(typ), quote(format))
		v = "pruneimpl.Float(v)"
	}
	to := literal(b.To)
	if i := int64(b.To); float64(i) == b.To && i > -1<<53 && i < 1<<53 {
		to = fmt.Sprint(i)
	}
	write(g, "n += pruneimpl.%s(%s, rec, %s)", function, v, to)
}

// validateText emits what applies to the string s. The API server reports only the first fault of its length and its pattern:
//
//	switch {
//	case pruneimpl.Longer(s, 63):
//		n += rec.TooLong(63)
//	case !pruneimpl.IsDNSLabel(s):
//		n += rec.Mismatch(v, "^[a-z0-9]...")
//	}
func validateText(g *jen.Group, n *plan.Node) {
	rules := validated(n).Rules
	type wrong struct{ when, say string }
	var all []wrong
	if l := rules.MaxLength; l.Set {
		all = append(all, wrong{fmt.Sprintf("pruneimpl.Longer(s, %d)", l.To), fmt.Sprintf("TooLong(%d)", l.To)})
	}
	if l := rules.MinLength; l.Set {
		all = append(all, wrong{fmt.Sprintf("pruneimpl.Shorter(s, %d)", l.To), fmt.Sprintf("TooShort(v, %d)", l.To)})
	}
	switch p := rules.Pattern; {
	case p.Text == "":
	case p.Error != "":
		all = append(all, wrong{"!pruneimpl.IsNothing(s)", fmt.Sprintf("BadPattern(v, %s, %s)", quote(p.Text), quote(p.Error))})
	case p.Func != "":
		all = append(all, wrong{fmt.Sprintf("!pruneimpl.%s(s)", p.Func), fmt.Sprintf("Mismatch(v, %s)", quote(p.Text))})
	default:
		all = append(all, wrong{fmt.Sprintf("!pattern%s.Match(s)", n.Name), fmt.Sprintf("Mismatch(v, pattern%s.Text)", n.Name)})
	}
	if len(all) == 1 {
		write(g, "if %s {\nn += rec.%s\n}", all[0].when, all[0].say)
	} else if len(all) > 1 {
		write(g, "switch {")
		for _, w := range all {
			write(g, "case %s:\nn += rec.%s", w.when, w.say)
		}
		write(g, "}")
	}
	if function := rules.IsFormat; function != "" {
		if !strings.Contains(function, ".") {
			function = "pruneimpl." + function
		}
		write(g, "if !%s(s) {\nn += rec.Malformed(v, %s)\n}", function, quote(validated(n).Format))
	}
}

// emitPattern emits a variable for a node with a pattern that no function stands for.
func emitPattern(g *jen.Group, n *plan.Node) {
	if p := validated(n).Rules.Pattern; p.Text != "" && p.Func == "" && p.Error == "" {
		write(g, "var pattern%s = pruneformat.Pattern{Text: %s}\n", n.Name, quote(p.Text))
	}
}

// validateList emits what applies to the list list.
func validateList(g *jen.Group, n *plan.Node) {
	rules := validated(n).Rules
	emitLimit(g, rules.MinItems, "MinItems", "list")
	emitLimit(g, rules.MaxItems, "MaxItems", "list")
	if rules.Set {
		write(g, "n += pruneimpl.ListSet(list, rec)")
	}
	if rules.ListMapKeys != nil {
		write(g, "n += pruneimpl.ListMap(list, rec, %s)", literalsOf(rules.ListMapKeys.JSON.([]any)))
	}
	if n.Elem != nil {
		write(g, "for i, v := range list {\nn += rec.Index(i, %s)\n}", validateCall(n.Elem, "rec"))
	}
}

func emitLimit(g *jen.Group, l plan.Limit, function, name string) {
	if l.Set {
		write(g, "n += pruneimpl.%s(%s, rec, %d)", function, name, l.To)
	}
}

// validSummary says what a value is.
func validSummary(do plan.Validate) string {
	s := typeSummary(do.Types &^ plan.TypeNull)
	switch format := do.Format; {
	case format == "":
	case plan.PlainKey(format):
		s += " of the format " + format
	default:
		s += " with a format"
	}
	if do.Types&plan.TypeNull != 0 {
		s += ", or null"
	}
	return s
}
