package structural

import (
	"reflect"
	"testing"
)

// allKeywords adds to fullSchema what only a schema that is not structural has.
const allKeywords = fullSchema + `
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
	s := parseSchema(t, allKeywords)
	wantNoZeroFields(t, "schema", reflect.ValueOf(*s))
	want := parseObject(t, allKeywords)
	// Numbers of these keywords are floats, however they are written.
	want["minimum"], want["multipleOf"] = 1.0, 6.0
	if got := s.Object(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %s\nwant %s", toJSON(t, got), toJSON(t, want))
	}
}

func TestObjectReadsBackAsTheSameSchema(t *testing.T) {
	for _, text := range []string{
		allKeywords, `{}`, `{properties: {}, required: [], x-kubernetes-validations: []}`,
		`{items: [{type: string}, {}]}`, `{additionalProperties: false}`, `{additionalProperties: true, additionalItems: false}`,
		`{x-kubernetes-no-prune: false, x-kubernetes-preserve-unknown-fields: false}`, `{dependencies: {a: []}}`,
	} {
		s := parseSchema(t, text)
		if again := parseSchema(t, toJSON(t, s.Object())); !reflect.DeepEqual(s, again) {
			t.Errorf("%s reads back as %s", text, toJSON(t, again.Object()))
		}
	}
}
