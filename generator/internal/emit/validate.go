package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Validate is the family of functions that validate values.
var Validate = Functions{Verb: "validate", In: ValidateUnit, Node: emitValidate, InPlace: func(n *plan.Node) bool { return validateInPlace(n) != "" }}

// ValidateAPI emits Validate<Kind>.
var ValidateAPI = api("returns the errors that the API server finds in obj by its schema, without CEL rules; nil if there are none.", `
func <Function>(obj map[string]any) prunert.ErrorList {
	return pruneimpl.Check(obj, <root><by>)
}`)

var validateWalk = walk{verb: "validate", call: func(n *plan.Node) string { return validateCall(n, "rec") }}

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
	validateWalk.function(g, n, "Validates "+typedPlace(n, validSummary(do)), func() {
		if do.Counted {
			write(g, "rec.Count(v, %s, %s)", typeSet(do.Types), quote(do.Format))
		}
		switch n.Walk.Form {
		case plan.FormObject:
			if call := validateLeaves(n); call != "" {
				write(g, "return %s", call)
				return
			}
			if begins(n) {
				beginObject(g, n, do.Types)
			} else {
				assertOr(g, "obj", "map[string]any", typed(do))
				countFields(g, n)
			}
			validateObject(g, n)
		case plan.FormList:
			if do.Rules.MinItems.Set { // which no other value violates
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
	for _, call := range boundCalls(rules) {
		add(g, call)
	}
	for _, k := range []struct {
		name, typ string
		emit      func(*jen.Group, *plan.Node)
		there     bool
	}{
		{"s", "string", validateText, do.Text()},
		{"list", "[]any", validateList, n.Elem != nil || do.List()},
		{"obj", "map[string]any", func(g *jen.Group, n *plan.Node) {
			countFields(g, n)
			validateObject(g, n)
		}, n.WalksObject()},
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
		return cmp.Or(validateInPlace(n), fmt.Sprintf("validate%s(v, %s)", n.Name, rec))
	case do.Counted:
		return fmt.Sprintf("pruneimpl.MatchType(v, %s, %s)", rec, typeSet(do.Types))
	}
	return typed(do)
}

// validateInPlace returns the call that validates v as n says, if it is so short that no function is made for it: that for a list, a map or
// an object of few leaves with no other rules.
func validateInPlace(n *plan.Node) string {
	do := validated(n)
	if n.Path == "" || do.Counted || do.Resource != plan.ResourceNone || len(n.Branches) > 0 {
		return ""
	}
	types := typeSet(do.Types)
	switch {
	case n.Walk.Form == plan.FormAny && n.Elem == nil && !n.WalksObject() && !do.List() && !do.Text():
		return validateScalar(n)
	case isShort(n.Fields) && validateLeaves(n) != "":
		return validateLeaves(n)
	case do.Rules != (plan.Rules{}):
	case n.Walk.Form == plan.FormList && isBareLeaf(n.Elem):
		return fmt.Sprintf("pruneimpl.CheckElements(v, rec, %s, %s)", types, typeSet(validated(n.Elem).Types))
	case n.Walk.Form == plan.FormList:
		return checkEach(types, validateCall(n.Elem, "rec"))
	case n.Walk.Form == plan.FormObject && len(n.Fields) == 0 && n.Rest == plan.RestWalk && isBareLeaf(n.RestNode):
		return fmt.Sprintf("pruneimpl.CheckValues(v, rec, %s, %s)", types, typeSet(validated(n.RestNode).Types))
	}
	return ""
}

// validateScalar returns the calls that validate a number, or a value that is one of several, "" if they do not fit into a line.
func validateScalar(n *plan.Node) string {
	do := validated(n)
	var calls []string
	if do.Types != 0 || do.Format != "" {
		calls = append(calls, typed(do))
	}
	if do.Rules.Enum != nil {
		calls = append(calls, enumCall(n))
	}
	bounds := boundCalls(do.Rules)
	if calls = append(calls, bounds...); len(calls) > 3 {
		return ""
	}
	all := strings.Join(calls, " + ")
	if len(all) > 180 || strings.Contains(all, "\n") || strings.Contains(all, "&enum") {
		return ""
	}
	return all
}

// validateLeaves returns the call that validates an object whose fields are leaves of one type without other rules, "" for other objects.
func validateLeaves(n *plan.Node) string {
	do := validated(n)
	if n.Walk.Form != plan.FormObject || n.Walk.Ranges || n.Rest != plan.RestKeep || do.Counted || do.Resource != plan.ResourceNone ||
		len(n.Walk.Groups) != 1 || !n.Walk.Groups[0].Listed || !isBareLeaf(n.Walk.Groups[0].Node()) {
		return ""
	}
	function := "CheckLeafObject"
	if isRequired(n.Fields[0]) {
		function = "RequireLeafObject"
	}
	if do.Rules.Required = nil; do.Rules != (plan.Rules{}) || len(undeclared(n)) > 0 {
		return ""
	}
	return fmt.Sprintf("pruneimpl.%s(v, rec, %s, %s, %s)", function, typeSet(do.Types), typeSet(validated(n.Walk.Groups[0].Node()).Types), arguments(n.Fields))
}

// isBareLeaf reports whether the type of a value counts and nothing else.
func isBareLeaf(n *plan.Node) bool {
	do := validated(n)
	return do.Kind == plan.ValidateLeaf && do.Format == "" && !do.Counted
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

// boundCalls returns the calls for the bounds of numbers, such as pruneimpl.Minimum(v, rec, 1). If the bound itself does not have the type of
// the schema, the API server reports that for every number, and compares floats.
func boundCalls(rules plan.Rules) []string {
	var calls []string
	for _, b := range []struct {
		plan.Bound
		what, function, exclusive string
	}{
		{rules.MultipleOf, "MultipleOf", "MultipleOf", "MultipleOf"},
		{rules.Minimum, "Minimum boundary", "Minimum", "OverMinimum"},
		{rules.Maximum, "Maximum boundary", "Maximum", "UnderMaximum"},
	} {
		if !b.Set {
			continue
		}
		v, function := "v", b.function
		if b.Exclusive {
			function = b.exclusive
		}
		if b.Misfit != "" {
			typ, format, _ := strings.Cut(b.Misfit, " ")
			calls = append(calls, fmt.Sprintf("pruneimpl.Misfit(v, rec, %s, %s, %s)", quote(b.what), quote(typ), quote(format)))
			v = "pruneimpl.Float(v)"
		}
		to := literal(b.To)
		if i := int64(b.To); float64(i) == b.To && i > -1<<53 && i < 1<<53 {
			to = fmt.Sprint(i)
		}
		calls = append(calls, fmt.Sprintf("pruneimpl.%s(%s, rec, %s)", function, v, to))
	}
	return calls
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
