package lower

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/structural"
)

// specPlan returns what the plan says about .spec and below, where schema is the schema of .spec: how the root refers to
// it, then every function below the root.
func specPlan(t *testing.T, semantics structural.Semantics, schema string) (prune, check string) {
	t.Helper()
	p := lowered(t, semantics, crdtest.Manifest("App", "type: object\nproperties:\n  spec:\n"+crdtest.Indent(schema, 4)))
	below := func(pass string) string {
		tree, root := p.Tree(pass), p.Tree(pass).Roots["App"]
		spec := "keep" // a field that is kept where all others are, too, is not in the plan
		for _, f := range root.Fields {
			if f.Name == "spec" {
				spec = tree.Label(f.Node)
			}
		}
		var b strings.Builder
		b.WriteString(spec + "\n")
		for _, n := range tree.Funcs {
			if n != root {
				b.WriteString(tree.Describe(n))
			}
		}
		return b.String()
	}
	return below("prune"), below("check")
}

func TestLoweringDecidesWhatIsKeptDroppedWalkedAndChecked(t *testing.T) {
	tests := []struct {
		name         string
		schema       string
		prune, check string
	}{
		{
			name:   "a string has nothing in it that the schema specifies",
			schema: `type: string`,
			prune:  "leaf",
			check:  "string",
		},
		{
			name:   "null is accepted where the schema says so",
			schema: `{type: boolean, nullable: true}`,
			prune:  "leaf",
			check:  "boolean or null",
		},
		{
			name:   "format, enum and pattern are no types",
			schema: `{type: string, format: date-time, pattern: "^a", enum: ["a"]}`,
			prune:  "leaf",
			check:  "string",
		},
		{
			name:   "an object without properties is emptied",
			schema: `type: object`,
			prune:  "leaf",
			check:  "object",
		},
		{
			name: "the keys of an object with many properties are told apart by letter",
			schema: `{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string},
				f: {type: string}, g: {type: string}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  range, keys by letter
  a  leaf
  b  leaf
  c  leaf
  d  leaf
  e  leaf
  f  leaf
  g  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  range
  a  string
  b  string
  c  string
  d  string
  e  string
  f  string
  g  string`,
		},
		{
			name:   "an object with properties",
			schema: `{type: object, properties: {b: {type: integer}, a: {type: number}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  leaf object
  a  leaf
  b  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  a  number, listed
  b  integer, listed`,
		},
		{
			name:   "a list of scalars is walked for objects that should not be there",
			schema: `{type: array, items: {type: string}}`,
			prune:  "leaf",
			check: `
check AppSpec
check AppSpec  .spec  array  list
  []  string`,
		},
		{
			name:   "a list of lists of objects",
			schema: `{type: array, items: {type: array, items: {type: object, properties: {a: {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  list
  *   drop
  []  prune AppSpecItem
prune AppSpecItem  .spec[]  list
  *   drop
  []  prune AppSpecItemItem
prune AppSpecItemItem  .spec[][]  leaf object
  a  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  array  list
  []  check AppSpecItem
check AppSpecItem  .spec[]  array  list
  []  check AppSpecItemItem
check AppSpecItemItem  .spec[][]  object  look up
  a  string, listed`,
		},
		{
			name:   "a map of scalars is a map",
			schema: `{type: object, additionalProperties: {type: string}}`,
			prune:  "leaf map",
			check: `
check AppSpec
check AppSpec  .spec  object  range
  *  string`,
		},
		{
			name:   "a map of maps",
			schema: `{type: object, additionalProperties: {type: object, additionalProperties: {type: string}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  range
  *  leaf map`,
			check: `
check AppSpec
check AppSpec  .spec  object  range
  *  check AppSpecValue
check AppSpecValue  .spec[*]  object  range
  *  string`,
		},
		{
			name:   "a map of objects",
			schema: `{type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  range
  *  prune AppSpecValue
prune AppSpecValue  .spec[*]  leaf object
  a  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  range
  *  check AppSpecValue
check AppSpecValue  .spec[*]  object  look up
  a  string, listed`,
		},
		{
			name:   "additionalProperties: true keeps the keys and says nothing about the values",
			schema: `{type: object, additionalProperties: true}`,
			prune:  "leaf map",
			check:  "object",
		},
		{
			name:   "additionalProperties: false is value validation and keeps the keys",
			schema: `{type: object, additionalProperties: false}`,
			prune:  "leaf map",
			check:  "object",
		},
		{
			name:   "additionalProperties beside properties",
			schema: `{type: object, properties: {a: {type: string}}, additionalProperties: true}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  range
  a  leaf
  *  leaf`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  a  string, listed`,
		},
		{
			name:   "a map whose values are kept is kept",
			schema: `{type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  list
  *  keep`,
			check: "object",
		},
		{
			name:   "arbitrary JSON",
			schema: `{x-kubernetes-preserve-unknown-fields: true}`,
			prune:  "keep",
			check:  "keep",
		},
		{
			name:   "preserving, with properties: pruning starts again in them",
			schema: `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  a   prune AppSpecA
  *   keep
  []  keep
prune AppSpecA  .spec.a  leaf object
  b  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  a  check AppSpecA
check AppSpecA  .spec.a  object  look up
  b  string, listed`,
		},
		{
			name:   "preserving, with additionalProperties: pruning starts again in the values",
			schema: `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  range
  *   leaf
  []  keep`,
			check: `
check AppSpec
check AppSpec  .spec  object  range
  *  object`,
		},
		{
			name:   "a preserving list: its elements preserve, too, and what they specify is pruned",
			schema: `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  list
  *   keep
  []  prune AppSpecItem
prune AppSpecItem  .spec[]  look up
  a   leaf, listed
  *   keep
  []  keep`,
			check: `
check AppSpec
check AppSpec  .spec  array  list
  []  check AppSpecItem
check AppSpecItem  .spec[]  object  look up
  a  object, listed`,
		},
		{
			name:   "a preserving list of lists preserves all the way down",
			schema: `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: array, items: {type: object}}}`,
			prune:  "keep",
			check: `
check AppSpec
check AppSpec  .spec  array  list
  []  check AppSpecItem
check AppSpecItem  .spec[]  array  list
  []  object`,
		},
		{
			name:   "an embedded resource",
			schema: `{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: string}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  apiVersion  keep
  kind        kind
  metadata    metadata
  spec        leaf, listed
  *           drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata
  spec        string, listed`,
		},
		{
			name:   "an embedded resource that preserves: only its metadata is pruned",
			schema: `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  metadata  metadata
  *         keep
  []        keep`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata`,
		},
		{
			name:   "what the schema says about the fields of every resource takes no part",
			schema: `{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  apiVersion  keep
  kind        kind
  metadata    metadata
  *           drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata`,
		},
		{
			name:   "int-or-string",
			schema: `x-kubernetes-int-or-string: true`,
			prune:  "leaf",
			check:  "integer,string",
		},
		{
			name:   "int-or-string, spelled out and nullable",
			schema: `{x-kubernetes-int-or-string: true, nullable: true, anyOf: [{type: integer}, {type: string}]}`,
			prune:  "leaf",
			check:  "integer,string or null",
		},
		{
			name:   "equal places share a function, named for what is in them",
			schema: `{type: object, properties: {b: {type: object, properties: {x: {type: string}}}, a: {type: object, properties: {deep: {type: object, properties: {x: {type: string}}}}}, c: {type: object, properties: {x: {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  a  prune AppSpecA
  b  prune AppWithX
  c  prune AppWithX
  *  drop
prune AppSpecA  .spec.a  look up
  deep  prune AppWithX
  *     drop
prune AppWithX  .spec.b  leaf object
  x  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  a  check AppSpecA
  b  check AppWithX
  c  check AppWithX
check AppSpecA  .spec.a  object  look up
  deep  check AppWithX
check AppWithX  .spec.b  object  look up
  x  string, listed`,
		},
		{
			name:   "pruning does not care for types, so more is equal",
			schema: `{type: object, properties: {a: {type: object, properties: {x: {type: string}}}, b: {type: object, nullable: true, properties: {x: {type: integer}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  a  prune AppWithX
  b  prune AppWithX
  *  drop
prune AppWithX  .spec.a  leaf object
  x  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  a  check AppSpecA
  b  check AppSpecB
check AppSpecA  .spec.a  object  look up
  x  string, listed
check AppSpecB  .spec.b  object or null  look up
  x  integer, listed`,
		},
		{
			name:   "odd names are quoted",
			schema: `{type: object, properties: {"": {type: string}, "a b": {type: string}, "a.b": {type: object, properties: {"\n": {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec  look up
  ""     leaf, listed
  "a b"  leaf, listed
  "a.b"  prune AppSpecAB
  *      drop
prune AppSpecAB  .spec["a.b"]  leaf object
  "\n"  leaf
  *     drop`,
			check: `
check AppSpec
check AppSpec  .spec  object  look up
  ""     string, listed
  "a b"  string, listed
  "a.b"  check AppSpecAB
check AppSpecAB  .spec["a.b"]  object  look up
  "\n"  string, listed`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prune, check := specPlan(t, structural.APIServer, tt.schema)
			crdtest.CompareText(t, prune, tt.prune)
			crdtest.CompareText(t, check, tt.check)
		})
	}
}

func TestTheRootIsAResource(t *testing.T) {
	const without = `
App example.com/v1
  prune App
  check App

prune App  the root  look up
  apiVersion  keep
  kind        kind
  metadata    metadata
  *           drop

check App  the root  %s
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata`
	object := strings.Replace(without, "%s", "object  look up", 1)
	for name, schema := range map[string]string{
		"that says nothing":       "type: object",
		"that says it is one":     "type: object\nx-kubernetes-embedded-resource: true\nproperties: {kind: {type: string}}",
		"that names the fields":   "type: object\nproperties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}}",
		"that restricts the name": "type: object\nproperties: {metadata: {type: object, properties: {name: {type: string, pattern: a}}}}",
	} {
		t.Run("with a schema "+name, func(t *testing.T) {
			crdtest.CompareText(t, lowered(t, structural.APIServer, crdtest.Manifest("App", schema)).String(), object)
		})
	}
	t.Run("without a schema", func(t *testing.T) {
		text := strings.Replace(crdtest.ManifestV1beta1("App", false, "{}"), "  validation:\n    openAPIV3Schema:\n      {}", "", 1)
		crdtest.CompareText(t, lowered(t, structural.APIServer, text).String(), strings.Replace(without, "%s", "any value, look up", 1))
	})
	t.Run("that preserves", func(t *testing.T) {
		p := lowered(t, structural.APIServer, crdtest.Manifest("App", "type: object\nx-kubernetes-preserve-unknown-fields: true"))
		prune := p.Tree("prune")
		crdtest.CompareText(t, prune.Describe(prune.Roots["App"]), "prune App  the root  look up\n  metadata  metadata\n  *         keep\n  []        keep")
	})
}
