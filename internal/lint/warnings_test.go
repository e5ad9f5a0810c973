package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// TestWarningsDependOnEveryOperand has the warnings that the server does not give, each beside the nearest schema without it.
func TestWarningsDependOnEveryOperand(t *testing.T) {
	const root = "spec.versions[0].schema.openAPIV3Schema.properties[a]"
	const dropped = ": everything in this object is dropped: it has no properties, no additionalProperties and no x-kubernetes-preserve-unknown-fields"
	const format = `.format: unrecognized format "colour"`
	const both = ".items: only one of properties, additionalProperties and items can apply to a value"
	const union = ".x-kubernetes-unions: Kubernetes has no such keyword: it does not check that only one of the fields is set"
	const fields = ".x-kubernetes-unions[0].fields: Forbidden: must be undefined if discriminator is empty"
	for _, c := range []struct {
		schema string
		want   []string
	}{
		{"{type: string}", nil},
		{"{type: string, format: colour}", []string{format}},
		{"{type: string, format: date-time}", nil},
		{"{type: string, format: ''}", nil},
		{"{type: object}", []string{dropped}},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true}", nil},
		{"{type: object, properties: {b: {type: string}}}", nil},
		{"{type: object, additionalProperties: {type: string}}", nil},
		{"{type: object, additionalProperties: true}", []string{".additionalProperties: everything in the values of this map that are objects is dropped"}},
		{"{type: object, additionalProperties: false}", nil},
		{"{type: object, properties: {b: {type: string}}, additionalProperties: true}", nil},
		{"{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}", nil},
		{"{type: object, additionalProperties: {type: object, default: {b: 1, c: {d: 2}}, properties: {c: {type: object, properties: {e: {type: string}}}}}}",
			[]string{".additionalProperties.default: the default loses b, c.d, which its schema does not specify"}},
		{"{type: object, additionalProperties: {type: object, default: {b: 1, c: 1, d: 1, e: 1, f: 1}, properties: {h: {type: string}}}}",
			[]string{".additionalProperties.default: the default loses b, c, d, e, f, which its schema does not specify"}},
		{"{type: object, additionalProperties: {type: object, default: {b: 1, c: 1, d: 1, e: 1, f: 1, g: 1}, properties: {h: {type: string}}}}",
			[]string{".additionalProperties.default: the default loses b, c, d, e, f, ..., which its schema does not specify"}},
		{"{type: object, additionalProperties: {type: array, items: {type: object, default: {b: 1}, properties: {h: {type: string}}}}}",
			[]string{".additionalProperties.items.default: the default loses b, which its schema does not specify"}},
		{"{type: object, additionalProperties: {type: object, properties: {c: {type: object, default: {b: 1}, properties: {h: {type: string}}}, b: {type: object, default: {d: 1}, properties: {h: {type: string}}}}}}",
			[]string{".additionalProperties.properties[b].default: the default loses d, which its schema does not specify", ".additionalProperties.properties[c].default: the default loses b, which its schema does not specify"}},
		{"{type: object, additionalProperties: {type: object, default: {h: b}, properties: {h: {type: string}}}}", nil},
		{"{type: array, items: {type: string}}", nil},
		{"{type: array, items: {type: string}, properties: {b: {type: string}}}", []string{both}},
		{"{type: array, items: {type: string}, additionalProperties: {type: string}}", []string{both}},
		{"{type: array, items: {type: string}, properties: {}}", nil},
		{"{type: object, properties: {b: {type: string}}, x-kubernetes-unions: [{}]}", []string{union}},
		{"{type: object, properties: {b: {type: string}}, x-kubernetes-unions: [{discriminator: b}]}", []string{union}},
		{"{type: object, properties: {b: {type: string}}, x-kubernetes-unions: [{discriminator: b, fields: {b: B}}]}", []string{union}},
		{"{type: object, properties: {b: {type: string}}, x-kubernetes-unions: [{fields: {b: B}}]}", []string{union, fields}},
		{"{type: object, properties: {b: {type: string}}, x-kubernetes-unions: []}", nil},
	} {
		found := structuraltest.FindAll(structuraltest.CRDWith("type: object\nproperties: {a: " + c.schema + "}"))
		got := messages(found, structural.SeverityWarning)
		slices.Sort(got)
		var want []string
		for _, w := range c.want {
			want = append(want, root+w)
		}
		slices.Sort(want)
		if !slices.Equal(got, want) || len(found) != len(want) {
			t.Errorf("%s: got %q, want %q", c.schema, got, want)
		}
	}
}

func TestHintsForUnionsListFewFields(t *testing.T) {
	const rule = "write oneOf with the required field of each alternative, or a rule below x-kubernetes-validations"
	for n, want := range map[int]string{
		0: rule, 1: "write oneOf: [{required: [f0]}]", 6: rule,
		5: "write oneOf: [{required: [f0]}, {required: [f1]}, {required: [f2]}, {required: [f3]}, {required: [f4]}]",
	} {
		var fields []string
		for i := range n {
			fields = append(fields, fmt.Sprintf("f%d: F", i))
		}
		found := structuraltest.FindAll(structuraltest.CRDWith("{type: object, properties: {f0: {type: string}}, " +
			"x-kubernetes-unions: [{discriminator: d, fields: {" + strings.Join(fields, ", ") + "}}]}"))
		if len(found) != 1 || found[0].Hint != want {
			t.Errorf("%d fields: got %+v", n, found)
		}
	}
}

// TestLossesOfMetadataAreCountedApart has as many of both as are listed.
func TestLossesOfMetadataAreCountedApart(t *testing.T) {
	var fields []string
	for i := range lint.MaxLosses {
		fields = append(fields, fmt.Sprintf("f%d: {type: object}, g%d: {type: object, properties: {metadata: {type: object}}}", i, i))
	}
	found := structuraltest.FindAll(structuraltest.CRDWith("{type: object, properties: {" + strings.Join(fields, ", ") + "}}"))
	hints := 0
	for _, f := range found {
		if strings.Contains(f.Hint, "crd:generateEmbeddedObjectMeta=true") != strings.HasSuffix(f.Path, "[metadata]") {
			t.Errorf("the hint of %s is %q", f.Path, f.Hint)
		}
		if f.ID == "loss/more" {
			hints++
		}
	}
	if len(found) != 2*lint.MaxLosses || hints != 0 {
		t.Errorf("got %d findings", len(found))
	}
}

// TestOnlyVersionsThatAreWrittenLoseFields has versions that keep less than the stored one.
func TestOnlyVersionsThatAreWrittenLoseFields(t *testing.T) {
	good := structuraltest.CRDWith("type: object\nproperties: {a: {type: string}}")
	other := func(version string) string {
		return strings.Replace(good, "  versions:\n", "  versions:\n  - {name: v0, storage: false, "+version+"}\n", 1)
	}
	const less = "schema: {openAPIV3Schema: {type: object, properties: {b: {type: string}}}}"
	beta := structuraltest.V1beta1With("preserveUnknownFields: PRESERVE")
	beta = strings.Replace(beta, "storage: true", "storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}", 1)
	beta = strings.Replace(beta, "served: false, storage: false", "served: true, storage: false, "+less, 1)
	for text, want := range map[string]int{
		other("served: true, " + less):  1,
		other("served: false, " + less): 0,
		other("served: true, schema: {openAPIV3Schema: {type: object, properties: {b: {}}}}"): 0,
		strings.Replace(beta, "PRESERVE", "false", 1):                                         1,
		strings.Replace(beta, "PRESERVE", "true", 1):                                          0,
	} {
		n := 0
		for _, f := range structuraltest.FindAll(text) {
			if f.ID == "loss/version" {
				n++
			}
		}
		if n != want {
			t.Errorf("%d warnings, want %d:\n%s", n, want, text)
		}
	}
}

func TestHintsForNamesOfCRDs(t *testing.T) {
	good := structuraltest.CRDWith("type: object")
	for _, c := range []struct{ old, new, want string }{
		{"name: jobs.example.com", "name: job.example.com", "write name: jobs.example.com"},
		{", plural: jobs", "", "name it after spec.names.plural and spec.group"},
		{"group: example.com", "group: ''", "name it after spec.names.plural and spec.group"},
	} {
		found := structuraltest.FindAll(strings.Replace(good, c.old, c.new, 1))
		i := slices.IndexFunc(found, func(f structural.Finding) bool { return f.ID == "crd/name-mismatch" })
		if i < 0 || found[i].Hint != c.want {
			t.Errorf("%s: got %+v", c.new, found)
		}
	}
}

func TestAllSpellingsOfNoPruneAreFound(t *testing.T) {
	for _, keyword := range []string{"x-kubernetes-no-prune", "x-kubernetes-no-pruning", "x-no-pruning"} {
		found := structuraltest.FindAll(structuraltest.CRDWith("{type: object, properties: {a: {type: string, " + keyword + ": true}}}"))
		if len(found) != 1 || found[0].ID != "schema/idle-keyword" {
			t.Errorf("%s: got %+v", keyword, found)
		}
	}
}

// TestHintsForJunctorsNameThePlaceOutside: the place is the same, whatever junctor names the field.
func TestHintsForJunctorsNameThePlaceOutside(t *testing.T) {
	hints := map[string]bool{}
	for _, junctor := range []string{"not: SCHEMA", "allOf: [SCHEMA]", "anyOf: [{}, SCHEMA]", "oneOf: [SCHEMA]", "allOf: [{anyOf: [{oneOf: [{not: SCHEMA}]}]}]"} {
		junctor = strings.Replace(junctor, "SCHEMA", "{properties: {a: {description: b}}}", 1)
		found := structuraltest.FindAll(structuraltest.CRDWith("{type: object, properties: {a: {type: string}}, " + junctor + "}"))
		if len(found) != 1 || found[0].ID != "structural/forbidden-in-junctor" {
			t.Errorf("%s: got %+v", junctor, found)
			continue
		}
		hints[found[0].Hint] = true
	}
	if len(hints) != 1 || hints[""] {
		t.Errorf("got %v", hints)
	}
}

func TestNothingIsFoundInNoSchema(t *testing.T) {
	written := structuraltest.ParseSchema(t, "{type: string, default: 1, x-kubernetes-validations: [{rule: '1'}]}")
	s, _ := structural.NewSchema(written, nil)
	for _, c := range []struct {
		s       *structural.Schema
		written *structural.JSONSchema
	}{{nil, nil}, {nil, written}, {s, nil}} {
		if errs, _, whole := lint.DefaultErrors(meter.New(1), c.s, c.written, nil, celrules.Stored(0)); len(errs) > 0 || !whole {
			t.Errorf("got %v, %t", errs, whole)
		}
		if found, unsupported := lint.RuleErrors(c.s, c.written, nil, celrules.New(0)); len(found.Errs)+len(unsupported.Errs) > 0 {
			t.Errorf("got %v, %v", found, unsupported)
		}
	}
}
