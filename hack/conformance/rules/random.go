package rules

import (
	"encoding/json"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	ourrules "github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/structural"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// RandomCRD returns a CRD as JSON with rules made from a seed, at most the given number. Its lists, maps and texts are short, and rules
// that may still cost too much are left out, so that Kubernetes accepts the CRD.
func RandomCRD(seed uint64, rules int) ([]byte, error) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(AllTypes), &schema); err != nil {
		return nil, err
	}
	shorten(schema)
	short, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	s, err := structuralOf(short, randomRules(seed, rules))
	if err != nil {
		return nil, err
	}
	var kept apiextensionsv1.ValidationRules
	for i, c := range ourrules.Check(kube.Convert[*structural.Schema](s), ourrules.Stored(kube.Version())).Rules {
		const most = 500_000 // of them all it is 100,000,000
		if c.MaxCost < most && c.MessageMaxCost < most {
			kept = append(kept, s.XValidations[i])
		}
	}
	schema["x-kubernetes-validations"] = kept
	name := fmt.Sprintf("rules%d", seed)
	return json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": name + ".rules.example.com"},
		"spec": map[string]any{
			"group": "rules.example.com", "names": map[string]any{"kind": fmt.Sprintf("Rules%d", seed), "plural": name}, "scope": "Namespaced",
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": schema}}},
		},
	})
}

// shorten bounds the lists, maps and texts of a schema.
func shorten(v any) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	switch {
	case s["type"] == "string" && s["format"] == nil:
		s["maxLength"] = 30
	case s["type"] == "array":
		s["maxItems"] = 5
	case s["additionalProperties"] != nil:
		s["maxProperties"] = 5
	}
	shorten(s["items"])
	shorten(s["additionalProperties"])
	properties, _ := s["properties"].(map[string]any)
	for _, p := range properties {
		shorten(p)
	}
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
	checked := ourrules.Check(kube.Convert[*structural.Schema](s), ourrules.Stored(kube.Version()))
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
	return structuralOf([]byte(AllTypes), rules)
}

func structuralOf(schema []byte, rules apiextensionsv1.ValidationRules) (*structuralschema.Structural, error) {
	props, err := kube.DecodeSchema(schema)
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
