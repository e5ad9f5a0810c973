package generator

import (
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestTheFeatureTableIsConsistent(t *testing.T) {
	resource := reflect.TypeFor[prunert.Resource]()
	names, functions, fields, verbs := map[Feature]bool{}, map[string]bool{}, map[string]bool{}, map[string]*emit.Unit{}
	for _, f := range features {
		if names[f.name] || functions[f.function] || fields[f.field] {
			t.Errorf("%s has the name, the function or the field of another feature", f.name)
		}
		names[f.name], functions[f.function], fields[f.field] = true, true, true
		if strings.Count(f.function, "%s") != 1 || strings.Count(f.function, "%") != 1 {
			t.Errorf("%s: %q does not name a function after a kind", f.name, f.function)
		}
		if field, ok := resource.FieldByName(f.field); !ok || field.Type.Kind() != reflect.Func {
			t.Errorf("%s: prunert.Resource has no function %s", f.name, f.field)
		}
		if unit, ok := verbs[f.walks.Verb]; ok && unit != f.walks.In {
			t.Errorf("%s: two families of functions are called %s", f.name, f.walks.Verb)
		}
		verbs[f.walks.Verb] = f.walks.In
		for _, need := range f.needs {
			if !AllFeatures().Has(need) {
				t.Errorf("%s needs %s, which is not a feature", f.name, need)
			}
		}
		if string(f.name) == GroupJSON || string(f.name) == GroupAll {
			t.Errorf("%s has the name of a group", f.name)
		}
	}
	for i := range resource.NumField() {
		if f := resource.Field(i); f.Type.Kind() == reflect.Func && !fields[f.Name] {
			t.Errorf("no feature fills prunert.Resource.%s", f.Name)
		}
	}
}

func TestFeaturesAreParsed(t *testing.T) {
	for _, tt := range []struct{ names, want, fail string }{
		{"prune", "prune", ""},
		{"check,prune,check", "prune, check", ""},
		{"update", "validate, update", ""},
		{"json", "json-prune, json-report, json-stream, json-decode", ""},
		{"json-decode,default", "default, json-decode", ""},
		{"all", AllFeatures().String(), ""},
		{"chekc", "", `unknown feature "chekc"; valid features: prune, report,`},
		{"", "", `unknown feature ""`},
	} {
		set, err := ParseFeatures(strings.Split(tt.names, ","))
		if set.String() != tt.want || (err == nil) != (tt.fail == "") || err != nil && !strings.HasPrefix(err.Error(), tt.fail) {
			t.Errorf("%s: %s, %v", tt.names, set, err)
		}
	}
	if set, err := ParseFeatures(nil); err == nil {
		t.Errorf("no names: %s", set)
	}
	if have := Features(nil).Complete().String(); have != "prune, report, normalize, fields, validate, update, status, metadata, rules" {
		t.Errorf("the default is %s", have)
	}
}

func TestOnlyThePassesThatAreAskedForAreLowered(t *testing.T) {
	inputs := inputsOf(t, crdtest.Manifest("App", appSchema))
	for _, tt := range []struct {
		features Features
		want     string
	}{
		{Features{FeaturePrune, FeatureCheck}, "prune check"},
		{Features{FeatureReport}, "prune"},
		{Features{FeatureReport, FeaturePrune}, "prune"},
		{Features{FeatureCheck}, "check"},
	} {
		p, err := Lower(inputs, Options{Features: tt.features})
		if err != nil {
			t.Fatal(err)
		}
		var passes []string
		functions := 0
		for _, tree := range p.plan.Trees {
			passes = append(passes, tree.Pass)
			functions += len(tree.Funcs)
		}
		if got := strings.Join(passes, " "); got != tt.want || len(p.Functions()) != functions || functions == 0 {
			t.Errorf("%s: the passes are %s with %d functions, want %s", tt.features, got, functions, tt.want)
		}
	}
}

// A reviewer who has read the functions of one feature does not have to read them again when another one is added.
func TestAnotherFeatureLeavesTheFunctionsOfOthersAlone(t *testing.T) {
	app := crdtest.Manifest("App", appSchema)
	files := map[string]string{}
	for _, f := range generate(t, Options{Features: Features{FeaturePrune, FeatureReport, FeatureCheck}}, app) {
		files[f.Name] = string(f.Content)
	}
	alone := generate(t, Options{Features: Features{FeaturePrune, FeatureReport}}, app)
	if len(alone) != 1 || len(files) != 2 {
		t.Fatalf("%d files for pruning alone and %d with a check", len(alone), len(files))
	}
	all := strings.Split(files[alone[0].Name], "\n")
	missing := 0
	for i, line := range strings.Split(string(alone[0].Content), "\n") {
		// The hash covers what the functions depend on: there is one more.
		if all[i+missing] != line && !strings.HasPrefix(line, "\tSchemaHash: ") {
			if missing++; !strings.HasPrefix(all[i+missing-1], "\tCheck: ") {
				t.Fatalf("%q became %q", line, all[i+missing-1])
			}
		}
	}
	if missing != 1 {
		t.Errorf("%d lines more, want the one for the function", missing)
	}
}

func TestAChangeToOneKindLeavesTheFilesOfOthersAlone(t *testing.T) {
	contents := func(texts ...string) map[string]string {
		all := map[string]string{}
		for _, f := range generate(t, Options{Features: AllFeatures()}, texts...) {
			all[f.Name] = string(f.Content)
		}
		return all
	}
	app, other := crdtest.Manifest("App", appSchema), crdtest.Manifest("Other", appSchema)
	before := contents(app, other)
	for what, after := range map[string]map[string]string{
		"a field more":  contents(crdtest.Manifest("App", strings.Replace(appSchema, "      image:", "      more: {type: object, properties: {x: {type: string}}}\n      image:", 1)), other),
		"a kind more":   contents(app, other, crdtest.Manifest("Aaa", appSchema)),
		"a kind less":   contents(other),
		"a field of it": contents(crdtest.Manifest("App", strings.ReplaceAll(appSchema, "image", "picture")), other),
	} {
		for name, content := range before {
			if strings.HasSuffix(name, ".other.go") && after[name] != content {
				t.Errorf("%s changes %s", what, name)
			}
		}
	}
}
