package lint_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// lintLines writes findings with severity, line and message.
func lintLines(findings []structural.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %d: %s", f.Severity, f.Line, f.Message))
	}
	return out
}

// lintCRD returns the findings for a CRD, except the one that every v1beta1 CRD has and no other, which it checks.
func lintCRD(t *testing.T, crd string) []structural.Finding {
	t.Helper()
	c := structuraltest.LoadCRD(t, crd)
	findings := lint.CRD(c)
	removed := slices.IndexFunc(findings, func(f structural.Finding) bool { return f.ID == "crd/removed-api-version" })
	if (removed >= 0) != (c.APIVersion == structural.APIVersionV1beta1) {
		t.Fatalf("%s: %v", c.APIVersion, findings)
	}
	if removed < 0 {
		return findings
	}
	if f := findings[removed]; f.Severity != structural.SeverityWarning || f.Path != "apiVersion" || f.Line == 0 || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	return slices.Delete(findings, removed, removed+1)
}

func wantLint(t *testing.T, crd string, want ...string) []structural.Finding {
	t.Helper()
	findings := lintCRD(t, crd)
	if got := lintLines(findings); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return findings
}

func TestLintSaysNothingAboutAGoodCRD(t *testing.T) {
}

func TestLintFindsThePlace(t *testing.T) {
	findings := wantLint(t, structuraltest.CRDWith(`
type: object
properties:
  spec:
    type: object
    properties:
      list: {type: array}
      ref:
        type: object
        $ref: "#/definitions/a"
      tuple:
        type: array
        items: [{type: string}]
`),
		`error 21: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[list].items: Required value: must be specified`,
		`error 24: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[ref].$ref: Forbidden: $ref is not supported`,
		`error 27: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[tuple].items: `+
			`Forbidden: items must be a schema object and not an array`)
	want := structural.Finding{
		ID: structural.IDUnsupportedKeyword, File: "crd.yaml", Line: 24, Column: 17, CRD: "jobs.example.com", Version: "v1", Severity: structural.SeverityError,
		Hint: "put the schema that it refers to in its place",
	}.WithPath("spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[ref].$ref",
		structural.VersionSchemaPath(0).Child("properties").Key("spec").Child("properties").Key("ref").Child("$ref").Steps()).
		Saying("spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[ref].$ref", "Forbidden: $ref is not supported")
	if !reflect.DeepEqual(findings[1], want) {
		t.Errorf("got %+v, want %+v", findings[1], want)
	}
}

func TestLintFindsPlacesInLargeMaps(t *testing.T) {
	var b strings.Builder
	b.WriteString("type: object\nproperties:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "  f%03d: {type: object}\n", i)
	}
	b.WriteString("  last: {}\n")
	wantLint(t, structuraltest.CRDWith(b.String()), `error 118: spec.versions[0].schema.openAPIV3Schema.properties[last].type: `+
		`Required value: must not be empty for specified object fields`)
}

func TestLintWantsSchemas(t *testing.T) {
	const v1 = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: jobs.example.com}
spec:
  group: example.com
  names: {kind: Job, plural: jobs}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true}
  - {name: v2, served: false, storage: false, schema: {}}
`
	wantLint(t, v1,
		"error 9: spec.versions[0].schema.openAPIV3Schema: Required value",
		"error 10: spec.versions[1].schema.openAPIV3Schema: Required value")
	// In v1beta1 a schema may be missing, unless that drops everything from what is served.
	wantLint(t, structuraltest.V1beta1With(``))
	findings := wantLint(t, structuraltest.V1beta1With(`preserveUnknownFields: false`),
		"error 10: spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned")
	if len(findings) == 1 && findings[0].Version != "v1" {
		t.Errorf("version %q", findings[0].Version)
	}
}

func TestLintRefusesToPreserveUnknownFields(t *testing.T) {
	const invalid = "spec.preserveUnknownFields: Invalid value: true: "
	const cannot = invalid + "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
	const defaults = invalid + "must be false in order to use defaults in the schema"
	v1 := func(schema string) string {
		return strings.Replace(structuraltest.CRDWith(schema), "  scope: Namespaced\n", "  scope: Namespaced\n  preserveUnknownFields: true\n", 1)
	}
	wantLint(t, v1(`{type: object}`), "error 9: "+cannot)
	wantLint(t, v1(`{type: object, properties: {a: {type: string, default: b}}}`), "error 9: "+cannot, "error 9: "+defaults)
	wantLint(t, structuraltest.V1beta1With(`
preserveUnknownFields: true
validation: {openAPIV3Schema: {type: object, properties: {a: {type: object, not: {items: {default: b}}}}}}
`), "error 12: "+defaults,
		"warning 13: spec.validation.openAPIV3Schema.properties[a].items: Required value: because it is defined in "+
			"spec.validation.openAPIV3Schema.properties[a].not.items",
		"error 13: spec.validation.openAPIV3Schema.properties[a].not.items.default: Forbidden: must be undefined to be structural")
	// It is the default of v1beta1.
	wantLint(t, structuraltest.V1beta1With(`validation: {openAPIV3Schema: {type: object}}`))
}

// TestLintWarnsWhereKubernetesDoesNotRefuse is about v1beta1: a schema that is not structural is refused only where
// something needs it to be.
func TestLintWarnsWhereKubernetesDoesNotRefuse(t *testing.T) {
	const message = "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root"
	for _, c := range []struct{ name, spec, severity string }{
		{"nothing needs it", `validation: {openAPIV3Schema: {properties: {a: {type: string}}}}`, "warning"},
		{"pruning", `
preserveUnknownFields: false
validation: {openAPIV3Schema: {properties: {a: {type: string}}}}`, "error"},
		{"x-kubernetes-int-or-string", `validation: {openAPIV3Schema: {properties: {a: {x-kubernetes-int-or-string: true}}}}`, "error"},
		{"x-kubernetes-list-type", `validation: {openAPIV3Schema: {properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}`, "error"},
		{"x-kubernetes-list-map-keys", `validation: {openAPIV3Schema: {properties: {a: {type: array, x-kubernetes-list-type: map,
			x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}}}}`, "error"},
		{"x-kubernetes-validations", `validation: {openAPIV3Schema: {x-kubernetes-validations: [{rule: "true"}]}}`, "error"},
		{"x-kubernetes-embedded-resource", `validation: {openAPIV3Schema: {properties: {a: {type: object, x-kubernetes-embedded-resource: true,
			properties: {b: {type: string}}}}}}`, "error"},
		{"x-kubernetes-preserve-unknown-fields", `validation: {openAPIV3Schema: {properties: {a: {x-kubernetes-preserve-unknown-fields: true}}}}`, "error"},
		{"x-kubernetes-map-type, which does not", `validation: {openAPIV3Schema: {properties: {a: {type: object, x-kubernetes-map-type: atomic}}}}`, "warning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings := lintCRD(t, structuraltest.V1beta1With(c.spec))
			if len(findings) != 1 || findings[0].Message != message || string(findings[0].Severity) != c.severity {
				t.Errorf("got %+v", findings)
			}
		})
	}
}

func TestLintReportsASharedSchemaOnce(t *testing.T) {
	findings := wantLint(t, structuraltest.V1beta1With(`validation: {openAPIV3Schema: {properties: {a: {type: string}}}}`),
		"warning 12: spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root")
	if findings[0].Version != "" {
		t.Errorf("the finding is about %q alone", findings[0].Version)
	}
	wantLint(t, strings.Replace(structuraltest.V1beta1With(``), "storage: false}", "storage: false, schema: {openAPIV3Schema: {type: string}}}", 1),
		`warning 11: spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root`)
}

func TestLintSaysThatThereIsMoreToSay(t *testing.T) {
	const more = "only the first findings about this schema are shown"
	for name, test := range map[string]struct {
		schema string
		want   int
	}{
		"few":             {`{type: object, properties: {a: {}}}`, 0},
		"broken rules":    {`{type: object, properties: {` + repeatField("{}", listed.Findings+1) + `}}`, 1},
		"refused":         {`{type: object, properties: {` + repeatField("{type: string, id: x}", listed.Findings+1) + `}}`, 1},
		"types":           {`{type: object, properties: {` + repeatField("{type: x}", listed.Findings+1) + `}}`, 1},
		"the text of few": {`{type: object, properties: {? ` + strings.Repeat("k", 1<<20) + ` : {type: object, properties: {` + repeatField("{}", 100) + `}}}}`, 1},
	} {
		n := 0
		for _, f := range lint.CRD(structuraltest.LoadCRD(t, structuraltest.CRDWith(test.schema))) {
			if f.Message == more && f.Severity == structural.SeverityWarning && f.Line == 15 {
				n++
			}
		}
		if n != test.want {
			t.Errorf("%s: said %d times, want %d", name, n, test.want)
		}
	}
}

// repeatField returns n fields with the same schema, in flow style.
func repeatField(schema string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d: %s, ", i, schema)
	}
	return b.String()
}
