package structural_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// hashOf returns the hash of a schema as it is written.
func hashOf(t *testing.T, text string) string {
	t.Helper()
	return aspectHash(t, text, structural.AllAspects)
}

func aspectHash(t *testing.T, text string, aspects structural.Aspects) string {
	t.Helper()
	return schemaHash(schemaOf(t, text), true, structural.APIServer, aspects)
}

// schemaOf returns a schema as it is written, which need not be structural.
func schemaOf(t *testing.T, text string) *structural.Schema {
	t.Helper()
	raw, findings := crdread.ParseSchema("schema.yaml", []byte(text))
	for _, f := range findings {
		if f.Severity == structural.SeverityError {
			t.Fatalf("%s\n%+v", text, f)
		}
	}
	s, _ := structural.NewSchema(raw, nil)
	return s
}

func schemaHash(s *structural.Schema, pruned bool, semantics structural.Semantics, aspects structural.Aspects) string {
	return structural.Behavior{Schema: s, Pruned: pruned, Semantics: semantics}.Hash(aspects)
}

func TestHashIgnoresWhatDecidesNothing(t *testing.T) {
	const plain = `{type: object, properties: {a: {type: string, default: x}, b: {type: array, items: {type: integer}}}}`
	for _, same := range []string{
		`{type: object, description: words, properties: {b: {type: array, items: {type: integer}}, a: {type: string, default: x}}}`,
		`{type: object, title: T, properties: {a: {type: string, default: x, description: d, example: e}, b: {type: array, items: {type: integer, title: i}}}}`,
		`{type: object, externalDocs: {url: u}, properties: {a: {type: string, default: x}, b: {type: array, items: {type: integer}}}}`,
	} {
		if hashOf(t, same) != hashOf(t, plain) {
			t.Errorf("another hash for %s", same)
		}
	}
	// What is not said is the same as an empty schema.
	if hashOf(t, `{type: array, items: {}}`) != hashOf(t, `{type: array}`) || hashOf(t, `{additionalProperties: {}}`) != hashOf(t, `{additionalProperties: true}`) {
		t.Error("an empty schema has another hash")
	}
}

func TestHashTellsApartWhatDiffers(t *testing.T) {
	texts := []string{
		`{}`,
		`{type: object}`,
		`{type: object, nullable: true}`,
		`{type: object, properties: {a: {}}}`,
		`{type: object, properties: {b: {}}}`,
		`{type: object, properties: {a: {type: string}}}`,
		`{type: object, properties: {a: {type: integer}}}`,
		`{type: object, properties: {a: {properties: {b: {}}}}}`,
		`{type: object, properties: {a: {}, b: {}}}`,
		`{type: object, additionalProperties: true}`,
		`{type: object, additionalProperties: false}`,
		`{type: object, items: {type: string}}`,
		`{type: object, x-kubernetes-preserve-unknown-fields: true}`,
		`{type: object, properties: {a: {x-kubernetes-embedded-resource: true}}}`,
		`{type: object, x-kubernetes-int-or-string: true}`,
		`{type: object, x-kubernetes-list-type: map}`,
		`{type: object, x-kubernetes-list-map-keys: [map]}`,
		`{type: object, x-kubernetes-map-type: map}`,
		`{type: object, x-kubernetes-validations: [{rule: "true"}]}`,
		`{type: object, x-kubernetes-validations: [{rule: "true", message: m}]}`,
		`{type: object, default: {}}`,
		`{type: object, default: {a: 1}}`,
		`{type: object, default: {a: "1"}}`,
		`{type: object, required: [a]}`,
		`{type: object, required: ["a,b"]}`,
		`{type: object, required: [a, b]}`,
		`{type: object, enum: [a]}`,
		`{type: object, x-kubernetes-embedded-resource: true}`,
		`{type: object, anyOf: [{}]}`,
		`{type: object, anyOf: [{additionalProperties: false}]}`,
		`{type: object, pattern: a}`,
		`{type: object, format: a}`,
		`{type: object, minimum: 1}`,
		`{type: object, maximum: 1}`,
		`{type: object, minimum: 1, exclusiveMinimum: true}`,
		`{type: object, maximum: 1, exclusiveMaximum: true}`,
		`{type: object, minLength: 1}`,
		`{type: object, maxLength: 1}`,
		`{type: object, minItems: 1}`,
		`{type: object, maxItems: 1}`,
		`{type: object, minProperties: 1}`,
		`{type: object, maxProperties: 1}`,
		`{type: object, multipleOf: 1}`,
		`{type: object, uniqueItems: true}`,
		`{type: object, allOf: [{pattern: a}]}`,
		`{type: object, anyOf: [{pattern: a}]}`,
		`{type: object, oneOf: [{pattern: a}]}`,
		`{type: object, not: {pattern: a}}`,
		`{type: object, allOf: [{}, {pattern: a}]}`,
		`{type: object, allOf: [{properties: {a: {pattern: a}}}]}`,
		`{type: object, allOf: [{items: {pattern: a}}]}`,
		`{type: object, allOf: [{additionalProperties: {pattern: a}}]}`,
		// Below junctors, too, there are types and rules.
		`{type: object, allOf: [{type: string}]}`,
		`{type: object, allOf: [{type: integer}]}`,
		`{type: object, allOf: [{nullable: true}]}`,
		`{type: object, allOf: [{default: a}]}`,
		`{type: object, allOf: [{x-kubernetes-int-or-string: true}]}`,
		`{type: object, allOf: [{x-kubernetes-validations: [{rule: "true"}]}]}`,
		`{type: object, allOf: [{x-kubernetes-validations: [{rule: "false"}]}]}`,
		`{type: object, allOf: [{properties: {a: {type: string}}}]}`,
		`{type: object, allOf: [{properties: {a: {x-kubernetes-validations: [{rule: "true"}]}}}]}`,
		`{type: object, anyOf: [{not: {type: string}}]}`,
		// A value does not run into the next keyword.
		`{type: object, format: "a pattern 1 b"}`,
		`{type: object, format: "a", pattern: b}`,
		`{type: object, format: "apattern 1 b"}`,
		`{type: object, format: "apattern b"}`,
		`{type: object, format: "apattern  b"}`,
		`{type: object, format: "1 apattern 1 b"}`,
		`{type: object, properties: {"a\"{}property 3 \"b": {}}}`,
	}
	seen := map[string]string{schemaHash(nil, true, structural.APIServer, structural.AllAspects): "no schema"}
	for _, text := range texts {
		h := hashOf(t, text)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", text, other)
		}
		seen[h] = text
	}
	s := &structural.Schema{}
	if schemaHash(s, true, structural.APIServer, structural.AllAspects) == schemaHash(s, false, structural.APIServer, structural.AllAspects) || schemaHash(s, true, structural.APIServer, structural.AllAspects) == schemaHash(s, true, structural.KEP2332, structural.AllAspects) {
		t.Error("the hash ignores how the schema is applied")
	}
}

// TestHashStaysTheSame has a schema with every keyword. Generated code has the hash in it: another one for the same schema
// would say that the code is out of date.
func TestHashStaysTheSame(t *testing.T) {
	const want = "sha256:b3450949a188fe51b6b22a70939f71288097f7fac3799732cf562421e15f0ac1/pruning+types+defaults+values+rules+scope"
	if got := hashOf(t, allKeywords); got != want {
		t.Errorf("the hash is %s, want %s", got, want)
	}
}

// TestHashKnowsEveryKeyword sets each keyword of a structural schema to something else. What only describes a value must not
// change the hash, and everything else must.
func TestHashKnowsEveryKeyword(t *testing.T) {
	describes := []string{"description", "title", "externalDocs", "example"}
	plain := &structural.Schema{ValueValidation: &structural.ValueValidation{}}
	full := structuraltest.NewSchema(t, fullSchema)
	parts := func(s *structural.Schema) []any {
		return []any{&s.Generic, &s.Extensions, &s.ValidationExtensions, s.ValueValidation}
	}
	for i, part := range parts(full) {
		for k, v := range structural.KeywordsOf(part) {
			s := plain.Copy()
			reflect.ValueOf(parts(s)[i]).Elem().Field(k.Index).Set(v)
			below := func(s *structural.Schema) *structural.Schema {
				return &structural.Schema{Properties: map[string]*structural.Schema{"a": s}}
			}
			same := schemaHash(below(s), true, structural.APIServer, structural.AllAspects) == schemaHash(below(plain), true, structural.APIServer, structural.AllAspects)
			if want := slices.Contains(describes, k.Name); same != want {
				t.Errorf("%s: the hash is the same: %t, want %t", k.Name, same, want)
			}
		}
	}
}

// The hash covers what the functions depend on, and nothing more.
func TestHashCoversTheAspects(t *testing.T) {
	const plain = `{type: object, properties: {spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`
	spec := func(text string) string { return `{type: object, properties: {spec: ` + text + `}}` }
	for _, test := range []struct {
		text     string
		concerns structural.Aspects
	}{
		{spec(`{type: object, description: words, properties: {a: {type: string}, l: {type: array}}}`), 0},
		{spec(`{type: object, properties: {a: {type: string, minLength: 1}, l: {type: array}}}`), structural.AspectValues},
		{spec(`{type: object, properties: {a: {type: string, enum: [x]}, l: {type: array}}}`), structural.AspectValues},
		{spec(`{type: object, required: [a], properties: {a: {type: string}, l: {type: array}}}`), structural.AspectValues},
		{spec(`{type: object, allOf: [{required: [a]}], properties: {a: {type: string}, l: {type: array}}}`), structural.AspectValues},
		{spec(`{type: object, x-kubernetes-validations: [{rule: "true"}], properties: {a: {type: string}, l: {type: array}}}`), structural.AspectValues},
		{spec(`{type: object, properties: {a: {type: string}, l: {type: array, x-kubernetes-list-type: set}}}`), structural.AspectValues},
		{spec(`{type: object, properties: {a: {type: string, default: x}, l: {type: array}}}`), structural.AspectDefaults},
		{spec(`{type: object, properties: {a: {type: string, nullable: true}, l: {type: array}}}`), structural.AspectTypes | structural.AspectDefaults | structural.AspectValues},
		{spec(`{type: object, properties: {a: {type: integer}, l: {type: array}}}`), structural.AspectTypes | structural.AspectValues},
		{spec(`{type: object, properties: {a: {x-kubernetes-int-or-string: true}, l: {type: array}}}`), structural.AspectTypes | structural.AspectValues},
		{spec(`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}, l: {type: array}}}`), structural.AspectPruning | structural.AspectDefaults},
		{spec(`{type: object, properties: {a: {type: string}, l: {type: array, items: {type: string}}}}`), structural.AspectTypes | structural.AspectValues},
		{spec(`{type: object, additionalProperties: true, properties: {a: {type: string}, l: {type: array}}}`), structural.AspectPruning | structural.AspectDefaults | structural.AspectValues},
		{spec(`{type: object, properties: {a: {type: string}, b: {type: string}, l: {type: array}}}`), structural.AllAspects},
		{spec(`{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}, l: {type: array}}}`), structural.AllAspects},
		{`{type: object, properties: {metadata: {type: object}, spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`, structural.AspectDefaults | structural.AspectValues},
		// Every root is a resource; one that says so has its metadata read and validated twice, and must have an apiVersion and a kind.
		{`{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {a: {type: string}, l: {type: array}}}}}`, structural.AspectDefaults | structural.AspectValues | structural.AspectScope},
	} {
		for aspect := structural.AspectPruning; aspect < structural.AllAspects; aspect <<= 1 {
			same := aspectHash(t, test.text, aspect) == aspectHash(t, plain, aspect)
			if want := test.concerns&aspect == 0; same != want {
				t.Errorf("aspect %d: the hash is the same: %t, want %t: %s", aspect, same, want, test.text)
			}
		}
	}
	seen := map[string]structural.Aspects{}
	for aspects := range structural.AllAspects + 1 {
		h := aspectHash(t, plain, aspects)
		if other, ok := seen[h]; ok {
			t.Errorf("the aspects %d and %d have the same hash", aspects, other)
		}
		seen[h] = aspects
	}
	s := &structural.Schema{}
	if schemaHash(s, true, structural.APIServer, structural.AspectPruning) == schemaHash(s, false, structural.APIServer, structural.AspectPruning) || schemaHash(s, true, structural.APIServer, structural.AspectTypes) != schemaHash(s, false, structural.KEP2332, structural.AspectTypes) {
		t.Error("how objects are pruned decides about pruning, and about nothing else")
	}
}

func TestHashTellsFloatsInDefaultsFromIntegers(t *testing.T) {
	hash := func(v any, aspects structural.Aspects) string {
		return schemaHash(&structural.Schema{Properties: map[string]*structural.Schema{"a": {Generic: structural.Generic{Type: "number", Default: v}}}}, true, structural.APIServer, aspects)
	}
	for _, pair := range [][2]any{{int64(1), 1.0}, {[]any{int64(1)}, []any{1.0}}, {map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}}, {1.0, "float 1"}} {
		if hash(pair[0], structural.AspectDefaults) == hash(pair[1], structural.AspectDefaults) {
			t.Errorf("%#v and %#v have the same hash", pair[0], pair[1])
		}
		if hash(pair[0], structural.AspectPruning) != hash(pair[1], structural.AspectPruning) {
			t.Errorf("%#v and %#v are different to pruning", pair[0], pair[1])
		}
	}
	embedded := &structural.Schema{Extensions: structural.Extensions{XEmbeddedResource: true}}
	if schemaHash(embedded, true, structural.APIServer, structural.AspectDefaults) == schemaHash(&structural.Schema{}, true, structural.APIServer, structural.AspectDefaults) {
		t.Error("a root that says that it is embedded is like any other")
	}
}

// Functions that validate values do not evaluate CEL rules, and know whether there are any. Enums are compared exactly.
func TestHashOfValues(t *testing.T) {
	one, other := `{type: object, x-kubernetes-validations: [{rule: "true"}]}`, `{type: object, x-kubernetes-validations: [{rule: "false"}]}`
	if aspectHash(t, one, structural.AspectValues) != aspectHash(t, other, structural.AspectValues) || aspectHash(t, one, structural.AllAspects) == aspectHash(t, other, structural.AllAspects) {
		t.Error("what a rule says counts for those who evaluate it, and for nobody else")
	}
	if aspectHash(t, one, structural.AspectValues) == aspectHash(t, `{type: object}`, structural.AspectValues) {
		t.Error("that there are rules counts")
	}
	enum := func(v any) string {
		return schemaHash(&structural.Schema{ValueValidation: &structural.ValueValidation{Enum: []any{v}}}, true, structural.APIServer, structural.AspectValues)
	}
	if enum(int64(65)) == enum(65.0) || enum("65") == enum(int64(65)) {
		t.Error("values of an enum that differ have the same hash")
	}
}

// Metadata of a root that is an embedded resource is validated twice, also by functions that validate nothing else.
func TestHashOfMetadataKnowsWhetherTheRootIsEmbedded(t *testing.T) {
	aspects := structural.AspectTypes | structural.AspectScope
	if aspectHash(t, `{type: object}`, aspects) == aspectHash(t, `{type: object, x-kubernetes-embedded-resource: true}`, aspects) {
		t.Error("it does not")
	}
}

// What an aspect does not concern, it does not see: the scope, the pruning and the schema as it is written have one reader each.
func TestHashOfBehaviors(t *testing.T) {
	written := func(text string) structural.Behavior {
		return structural.Behavior{Written: structuraltest.ParseSchema(t, text)}
	}
	const typesOrValues = structural.AspectTypes | structural.AspectValues
	for name, c := range map[string]struct {
		a, b     structural.Behavior
		concerns structural.Aspects
	}{
		"scope":                    {structural.Behavior{Namespaced: true}, structural.Behavior{}, structural.AspectScope},
		"scope with a schema":      {structural.Behavior{Schema: &structural.Schema{}, Namespaced: true}, structural.Behavior{Schema: &structural.Schema{}}, structural.AspectScope},
		"pruned":                   {structural.Behavior{Pruned: true}, structural.Behavior{}, structural.AspectPruning | structural.AspectDefaults},
		"semantics":                {structural.Behavior{Semantics: structural.KEP2332}, structural.Behavior{}, structural.AspectPruning | structural.AspectDefaults},
		"a schema that is written": {written("{id: a}"), structural.Behavior{}, typesOrValues},
		"another that is written":  {written("{id: a, properties: {b: {type: string}}}"), written("{id: a, properties: {b: {type: integer}}}"), typesOrValues},
		"a float that is written":  {written("{id: a, enum: [1.5]}"), written("{id: a, enum: [float 1.5]}"), typesOrValues},
		"words":                    {written("{id: a, properties: {b: {description: d, title: t, example: e, externalDocs: {url: u}}}}"), written("{id: a, properties: {b: {}}}"), 0},
		"what is written beside a schema": {structural.Behavior{Schema: &structural.Schema{}, Written: structuraltest.ParseSchema(t, "{id: a}")},
			structural.Behavior{Schema: &structural.Schema{}}, 0},
	} {
		for aspects := range structural.AllAspects + 1 {
			if same := c.a.Hash(aspects) == c.b.Hash(aspects); same != (c.concerns&aspects == 0) {
				t.Errorf("%s: the hash for %q is the same: %t", name, aspects, same)
			}
		}
	}
	infinite := func(f float64) string {
		return schemaHash(&structural.Schema{ValueValidation: &structural.ValueValidation{Enum: []any{f}}}, true, structural.APIServer, structural.AllAspects)
	}
	if infinite(math.Inf(1)) == infinite(math.Inf(-1)) {
		t.Error("infinities have one hash")
	}
	b := structural.NewBehavior(&structural.CRD{Scope: "Cluster"}, &structural.Version{Pruned: true}, structural.KEP2332)
	if b != (structural.Behavior{Pruned: true, Semantics: structural.KEP2332}) {
		t.Errorf("%+v", b)
	}
	if b := structural.NewBehavior(&structural.CRD{Scope: "Namespaced"}, &structural.Version{}, structural.APIServer); b != (structural.Behavior{Namespaced: true}) {
		t.Errorf("%+v", b)
	}
}

func TestHashesSayWhatTheyCover(t *testing.T) {
	for aspects := structural.AspectPruning; aspects <= structural.AllAspects; aspects++ {
		for _, semantics := range []structural.Semantics{structural.APIServer, structural.KEP2332} {
			hash := schemaHash(&structural.Schema{}, true, semantics, aspects)
			want := semantics
			if aspects&(structural.AspectPruning|structural.AspectDefaults) == 0 {
				want = structural.APIServer
			}
			if have, s, ok := structural.ParseHash(hash); have != aspects || s != want || !ok {
				t.Errorf("%s: %s, %s, %t", hash, have, s, ok)
			}
		}
	}
	if have := (structural.AspectPruning | structural.AspectValues | structural.AspectScope).String(); have != "pruning+values+scope" {
		t.Error(have)
	}
	for _, hash := range []string{"", "sha256:a", "sha1:a/pruning", "a/pruning", "sha256:a/", "sha256:a/prune", "sha256:a/pruning+", "sha256:a/pruning+prune",
		"sha256:a/pruning/kep-24", "sha256:a/pruning/", "sha256:a/pruning/kep-2332/x", "sha256:a/pruning/kep-2332/kep-2332"} {
		if a, s, ok := structural.ParseHash(hash); a != 0 || s != 0 || ok {
			t.Errorf("%q: %s, %s, %t", hash, a, s, ok)
		}
	}
}
