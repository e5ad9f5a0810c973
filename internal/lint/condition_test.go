package lint_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestNonStructuralCondition(t *testing.T) {
	const v0, v1 = "spec.versions[0].schema.openAPIV3Schema", "spec.versions[1].schema.openAPIV3Schema"
	const root = ".type: Required value: must not be empty at the root"
	for _, c := range []struct {
		name, crd string
		want      *lint.Condition
	}{
		{"a good CRD", structuraltest.CRDWith(`{type: object}`), nil},
		{"one violation", structuraltest.CRDWith(`{properties: {a: {type: string}}}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations", v0 + root}},
		{"two violations", structuraltest.CRDWith(`{properties: {a: {type: array}}}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations",
				"[" + v0 + ".properties[a].items: Required value: must be specified, " + v0 + root + "]"}},
		{"a root that is embedded", structuraltest.CRDWith(`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true,
			properties: {a: {}}}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations",
				v0 + ".properties[a].type: Required value: must not be empty for specified object fields"}},
		{"a conversion that fails", structuraltest.CRDWith(`{$ref: b, id: a, not: {definitions: {a: {}}}}`),
			&lint.Condition{"NonStructuralSchema", "Unknown", "StructuralError",
				"failed to check validation schema for version v1: OpenAPIV3Schema 'id' is not supported"}},
		{"a conversion that fails further down", structuraltest.CRDWith(`{items: [{}], allOf: [{$ref: a}], not: {definitions: {a: {}}}}`),
			&lint.Condition{"NonStructuralSchema", "Unknown", "StructuralError",
				"failed to check validation schema for version v1: OpenAPIV3Schema 'definitions' is not supported"}},
		{"a second version that cannot be converted", twoVersions(`{type: object, properties: {a: {id: b}}}`, `{type: string}`),
			&lint.Condition{"NonStructuralSchema", "Unknown", "StructuralError",
				"failed to check validation schema for version v1: OpenAPIV3Schema 'id' is not supported"}},
		{"a first version that cannot be converted", twoVersions(`{type: string}`, `{type: object, $ref: b}`),
			&lint.Condition{"NonStructuralSchema", "Unknown", "StructuralError",
				"failed to check validation schema for version v0: OpenAPIV3Schema '$ref' is not supported"}},
		{"a second version with a violation", twoVersions(`{type: object, not: {properties: {a: {}}}}`, `{type: object}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations", v1 + ".properties[a]: Required value: because it is defined in " + v1 + ".not.properties[a]"}},
		{"versions with the same violation", twoVersions(`{type: object, properties: {a: {}}}`, `{type: object, properties: {a: {}}}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations", "[" + v0 + ".properties[a].type: Required value: must not be empty for specified object fields, " +
				v1 + ".properties[a].type: Required value: must not be empty for specified object fields]"}},
		{"preserving, with a violation", structuraltest.V1beta1With(`validation: {openAPIV3Schema: {type: string}}`),
			&lint.Condition{"NonStructuralSchema", "True", "Violations", `[spec.preserveUnknownFields: Invalid value: true: must be false, ` +
				v0 + `.type: Invalid value: "string": must be object at the root, ` + v1 + `.type: Invalid value: "string": must be object at the root]`}},
		{"no schema", structuraltest.V1beta1With(`preserveUnknownFields: false`), nil},
		{"preserving", structuraltest.V1beta1With(``), &lint.Condition{"NonStructuralSchema", "True", "Violations",
			"spec.preserveUnknownFields: Invalid value: true: must be false"}},
		// One schema for all versions counts for each of them.
		{"a shared schema", structuraltest.V1beta1With("preserveUnknownFields: false\nvalidation: {openAPIV3Schema: {not: {properties: {a: {}}}}}"),
			&lint.Condition{"NonStructuralSchema", "True", "Violations", "[" +
				v0 + ".properties[a]: Required value: because it is defined in " + v0 + ".not.properties[a], " +
				v0 + root + ", " +
				v1 + ".properties[a]: Required value: because it is defined in " + v1 + ".not.properties[a], " +
				v1 + root + "]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lint.NonStructuralCondition(structuraltest.LoadCRD(t, c.crd))
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAggregateSaysEachMessageOnce(t *testing.T) {
	for want, messages := range map[string][]string{
		"a":      {"a"},
		"b":      {"b", "b"},
		"[a, b]": {"a", "b", "a"},
	} {
		if got := lint.Aggregate(messages); got != want {
			t.Errorf("%q: got %q, want %q", messages, got, want)
		}
	}
}

// TestNonStructuralConditionIsBounded has one broken schema for very many versions.
func TestNonStructuralConditionIsBounded(t *testing.T) {
	c := &structural.CRD{}
	s := structuraltest.ParseSchema(t, `{properties: {a: {}, b: {}}}`)
	for range 200_000 {
		c.Versions = append(c.Versions, &structural.Version{Schema: s})
	}
	if cond := lint.NonStructuralCondition(c); len(cond.Message) > meter.Findings<<13 {
		t.Errorf("%d bytes", len(cond.Message))
	}
}
