package emit

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// Rules is the family of tables of CEL rules, with the functions that evaluate them:
//
//	var rules<Name> = prunecel.Rules{
//		Type: "object",
//		Self: &prunecel.TypeSource{Text: "(object \"max\" int)"},
//		Rules: []*prunecel.Rule{{
//			Check:   rule1<Name>,
//			Program: prunecel.Source{Text: "(_<_ #less_int64 (. self \"max\") 10)"},
//			Rule:    "self.max < 10",
//		}},
//		Fields: []prunecel.RulesField{{Name: "spec", Rules: &rules<Spec>}},
//	}
var Rules = Functions{Verb: "rules", In: RulesUnit, Node: func(g *jen.Group, n *plan.Node) {
	t := n.Do.(plan.Evaluate).Table
	name := "rules" + n.Name
	doc(g, fmt.Sprintf("%s has the CEL rules of %s.", name, place(n)))
	g.Var().Id(name).Op("=").Add(cel("Rules")).BlockFunc(func(g *jen.Group) {
		add := func(key string, value jen.Code) { g.Id(key).Op(":").Add(value).Op(",") }
		if t != nil && len(t.Rules) > 0 {
			add("Type", jen.Lit(t.Type))
			add("Self", jen.Op("&").Add(cel("TypeSource")).Values(jen.Id("Text").Op(":").Lit(t.Self)))
			add("Rules", jen.Index().Op("*").Add(cel("Rule")).BlockFunc(func(g *jen.Group) {
				for i, r := range t.Rules {
					g.Add(ruleEntry(n, i, r)).Op(",")
				}
			}))
		}
		if len(n.Fields) > 0 {
			add("Fields", jen.Index().Add(cel("RulesField")).BlockFunc(func(g *jen.Group) {
				for _, f := range n.Fields {
					g.Values(jen.Id("Name").Op(":").Lit(f.Name), jen.Id("Rules").Op(":").Op(tableOf("rules", f.Node))).Op(",")
				}
			}))
		}
		if n.Rest == plan.RestWalk {
			add("Values", jen.Op(tableOf("rules", n.RestNode)))
		}
		if n.Elem != nil {
			add("Items", jen.Op(tableOf("rules", n.Elem)))
		}
		if t != nil && len(t.Keys) > 0 {
			add("Keys", jen.Index().String().ValuesFunc(func(g *jen.Group) {
				for _, k := range t.Keys {
					g.Lit(k)
				}
			}))
		}
	})
	g.Line()
	if t == nil {
		return
	}
	for i, r := range t.Rules {
		if r.Code != nil {
			emitRule(g, n, i, r)
		}
	}
}}

// RulesAPI emits
//
//	func Validate<Kind>Rules(obj, old map[string]any) (errs prunert.ErrorList, warnings []string) {
//		return rules<Kind>.Validate(obj, old, &shape<Kind>)
//	}
func RulesAPI(g *jen.Group, _ *plan.Kind, names Names) {
	doc(g, names.Function+" evaluates the CEL rules of the schema on obj. A nil old means that obj is new; otherwise obj replaces old. "+
		"Failures on unchanged values are warnings.")
	g.Func().Id(names.Function).Params(jen.List(jen.Id("obj"), jen.Id("old")).Add(object())).
		Params(jen.Id("errs").Add(rt("ErrorList")), jen.Id("warnings").Index().String()).Block(
		jen.Return(jen.Id(names.Root).Dot("Validate").Call(jen.Id("obj"), jen.Id("old"), jen.Op("&").Id(names.Needs[0]))),
	)
	g.Line()
}

// ruleEntry returns a rule of a table, as much of it as there is.
func ruleEntry(n *plan.Node, i int, r *plan.Rule) *jen.Statement {
	return jen.BlockFunc(func(g *jen.Group) {
		add := func(key string, value jen.Code) { g.Id(key).Op(":").Add(value).Op(",") }
		text := func(key, value string) {
			if value != "" {
				add(key, jen.Lit(value))
			}
		}
		if r.Code != nil {
			add("Check", jen.Id(ruleName(n, i)))
		}
		if r.Problem != "" {
			add("Problem", jen.Lit(r.Problem))
		} else {
			add("Program", cel("Source").Values(jen.Id("Text").Op(":").Lit(r.Program)))
		}
		add("Rule", jen.Lit(r.Rule))
		text("Message", r.Message)
		text("MessageExpression", r.MessageExpression)
		if r.MessageProgram != "" {
			add("MessageProgram", jen.Op("&").Add(cel("Source")).Values(jen.Id("Text").Op(":").Lit(r.MessageProgram)))
		}
		text("Reason", r.Reason)
		text("FieldPath", r.FieldPath)
		if r.UsesOld {
			add("UsesOld", jen.True())
		}
		if r.OptionalOld {
			add("OptionalOld", jen.True())
		}
	})
}

// ruleName returns the name of the function of a rule. No table has such a name.
func ruleName(n *plan.Node, i int) string { return "rule" + strconv.Itoa(i+1) + n.Name }

// emitRule emits the function of a rule with its patterns and types.
func emitRule(g *jen.Group, n *plan.Node, i int, r *plan.Rule) {
	p := codePrinter{node: n, rule: i}
	for k, text := range r.Code.Patterns {
		g.Var().Add(p.value(plan.RulePattern(k), loosest)).Op("=").Qual(FormatPath, "Pattern").Values(jen.Id("Text").Op(":").Lit(text))
		g.Line()
	}
	for k, text := range r.Code.Types {
		g.Var().Add(p.value(plan.RuleType(k), loosest)).Op("=").Add(cel("TypeSource")).Values(jen.Id("Text").Op(":").Lit(text))
		g.Line()
	}
	docOf(g, ruleName(n, i)+" evaluates", r.Rule)
	g.Func().Id(ruleName(n, i)).Params(jen.List(jen.Id("raw"), jen.Id("oldRaw")).Any()).Params(cel("Verdict"), jen.Int64()).
		Block(p.code(r.Code.Body)...)
	g.Line()
}

// codePrinter prints the code of a rule.
type codePrinter struct {
	node *plan.Node
	rule int
}

func (p codePrinter) code(code plan.Code) []jen.Code {
	all := make([]jen.Code, len(code))
	for i, s := range code {
		all[i] = p.stmt(s)
	}
	return all
}

func (p codePrinter) stmt(s plan.Stmt) jen.Code {
	switch s := s.(type) {
	case plan.Let:
		return jen.ListFunc(func(g *jen.Group) {
			for _, name := range s.Names {
				g.Id(name)
			}
		}).Op(":=").Add(p.value(s.Value, loosest))
	case plan.Must:
		return p.must(s)
	case plan.Declare:
		return jen.Var().Id(s.Name).Id(s.Type)
	case plan.Set:
		return jen.Id(s.Name).Op("=").Add(p.value(s.Value, loosest))
	case plan.If:
		out := jen.If(p.value(s.Cond, loosest)).Block(p.code(s.Then)...)
		if len(s.Otherwise) > 0 {
			out.Else().Block(p.code(s.Otherwise)...)
		}
		return out
	case plan.Range:
		return p.loop(s)
	case plan.Return:
		return jen.ReturnFunc(func(g *jen.Group) {
			for _, v := range s.Values {
				g.Add(p.value(v, loosest))
			}
		})
	case plan.Break:
		return jen.Break()
	case plan.Continue:
		return jen.Continue()
	case plan.Increment:
		return jen.Id(s.Name).Op("++")
	}
	panic(fmt.Sprintf("emit: a statement %T", s))
}

// loop prints for key, elem := range over { body }.
func (p codePrinter) loop(s plan.Range) jen.Code {
	head := jen.Range().Add(p.value(s.Over, tightest))
	switch {
	case s.Elem != "":
		head = jen.List(jen.Id("_"), jen.Id(s.Elem)).Op(":=").Add(head)
	case s.Key != "":
		head = jen.Id(s.Key).Op(":=").Add(head)
	}
	return jen.For(head).Block(p.code(s.Body)...)
}

// must prints
//
//	name, ok := value
//	if !ok { otherwise }
//
// or, where nothing refers to the name, if _, ok := value; !ok { otherwise }.
func (p codePrinter) must(s plan.Must) jen.Code {
	failed := jen.Op("!").Id(string(s.Ok))
	if s.Ok == "err" {
		failed = jen.Err().Op("!=").Nil()
	}
	if s.Name == "" {
		return jen.If(jen.List(jen.Id("_"), jen.Id(string(s.Ok))).Op(":=").Add(p.value(s.Value, loosest)), failed).Block(p.code(s.Otherwise)...)
	}
	return jen.List(jen.Id(s.Name), jen.Id(string(s.Ok))).Op(":=").Add(p.value(s.Value, loosest)).Line().
		If(failed).Block(p.code(s.Otherwise)...)
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

// infix prints x op y. Operators of the same binding group from the left.
func (p codePrinter) infix(v plan.Infix, around binding) *jen.Statement {
	own := bindingOf(v.Op)
	left := own
	if own == comparison {
		left++ // a comparison of a comparison is hard to read
	}
	code := p.value(v.X, left).Op(v.Op).Add(p.value(v.Y, own+1))
	if own < around {
		return jen.Parens(code)
	}
	return code
}

func (p codePrinter) value(v plan.GoValue, around binding) *jen.Statement {
	switch v := v.(type) {
	case plan.Name:
		return jen.Id(string(v))
	case plan.OfRule:
		return cel(string(v))
	case plan.Literal:
		return literalOf(v.Of)
	case plan.Call:
		f := cel(v.Func)
		if v.Builtin {
			f = jen.Id(v.Func)
		}
		return f.Call(p.values(v.Args)...)
	case plan.Method:
		return p.value(v.Of, tightest).Dot(v.Name).Call(p.values(v.Args)...)
	case plan.Index:
		return p.value(v.Of, tightest).Index(p.value(v.Key, loosest))
	case plan.Assert:
		return p.value(v.Of, tightest).Assert(jen.Id(v.Type))
	case plan.Infix:
		return p.infix(v, around)
	case plan.Opposite:
		return jen.Op("!").Add(p.value(v.X, tightest))
	case plan.Try:
		return jen.Func().Params().Params(jen.Id(v.Type), jen.Bool()).Block(p.code(v.Body)...).Call()
	case plan.RulePattern:
		return jen.Id(fmt.Sprintf("rulePattern%dx%d%s", p.rule+1, int(v)+1, p.node.Name))
	case plan.RuleType:
		return jen.Id(fmt.Sprintf("ruleType%dx%d%s", p.rule+1, int(v)+1, p.node.Name))
	}
	panic(fmt.Sprintf("emit: a value %T", v))
}

func (p codePrinter) values(all []plan.GoValue) []jen.Code {
	out := make([]jen.Code, len(all))
	for i, v := range all {
		out[i] = p.value(v, loosest)
	}
	return out
}

// literalOf prints a constant. Integers have no type of their own.
func literalOf(v any) *jen.Statement {
	if n, ok := v.(int64); ok {
		return jen.Id(strconv.FormatInt(n, 10))
	}
	return jen.Lit(v)
}

// cel refers to something that the runtime exports to the code of rules.
func cel(name string) *jen.Statement { return jen.Qual(CELPath, name) }
