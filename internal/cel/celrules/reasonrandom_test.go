package celrules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// No value satisfies a rule and violates one that follows from it. No rule fails that cannot fail, and none is false that always holds.
func TestReasoningIsTrue(t *testing.T) {
	const fields = "p: {type: boolean}, q: {type: boolean}, o: {type: object, properties: {q: {type: boolean}}}"
	const text = "{type: object, properties: {" + fields + ", l: {type: array, maxItems: 4, items: {type: object, nullable: true, properties: {" + fields + "}}}}}"
	schema := structuraltest.NewSchema(t, text)
	values := smallValues()
	// verdicts returns what rules are on each value: true, false or an error.
	verdicts := func(rule string) []string {
		crd, err := load.CRD([]byte(structuraltest.CRDWith(fmt.Sprintf("{type: object, properties: {spec: {x-kubernetes-validations: [{rule: %q, message: is false}], %s}}", rule, text[1:]))), load.Options{})
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		resources, err := dynamic.Compile(crd)
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		var all []string
		for _, v := range values {
			errs, _ := resources[0].ValidateRules(map[string]any{"spec": v}, nil)
			switch {
			case len(errs) == 0:
				all = append(all, "true")
			case errs[0].Detail == "is false":
				all = append(all, "false")
			default:
				all = append(all, errs[0].Detail)
			}
		}
		return all
	}
	reason := func(rule string, given ...structural.ValidationRule) celrules.Outcome {
		r := celrules.NewReasoner(celrules.NewMet(schema, schema, false), celrules.Stored(kubeversion.Newest), nil)
		defer r.Release()
		return r.Rule(structural.ValidationRule{Rule: rule}, given, false)
	}
	r := rand.New(rand.NewPCG(1, 2))
	implied, safe, holds := 0, 0, 0
	for range 600 {
		a := anyRule(r, 3, celrules.Self)
		b := changedRule(r, a, 3)
		alone := reason(b.text)
		after := reason(b.text, structural.ValidationRule{Rule: a.text})
		follows := after.Holds && after.Failure == nil
		if alone.Failure != nil && !follows {
			continue
		}
		is := verdicts(b.text)
		if alone.Failure == nil {
			safe++
			for i, v := range is {
				if v != "true" && (v != "false" || alone.Holds) {
					t.Errorf("%s is %s for %v: %+v", b.text, v, values[i], alone)
					break
				}
			}
			if alone.Holds {
				holds++
			}
		}
		if follows {
			implied++
			for i, v := range verdicts(a.text) {
				if v == "true" && is[i] != "true" {
					t.Errorf("%s implies %s, but not for %v", a.text, b.text, values[i])
					break
				}
			}
		}
	}
	if implied < 80 || safe < 60 || holds < 20 {
		t.Errorf("%d rules imply another one, %d do not fail, %d always hold", implied, safe, holds)
	}
}

// smallValues returns values with and without two fields and a list of such values.
func smallValues() (all []map[string]any) {
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
	all = append(all, map[string]any{}, map[string]any{"l": []any{nil}}, map[string]any{"l": []any{}, "p": true}, map[string]any{"o": map[string]any{}}, map[string]any{"o": map[string]any{"q": true}, "l": []any{}})
	for i, v := range elements {
		for j, x := range elements {
			self := map[string]any{"l": []any{x, elements[(i+2*j)%len(elements)]}}
			for name, value := range v {
				self[name] = value
			}
			all = append(all, self)
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
		case of == celrules.Self:
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
