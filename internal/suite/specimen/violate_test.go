package specimen

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

const keywordSchema = `
type: object
properties:
  spec:
    type: object
    required: [name]
    minProperties: 1
    maxProperties: 3
    properties:
      name: {type: string, minLength: 2, maxLength: 5, pattern: "^[a-c]+$"}
      at: {type: string, format: date-time}
      mode: {type: string, enum: [a, b]}
      count: {type: integer, minimum: 1, maximum: 9, multipleOf: 2}
      port: {x-kubernetes-int-or-string: true}
      list: {type: array, minItems: 1, maxItems: 2, items: {type: string, maxLength: 3}}
      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      closed: {type: object, additionalProperties: false}
      map: {type: object, additionalProperties: {type: integer, maximum: 3}}
      r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
    anyOf: [{properties: {name: {minLength: 4}}}, {not: {required: [list]}}]
`

func keywordsOf(t *testing.T) (*structural.JSONSchema, *Violations) {
	t.Helper()
	written, findings := crdread.ParseSchema("schema", []byte(keywordSchema))
	s, errs := structural.NewSchema(written, nil)
	if len(findings) > 0 || len(errs) > 0 {
		t.Fatal(findings, errs)
	}
	return written, NewViolations(s)
}

// Each keyword is violated by some of the objects that are made for it.
func TestEachKeywordIsViolated(t *testing.T) {
	written, v := keywordsOf(t)
	names := map[string]bool{}
	for i, k := range v.keywords {
		dot := strings.LastIndexByte(k.name, '.')
		way, name := k.name[:dot], k.name[dot+1:]
		if suffix := strings.Index(k.name, ".x-"); suffix >= 0 {
			way, name = k.name[:suffix], k.name[suffix+1:]
		}
		names[name] = true
		found := false
		for seed := range uint64(40) {
			obj := v.Make(i, seed)
			for _, e := range new(interpret.Work).Validate(obj, written) {
				found = found || strings.HasPrefix("."+e.Field, strings.TrimRight(way, ".")) || e.Field == "<nil>"
			}
		}
		if !found {
			t.Errorf("%s at %s is not violated", k.name, way)
		}
	}
	for _, name := range []string{
		"format", "maximum", "minimum", "multipleOf", "maxLength", "minLength", "pattern", "maxItems", "minItems", "enum", "maxProperties", "minProperties",
		"required", "additionalProperties", "x-kubernetes-int-or-string", "x-kubernetes-list-type", "x-kubernetes-embedded-resource",
	} {
		if !names[name] {
			t.Errorf("%s is not found", name)
		}
	}
	if v.Keywords() != 21 {
		t.Errorf("%d keywords", v.Keywords())
	}
}

func TestAViolationFollowsFromItsSeed(t *testing.T) {
	_, v := keywordsOf(t)
	for i := range v.Keywords() {
		a, b := v.Make(i, 7), v.Make(i, 7)
		if !reflect.DeepEqual(a, b) {
			data, _ := json.Marshal(a)
			t.Errorf("keyword %d: %s is made only once", i, data)
		}
	}
}

func TestASchemaWithoutKeywordsHasNone(t *testing.T) {
	if n := NewViolations(nil).Keywords(); n != 0 {
		t.Errorf("%d", n)
	}
}

// A value at a place can have another schema than the keyword was found in: metadata of an embedded resource has that of all metadata.
func TestKeywordsBelowMetadataAreViolated(t *testing.T) {
	text := &structural.Schema{Generic: structural.Generic{Type: "string"}, ValueValidation: &structural.ValueValidation{Pattern: "^a$"}}
	metadata := &structural.Schema{Generic: structural.Generic{Type: "object"}, AdditionalProperties: &structural.SchemaOrBool{Schema: text}}
	embedded := &structural.Schema{Generic: structural.Generic{Type: "object"}, Extensions: structural.Extensions{XEmbeddedResource: true},
		Properties: map[string]*structural.Schema{"metadata": metadata}}
	v := NewViolations(&structural.Schema{Generic: structural.Generic{Type: "object"}, Properties: map[string]*structural.Schema{"e": embedded}})
	for i := range v.Keywords() {
		for seed := range uint64(50) {
			v.Make(i, seed)
		}
	}
}
