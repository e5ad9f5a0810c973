package lower

import (
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

func TestVariablesAreNamesOfGo(t *testing.T) {
	for name, want := range map[string]string{
		"replicas": "replicas", "dash-ed": "dashEd", "example.com/Some_name": "exampleComSomeName", "URLPath": "urlPath", "URL": "url",
		"type": "typeValue", "min": "minValue", "nil": "nilValue", "ruleType1x1Guard": "ruleType1x1GuardValue", "r": "rValue", "R": "rValue", "prunecel": "prunecelValue", "2nd": "nd", "-x": "x",
		"": "v", "名前": "名前", "12": "v", "a\nfunc init() {}": "aFuncInit",
	} {
		if got := variable(name); got != want {
			t.Errorf("variable(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestVariablesOfARuleHaveNamesOfTheirOwn(t *testing.T) {
	n := goNames{}
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

// The function of a rule has the name of its place and of what it is about. A later one about the same has another name, and where two
// rules are the same, they have one function.
func TestFunctionsOfRulesHaveNamesOfTheirOwn(t *testing.T) {
	rule := func(text, code string) *plan.Rule {
		return &plan.Rule{Of: &prunecel.Rule{Rule: text}, Code: &plan.RuleCode{Value: plan.Name(code)}}
	}
	n := &plan.Node{Name: "ThingSpec", Do: plan.Evaluate{Table: &plan.RuleTable{Rules: []*plan.Rule{
		rule("self.a", "a"), rule("self.b", "b"), rule("self.a", "a"), {Of: &prunecel.Rule{Rule: "self.c"}}, rule("self.a", "another"), rule("self.a || true", "c"), rule("self.a", "more"),
	}}}}
	nameRules([]*plan.Node{n})
	funcs := n.Do.(plan.Evaluate).Funcs
	a, b := "ruleThingSpec_A", "ruleThingSpec_B"
	want := []string{a, b, a, "", a + "_" + shortHash("self.a"), a + "_" + shortHash("self.a || true"), a + "_" + shortHash("self.a again")}
	if !slices.Equal(funcs.Names, want) {
		t.Errorf("the names are %q, want %q", funcs.Names, want)
	}
	if want := []bool{true, true, false, false, true, true, true}; !slices.Equal(funcs.Own, want) {
		t.Errorf("its own are %t, want %t", funcs.Own, want)
	}
}

func TestFunctionsOfRulesAreNamedAfterWhatTheyRead(t *testing.T) {
	for rule, want := range map[string]string{
		"!has(self.min) || !has(self.max) || self.min <= self.max":    "MinMax",
		"self.names.all(n, n.startsWith('self.x') && n.size() < 5)":   "NamesAllStartsWith",
		"self.dash__dash__ed in ['a.b', \"c.d\"] && size(self.b) > 1": "DashEdSizeB",
		"self == oldSelf": "OldSelf",
		"self > 0":        "Self",
	} {
		if got := ruleTopic(rule); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}
