package verdicts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
)

// TestFunctionsAreThoseOfTheServer compares the two environments: each overload of each function, macros, variables, libraries and
// validators.
func TestFunctionsAreThoseOfTheServer(t *testing.T) {
	set := kube.BaseEnvSet(environment.DefaultCompatibilityVersion())
	for name, envs := range map[string][2]*celgo.Env{
		"stored": {celrules.Stored(kube.Version()).Env(), set.StoredExpressionsEnv()},
		"new":    {celrules.New(kube.Version()).Env(), set.NewExpressionsEnv()},
	} {
		ours, theirs := describe(envs[0]), describe(envs[1])
		for _, line := range slices.Sorted(maps.Keys(theirs)) {
			if !ours[line] {
				t.Errorf("%s: missing: %s", name, line)
			}
		}
		for _, line := range slices.Sorted(maps.Keys(ours)) {
			if !theirs[line] {
				t.Errorf("%s: Kubernetes does not have: %s", name, line)
			}
		}
		if len(theirs) < 250 {
			t.Errorf("%s: only %d lines", name, len(theirs))
		}
	}
}

// describe returns a line for each part of an environment.
func describe(env *celgo.Env) map[string]bool {
	all := map[string]bool{}
	for name, f := range env.Functions() {
		if f.IsDeclarationDisabled() {
			continue
		}
		for i, o := range f.OverloadDecls() {
			all[fmt.Sprintf("function %s, overload %d: %s", name, i, describeOverload(o))] = true
		}
	}
	// Kubernetes 1.33 has a cel-go that does not list the rest.
	if env, ok := any(env).(interface {
		Macros() []celgo.Macro
		Variables() []*decls.VariableDecl
		Validators() []celgo.ASTValidator
	}); ok {
		for _, m := range env.Macros() {
			all[fmt.Sprintf("macro %s", m.MacroKey())] = true
		}
		for _, v := range env.Variables() {
			all[fmt.Sprintf("variable %s %s", v.Name(), v.Type())] = true
		}
		for _, v := range env.Validators() {
			all["validator "+v.Name()] = true
		}
	} else if kube.Version() == 0 {
		panic("cel-go does not list its macros")
	}
	for _, l := range env.Libraries() {
		if !strings.HasPrefix(l, "kubernetes.") {
			all["library "+l] = true
		}
	}
	return all
}

func describeOverload(o *decls.OverloadDecl) string {
	var args []string
	for _, a := range o.ArgTypes() {
		args = append(args, a.String())
	}
	return fmt.Sprintf("%s, member %v, (%s) -> %s", o.ID(), o.IsMemberFunction(), strings.Join(args, ", "), o.ResultType())
}

// TestTreesAreThoseOfTheServer compares the checked trees of rules that are made to differ.
func TestTreesAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	n := 0
	compare := func(schema string) {
		var s Object
		if err := yaml.Unmarshal([]byte("{type: object, properties: {a: "+schema+"}}"), &s); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		ours, _ := crdread.ParseSchema("schema", raw)
		theirs, err := kube.DecodeSchema(raw)
		if err != nil {
			t.Fatal(err)
		}
		count, diffs := Trees(ours, theirs)
		n += count
		for _, d := range diffs {
			t.Errorf("%s: %s", schema, d)
		}
	}
	for _, s := range ruleSchemas {
		compare(s)
	}
	for _, e := range expressionsAboutS {
		schema := strings.ReplaceAll(aboutS, "RULE", fmt.Sprintf("%q", e))
		compare(strings.NewReplacer(" LENGTH", "", " ITEMS", "", " PROPERTIES", "").Replace(schema))
	}
	if t.Logf("%d rules", n); n < 250 {
		t.Errorf("only %d rules", n)
	}
}
