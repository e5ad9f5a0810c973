package generator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// appSchema has something of everything.
const appSchema = `
type: object
properties:
  spec:
    type: object
    properties:
      replicas: {type: integer}
      image: {type: string}
      env: {type: object, additionalProperties: {type: string}}
      extra: {type: object, x-kubernetes-preserve-unknown-fields: true}
      port: {x-kubernetes-int-or-string: true}
      containers:
        type: array
        items: {type: object, properties: {name: {type: string}, args: {type: array, items: {type: string}}}}
      template:
        type: object
        x-kubernetes-embedded-resource: true
        properties: {spec: {type: object, properties: {name: {type: string}}}}
  status:
    type: object
    properties: {ready: {type: boolean}}
`

func TestFilesDeclareWhatTheFeaturesAskFor(t *testing.T) {
	inputs := inputsOf(t, crdtest.Manifest("App", appSchema), crdtest.Manifest("Other", appSchema))
	for _, features := range []Features{
		nil, {FeaturePrune}, {FeatureReport}, {FeatureCheck}, {FeatureCheck, FeaturePrune}, AllFeatures(),
	} {
		for _, register := range []bool{false, true} {
			opts := Options{Package: "v1", Features: features, Register: register}
			if attack(t, opts, inputs...) {
				t.Errorf("%s: refused", features)
			}
		}
	}
}

func TestFilesAreSortedAndNamedAfterTheirKindAndPass(t *testing.T) {
	var names []string
	for _, f := range generate(t, Options{Register: true, Features: Features{FeaturePrune, FeatureCheck}}, crdtest.Manifest("Zeta", "type: object"), crdtest.Manifest("App", "type: object")) {
		names = append(names, f.Name)
	}
	want := []string{
		"zz_generated.prune.app.go", "zz_generated.prune.zeta.go",
		"zz_generated.prune_check.app.go", "zz_generated.prune_check.zeta.go",
		"zz_generated.prune_register.go",
	}
	if !slices.Equal(names, want) {
		t.Errorf("have %q, want %q", names, want)
	}
}

func TestTheOrderOfInputsDoesNotMatter(t *testing.T) {
	texts := []string{
		crdtest.Manifest("App", appSchema), crdtest.Manifest("Beta", appSchema), crdtest.Manifest("Gamma", "type: object"),
		crdtest.Manifest("Delta", strings.ReplaceAll(appSchema, "image", "picture")),
	}
	want := generate(t, Options{Features: AllFeatures(), Register: true}, texts...)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		got := generate(t, Options{Features: AllFeatures(), Register: true}, texts...)
		if !slices.EqualFunc(got, want, func(a, b File) bool { return a.Name == b.Name && string(a.Content) == string(b.Content) }) {
			t.Fatal("other files in another order")
		}
	}
}

func TestOnlyWhatDecidesBehaviourIsInTheFiles(t *testing.T) {
	described := strings.ReplaceAll(appSchema, "{type: integer}", `{type: integer, description: "how many", title: "Replicas", example: 3}`)
	plain, other := generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", appSchema)), generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", described))
	if string(plain[0].Content) != string(other[0].Content) {
		t.Error("a description makes a difference")
	}
	validated := strings.ReplaceAll(appSchema, "{type: integer}", "{type: integer, minimum: 1}")
	without := Options{Features: slices.DeleteFunc(AllFeatures(), func(f Feature) bool {
		return f == FeatureValidate || f == FeatureUpdate || f == FeatureStatus || f == FeatureRules
	})}
	if string(generate(t, without, crdtest.Manifest("App", appSchema))[0].Content) != string(generate(t, without, crdtest.Manifest("App", validated))[0].Content) {
		t.Error("value validation makes a difference to functions that have nothing to do with it")
	}
	if string(plain[0].Content) == string(generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", validated))[0].Content) {
		t.Error("value validation does not show in the schema hash")
	}
	defaulted := strings.ReplaceAll(appSchema, "{type: integer}", "{type: integer, default: 1}")
	float := strings.ReplaceAll(appSchema, "{type: integer}", "{type: integer, default: 1.0}")
	if one, other := generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", defaulted)), generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", float)); string(plain[0].Content) == string(one[0].Content) {
		t.Error("defaults do not show in the schema hash")
	} else if string(one[0].Content) != string(other[0].Content) {
		t.Error("YAML makes an integer of 1.0")
	}
	typed := strings.ReplaceAll(appSchema, "{type: integer}", "{type: string}")
	if string(plain[0].Content) == string(generate(t, Options{Features: AllFeatures()}, crdtest.Manifest("App", typed))[0].Content) {
		t.Error("types do not show in the schema hash")
	}
	pruning := Options{Features: Features{FeaturePrune, FeatureReport}}
	if string(generate(t, pruning, crdtest.Manifest("App", appSchema))[0].Content) != string(generate(t, pruning, crdtest.Manifest("App", typed))[0].Content) {
		t.Error("types make a difference to pruning")
	}
}

func TestInputsThatCannotBeUsedAreRefusedWithTheirPlace(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  []string
	}{
		{
			name:  "not structural",
			texts: []string{crdtest.Manifest("App", "type: object\nproperties:\n  b: {}\n  a: {}")},
			want: []string{
				"crd0.yaml:17: spec.versions[0].schema.openAPIV3Schema.properties[b].type: Required value: must not be empty for specified object fields",
				"crd0.yaml:18: spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields",
			},
		},
		{
			name:  "what the conversion refuses",
			texts: []string{crdtest.Manifest("App", "type: object\nproperties:\n  a: {type: object, x-kubernetes-preserve-unknown-fields: false}")},
			want: []string{
				"crd0.yaml:17: spec.versions[0].schema.openAPIV3Schema.properties[a].x-kubernetes-preserve-unknown-fields: " +
					"Invalid value: false: must be true or undefined",
			},
		},
		{
			name:  "an unknown type",
			texts: []string{crdtest.Manifest("App", "type: object\nproperties:\n  a: {type: array, items: {type: text}}\n  b: {type: object, additionalProperties: {type: \"null\"}}")},
			want: []string{
				`crd0.yaml:17: spec.versions[0].schema.openAPIV3Schema.properties[a].items.type: Unsupported value: "text": ` +
					`supported values: "array", "boolean", "integer", "number", "object", "string"`,
				"crd0.yaml:18: spec.versions[0].schema.openAPIV3Schema.properties[b].additionalProperties.type: Forbidden: type cannot be set to null, use nullable as an alternative",
				`crd0.yaml:18: spec.versions[0].schema.openAPIV3Schema.properties[b].additionalProperties.type: Unsupported value: "null": ` +
					`supported values: "array", "boolean", "integer", "number", "object", "string"`,
			},
		},
		{
			name:  "an unknown type beside what is not structural",
			texts: []string{crdtest.Manifest("App", "type: object\nproperties:\n  a: {}\n  b: {type: text}")},
			want: []string{
				"crd0.yaml:17: spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields",
				`crd0.yaml:18: spec.versions[0].schema.openAPIV3Schema.properties[b].type: Unsupported value: "text": ` +
					`supported values: "array", "boolean", "integer", "number", "object", "string"`,
			},
		},
		{
			name:  "an unknown type where nothing is pruned",
			texts: []string{crdtest.ManifestV1beta1("App", true, "type: object\nproperties:\n  a: {type: text}")},
			want: []string{
				`crd0.yaml:14: spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "text": ` +
					`supported values: "array", "boolean", "integer", "number", "object", "string"`,
			},
		},
		{
			name:  "two kinds with the same functions",
			texts: []string{crdtest.Manifest("FooReport", "type: object"), crdtest.Manifest("Foo", "type: object")},
			want:  []string{"crd0.yaml:8: spec.names.kind: the name PruneFooReport would also be generated for example.com/v1 Foo"},
		},
		{
			name:  "a kind with rules and one with the name of their function",
			texts: []string{crdtest.Manifest("FooRules", "type: object"), crdtest.Manifest("Foo", "type: object\nx-kubernetes-validations: [{rule: \"true\"}]")},
			want:  []string{"crd0.yaml:8: spec.names.kind: the name ValidateFooRules would also be generated for example.com/v1 Foo"},
		},
		{
			name:  "a function and a variable of the same name",
			texts: []string{crdtest.Manifest("PruneFoo", "type: object"), crdtest.Manifest("FooResource", "type: object")},
			want:  []string{"crd0.yaml:8: spec.names.kind: the name PruneFooResource would also be generated for example.com/v1 FooResource"},
		},
		{
			name:  "two kinds with the same file",
			texts: []string{crdtest.Manifest("Foo", "type: object"), crdtest.Manifest("FOO", "type: object")},
			want:  []string{"crd0.yaml:8: spec.names.kind: the file zz_generated.prune.foo.go would also be generated for example.com/v1 FOO"},
		},
		{
			name:  "two groups with the same kind",
			texts: []string{crdtest.Manifest("Foo", "type: object"), strings.ReplaceAll(crdtest.Manifest("Foo", "type: object"), "example.com", "a.example.com")},
			want:  []string{"crd0.yaml:8: spec.names.kind: the file zz_generated.prune.foo.go would also be generated for a.example.com/v1 Foo"},
		},
		{
			name:  "the same CRD twice",
			texts: []string{crdtest.Manifest("Foo", "type: object"), crdtest.Manifest("Foo", "type: object")},
			want:  []string{"crd1.yaml:8: spec.names.kind: example.com/v1 Foo is given twice"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Generate(inputsOf(t, tt.texts...), Options{Features: AllFeatures(), Package: "v1"})
			var in *InputError
			if !errors.As(err, &in) {
				t.Fatalf("%v, want an InputError", err)
			}
			crdtest.CompareText(t, err.Error(), strings.Join(tt.want, "\n"))
			for _, f := range in.Findings {
				if f.Severity != structural.SeverityError || f.File == "" || f.Line == 0 || f.CRD == "" || f.Version != "v1" || f.Path == "" {
					t.Errorf("the finding is incomplete: %+v", f)
				}
			}
		})
	}
}

// A finding about the kind has its place, a message and a hint.
func TestFindingsAboutKindsAreWhole(t *testing.T) {
	const apart = "generate the two into packages of their own, with an --output-dir for each"
	for _, test := range []struct {
		kinds         []string
		id            structural.ID
		crd, file     string
		message, hint string
	}{
		{[]string{"Foo", "FOO"}, IDClash, "foos.example.com", "crd0.yaml", "the file zz_generated.prune.foo.go would also be generated for example.com/v1 FOO", apart},
		{[]string{"Foo", "Foo"}, IDClash, "foos.example.com", "crd1.yaml", "example.com/v1 Foo is given twice", "leave one of them out: the other one is in crd0.yaml"},
	} {
		_, err := Lower(inputsOf(t, crdtest.Manifest(test.kinds[0], "type: object"), crdtest.Manifest(test.kinds[1], "type: object")), pruneAndCheck)
		var in *InputError
		if !errors.As(err, &in) || len(in.Findings) != 1 {
			t.Errorf("%q: %v", test.kinds, err)
			continue
		}
		want := structural.Finding{
			ID: test.id, File: test.file, Line: 8, Column: in.Findings[0].Column, CRD: test.crd, Version: "v1", Severity: structural.SeverityError,
			Hint: test.hint,
		}.WithPath("spec.names.kind", prunert.FieldPath("spec", "names", "kind")).Saying("spec.names.kind", test.message)
		if !reflect.DeepEqual(in.Findings[0], want) || want.Column == 0 {
			t.Errorf("%q:\n%+v, want\n%+v", test.kinds, in.Findings[0], want)
		}
	}
}

func TestKindsAreLettersDigitsAndDashes(t *testing.T) {
	long := strings.Repeat("x", 63)
	for kind, want := range map[string]bool{
		"A": true, "a": true, "Ab1": true, "A-b": true, "a--b": true, long: true,
		"": false, "1a": false, "-a": false, "a-": false, "a_b": false, "a.b": false, "Ä": false, "a b": false, "a\n": false, long + "x": false,
	} {
		found := unusableKinds([]Input{hostileInput("example.com", kind, "kinds", "v1", &structural.JSONSchema{Type: "object"})})
		if (len(found) == 0) != want {
			t.Errorf("%q: %v", kind, found)
		}
		for _, f := range found {
			if f.ID != IDKindName || f.Message != fmt.Sprintf("spec.names.kind: %q is not a kind", kind) || f.Hint != "use letters, digits and dashes" {
				t.Errorf("%q: %+v", kind, f)
			}
		}
	}
}

func TestRulesOfInputsHaveSummaries(t *testing.T) {
	var have strings.Builder
	for _, r := range IDs() {
		fmt.Fprintf(&have, "%s: %s\n", r.ID, r.Summary)
	}
	crdtest.CompareText(t, have.String(), `generate/clash: Two kinds would get the same file or the same name in one package.
generate/kind-name: The kind cannot be part of a file name or of an identifier.
generate/too-large: The generated code would be too large.
generate/rules-not-evaluated: Generated validation does not evaluate the CEL rules of the schema.
`)
}
