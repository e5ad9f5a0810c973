package lower

import "testing"

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
