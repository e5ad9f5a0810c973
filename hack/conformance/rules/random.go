package rules

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	ourrules "github.com/prune-gen/prune-gen/structural/rules"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// RandomSubject returns a subject with rules that follow from a seed, at most so many. Rules that do not compile are left out.
func RandomSubject(seed uint64, rules int) (*Subject, error) {
	made := randomRules(seed, rules)
	return subjectOf(fmt.Sprintf("seed %d", seed), made)
}

// randomRules returns rules about AllTypes that compile.
func randomRules(seed uint64, n int) apiextensionsv1.ValidationRules {
	e := newExpressions(seed)
	var all apiextensionsv1.ValidationRules
	for i := range n {
		r := apiextensionsv1.ValidationRule{Rule: e.Expr(types.BoolType, 2+e.rng.IntN(3)), Message: fmt.Sprintf("rule %d", i)}
		if e.oneIn(6) {
			r.Rule, r.MessageExpression = "false", e.Expr(types.StringType, 2+e.rng.IntN(3))
		}
		all = append(all, r)
	}
	return compiling(all)
}

// compiling returns the rules that compile.
func compiling(all apiextensionsv1.ValidationRules) apiextensionsv1.ValidationRules {
	s, err := allTypes(all)
	if err != nil {
		return nil
	}
	checked := ourrules.Check(kube.ToOurs(s), ourrules.Stored)
	var out apiextensionsv1.ValidationRules
	for i, c := range checked.Rules {
		if c.Err == "" && c.MessageErr == "" {
			out = append(out, all[i])
		}
	}
	return out
}

// allTypes returns the schema AllTypes with rules.
func allTypes(rules apiextensionsv1.ValidationRules) (*structuralschema.Structural, error) {
	props, err := kube.DecodeSchema([]byte(AllTypes))
	if err != nil {
		return nil, err
	}
	s, err := kube.NewStructural(props)
	if err != nil {
		return nil, err
	}
	s.XValidations = rules
	return s, nil
}

// subjectOf returns a subject with rules about AllTypes.
func subjectOf(name string, rules apiextensionsv1.ValidationRules) (*Subject, error) {
	s, err := allTypes(rules)
	if err != nil {
		return nil, err
	}
	return NewSubject(name, kube.ToOurs(s), s)
}
