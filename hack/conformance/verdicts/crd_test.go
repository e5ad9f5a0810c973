package verdicts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/known"
)

// crdWith returns a CRD with the given schema, and what more there is to say in its spec.
func crdWith(t *testing.T, schema, more string) *corpus.CRD {
	t.Helper()
	c := &corpus.Corpus{}
	c.AddFile("crd.yaml", fmt.Appendf(nil, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  %s
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: %s}}
`, more, schema))
	if len(c.CRDs) != 1 || len(c.Disagreements) > 0 {
		t.Fatalf("%+v", c)
	}
	return c.CRDs[0]
}

func TestCRDsAgree(t *testing.T) {
	for _, tt := range []struct {
		name, schema, more string
		known              []known.Name
	}{
		{name: "structural", schema: `{type: object, properties: {a: {type: string}}}`},
		{name: "not structural", schema: `{properties: {a: {}}}`},
		{name: "not convertible", schema: `{type: object, $ref: "#/a"}`},
		{name: "twice not convertible", schema: `{type: object, $ref: "#/a", id: b}`, known: []known.Name{known.ConversionReasons}},
		{name: "preserving", schema: `{type: object}`, more: `preserveUnknownFields: true`},
		{name: "unknown fields", schema: `{type: object, foo: 1, properties: {a: {type: string, bar: 2}}}`, more: `baz: 3`},
		{name: "unknown fields below items", schema: `{type: object, properties: {a: {type: array, items: {type: string, bar: 2}}}}`,
			known: []known.Name{known.UnknownFieldsBelow}},
		{name: "keywords of the proposals", schema: `{type: object, x-kubernetes-unions: [], x-kubernetes-no-prune: true}`,
			known: []known.Name{known.KEPKeywords, known.KEPKeywords}},
	} {
		var names []known.Name
		for _, d := range CRD(crdWith(t, tt.schema, tt.more)) {
			if d.Known == "" {
				t.Errorf("%s: %s", tt.name, d)
				continue
			}
			names = append(names, d.Known)
		}
		if !slices.Equal(names, tt.known) {
			t.Errorf("%s: known differences %q, want %q", tt.name, names, tt.known)
		}
	}
}

// The comparison notices if what the project has loaded is changed afterwards.
func TestWhatIsReadWronglyIsNoticed(t *testing.T) {
	const schema = `{type: object, properties: {a: {type: string, enum: [x]}}}`
	for about, change := range map[string]func(*corpus.CRD){
		"reading: Names.Kind":                          func(c *corpus.CRD) { c.Names.Kind = "Gadget" },
		"reading: Versions[0].Served":                  func(c *corpus.CRD) { c.Versions[0].Served = false },
		"reading: PreserveUnknownFields":               func(c *corpus.CRD) { c.PreserveUnknownFields = true },
		"version v1: Properties.a.Enum":                func(c *corpus.CRD) { c.Versions[0].Schema.Properties["a"].Enum = nil },
		"rules: version v1: 1 texts, not 0":            func(c *corpus.CRD) { c.Versions[0].Schema.Type = "" },
		"conversion: version v1: refused":              func(c *corpus.CRD) { c.Versions[0].Schema.ID = "x" },
		"lint: version v1: Kubernetes accepts the CRD": func(c *corpus.CRD) { c.Versions[0].Schema.Properties["a"].Type = "" },
	} {
		crd := crdWith(t, schema, "")
		change(crd)
		if diffs := CRD(crd); !slices.ContainsFunc(diffs, func(d Difference) bool { return strings.Contains(d.String(), about) }) {
			t.Errorf("%s: not noticed: %v", about, diffs)
		}
	}
}
