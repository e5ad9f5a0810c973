package jsonschema_test

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/explain/jsonschema"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

var record = flag.Bool("update", false, "write testdata")

// The JSON Schemas of each keyword are recorded, with values at its bounds and beside those that change its meaning.
func TestKeywordsAreSameAsBefore(t *testing.T) {
	recorded.Answers(t, *record, "testdata/keywords.txt", func(schema string) string {
		schema, old := strings.CutPrefix(schema, "v1beta1 ")
		crd := structuraltest.CRDWith("{type: object, properties: {spec: " + schema + "}}")
		if old {
			crd = structuraltest.V1beta1With("validation: {openAPIV3Schema: {type: object, properties: {spec: " + schema + "}}}")
		}
		c := structuraltest.LoadCRD(t, crd)
		s, err := jsonschema.Of(c, c.Versions[0])
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s["properties"].(map[string]any)["spec"])
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	})
}

// A format that a version of the server ignores accepts everything, and nothing is refused by not. One that it knows is not certain to be
// checked by the programs that read the JSON Schema, and not is left out.
func TestFormatsByVersion(t *testing.T) {
	for _, f := range formats.All() {
		for _, version := range kubeversion.Known() {
			c := structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, properties: {is: {type: string, format: "+f.Name+"}, not: {type: string, not: {format: "+f.Name+"}}}}"))
			c.Kubernetes = version
			s, err := jsonschema.Of(c, c.Versions[0])
			if err != nil {
				t.Fatal(err)
			}
			field := func(name string) map[string]any { return s["properties"].(map[string]any)[name].(map[string]any) }
			counts := !strings.HasPrefix(f.Name, "k8s-") || version >= 35
			if format, _ := field("is")["format"].(string); format != f.JSONSchema {
				t.Errorf("Kubernetes %s, %s: the format is %q, want %q", version, f.Name, format, f.JSONSchema)
			}
			if _, has := field("not")["else"]; has == counts {
				t.Errorf("Kubernetes %s, %s: not is there: %t", version, f.Name, has)
			}
		}
	}
}
