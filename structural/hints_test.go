package structural_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func TestExtensionsAreFoundEverywhere(t *testing.T) {
	for _, p := range []string{
		`{properties: {a: %s}}`, `{patternProperties: {a: %s}}`, `{definitions: {a: %s}}`, `{dependencies: {a: %s}}`, `{items: %s}`,
		`{items: [{}, %s]}`, `{additionalProperties: %s}`, `{additionalItems: %s}`, `{allOf: [%s]}`, `{anyOf: [{}, %s]}`, `{oneOf: [%s]}`,
		`{not: %s}`,
	} {
		c := schemaPlace{Text: p}
		for schema, want := range map[string]bool{`{x-kubernetes-int-or-string: true}`: true, `{default: 1}`: true, `{x-kubernetes-map-type: atomic}`: false} {
			v := &structural.Version{Schema: structuraltest.ParseSchema(t, embed(c, schema))}
			crd := structural.CRD{APIVersion: structural.APIVersionV1beta1, PreserveUnknownFields: true, Versions: []*structural.Version{{}, v}}
			if crd.MustBeStructural() != want {
				t.Errorf("%s in %s", schema, p)
			}
		}
	}
}

// TestEveryErrorHasAHint checks schemas that break all rules.
func TestEveryErrorHasAHint(t *testing.T) {
	seen := map[string]bool{}
	check := func(schema string, at *structural.Path) {
		s, errs := structural.NewSchema(structuraltest.ParseSchema(t, schema), at)
		for _, e := range append(errs, structural.Validate(s, at)...) {
			h := new(structural.CRD).Finding("", structural.SeverityError, e).Hint
			if h == "" || strings.ContainsAny(h, "\n\t") {
				t.Errorf("%v: hint %q", e, h)
			}
			seen[h] = true
		}
	}
	for _, r := range rulesEverywhere() {
		for _, p := range append(fieldPlaces(), itemPlaces()...) {
			check(embed(p, r.Schema), nil)
		}
	}
	for _, s := range []string{
		`{}`, `{type: string, additionalProperties: true}`, `{type: object, properties: {p: {}, q: {type: array, items: {}}}}`,
		`{type: object, properties: {metadata: {type: object, required: [name]}}}`,
		`{type: object, not: {properties: {metadata: {}, a: {type: string, additionalProperties: true, nullable: true}}}}`,
		`{id: a, $schema: a, $ref: a, patternProperties: {a: {}}, dependencies: {a: [b]}, additionalItems: true, definitions: {a: {}},
		  items: [{}], x-kubernetes-preserve-unknown-fields: false}`,
	} {
		check(s, structural.NewPath("x"))
	}
	if len(seen) < 30 {
		t.Errorf("only %d different hints", len(seen))
	}
}

func TestHintsSayWhereToMoveAType(t *testing.T) {
	at := structural.NewPath("x").Child("properties").Key("not").Child("allOf").Index(1).Child("not", "properties").Key("anyOf").Child("items", "type")
	e := &structural.Error{ID: "structural/forbidden-in-junctor", Type: prunert.ErrorTypeForbidden, Path: at, Detail: "must be empty to be structural"}
	h := new(structural.CRD).Finding("", structural.SeverityError, e).Hint
	if want := "move it to x.properties[not].properties[anyOf].items.type; "; !strings.HasPrefix(h, want) {
		t.Errorf("got %q, want %q", h, want)
	}
}
