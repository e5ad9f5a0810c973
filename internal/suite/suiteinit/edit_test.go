package suiteinit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/suite"
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
		f := &search{finder: &finder{}, rng: rand.New(rand.NewPCG(1, 1))}
		if specimen.Has(obj, steps(test.at)) {
			t.Errorf("%s has %s", test.object, test.at)
		}
		specimen.Edit(f.rng, obj, schema, steps(test.at), func(any, *structural.Schema) any { return "new" })
		if got, _ := json.Marshal(obj); string(got) != test.want {
			t.Errorf("%s at %s becomes %s, want %s", test.object, test.at, got, test.want)
		}
		at := strings.NewReplacer(" 1", " []", " 7", " []", " 0", " []").Replace(" " + test.at)
		if !specimen.Has(obj, steps(at)) {
			t.Errorf("%v does not have %s", obj, at)
		}
		specimen.Edit(f.rng, obj, schema, steps(test.at), func(any, *structural.Schema) any { return specimen.Gone{} })
		if specimen.Has(obj, steps(at)) {
			t.Errorf("%v has %s after it was removed", obj, at)
		}
	}
}

// A topic has few places, however deep and wide the schema is.
func TestTopicsAreBounded(t *testing.T) {
	deep, value := "{type: object}", "self"
	for range 12 {
		deep, value = "{type: object, properties: {a: "+deep+"}}", value+".a"
	}
	var wide, names []string
	for i := range 120 {
		wide = append(wide, fmt.Sprintf("f%d: {type: string}", i))
		names = append(names, fmt.Sprintf("has(self.f%d)", i))
	}
	for _, test := range []struct {
		schema          string
		places, deepest int
	}{
		{"{type: object, x-kubernetes-validations: [{rule: 'has(" + value + ")'}], properties: {spec: {type: object}, a: " + deep + "}}", 9, 8},
		{"{type: object, properties: {spec: {type: object, x-kubernetes-validations: [{rule: '" + strings.Join(names, " || ") + "'}], properties: {" + strings.Join(wide, ", ") + "}}}}", 100, 1},
	} {
		v := suite.NewVariant(structuraltest.LoadCRD(t, structuraltest.CRDWith(test.schema)))
		resources, err := v.Resources()
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFinder(v, resources[0])
		if err != nil {
			t.Fatal(err)
		}
		places, deepest := f.topics[0]().places, 0
		for _, p := range places {
			deepest = max(deepest, len(p))
		}
		if len(places) != test.places || deepest != test.deepest {
			t.Errorf("%d places, %d steps deep, want %d and %d", len(places), deepest, test.places, test.deepest)
		}
	}
}

// Why there is no case is said of all rounds together, and names the constraint that is in the way most often, of several the first.
func TestReasonsForMissingCases(t *testing.T) {
	v := suite.NewVariant(structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, required: [a, b, c], properties: {a: {type: string}, b: {type: string}, c: {type: string}}}")))
	resources, err := v.Resources()
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFinder(v, resources[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rounds []failure
		want   string
	}{
		{nil, "no accepted object was found that has a value there"},
		{[]failure{{}}, "no accepted object was found that has a value there"},
		{[]failure{{tries: 2}, {tries: 3}}, "no object was found in 5 tries"},
		{[]failure{{tries: 2, only: 1, others: map[int]int{-1: 3}}}, "in 2 tries it was violated only together with other errors"},
		{[]failure{{tries: 2, only: 1, others: map[int]int{-1: 3, 1: 1}}}, "in 2 tries it was violated only together with others, mostly b: required"},
		{[]failure{{tries: 1, only: 1, others: map[int]int{2: 2}}, {tries: 1, only: 1, others: map[int]int{0: 1}}}, "in 2 tries it was violated only together with others, mostly c: required"},
		{[]failure{{tries: 1, only: 1, others: map[int]int{2: 1}}, {tries: 1, only: 1, others: map[int]int{1: 1}}}, "in 2 tries it was violated only together with others, mostly b: required"},
		{[]failure{{tries: 1, only: 1, others: map[int]int{0: 1, 2: 2}}, {tries: 1, only: 1, others: map[int]int{0: 2}}}, "in 2 tries it was violated only together with others, mostly a: required"},
	} {
		var all failure
		for _, round := range test.rounds {
			all.add(round)
		}
		if got := all.why(f); got != test.want {
			t.Errorf("%v: %s, want %s", test.rounds, got, test.want)
		}
	}
}
