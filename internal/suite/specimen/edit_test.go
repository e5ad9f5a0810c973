package specimen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// steps returns a path: names, and indices as numbers.
func steps(text string) prunert.Path {
	var p prunert.Path
	for _, name := range strings.Fields(text) {
		step := prunert.Step{Name: name, Index: -1}
		if _, err := fmt.Sscanf(name, "%d", &step.Index); err == nil {
			step.Name = ""
		}
		p = append(p, step)
	}
	return p
}

// An edit finds its place in objects that have changed since: lists may be shorter or empty, and values of another type or missing.
func TestEdit(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(`type: object
properties:
  list: {type: array, items: {type: object, properties: {a: {type: string}}}}
  map: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}
  object: {type: object, properties: {a: {type: string}}}
  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
`))
	schema := crd.Structural(crd.Versions[0])
	for _, test := range []struct{ object, at, want string }{
		{`{}`, "object", `{"object":"new"}`},
		{`{}`, "object a", `{"object":{"a":"new"}}`},
		{`{"object":{"b":1}}`, "object a", `{"object":{"a":"new","b":1}}`},
		{`{"object":1}`, "object a", `{"object":{"a":"new"}}`},
		{`{"list":[{},{}]}`, "list 0 a", `{"list":[{"a":"new"},{}]}`},
		{`{"list":[{},{}]}`, "list 1 a", `{"list":[{},{"a":"new"}]}`},
		{`{"list":[{}]}`, "list 1 a", `{"list":[{"a":"new"}]}`}, // there is one only
		{`{"list":[{}]}`, "list 7 a", `{"list":[{"a":"new"}]}`},
		{`{"list":[{}]}`, "list [] a", `{"list":[{"a":"new"}]}`},
		{`{"list":[]}`, "list 0", `{"list":["new"]}`},
		{`{"map":{"x":{}}}`, "map [*] a", `{"map":{"x":{"a":"new"}}}`},
		{`{"map":{"x":{}}}`, "map y a", `{"map":{"x":{},"y":{"a":"new"}}}`},
		{`{"map":{}}`, "map [*]", `{"map":{"key":"new"}}`},
		{`{}`, "unknown", `{"unknown":"new"}`},
		{`{"free":{}}`, "free a b", `{"free":{"a":{"b":"new"}}}`},
	} {
		var obj map[string]any
		if err := json.Unmarshal([]byte(test.object), &obj); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		if specimen.Has(obj, steps(test.at)) {
			t.Errorf("%s has %s", test.object, test.at)
		}
		specimen.Edit(rng, obj, schema, steps(test.at), func(any, *structural.Schema) any { return "new" })
		if got, _ := json.Marshal(obj); string(got) != test.want {
			t.Errorf("%s at %s becomes %s, want %s", test.object, test.at, got, test.want)
		}
		at := strings.NewReplacer(" 1", " []", " 7", " []", " 0", " []").Replace(" " + test.at)
		if !specimen.Has(obj, steps(at)) {
			t.Errorf("%v does not have %s", obj, at)
		}
		specimen.Edit(rng, obj, schema, steps(test.at), func(any, *structural.Schema) any { return specimen.Gone{} })
		if specimen.Has(obj, steps(at)) {
			t.Errorf("%v has %s after it was removed", obj, at)
		}
	}
}
