package lint_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// twoVersions is a v1 CRD with two versions.
func twoVersions(first, second string) string {
	return strings.Replace(structuraltest.CRDWith(first), "  versions:\n", "  versions:\n  - {name: v0, served: true, storage: false, schema: {openAPIV3Schema: "+second+"}}\n", 1)
}

// What is wrong with a CRD besides its schemas are warnings for those who only use the schemas.
func TestDefinitionsAreWarnedOf(t *testing.T) {
	text := strings.Replace(twoVersions("{type: object, properties: {a: {}}}", "{type: string}"), "scope: Namespaced", "scope: Galaxy\n  conversion: {}", 1)
	text = strings.Replace(text, "name: jobs.example.com", "name: job.example.com", 1)
	want := []string{
		`warning 4: metadata.name: Invalid value: "job.example.com": must be spec.names.plural+"."+spec.group`,
		`warning 8: spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"`,
		`warning 9: spec.conversion.strategy: Required value`,
	}
	if have := lintLines(lint.DefinitionWarnings(structuraltest.LoadCRD(t, text))); !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	if have := lint.DefinitionWarnings(structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object"))); len(have) > 0 {
		t.Errorf("%v", have)
	}
	// A version without a schema is a part of the definition, and so are unknown fields that are preserved.
	text = strings.Replace(structuraltest.V1beta1With("preserveUnknownFields: false"), "served: false", "served: true", 1)
	want = []string{
		"warning 10: spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned",
		"warning 11: spec.versions[1].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned",
	}
	if have := lintLines(lint.DefinitionWarnings(structuraltest.LoadCRD(t, text))); !slices.Equal(have, want) {
		t.Errorf("have %q", have)
	}
}

// A schema is refused with what is wrong with it alone.
func TestRefusals(t *testing.T) {
	const root = "spec.versions[1].schema.openAPIV3Schema"
	for schema, want := range map[string][]string{
		"{type: object}": nil,
		"{type: object, properties: {a: {type: object}}, x-kubernetes-unions: [{}]}": nil,
		"{type: object, properties: {a: {}}}":                                        {root + ".properties[a].type: Required value: must not be empty for specified object fields"},
		"{type: object, properties: {a: {type: string, id: b}}}":                     {root + ".properties[a].id: Forbidden: id is not supported"},
		"{type: object, properties: {a: {type: string, default: 1}}}":                {root + `.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"`},
		// What is stored may call functions that a new schema may not.
		"{type: object, properties: {a: {type: array, maxItems: 1, items: {type: string, maxLength: 1}, x-kubernetes-validations: [{rule: self.includes('a')}]}}}": nil,
		"{type: object, properties: {a: {type: string, maxLength: 1, x-kubernetes-validations: [{rule: self}]}}}": {root + `.properties[a].x-kubernetes-validations[0].rule: Invalid value: ` +
			`{"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool`},
	} {
		c := structuraltest.LoadCRD(t, twoVersions(schema, "{type: string, properties: {b: {}}}"))
		found := lint.Refusals(c, c.Versions[1])
		if have := messages(found, structural.SeverityError); !slices.Equal(have, want) || len(found) != len(want) {
			t.Errorf("%s: %q, want %q", schema, have, want)
		}
		for _, f := range found {
			if f.Version != "v1" || f.CRD != "jobs.example.com" || f.Line != 17 {
				t.Errorf("%s: %+v", schema, f)
			}
		}
	}
	if found := lint.Refusals(&structural.CRD{}, &structural.Version{}); found != nil {
		t.Errorf("no schema: %v", found)
	}
	// One that all versions share is named after the version that it is asked for.
	c := structuraltest.LoadCRD(t, structuraltest.V1beta1With("preserveUnknownFields: false\nvalidation: {openAPIV3Schema: {type: string}}"))
	for _, v := range c.Versions {
		if found := lint.Refusals(c, v); len(found) != 1 || found[0].Version != v.Name {
			t.Errorf("%s: %+v", v.Name, found)
		}
	}
	// Where nothing is pruned, a schema need not be structural, and is then ignored.
	c = structuraltest.LoadCRD(t, structuraltest.V1beta1With("validation: {openAPIV3Schema: {properties: {a: {$schema: b}}}}"))
	if found := lint.Refusals(c, c.Versions...); c.Structural(c.Versions[0]) != nil || len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

// For CRDs that cannot be used, errors of the server are reported, and no warnings.
func TestRefusedCRDsHaveErrorsAlone(t *testing.T) {
	text := strings.Replace(structuraltest.CRDWith("type: object\nproperties: {a: {type: object}, b: {}}"), "plural: jobs", "plural: Jobs", 1)
	f := crdread.Load("crd.yaml", strings.NewReader(text))
	before := len(f.Findings)
	if len(f.CRDs) != 0 || len(f.Refused) != 1 {
		t.Fatalf("%d CRDs, %d refused", len(f.CRDs), len(f.Refused))
	}
	lint.Refused(f)
	var added []string
	for _, finding := range f.Findings {
		if finding.Severity == structural.SeverityError && finding.ID == "structural/type-required" {
			added = append(added, finding.Message)
		}
		if strings.HasPrefix(string(finding.ID), "loss/") {
			t.Errorf("a warning: %+v", finding)
		}
	}
	if len(added) != 1 || len(f.Findings) <= before {
		t.Errorf("%d findings, then %+v", before, f.Findings)
	}
}

// An error in a schema that versions share is reported once.
func TestRefusalsOfAllVersions(t *testing.T) {
	c := structuraltest.LoadCRD(t, twoVersions("{type: object, properties: {a: {}}}", "{type: object, properties: {b: {}}}"))
	want := append(lint.Refusals(c, c.Versions[0]), lint.Refusals(c, c.Versions[1])...)
	if refused := lint.Refusals(c, c.Versions...); !reflect.DeepEqual(refused, want) || len(want) != 2 {
		t.Errorf("%v, want %v", refused, want)
	}
	c = structuraltest.LoadCRD(t, structuraltest.V1beta1With("preserveUnknownFields: false\nvalidation: {openAPIV3Schema: {type: object, properties: {a: {}}}}"))
	if refused := lint.Refusals(c, c.Versions...); len(c.Versions) != 2 || len(refused) != 1 || refused[0].Version != c.Versions[0].Name {
		t.Errorf("%v", refused)
	}
}
