package lint_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestLintRefusesTypesThatNoValueHas(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(`
type: object
properties:
  a: {type: text}
  list: {type: array, items: {type: int}}
  map: {type: object, additionalProperties: {type: any}}
  good: {type: array, items: {type: number}}
`))
	const supported = `supported values: "array", "boolean", "integer", "number", "object", "string"`
	const root = "spec.versions[0].schema.openAPIV3Schema.properties"
	want := []struct {
		line    int
		message string
	}{
		{18, root + `[a].type: Unsupported value: "text": ` + supported},
		{19, root + `[list].items.type: Unsupported value: "int": ` + supported},
		{20, root + `[map].additionalProperties.type: Unsupported value: "any": ` + supported},
	}
	findings := lint.CRD(crd)
	if len(findings) != len(want) {
		t.Fatalf("got %+v", findings)
	}
	for i, w := range want {
		f := findings[i]
		if f.Line != w.line || f.Message != w.message || f.Severity != structural.SeverityError || f.Hint == "" {
			t.Errorf("got %+v, want line %d: %s", f, w.line, w.message)
		}
	}
}
