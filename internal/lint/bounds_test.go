package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// losing returns the schemas of fields in which everything is dropped.
func losing(n int, name string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d: {type: object, properties: {%s: {type: object}, a: {type: string}}}, ", i, name)
	}
	return b.String()
}

// Places in which everything is dropped are listed up to a number, and those that are not listed are counted.
func TestLossesAreListedUpToANumber(t *testing.T) {
	for _, c := range []struct{ others, metadata, listed, more int }{
		{0, 0, 0, 0}, {1, 1, 2, 0}, {lint.MaxLosses, 0, lint.MaxLosses, 0}, {lint.MaxLosses + 1, 0, lint.MaxLosses, 1}, {0, lint.MaxLosses + 2, lint.MaxLosses, 2},
		{lint.MaxLosses + 3, lint.MaxLosses + 4, 2 * lint.MaxLosses, 7}, {lint.MaxLosses + 3, 2, lint.MaxLosses + 2, 3},
	} {
		schema := "{type: object, properties: {a: {type: object, properties: {" + losing(c.others, "x") + "z: {type: string}}}, b: {type: object, properties: {" + losing(c.metadata, "metadata") + "z: {type: string}}}}}"
		listed, more := 0, ""
		for _, f := range structuraltest.FindAll(structuraltest.CRDWith(schema)) {
			switch f.ID {
			case "loss/object":
				listed++
			case "loss/more":
				more += f.Message
			default:
				t.Errorf("%+v", f)
			}
		}
		want := ""
		if c.more > 0 {
			want = fmt.Sprintf("spec.versions[0].schema.openAPIV3Schema: objects in which everything is dropped that are not listed: %d", c.more)
		}
		if listed != c.listed || more != want {
			t.Errorf("%+v: %d are listed, and %q", c, listed, more)
		}
	}
}

// What is dropped is found below every kind of schema, under the words for its place.
func TestLossesAreFoundEverywhere(t *testing.T) {
	const root = "spec.versions[0].schema.openAPIV3Schema"
	const dropped = ": everything in this object is dropped: it has no properties, no additionalProperties and no x-kubernetes-preserve-unknown-fields"
	const elements = ": everything in the elements of this list that are objects is dropped"
	const values = ": everything in the values of this map that are objects is dropped"
	for schema, want := range map[string]string{
		"{type: object}": ": everything except apiVersion, kind and metadata is dropped: it has no properties, no additionalProperties and no x-kubernetes-preserve-unknown-fields",
		"{type: object, properties: {kind: {type: string}, metadata: {type: object}}}":                                                                                              "",
		"{type: object, properties: {a: {type: array, items: {type: array, items: {type: object}}}}}":                                                                               ".properties[a].items.items" + elements,
		"{type: object, properties: {a: {type: object, additionalProperties: {type: object}}}}":                                                                                     ".properties[a].additionalProperties" + values,
		"{type: object, properties: {a: {type: object, additionalProperties: {type: array, items: {type: object}}}}}":                                                               ".properties[a].additionalProperties.items" + elements,
		"{type: object, properties: {a: {type: object, additionalProperties: {type: object, properties: {b: {type: object}}}}}}":                                                    ".properties[a].additionalProperties.properties[b]" + dropped,
		"{type: object, properties: {a: {type: array, items: {type: object, properties: {b: {type: object}}}}}}":                                                                    ".properties[a].items.properties[b]" + dropped,
		"{type: object, properties: {a: {type: array, items: {type: object, additionalProperties: true}}}}":                                                                         ".properties[a].items.additionalProperties" + values,
		"{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: string}, metadata: {type: object}, spec: {type: object}}}}}": ".properties[a].properties[spec]" + dropped,
		"{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object}}}}}":                                              ".properties[a].properties[b]" + dropped,
		"{type: object, properties: {a: {type: object, properties: {metadata: {type: object, properties: {name: {type: string}}}}}}}":                                               "",
	} {
		found := structuraltest.FindAll(structuraltest.CRDWith(schema))
		have := ""
		if len(found) > 0 {
			have = found[0].Message
		}
		if want != "" {
			want = root + want
		}
		if have != want || len(found) > 1 {
			t.Errorf("%s: %q, want %q", schema, have, want)
		}
	}
}

// More errors than are listed about one part of a CRD are said to be more about that part.
func TestMoreIsSaidAboutTheDefinition(t *testing.T) {
	columns := "additionalPrinterColumns: [" + strings.Repeat("{name: a, type: string, jsonPath: b},", listed.Findings+1) + "]"
	text := strings.Replace(structuraltest.CRDWith("type: object\nproperties: {a: {type: string}}"), "served: true", "served: true\n    "+columns, 1)
	var more []structural.Finding
	for _, f := range lint.CRD(structuraltest.LoadCRD(t, text)) {
		if f.ID == structural.IDMore {
			more = append(more, f)
		}
	}
	if len(more) != 1 || more[0].Message != "only the first findings about this CRD are shown" || more[0].Version != "v1" || more[0].Path != "spec.versions[0]" || more[0].Severity != structural.SeverityWarning {
		t.Errorf("%+v", more)
	}
}

// Commands ask about one version after the other: what is the same for all of them must not be made for each.
func TestRefusalsOfAVersionDoNotGrowWithTheOthers(t *testing.T) {
	c := &structural.CRD{APIVersion: structural.APIVersionV1}
	for i := range 10_000 {
		c.Versions = append(c.Versions, &structural.Version{Name: fmt.Sprintf("v%d", i+1), Schema: &structural.JSONSchema{Type: "object"}})
	}
	lint.Refusals(c, c.Versions[0]) // what is made once
	if used := allocated.By(func() { lint.Refusals(c, c.Versions[1]) }); used > 64<<10 {
		t.Errorf("%d bytes", used)
	}
}
