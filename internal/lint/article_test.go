package lint_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// The examples of the article "Future of CRDs: Structural Schemas" of 2019.

func TestArticleSchemasAreStructural(t *testing.T) {
	for _, s := range []string{structuraltest.ArticleCore, structuraltest.ArticleWithValidation, "{type: object, x-kubernetes-preserve-unknown-fields: true}"} {
		structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, s), nil))
	}
	core := structuraltest.StructureOf(structuraltest.NewSchema(t, structuraltest.ArticleCore))
	full := structuraltest.StructureOf(structuraltest.NewSchema(t, structuraltest.ArticleWithValidation))
	if a, b := toText(core), toText(full); a != b {
		t.Errorf("without value validations the second is not the first: %s, %s", a, b)
	}
}

// toText writes the structure of a schema.
func toText(s *structural.Schema) string {
	var b strings.Builder
	b.WriteString(s.Type)
	if s.Items != nil {
		b.WriteString("[" + toText(s.Items) + "]")
	}
	for _, k := range []string{"command", "machines", "shell", "spec"} {
		if p := s.Properties[k]; p != nil {
			b.WriteString("." + k + "(" + toText(p) + ")")
		}
	}
	return b.String()
}

// TestArticleBrokenSchemaGivesItsThreeReasons wants those that the article lists. The third one Kubernetes does not
// report: it checks what value validation names at the root alone.
func TestArticleBrokenSchemaGivesItsThreeReasons(t *testing.T) {
	s := structuraltest.NewSchema(t, structuraltest.ArticleBroken)
	at := structural.NewPath("spec", "validation", "openAPIV3Schema")
	structuraltest.WantTexts(t, structural.Validate(s, at),
		`spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root`,
		`spec.validation.openAPIV3Schema.properties[spec].oneOf[0].properties[command].type: Forbidden: must be empty to be structural`,
		`spec.validation.openAPIV3Schema.properties[spec].oneOf[1].properties[shell].type: Forbidden: must be empty to be structural`)

	const head = "spec.versions[0].schema.openAPIV3Schema"
	want := []string{
		"error 15: " + head + ".type: Required value: must not be empty at the root",
		"warning 19: " + head + ".properties[spec].properties[privileged]: Required value: because it is defined in " +
			head + ".properties[spec].not.properties[privileged]",
		"error 34: " + head + ".properties[spec].oneOf[0].properties[command].type: Forbidden: must be empty to be structural",
		"error 38: " + head + ".properties[spec].oneOf[1].properties[shell].type: Forbidden: must be empty to be structural",
	}
	got := lintLines(lint.CRD(structuraltest.LoadCRD(t, structuraltest.CRDWith(structuraltest.ArticleBroken))))
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
