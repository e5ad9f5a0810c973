package structural_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// checkRules validates schema in each place; each of want begins with its path there.
func checkRules(t *testing.T, name, schema string, places []schemaPlace, want []string) {
	for _, p := range places {
		t.Run(name+" in "+p.Name, func(t *testing.T) {
			var all []string
			for _, w := range want {
				all = append(all, p.Path+w)
			}
			structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, embed(p, schema)), structural.NewPath("x")), all...)
		})
	}
}

func TestValidateAcceptsStructuralSchemas(t *testing.T) {
	schemas := []string{
		`{type: object}`,
		`{type: object, x-kubernetes-preserve-unknown-fields: true}`,
		`{x-kubernetes-preserve-unknown-fields: true}`,
		`{type: object, properties: {p: {x-kubernetes-int-or-string: true}}}`,
		`{type: object, properties: {p: {x-kubernetes-preserve-unknown-fields: true}}}`,
		`{type: object, properties: {p: {type: array, items: {type: string}}}}`,
		`{type: object, properties: {p: {type: object, additionalProperties: {type: string}}}}`,
		`{type: object, properties: {p: {type: object, additionalProperties: false}}}`,
		`{type: object, properties: {p: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}`,
		`{type: object, properties: {p: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}}}`,
		`{type: object, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}}}`,
		`{type: object, properties: {metadata: {type: object, properties: {name: {type: string, pattern: a}}}}}`,
		`{type: object, properties: {metadata: {type: object, properties: {generateName: {type: string}}}}}`,
		`{type: object, properties: {metadata: {type: object, properties: {name: {type: string}, generateName: {type: string}}}}}`,
		`{type: object, properties: {metadata: {type: object, default: {name: a}}}}`,
		`{type: object, properties: {metadata: {type: object, enum: []}}}`,
		// The rules for apiVersion, kind and metadata are for resources only.
		`{type: object, properties: {p: {type: object, properties: {kind: {type: integer}, metadata: {type: string}}}}}`,
		// The metadata of an embedded resource may be restricted.
		`{type: object, properties: {p: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, required: [labels]}}}}}`,
		// The API server looks for the pattern even where the schema does not say that it is an int-or-string.
		`{type: object, properties: {p: {type: string, anyOf: [{type: integer}, {type: string}]}}}`,
		`{type: object, properties: {p: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}}`,
		`{type: object, properties: {p: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {minimum: 3}]}}}`,
		`{type: object, properties: {p: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, enum: []}, {type: string}]}}}`,
		// false is a value validation below a junctor.
		`{type: object, not: {additionalProperties: false}}`,
		`{type: object, properties: {p: {type: array, items: {type: object, properties: {q: {type: string}}}}},
		  anyOf: [{properties: {p: {items: {properties: {q: {minLength: 1}}, required: [q]}}}}]}`,
	}
	for _, s := range schemas {
		structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, s), structural.NewPath("x")))
	}
	if errs := structural.Validate(nil, nil); errs != nil {
		t.Errorf("the nil schema has errors: %q", structuraltest.Texts(errs))
	}
}

func TestValidateRulesOfFields(t *testing.T) {
	rules := append(rulesEverywhere(),
		brokenRule{"no type", `{}`, []string{".type: Required value: must not be empty for specified object fields"}},
		brokenRule{"no type beside properties", `{properties: {a: {type: string}}}`,
			[]string{".type: Required value: must not be empty for specified object fields"}})
	for _, r := range rules {
		checkRules(t, r.Name, r.Schema, fieldPlaces(), r.Want)
	}
}

func TestValidateRulesOfElements(t *testing.T) {
	rules := append(rulesEverywhere(),
		brokenRule{"no type", `{}`, []string{".type: Required value: must not be empty for specified array items"}})
	for _, r := range rules {
		checkRules(t, r.Name, r.Schema, itemPlaces(), r.Want)
	}
}

func TestValidateRulesOfTheRoot(t *testing.T) {
	const metadata = ".properties[metadata]: Forbidden: must not specify anything other than name and generateName, " +
		"but metadata is implicitly specified"
	for _, r := range []brokenRule{
		{"no type", `{properties: {a: {type: string}}}`, []string{".type: Required value: must not be empty at the root"}},
		{"another type", `{type: string}`, []string{`.type: Invalid value: "string": must be object at the root`}},
		{"a list", `{type: array}`, []string{
			".items: Required value: must be specified",
			`.type: Invalid value: "array": must be object at the root`,
		}},
		{"a map", `{type: object, additionalProperties: {type: string}}`,
			[]string{".additionalProperties: Forbidden: must not be used at the root"}},
		{"a map of anything", `{type: object, additionalProperties: true}`,
			[]string{".additionalProperties: Forbidden: must not be used at the root"}},
		{"a map of nothing", `{type: object, additionalProperties: false}`,
			[]string{".additionalProperties: Forbidden: must not be used at the root"}},
		{"an embedded resource that is a map",
			`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, additionalProperties: true}`,
			[]string{
				".additionalProperties: Forbidden: must not be used at the root",
				".additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
			}},
		{"an embedded resource of another type",
			`{type: string, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{
				`.type: Invalid value: "string": must be object at the root`,
				`.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
			}},
		{"an embedded resource without a type", `{x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{".type: Required value: must be object if x-kubernetes-embedded-resource is true"}},
		{"an int-or-string that preserves",
			`{type: object, x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}`,
			[]string{".x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true"}},
		{"a bad pattern", `{type: object, pattern: "["}`,
			[]string{".pattern: Invalid value: \"[\": must be a valid regular expression, but isn't: " +
				"error parsing regexp: missing closing ]: `[`"}},
		{"apiVersion of another type", `{type: object, properties: {apiVersion: {type: integer}}}`,
			[]string{`.properties[apiVersion].type: Invalid value: "integer": must be string`}},
		{"kind of another type", `{type: object, properties: {kind: {type: boolean}}}`,
			[]string{`.properties[kind].type: Invalid value: "boolean": must be string`}},
		{"kind that is anything", `{type: object, properties: {kind: {x-kubernetes-int-or-string: true}}}`,
			[]string{`.properties[kind].type: Invalid value: "": must be string`}},
		{"metadata of another type", `{type: object, properties: {metadata: {type: string}}}`,
			[]string{`.properties[metadata].type: Invalid value: "string": must be object`}},
		{"metadata without a type", `{type: object, properties: {metadata: {}}}`, []string{
			`.properties[metadata].type: Invalid value: "": must be object`,
			`.properties[metadata].type: Required value: must not be empty for specified object fields`,
		}},
		{"labels", `{type: object, properties: {metadata: {type: object, properties: {labels: {type: object}}}}}`, []string{metadata}},
		{"labels beside the name",
			`{type: object, properties: {metadata: {type: object, properties: {name: {type: string}, labels: {type: object}}}}}`,
			[]string{metadata}},
		{"metadata that requires", `{type: object, properties: {metadata: {type: object, required: [name]}}}`, []string{metadata}},
		{"metadata that requires nothing", `{type: object, properties: {metadata: {type: object, required: []}}}`, []string{metadata}},
		{"metadata with rules", `{type: object, properties: {metadata: {type: object, x-kubernetes-validations: [{rule: "true"}]}}}`,
			[]string{metadata}},
		{"metadata with no rules", `{type: object, properties: {metadata: {type: object, x-kubernetes-validations: []}}}`, []string{metadata}},
		{"metadata with a description", `{type: object, properties: {metadata: {type: object, description: d}}}`, []string{metadata}},
		{"metadata that is nullable", `{type: object, properties: {metadata: {type: object, nullable: true}}}`, []string{metadata}},
		{"metadata that preserves",
			`{type: object, properties: {metadata: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`, []string{metadata}},
		{"metadata with a junctor", `{type: object, properties: {metadata: {type: object, anyOf: [{required: [name]}]}}}`, []string{metadata}},
		{"metadata that is a map", `{type: object, properties: {metadata: {type: object, additionalProperties: false}}}`, []string{metadata}},
	} {
		checkRules(t, r.Name, r.Schema, []schemaPlace{{"the root", "%s", "x"}}, r.Want)
	}
}

// TestValidateRulesOfNestedValueValidation breaks each rule below each junctor of each kind of schema.
func TestValidateRulesOfNestedValueValidation(t *testing.T) {
	outer := []schemaPlace{
		{"the root", `{type: object, %s}`, `x`},
		{"a property", `{type: object, properties: {p: {type: object, %s}}}`, `x.properties[p]`},
		{"items", `{type: object, properties: {p: {type: array, items: {type: object, %s}}}}`, `x.properties[p].items`},
		{"additionalProperties", `{type: object, properties: {p: {type: object, additionalProperties: {type: object, %s}}}}`,
			`x.properties[p].additionalProperties`},
	}
	junctors := []schemaPlace{
		{"allOf", `allOf: [{}, %s]`, `.allOf[1]`},
		{"anyOf", `anyOf: [%s]`, `.anyOf[0]`},
		{"oneOf", `oneOf: [%s, {}]`, `.oneOf[0]`},
		{"not", `not: %s`, `.not`},
		{"anyOf in not", `not: {anyOf: [%s]}`, `.not.anyOf[0]`},
		{"not in allOf", `allOf: [{not: %s}]`, `.allOf[0].not`},
	}
	rules := []brokenRule{
		{"type", `{type: string}`, []string{".type: Forbidden: must be empty to be structural"}},
		{"additionalProperties", `{additionalProperties: {type: string}}`,
			[]string{".additionalProperties: Forbidden: must be undefined to be structural"}},
		{"additionalProperties true", `{additionalProperties: true}`,
			[]string{".additionalProperties: Forbidden: must be undefined to be structural"}},
		{"default", `{default: {}}`, []string{".default: Forbidden: must be undefined to be structural"}},
		{"title", `{title: t}`, []string{".title: Forbidden: must be empty to be structural"}},
		{"description", `{description: d}`, []string{".description: Forbidden: must be empty to be structural"}},
		{"nullable", `{nullable: true}`, []string{".nullable: Forbidden: must be false to be structural"}},
		{"x-kubernetes-preserve-unknown-fields", `{x-kubernetes-preserve-unknown-fields: true}`,
			[]string{".x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural"}},
		{"x-kubernetes-embedded-resource", `{x-kubernetes-embedded-resource: true}`,
			[]string{".x-kubernetes-embedded-resource: Forbidden: must be false to be structural"}},
		{"x-kubernetes-int-or-string", `{x-kubernetes-int-or-string: true}`,
			[]string{".x-kubernetes-int-or-string: Forbidden: must be false to be structural"}},
		{"x-kubernetes-list-map-keys", `{x-kubernetes-list-map-keys: [a]}`,
			[]string{".x-kubernetes-list-map-keys: Forbidden: must be empty to be structural"}},
		{"x-kubernetes-list-type", `{x-kubernetes-list-type: atomic}`,
			[]string{".x-kubernetes-list-type: Forbidden: must be undefined to be structural"}},
		{"x-kubernetes-map-type", `{x-kubernetes-map-type: atomic}`,
			[]string{".x-kubernetes-map-type: Forbidden: must be undefined to be structural"}},
		{"x-kubernetes-validations", `{x-kubernetes-validations: [{rule: "true"}]}`,
			[]string{".x-kubernetes-validations: Forbidden: must be empty to be structural"}},
		{"pattern", `{pattern: "*"}`, []string{".pattern: Invalid value: \"*\": must be a valid regular expression, " +
			"but isn't: error parsing regexp: missing argument to repetition operator: `*`"}},
		{"two at once", `{type: string, title: t}`, []string{
			".title: Forbidden: must be empty to be structural",
			".type: Forbidden: must be empty to be structural",
		}},
		{"the pattern of int-or-string one level down", `{anyOf: [{type: integer}, {type: string}]}`, []string{
			".anyOf[0].type: Forbidden: must be empty to be structural",
			".anyOf[1].type: Forbidden: must be empty to be structural",
		}},
		{"what says nothing", `{additionalProperties: false, default: null, title: "", nullable: false, x-kubernetes-list-map-keys: []}`, nil},
	}
	for _, o := range outer {
		for _, j := range junctors {
			for _, r := range rules {
				p := schemaPlace{fmt.Sprintf("%s of %s", j.Name, o.Name), embed(o, j.Text), o.Path + j.Path}
				checkRules(t, r.Name, r.Schema, []schemaPlace{p}, r.Want)
			}
		}
	}
}

// TestValidateRulesBelowNestedFields has the same below the properties and items that nested value validation names.
func TestValidateRulesBelowNestedFields(t *testing.T) {
	const core = `type: object, properties: {q: {type: object}, l: {type: array, items: {type: object}}}`
	for _, outer := range []schemaPlace{
		{"the root", `{` + core + `, %s}`, `x`},
		{"a property", `{type: object, properties: {p: {` + core + `, %s}}}`, `x.properties[p]`},
		{"items", `{type: object, properties: {p: {type: array, items: {` + core + `, %s}}}}`, `x.properties[p].items`},
		{"additionalProperties", `{type: object, properties: {p: {type: object, additionalProperties: {` + core + `, %s}}}}`,
			`x.properties[p].additionalProperties`},
	} {
		for _, inner := range []schemaPlace{
			{"a field below allOf", `allOf: [{properties: {q: %s}}]`, `.allOf[0].properties[q]`},
			{"a field below anyOf", `anyOf: [{properties: {q: %s}}]`, `.anyOf[0].properties[q]`},
			{"a field below oneOf", `oneOf: [{properties: {q: %s}}]`, `.oneOf[0].properties[q]`},
			{"a field below not", `not: {properties: {q: %s}}`, `.not.properties[q]`},
			{"elements below allOf", `allOf: [{properties: {l: {items: %s}}}]`, `.allOf[0].properties[l].items`},
			{"elements below anyOf", `anyOf: [{properties: {l: {items: %s}}}]`, `.anyOf[0].properties[l].items`},
			{"elements below oneOf", `oneOf: [{properties: {l: {items: %s}}}]`, `.oneOf[0].properties[l].items`},
			{"elements below not", `not: {properties: {l: {items: %s}}}`, `.not.properties[l].items`},
		} {
			p := schemaPlace{inner.Name + " of " + outer.Name, embed(outer, inner.Text), outer.Path + inner.Path}
			for _, r := range []brokenRule{
				{"type", `{type: string}`, []string{".type: Forbidden: must be empty to be structural"}},
				{"additionalProperties", `{additionalProperties: {minimum: 3}}`,
					[]string{".additionalProperties: Forbidden: must be undefined to be structural"}},
				{"a deeper type", `{not: {type: string}}`, []string{".not.type: Forbidden: must be empty to be structural"}},
				{"minLength", `{minLength: 1}`, nil},
			} {
				checkRules(t, r.Name, r.Schema, []schemaPlace{p}, r.Want)
			}
		}
	}
}

func TestValidateForbidsMetadataInNestedValueValidation(t *testing.T) {
	for _, outer := range []schemaPlace{
		{"the root", `{type: object, properties: {metadata: {type: object}}, %s}`, `x`},
		{"a property", `{type: object, properties: {p: {type: object, %s}}}`, `x.properties[p]`},
		{"items", `{type: object, properties: {p: {type: array, items: {type: object, %s}}}}`, `x.properties[p].items`},
		{"an embedded resource", `{type: object, properties: {p: {type: object, x-kubernetes-embedded-resource: true,
		    x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object}}, %s}}}`, `x.properties[p]`},
	} {
		for _, j := range []schemaPlace{
			{"allOf", `allOf: [{properties: {metadata: %s}}]`, `.allOf[0]`},
			{"anyOf", `anyOf: [{properties: {metadata: %s}}]`, `.anyOf[0]`},
			{"oneOf", `oneOf: [{properties: {metadata: %s}}]`, `.oneOf[0]`},
			{"not", `not: {properties: {metadata: %s}}`, `.not`},
		} {
			p := schemaPlace{j.Name + " of " + outer.Name, embed(outer, j.Text), outer.Path + j.Path}
			checkRules(t, "metadata", `{}`, []schemaPlace{p},
				[]string{".properties[metadata]: Forbidden: must not be specified in a nested context"})
		}
	}
}

func TestValidateKnowsNothingOfUnions(t *testing.T) {
	const union = `x-kubernetes-unions: [{discriminator: type, fields: {a: A}}]`
	for _, s := range []string{
		`{type: object, ` + union + `}`,
		`{type: object, properties: {metadata: {type: object, ` + union + `}}}`,
		`{type: object, properties: {p: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, ` + union + `}, {type: string}]}}}`,
	} {
		structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, s), structural.NewPath("x")))
	}
}

func TestValidateSortsErrorsByText(t *testing.T) {
	s := structuraltest.NewSchema(t, `{properties: {b: {}, a: {}, c: {type: array}}, anyOf: [{type: string}]}`)
	want := []string{
		`x.anyOf[0].type: Forbidden: must be empty to be structural`,
		`x.properties[a].type: Required value: must not be empty for specified object fields`,
		`x.properties[b].type: Required value: must not be empty for specified object fields`,
		`x.properties[c].items: Required value: must be specified`,
		`x.type: Required value: must not be empty at the root`,
	}
	for range 20 {
		if got := structuraltest.Texts(structural.Validate(s, structural.NewPath("x"))); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// TestValidateIsBounded has a name without end above more errors than anybody can read.
func TestValidateIsBounded(t *testing.T) {
	leaf := &structural.Schema{}
	wide := &structural.Schema{Generic: structural.Generic{Type: "object"}, Properties: map[string]*structural.Schema{}}
	for i := range 50_000 {
		wide.Properties[fmt.Sprint(i)] = leaf
	}
	if n := len(structural.Validate(wide, nil)); n != listed.Findings+1 {
		t.Errorf("%d errors, want %d", n, listed.Findings+1)
	}
	long := &structural.Schema{Generic: structural.Generic{Type: "object"}, Properties: map[string]*structural.Schema{strings.Repeat("x", 1<<20): wide}}
	errs := structural.Validate(long, nil)
	size := 0
	for _, e := range errs {
		size += len(e.Error())
	}
	if len(errs) == 0 || size > 2*listed.Findings<<13 {
		t.Errorf("%d errors of %d bytes", len(errs), size)
	}
}
