package structural_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/structuraltest"
)

// allKeywords adds to fullSchema what only a schema that is not structural has.
const allKeywords = structuraltest.FullSchema + `
id: i
$schema: s
$ref: r
patternProperties: {pp: {type: string}}
dependencies: {d: [e], f: {type: string}}
additionalItems: {type: string}
definitions: {g: {type: string}}
x-kubernetes-no-prune: true
`

func TestObjectHasEveryKeyword(t *testing.T) {
	s := structuraltest.ParseSchema(t, allKeywords)
	wantNoZeroFields(t, "schema", reflect.ValueOf(*s))
	want := structuraltest.ParseObject(t, allKeywords)
	// Numbers of these keywords are floats, however they are written.
	want["minimum"], want["multipleOf"] = 1.0, 6.0
	if got := s.Object(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", structuraltest.ToJSON(t, got), structuraltest.ToJSON(t, want))
	}
}

func TestObjectReadsBackAsTheSameSchema(t *testing.T) {
	for _, text := range []string{
		allKeywords, `{}`, `{properties: {}, required: [], x-kubernetes-validations: []}`,
		`{items: [{type: string}, {}]}`, `{additionalProperties: false}`, `{additionalProperties: true, additionalItems: false}`,
		`{x-kubernetes-no-prune: false, x-kubernetes-preserve-unknown-fields: false}`, `{dependencies: {a: []}}`,
	} {
		s := structuraltest.ParseSchema(t, text)
		if again := structuraltest.ParseSchema(t, structuraltest.ToJSON(t, s.Object())); !reflect.DeepEqual(s, again) {
			t.Errorf("%s reads back as %s", text, structuraltest.ToJSON(t, again.Object()))
		}
	}
}
