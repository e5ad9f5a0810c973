package celrules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

func TestImplies(t *testing.T) {
	for _, tt := range []struct {
		others, rule string // others are separated by ;
		want         bool
	}{
		{"self.a", "self.a || self.b", true},
		{"self.a || self.b", "self.a", false},
		{"self.a && self.b", "self.b", true},
		{"self.b", "self.a && self.b", false},
		{"self.a; self.b", "self.a && (self.b || self.c)", true},
		{"self.a || self.b", "self.c || self.b || self.a", true},
		{"!self.a", "!(self.a && self.b)", true},
		{"!(self.a && self.b)", "!self.a", false},
		{"self.a", "true", true},
		{"self.a", "!true", false},
		{"self.a > 1", "has(self.a)", true},
		{"self.a.matches('b')", "!has(self.a) || self.a.matches('b')", true},
		{"self.a || self.b", "has(self.a)", false},
		{"self.m ? self.a : true", "self.m ? self.a || self.b : true", true},
		{"self.m ? self.a : true", "self.n ? self.a : true", false},
		{"self.m ? self.a : true", "self.m && has(self.c) ? self.a : true", true},
		{"self.m ? self.a : true", "self.m && self.c ? self.a : true", false}, // an error without c
		{"self.m ? self.a : self.b", "self.m && has(self.c) ? self.a : self.b", false},
		{"self.a", "has(self.c) ? self.a : true", true},
		{"self.a", "self.c ? self.a : true", false},
		{"self.l.all(x, x.a)", "self.l.all(x, x.a || x.b)", true},
		{"self.l.all(x, x.a)", "self.m.all(x, x.a || x.b)", false},
		{"self.l.exists(x, x.a && x.b)", "self.l.exists(x, x.b)", true},
		{"self.l.exists_one(x, x.a && x.b)", "self.l.exists_one(x, x.b)", false},
		{"self.l.exists_one(x, x.t == 1 && x.a == 2)", "self.l.exists_one(x, x.t == 1 && has(x.a) && x.a == 2)", true},
		{"self.l.exists_one(x, x.t == 1 && x.a == 2)", "self.l.exists_one(x, x.t == 1 && has(x.b) && x.a == 2)", false},
		{"self.l.exists_one(x, x.t || x.a)", "self.l.exists_one(x, has(x.a) && (x.t || x.a))", false},
		{"self.l.all(x, x.t == 'a' ? self.l.exists_one(y, y.t == x.t && y.v == x.v) : true)",
			"self.l.all(x, x.t == 'a' && has(x.v) ? self.l.exists_one(y, y.t == x.t && has(y.v) && y.v == x.v) : true)", true},
		{"self.?x.y != optional.of(1)", "has(self.?x.y) && self.?x.y != optional.of(1)", false}, // none without x
		{"[self.?a, self.?b].size() == 2", "[?self.?a, ?self.?b].size() == 2", false},
		{"self.l.all(x, true)", "self.l.all(x, has(x.c) ? true : true)", false}, // an error if x is null
		{"self.l.all(x, x.a)", "self.l.all(x, has(x.c) ? x.a : true)", true},
		{"self.l.all(self, self.a)", "self.l.all(self, self.a || self.b)", false}, // another self
		{"self ==", "self", false},
		{"self", "self ==", false},
	} {
		if got := Implies(strings.Split(tt.others, ";"), tt.rule); got != tt.want {
			t.Errorf("%s implies %s: %t, want %t", tt.others, tt.rule, got, tt.want)
		}
	}
	for _, n := range []int{300, 2000} { // too many steps, and too many bytes
		long := strings.Repeat("self.a == 1 || ", n) + "self.b"
		if Implies([]string{long}, "self.c || "+long) {
			t.Errorf("a rule with %d parts implies another one", n)
		}
	}
	if long := strings.Repeat("self.a == 1 || ", 30) + "self.b"; !Implies([]string{long}, "self.c || "+long) {
		t.Error("a rule with 30 parts does not imply another one")
	}
}

// No value satisfies a rule and not one that it implies.
func TestImpliesIsTrue(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable(Self, cel.DynType), cel.OptionalTypes())
	if err != nil {
		t.Fatal(err)
	}
	truth := map[string][]bool{}
	values := smallValues()
	holds := func(rule string) []bool {
		if truth[rule] == nil {
			checked, issues := env.Compile(rule)
			if issues.Err() != nil {
				t.Fatalf("%s: %v", rule, issues.Err())
			}
			program, err := env.Program(checked)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				got, _, err := program.Eval(map[string]any{Self: v})
				truth[rule] = append(truth[rule], err == nil && got.Value() == true)
			}
		}
		return truth[rule]
	}
	r := rand.New(rand.NewPCG(1, 2))
	implied := 0
	for range 2000 {
		a := anyRule(r, 3, Self)
		b := changedRule(r, a, 3)
		if !Implies([]string{a.text}, b.text) {
			continue
		}
		implied++
		is := holds(b.text)
		for i, holdsA := range holds(a.text) {
			if holdsA && !is[i] {
				t.Errorf("%s implies %s, but not for %v", a.text, b.text, values[i])
				break
			}
		}
	}
	if implied < 200 {
		t.Errorf("%d rules imply another one", implied)
	}
}

// smallValues returns values with and without two fields and a list of such values.
func smallValues() (all []any) {
	var elements []map[string]any
	for _, p := range []any{nil, true, false} {
		for _, q := range []any{nil, true, false} {
			v := map[string]any{}
			if p != nil {
				v["p"] = p
			}
			if q != nil {
				v["q"] = q
			}
			elements = append(elements, v)
		}
	}
	all = append(all, map[string]any{"l": []any{nil}})
	for _, v := range elements {
		for i, x := range elements {
			for _, y := range elements[i:] {
				self := map[string]any{"l": []any{x, y}}
				for name, value := range v {
					self[name] = value
				}
				all = append(all, self)
			}
		}
	}
	return all
}

// ruleTree is a rule that can be changed in parts.
type ruleTree struct {
	text  string
	form  string // with %s for each part
	parts []ruleTree
	of    string // the variable that it is about
}

func newRule(of, form string, parts ...ruleTree) ruleTree {
	var texts []any
	for _, p := range parts {
		texts = append(texts, p.text)
	}
	return ruleTree{fmt.Sprintf(form, texts...), form, parts, of}
}

// anyRule returns a rule about a variable.
func anyRule(r *rand.Rand, depth int, of string) ruleTree {
	forms := []string{"has(%s.p)", "has(%s.q)", "%s.p", "%s.q", "(%s.p == true)", "(%[1]s.p == %[1]s.q)", "(%s.?o.q != optional.of(true))", "true"}
	if n := r.IntN(13); depth > 0 && n > 3 {
		part := func() ruleTree { return anyRule(r, depth-1, of) }
		switch {
		case n < 6:
			return newRule(of, "(%s && %s)", part(), part())
		case n < 8:
			return newRule(of, "(%s || %s)", part(), part())
		case n < 9:
			return newRule(of, "!%s", part())
		case n < 11:
			return newRule(of, "(%s ? %s : %s)", part(), part(), part())
		case of == Self:
			return newRule(of, "self.l."+[]string{"all", "exists", "exists_one"}[r.IntN(3)]+"(x, %s)", anyRule(r, depth-1, "x"))
		}
	}
	return newRule(of, strings.ReplaceAll(strings.ReplaceAll(forms[r.IntN(len(forms))], "%[1]s", of), "%s", of))
}

// changedRule returns a rule with a part in another form, which may be tighter or looser.
func changedRule(r *rand.Rand, rule ruleTree, depth int) ruleTree {
	if n := r.IntN(10); n < 3 && len(rule.parts) > 0 || n < 7 && len(rule.parts) > 0 && depth > 1 {
		parts := append([]ruleTree{}, rule.parts...)
		i := r.IntN(len(parts))
		parts[i] = changedRule(r, parts[i], depth-1)
		return newRule(rule.of, rule.form, parts...)
	}
	other := anyRule(r, 1, rule.of)
	switch r.IntN(6) {
	case 0:
		return newRule(rule.of, "(%s || %s)", rule, other)
	case 1:
		return newRule(rule.of, "(%s && %s)", other, rule)
	case 2:
		return newRule(rule.of, "(%s ? %s : true)", other, rule)
	case 3:
		return newRule(rule.of, "(has("+rule.of+[]string{".q", ".?o.q"}[r.IntN(2)]+") && %s)", rule)
	case 4:
		if len(rule.parts) > 0 && rule.parts[0].of == rule.of {
			return rule.parts[0]
		}
	}
	return other
}
