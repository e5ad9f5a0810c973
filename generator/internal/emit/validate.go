package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Validate is the family of functions that validate values.
var Validate = Functions{Verb: "validate", In: ValidateUnit, Node: emitValidate}

// ValidateAPI emits
//
//	func Validate<Kind>(obj map[string]any) prunert.ErrorList {
//		var rec pruneimpl.Recorder
//		if validate<Kind>(obj, &rec) == 0 {
//			return nil
//		}
//		return rec.Invalid()
//	}
func ValidateAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" returns the errors that the API server finds in obj by its schema, without CEL rules; nil if there are none.")
	g.Func().Id(names.Function).Params(jen.Id("obj").Add(object())).Add(rt("ErrorList")).Block(
		jen.Var().Id("rec").Add(impl("Recorder")),
		jen.If(jen.Id(names.Root).Call(jen.Id("obj"), jen.Op("&").Id("rec")).Op("==").Lit(0)).Block(
			jen.Return(jen.Nil()),
		),
		jen.Return(jen.Id("rec").Dot("Invalid").Call()),
	)
	g.Line()
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
	doc(g, fmt.Sprintf("validate%s validates %s.", n.Name, typedPlace(n, validSummary(do))))
	g.Func().Id("validate"+n.Name).Params(jen.Id("v").Any(), recorder()).Params(jen.Id("n").Int()).BlockFunc(func(g *jen.Group) {
		if do.Counted {
			g.Id("rec").Dot("Count").Call(jen.Id("v"), typeSet(do.Types), jen.Lit(do.Format))
		}
		switch n.Walk.Form {
		case plan.FormObject:
			assertOr(g, "obj", object(), typed(do, jen.Id("v")))
			validateObject(g, n)
		case plan.FormList:
			if do.List() { // nothing else is said about another value
				assertOr(g, "list", jen.Index().Any(), typed(do, jen.Id("v")))
			} else {
				listOr(g, "CheckList", typeSet(do.Types))
			}
			validateList(g, n)
		case plan.FormText:
			assertOr(g, "s", jen.String(), typed(do, jen.Id("v")))
			validateText(g, n)
		case plan.FormAny:
			validateAny(g, n)
		default:
			panic("nothing validates in the form of node " + n.Name)
		}
		g.Return(jen.Id("n"))
	})
	g.Line()
	emitAlternatives(g, n)
}

// add emits n += <call>, unless there is nothing to call.
func add(g *jen.Group, call jen.Code) {
	if call != nil {
		g.Id("n").Op("+=").Add(call)
	}
}

// validateAny emits what applies to values of any type, and then what applies to each type.
func validateAny(g *jen.Group, n *plan.Node) {
	do := validated(n)
	rules := do.Rules
	if do.Types != 0 || do.Format != "" {
		add(g, typed(do, jen.Id("v")))
	}
	if rules.Enum != nil {
		add(g, enumCall(n))
	}
	validateJunctors(g, n)
	emitBound(g, rules.MultipleOf, "MultipleOf", "MultipleOf", "MultipleOf")
	emitBound(g, rules.Minimum, "Minimum boundary", "Minimum", "OverMinimum")
	emitBound(g, rules.Maximum, "Maximum boundary", "Maximum", "UnderMaximum")
	kinds := []struct {
		name  string
		typ   jen.Code
		emit  func(*jen.Group, *plan.Node)
		there bool
	}{
		{"s", jen.String(), validateText, do.Text()},
		{"list", jen.Index().Any(), validateList, n.Elem != nil || do.List()},
		{"obj", object(), validateObject, n.WalksObject()},
	}
	for _, k := range kinds {
		if k.there {
			g.If(jen.List(jen.Id(k.name), jen.Id("ok")).Op(":=").Id("v").Assert(k.typ), jen.Id("ok")).BlockFunc(func(g *jen.Group) { k.emit(g, n) })
		}
	}
}

// typed returns the call that checks the type of v and its format, if there is one.
func typed(do plan.Validate, v jen.Code) jen.Code {
	switch {
	case do.Kind == plan.ValidateIntOrString || do.Rules.IntOrString:
		return impl("IntOrString").Call(v, jen.Id("rec"), typeSet(do.Types))
	case do.Format != "":
		return impl("CheckFormat").Call(v, jen.Id("rec"), typeSet(do.Types), jen.Lit(do.Format))
	}
	return typeCall(do.Types, v)
}

// validateCall returns the call that validates v as n says, nil if there is nothing to do.
func validateCall(n *plan.Node, v, rec jen.Code) jen.Code {
	do := validated(n)
	switch do.Kind {
	case plan.ValidateNothing:
		return nil
	case plan.ValidateWalk:
		return jen.Id("validate"+n.Name).Call(v, rec)
	case plan.ValidateLeaf, plan.ValidateIntOrString:
		if do.Counted {
			return impl("MatchType").Call(v, rec, typeSet(do.Types))
		}
		return typed(do, v)
	}
	panic("nothing validates like node " + n.Name)
}

// enumCall returns pruneimpl.EnumStrings(v, rec, "Always", "Never"), or the same for any values.
func enumCall(n *plan.Node) jen.Code {
	enum := validated(n).Rules.Enum
	if hasCompound(enum) {
		return impl("EnumValues").Call(jen.Id("v"), jen.Id("rec"), jen.Op("&").Id(enumName(n)))
	}
	values := enum.JSON.([]any)
	function := "EnumStrings"
	length := 0
	for _, e := range values {
		s, ok := e.(string)
		if !ok {
			function = "Enum"
		}
		length += len(s) + len(`"", `)
	}
	args := []jen.Code{jen.Id("v"), jen.Id("rec")}
	for _, e := range values {
		arg := literal(e)
		if length > 90 { // each in a line of its own
			arg = jen.Line().Add(arg)
		}
		args = append(args, arg)
	}
	if length > 90 {
		args = append(args, jen.Line())
	}
	return impl(function).Call(args...)
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

func enumName(n *plan.Node) string { return "enum" + n.Name }

// emitEnum emits, for values among which there are objects or lists,
//
//	var enum<Name> = pruneimpl.Values{Make: func() []any {
//		return []any{"a", map[string]any{"k": int64(1)}}
//	}}
func emitEnum(g *jen.Group, n *plan.Node) {
	enum := validated(n).Rules.Enum
	if enum == nil || !hasCompound(enum) {
		return
	}
	g.Var().Id(enumName(n)).Op("=").Add(impl("Values")).Values(jen.Id("Make").Op(":").Func().Params().Index().Any().Block(
		jen.Return(literal(enum.JSON)),
	))
	g.Line()
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
	v := jen.Id("v")
	if b.Misfit != "" {
		typ, format, _ := strings.Cut(b.Misfit, " ")
		add(g, impl("Misfit").Call(jen.Id("v"), jen.Id("rec"), jen.Lit(what), jen.Lit(typ), jen.Lit(format)))
		v = impl("Float").Call(v)
	}
	add(g, impl(function).Call(v, jen.Id("rec"), number(b.To)))
}

// number returns a float as a literal, a small whole number as an integer.
func number(f float64) jen.Code {
	if i := int64(f); float64(i) == f && i > -1<<53 && i < 1<<53 {
		return jen.Lit(int(i))
	}
	return jen.Lit(f)
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
	type wrong struct{ when, say jen.Code }
	var all []wrong
	say := func(method string, args ...jen.Code) jen.Code {
		return jen.Id("n").Op("+=").Id("rec").Dot(method).Call(args...)
	}
	if l := rules.MaxLength; l.Set {
		all = append(all, wrong{impl("Longer").Call(jen.Id("s"), jen.Lit(int(l.To))), say("TooLong", jen.Lit(int(l.To)))})
	}
	if l := rules.MinLength; l.Set {
		all = append(all, wrong{impl("Shorter").Call(jen.Id("s"), jen.Lit(int(l.To))), say("TooShort", jen.Id("v"), jen.Lit(int(l.To)))})
	}
	switch p := rules.Pattern; {
	case p.Text == "":
	case p.Error != "":
		all = append(all, wrong{jen.Op("!").Add(impl("IsNothing")).Call(jen.Id("s")), say("BadPattern", jen.Id("v"), jen.Lit(p.Text), jen.Lit(p.Error))})
	case p.Func != "":
		all = append(all, wrong{jen.Op("!").Add(impl(p.Func)).Call(jen.Id("s")), say("Mismatch", jen.Id("v"), jen.Lit(p.Text))})
	default:
		name := patternName(n)
		all = append(all, wrong{jen.Op("!").Id(name).Dot("Match").Call(jen.Id("s")), say("Mismatch", jen.Id("v"), jen.Id(name).Dot("Text"))})
	}
	switch len(all) {
	case 0:
	case 1:
		g.If(all[0].when).Block(all[0].say)
	default:
		g.Switch().BlockFunc(func(g *jen.Group) {
			for _, w := range all {
				g.Case(w.when).Block(w.say)
			}
		})
	}
	if rules.IsFormat != "" {
		g.If(jen.Op("!").Add(formatFunc(rules.IsFormat)).Call(jen.Id("s"))).Block(say("Malformed", jen.Id("v"), jen.Lit(validated(n).Format)))
	}
}

// formatFunc returns the function of the runtime for a format: IsDate, or pruneformat.IsURI.
func formatFunc(name string) *jen.Statement {
	pkg, function, found := strings.Cut(name, ".")
	switch {
	case !found:
		return impl(name)
	case pkg == "prunenet":
		return jen.Qual(NetPath, function)
	}
	return jen.Qual(FormatPath, function)
}

func patternName(n *plan.Node) string { return "pattern" + n.Name }

// emitPattern emits var pattern<Name> = pruneformat.Pattern{Text: "^a"} for a node with a pattern that no function stands for.
func emitPattern(g *jen.Group, n *plan.Node) {
	p := validated(n).Rules.Pattern
	if p.Text == "" || p.Func != "" || p.Error != "" {
		return
	}
	g.Var().Id(patternName(n)).Op("=").Qual(FormatPath, "Pattern").Values(jen.Id("Text").Op(":").Lit(p.Text))
	g.Line()
}

// validateList emits what applies to the list list:
//
//	n += pruneimpl.MinItems(list, rec, 1)
//	for i, v := range list {
//		n += rec.Index(i, <call>)
//	}
func validateList(g *jen.Group, n *plan.Node) {
	rules := validated(n).Rules
	emitLimit(g, rules.MinItems, "MinItems", "list")
	emitLimit(g, rules.MaxItems, "MaxItems", "list")
	if rules.Set {
		add(g, impl("ListSet").Call(jen.Id("list"), jen.Id("rec")))
	}
	if rules.ListMapKeys != nil {
		add(g, impl("ListMap").Call(append([]jen.Code{jen.Id("list"), jen.Id("rec")}, stringLiterals(rules.ListMapKeys)...)...))
	}
	if n.Elem == nil {
		return
	}
	g.For(jen.List(jen.Id("i"), jen.Id("v")).Op(":=").Range().Id("list")).Block(
		jen.Id("n").Op("+=").Id("rec").Dot("Index").Call(jen.Id("i"), validateCall(n.Elem, jen.Id("v"), jen.Id("rec"))),
	)
}

func emitLimit(g *jen.Group, l plan.Limit, function, name string) {
	if l.Set {
		add(g, impl(function).Call(jen.Id(name), jen.Id("rec"), jen.Lit(int(l.To))))
	}
}

// stringLiterals returns a list of strings as literals.
func stringLiterals(v *plan.Value) []jen.Code {
	var all []jen.Code
	for _, e := range v.JSON.([]any) {
		all = append(all, jen.Lit(e))
	}
	return all
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
