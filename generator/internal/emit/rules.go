package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Rules is the family of tables of CEL rules, and of the functions that evaluate them.
var Rules = Functions{Verb: "rules", In: RulesUnit, Node: emitRules, Data: emitRuleTable}

// RulesAPI emits Validate<Kind>Rules.
var RulesAPI = api("evaluates the CEL rules of the schema on obj. A nil old means that obj is new; otherwise obj replaces old. "+
	"Failures on unchanged values are warnings.", `
func <Function>(obj, old map[string]any) (errs prunert.ErrorList, warnings []string) {
	return <root>.Validate(obj, old, &<needed>)
}`)

// emitRules emits the functions of the rules of a node that no other node has.
func emitRules(g *jen.Group, n *plan.Node) {
	eachOwnRule(n, func(p codePrinter, name string, r *plan.Rule) {
		docOf(g, name+" is a rule of "+place(n)+":", r.Of.Rule)
		write(g, "func %s(r prunecel.Reader) prunecel.Verdict {\n%s\n}\n", name, p.body(r.Code.Lets, r.Code.Value, "r.Verdict(%s)"))
	})
}

// eachOwnRule calls f for the rules of a node whose functions belong to it.
func eachOwnRule(n *plan.Node, f func(p codePrinter, name string, r *plan.Rule)) {
	rules := n.Do.(plan.Evaluate)
	if rules.Table == nil {
		return
	}
	for i, r := range rules.Table.Rules {
		if name := rules.Funcs.Names[i]; rules.Funcs.Own[i] {
			f(codePrinter{name}, name, r)
		}
	}
}

// emitRuleTable emits the table of a node, with the patterns and types of its functions.
func emitRuleTable(g *jen.Group, n *plan.Node) {
	rules := n.Do.(plan.Evaluate)
	var text strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&text, format+",\n", args...) }
	if t := rules.Table; t != nil && len(t.Rules) > 0 {
		add("Type: %s", quote(t.Type))
		add("Self: %s", quote(t.Self))
		fmt.Fprintln(&text, "Rules: []*prunecel.Rule{")
		for i, r := range t.Rules {
			add("{\n%s}", ruleEntry(rules.Funcs.Names[i], r))
		}
		add("}")
	}
	if len(n.Fields) > 0 {
		fmt.Fprintln(&text, "Fields: []prunecel.RulesField{")
		for _, f := range n.Fields {
			add("{Name: %s, Rules: %s}", quote(f.Name), tableOf("rules", f.Node))
		}
		add("}")
	}
	if n.Rest == plan.RestWalk {
		add("Values: %s", tableOf("rules", n.RestNode))
	}
	if n.Elem != nil {
		add("Items: %s", tableOf("rules", n.Elem))
	}
	if rules.Kubernetes != 0 {
		add("Kubernetes: %d", rules.Kubernetes)
	}
	if t := rules.Table; t != nil && len(t.Keys) > 0 {
		add("Keys: []string{%s}", quoted(t.Keys))
	}
	doc(g, fmt.Sprintf("rules%s has the CEL rules of %s.", n.Name, place(n)))
	write(g, "var rules%s = prunecel.Rules{\n%s}\n", n.Name, text.String())
	eachOwnRule(n, func(p codePrinter, _ string, r *plan.Rule) {
		for i, text := range r.Code.Patterns {
			write(g, "var %s = pruneformat.Pattern{Text: %s}\n", p.pattern(i), quote(text))
		}
		for i, text := range r.Code.Types {
			write(g, "var %s = prunecel.TypeSource{Text: %s}\n", p.typeOf(i), quote(text))
		}
	})
}

// ruleEntry returns a rule of a table, as much of it as there is.
func ruleEntry(function string, r *plan.Rule) string {
	var text strings.Builder
	add := func(name string, is bool, value string) {
		if is {
			fmt.Fprintf(&text, "%s: %s,\n", name, value)
		}
	}
	if r.Code != nil {
		add("Check", true, function)
		add("Cost", true, strconv.Itoa(r.Code.Cost))
		add("Round", r.Code.Round > 0, strconv.Itoa(r.Code.Round))
	}
	rule := r.Of
	add("Program", rule.Problem == "", quote(rule.Program))
	for _, f := range []struct{ name, value string }{
		{"Problem", rule.Problem}, {"Rule", rule.Rule}, {"Message", rule.Message}, {"MessageExpression", rule.MessageExpression}, {"MessageProgram", rule.MessageProgram},
		{"Reason", string(rule.Reason)}, {"FieldPath", rule.FieldPath},
	} {
		add(f.name, f.value != "" || f.name == "Rule", quote(f.value))
	}
	add("UsesOld", rule.UsesOld, "true")
	add("OptionalOld", rule.OptionalOld, "true")
	return text.String()
}

// codePrinter prints the code of a rule whose function has this name.
type codePrinter struct{ function string }

func (p codePrinter) pattern(i int) string { return fmt.Sprintf("%s_Pattern%d", p.function, i+1) }

func (p codePrinter) typeOf(i int) string { return fmt.Sprintf("%s_Type%d", p.function, i+1) }

// body prints the body of a function:
//
//	minValue, hasMin := r.MaybeInt(self["min"])
//	return <result of the value>
func (p codePrinter) body(lets []plan.Let, value plan.GoValue, result string) string {
	var text strings.Builder
	for _, l := range lets {
		fmt.Fprintf(&text, "%s := %s\n", strings.Join(l.Names, ", "), p.value(l.Value, loosest))
	}
	return text.String() + "return " + fmt.Sprintf(result, p.value(value, loosest))
}

// lineWidth is the maximum length of a line of code.
const lineWidth = 110

// shortOperand is the length of an operand of a comparison that has no line of its own, with its operator.
const shortOperand = 20

// isLong reports whether a line of code is.
func isLong(code string) bool {
	for line := range strings.SplitSeq(code, "\n") {
		if len(line) > lineWidth {
			return true
		}
	}
	return false
}

// binding says how tightly the operator around a value binds, as Go has it: a value that binds looser is put in parentheses.
type binding int

const (
	loosest    binding = 0
	comparison binding = 3
	tightest   binding = 6 // that of !x, x.y and x[y]
)

func bindingOf(operator string) binding {
	switch operator {
	case "||":
		return 1
	case "&&":
		return 2
	case "==", "!=", "<", "<=", ">", ">=":
		return comparison
	case "+", "-":
		return 4
	case "*", "/", "%":
		return 5
	}
	panic("emit: an operator " + operator)
}

// infix prints x op y. Operators of the same binding group from the left; a long chain of them has a line for each operand, and a short
// operand of a comparison stays beside the other.
func (p codePrinter) infix(v plan.Infix, around binding) string {
	own := bindingOf(v.Op)
	left := own
	if own == comparison {
		left++ // a comparison of a comparison is hard to read
	}
	// The operands from the last to the second, each after its operator.
	var operands []string
	x := plan.GoValue(v)
	for {
		i, ok := x.(plan.Infix)
		if !ok || bindingOf(i.Op) != own || own == comparison && len(operands) > 0 {
			break
		}
		operands = append(operands, " "+i.Op+" "+p.value(i.Y, own+1))
		x = i.X
	}
	slices.Reverse(operands)
	first := p.value(x, left)
	code := first + strings.Join(operands, "")
	if isLong(code) && !(own == comparison && len(operands[0]) < shortOperand) {
		for i, o := range operands {
			operands[i] = strings.Replace(o[1:], " ", "\n", 1)
		}
		code = first + " " + strings.Join(operands, " ")
	}
	if own < around {
		return "(" + code + ")"
	}
	return code
}

func (p codePrinter) value(v plan.GoValue, around binding) string {
	switch v := v.(type) {
	case plan.Name:
		return string(v)
	case plan.Literal:
		return literalOf(v.Of)
	case plan.Member:
		return p.value(v.Of, tightest) + "." + v.Name
	case plan.Call:
		name, args := "prunecel."+v.Func, p.values(v.Args)
		if v.Builtin {
			name = v.Func
		}
		if v.Reader {
			args = append([]string{"&r"}, args...)
		}
		return name + argumentList(args)
	case plan.Method:
		return "r." + v.Name + argumentList(p.values(v.Args))
	case plan.Index:
		return p.value(v.Of, tightest) + "[" + p.value(v.Key, loosest) + "]"
	case plan.Infix:
		return p.infix(v, around)
	case plan.Opposite:
		return "!" + p.value(v.X, tightest)
	case plan.Func:
		return p.literal(v)
	case plan.RulePattern:
		return "&" + p.pattern(int(v))
	case plan.RuleType:
		return "&" + p.typeOf(int(v))
	}
	panic(fmt.Sprintf("emit: a value %T", v))
}

func (p codePrinter) values(all []plan.GoValue) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = p.value(v, loosest)
	}
	return out
}

// argumentList prints (args). Long ones have a line each, unless there is one alone, or the second of two is a function whose beginning fits.
func argumentList(args []string) string {
	list := strings.Join(args, ", ")
	begin, _, _ := strings.Cut(list, "\n")
	if len(args) == 1 || !isLong(list) || len(args) == 2 && strings.HasPrefix(args[1], "func(") && !isLong(begin) {
		return "(" + list + ")"
	}
	return "(\n" + strings.Join(args, ",\n") + ",\n)"
}

// literal prints func(param) result { lets; return value }, on one line where that is short.
func (p codePrinter) literal(f plan.Func) string {
	head := "func() "
	if f.Param != "" {
		head = "func(" + f.Param + " " + f.ParamType + ") "
	}
	body := p.body(f.Lets, f.Value, "%s")
	if line := head + f.Result + " { " + body + " }"; !strings.Contains(body, "\n") && !isLong(line) {
		return line
	}
	return head + f.Result + " {\n" + body + "\n}"
}

// literalOf prints a constant. Integers have no type of their own.
func literalOf(v any) string {
	switch v := v.(type) {
	case string:
		return quotedText(v)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0" // or Go would divide integers
		}
		return text
	}
	return fmt.Sprint(v)
}

// quotedText prints a string, a long one in pieces.
func quotedText(s string) string {
	const piece = 100
	if len(s) <= piece {
		return quote(s)
	}
	// Between characters.
	n := piece
	for n > piece-4 && s[n]&0xC0 == 0x80 {
		n--
	}
	return quote(s[:n]) + " +\n" + quotedText(s[n:])
}

// tableOf refers to the table of a node, "" if it has none.
func tableOf(verb string, n *plan.Node) string {
	if n.Do.Func() {
		return "&" + verb + n.Name
	}
	return ""
}
