package lower

import (
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

func TestVariablesAreNamesOfGo(t *testing.T) {
	for name, want := range map[string]string{
		"replicas": "replicas", "dash-ed": "dashEd", "example.com/Some_name": "exampleComSomeName", "URLPath": "urlPath", "URL": "url",
		"type": "typeValue", "min": "minValue", "nil": "nilValue", "ruleType1x1Guard": "ruleType1x1GuardValue", "r": "rValue", "R": "rValue", "prunecel": "prunecelValue", "2nd": "nd", "-x": "x",
		"": "v", "名前": "v", "12": "v", "a\nfunc init() {}": "aFuncInit",
	} {
		if got := variable(name); got != want {
			t.Errorf("variable(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestVariablesOfARuleHaveNamesOfTheirOwn(t *testing.T) {
	n := newRuleNames()
	give := func(wanted, want string) {
		t.Helper()
		if got := n.name(wanted); got != want {
			t.Errorf("name(%q) = %q, want %q", wanted, got, want)
		}
	}
	give("a", "a")
	give("a3", "a3")
	give("a", "a2")
	give("a", "a4")
}

// The function of a rule has the name of its place and its text. Where two short hashes are the same, the later function has another name,
// and where two rules are the same, they have one function.
func TestFunctionsOfRulesHaveNamesOfTheirOwn(t *testing.T) {
	rule := func(text, code string) *plan.Rule {
		return &plan.Rule{Rule: text, Code: &plan.RuleCode{Value: plan.Name(code)}}
	}
	n := &plan.Node{Name: "ThingSpec", Do: plan.Evaluate{Table: &plan.RuleTable{Rules: []*plan.Rule{
		rule("self.a", "a"), rule("self.b", "b"), rule("self.a", "a"), {Rule: "self.c"}, rule("self.a", "another"),
	}}}}
	nameRules([]*plan.Node{n})
	funcs := n.Do.(plan.Evaluate).Funcs
	a, b := "ruleThingSpec_"+shortHash("self.a"), "ruleThingSpec_"+shortHash("self.b")
	if want := []string{a, b, a, "", "ruleThingSpec_" + shortHash("self.a again")}; !slices.Equal(funcs.Names, want) {
		t.Errorf("the names are %q, want %q", funcs.Names, want)
	}
	if want := []bool{true, true, false, false, true}; !slices.Equal(funcs.Own, want) {
		t.Errorf("its own are %t, want %t", funcs.Own, want)
	}
}
