package generator

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// specPlan returns what the plan says about .spec and below, where schema is the schema of .spec: how the root refers to
// it, then every function below the root.
func specPlan(t *testing.T, semantics structural.Semantics, schema string) (prune, check string) {
	t.Helper()
	p := plan(t, semantics, manifest("App", "type: object\nproperties:\n  spec:\n"+indent(schema, 4)))
	below := func(verb string, root *Node, nodes []*Node) string {
		spec := "keep" // a field that is kept where all others are, too, is not in the plan
		for _, f := range root.Fields {
			if f.Name == "spec" {
				spec = f.Node.label(verb)
			}
		}
		var b strings.Builder
		b.WriteString(spec + "\n")
		for _, n := range nodes {
			if n != root {
				n.describe(&b, verb)
			}
		}
		return b.String()
	}
	return below("prune", p.Kinds[0].Prune, p.Prune), below("check", p.Kinds[0].Check, p.Check)
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
			name:   "an object with properties",
			schema: `{type: object, properties: {b: {type: integer}, a: {type: number}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  a  leaf
  b  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  a  number
  b  integer`,
		},
		{
			name:   "a list of scalars is walked for objects that should not be there",
			schema: `{type: array, items: {type: string}}`,
			prune:  "leaf",
			check: `
check AppSpec
check AppSpec  .spec  array
  []  string`,
		},
		{
			name:   "a list of lists of objects",
			schema: `{type: array, items: {type: array, items: {type: object, properties: {a: {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  *   drop
  []  prune AppSpecItem
prune AppSpecItem  .spec[]
  *   drop
  []  prune AppSpecItemItem
prune AppSpecItemItem  .spec[][]
  a  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  array
  []  check AppSpecItem
check AppSpecItem  .spec[]  array
  []  check AppSpecItemItem
check AppSpecItemItem  .spec[][]  object
  a  string`,
		},
		{
			name:   "a map of scalars is a map",
			schema: `{type: object, additionalProperties: {type: string}}`,
			prune:  "map",
			check: `
check AppSpec
check AppSpec  .spec  object
  *  string`,
		},
		{
			name:   "a map of maps",
			schema: `{type: object, additionalProperties: {type: object, additionalProperties: {type: string}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  *  map`,
			check: `
check AppSpec
check AppSpec  .spec  object
  *  check AppSpecValue
check AppSpecValue  .spec[*]  object
  *  string`,
		},
		{
			name:   "a map of objects",
			schema: `{type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  *  prune AppSpecValue
prune AppSpecValue  .spec[*]
  a  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  *  check AppSpecValue
check AppSpecValue  .spec[*]  object
  a  string`,
		},
		{
			name:   "additionalProperties: true keeps the keys and says nothing about the values",
			schema: `{type: object, additionalProperties: true}`,
			prune:  "map",
			check:  "object",
		},
		{
			name:   "additionalProperties: false is value validation and keeps the keys",
			schema: `{type: object, additionalProperties: false}`,
			prune:  "map",
			check:  "object",
		},
		{
			name:   "additionalProperties beside properties",
			schema: `{type: object, properties: {a: {type: string}}, additionalProperties: true}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  a  leaf
  *  leaf`,
			check: `
check AppSpec
check AppSpec  .spec  object
  a  string`,
		},
		{
			name:   "a map whose values are kept is kept",
			schema: `{type: object, additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
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
prune AppSpec  .spec
  a   prune AppSpecA
  *   keep
  []  keep
prune AppSpecA  .spec.a
  b  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  a  check AppSpecA
check AppSpecA  .spec.a  object
  b  string`,
		},
		{
			name:   "preserving, with additionalProperties: pruning starts again in the values",
			schema: `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  *   leaf
  []  keep`,
			check: `
check AppSpec
check AppSpec  .spec  object
  *  object`,
		},
		{
			name:   "a preserving list: its elements preserve, too, and what they specify is pruned",
			schema: `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  *   keep
  []  prune AppSpecItem
prune AppSpecItem  .spec[]
  a   leaf
  *   keep
  []  keep`,
			check: `
check AppSpec
check AppSpec  .spec  array
  []  check AppSpecItem
check AppSpecItem  .spec[]  object
  a  object`,
		},
		{
			name:   "a preserving list of lists preserves all the way down",
			schema: `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: array, items: {type: object}}}`,
			prune:  "keep",
			check: `
check AppSpec
check AppSpec  .spec  array
  []  check AppSpecItem
check AppSpecItem  .spec[]  array
  []  object`,
		},
		{
			name:   "an embedded resource",
			schema: `{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: string}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  apiVersion  keep
  kind        keep
  metadata    metadata
  spec        leaf
  *           drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  apiVersion  string
  kind        string
  metadata    metadata
  spec        string`,
		},
		{
			name:   "an embedded resource that preserves: only its metadata is pruned",
			schema: `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  metadata  metadata
  *         keep
  []        keep`,
			check: `
check AppSpec
check AppSpec  .spec  object
  apiVersion  string
  kind        string
  metadata    metadata`,
		},
		{
			name:   "what the schema says about the fields of every resource takes no part",
			schema: `{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  apiVersion  keep
  kind        keep
  metadata    metadata
  *           drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  apiVersion  string
  kind        string
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
			name:   "equal places share a function, named after the shortest path, of those the first",
			schema: `{type: object, properties: {b: {type: object, properties: {x: {type: string}}}, a: {type: object, properties: {deep: {type: object, properties: {x: {type: string}}}}}, c: {type: object, properties: {x: {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  a  prune AppSpecA
  b  prune AppSpecB
  c  prune AppSpecB
  *  drop
prune AppSpecA  .spec.a
  deep  prune AppSpecB
  *     drop
prune AppSpecB  .spec.b
  x  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  a  check AppSpecA
  b  check AppSpecB
  c  check AppSpecB
check AppSpecA  .spec.a  object
  deep  check AppSpecB
check AppSpecB  .spec.b  object
  x  string`,
		},
		{
			name:   "pruning does not care for types, so more is equal",
			schema: `{type: object, properties: {a: {type: object, properties: {x: {type: string}}}, b: {type: object, nullable: true, properties: {x: {type: integer}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  a  prune AppSpecA
  b  prune AppSpecA
  *  drop
prune AppSpecA  .spec.a
  x  leaf
  *  drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  a  check AppSpecA
  b  check AppSpecB
check AppSpecA  .spec.a  object
  x  string
check AppSpecB  .spec.b  object or null
  x  integer`,
		},
		{
			name:   "odd names are quoted",
			schema: `{type: object, properties: {"": {type: string}, "a b": {type: string}, "a.b": {type: object, properties: {"\n": {type: string}}}}}`,
			prune: `
prune AppSpec
prune AppSpec  .spec
  ""     leaf
  "a b"  leaf
  "a.b"  prune AppSpecAB
  *      drop
prune AppSpecAB  .spec["a.b"]
  "\n"  leaf
  *     drop`,
			check: `
check AppSpec
check AppSpec  .spec  object
  ""     string
  "a b"  string
  "a.b"  check AppSpecAB
check AppSpecAB  .spec["a.b"]  object
  "\n"  string`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prune, check := specPlan(t, structural.APIServer, tt.schema)
			compareText(t, prune, tt.prune)
			compareText(t, check, tt.check)
		})
	}
}

func TestTheRootIsAResource(t *testing.T) {
	const without = `
App example.com/v1
  prune App
  check App

prune App  the root
  apiVersion  keep
  kind        keep
  metadata    metadata
  *           drop

check App  the root%s
  apiVersion  string
  kind        string
  metadata    metadata`
	object := strings.Replace(without, "%s", "  object", 1)
	for name, schema := range map[string]string{
		"that says nothing":       "type: object",
		"that says it is one":     "type: object\nx-kubernetes-embedded-resource: true\nproperties: {kind: {type: string}}",
		"that names the fields":   "type: object\nproperties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object}}",
		"that restricts the name": "type: object\nproperties: {metadata: {type: object, properties: {name: {type: string, pattern: a}}}}",
	} {
		t.Run("with a schema "+name, func(t *testing.T) {
			compareText(t, plan(t, structural.APIServer, manifest("App", schema)).String(), object)
		})
	}
	t.Run("without a schema", func(t *testing.T) {
		text := strings.Replace(manifestV1beta1("App", false, "{}"), "  validation:\n    openAPIV3Schema:\n      {}", "", 1)
		compareText(t, plan(t, structural.APIServer, text).String(), strings.Replace(without, "%s", "", 1))
	})
	t.Run("that preserves", func(t *testing.T) {
		p := plan(t, structural.APIServer, manifest("App", "type: object\nx-kubernetes-preserve-unknown-fields: true"))
		var b strings.Builder
		p.Kinds[0].Prune.describe(&b, "prune")
		compareText(t, b.String(), "prune App  the root\n  metadata  metadata\n  *         keep\n  []        keep")
	})
}

func TestFunctionsAreSharedAcrossKinds(t *testing.T) {
	shared := "{type: object, properties: {x: {type: string}, list: {type: array, items: {type: object, properties: {z: {type: string}}}}}}"
	p := plan(t, structural.APIServer,
		manifest("Beta", "type: object\nproperties: {a: "+shared+", own: {type: object, properties: {b: {type: string}}}}"),
		manifest("Alpha", "type: object\nproperties: {spec: "+shared+"}"))
	var names []string
	for _, n := range p.Prune {
		names = append(names, n.Owner.Kind+" "+n.Name)
	}
	compareText(t, strings.Join(names, "\n"), `
Alpha Alpha
Alpha AlphaSpec
Alpha AlphaSpecList
Alpha AlphaSpecListItem
Beta Beta
Beta BetaOwn`)
}

func TestFunctionsComeInTheOrderOfTheirPaths(t *testing.T) {
	schema := `
type: object
properties:
  a: {type: object, properties: {b: {type: object, properties: {c: {type: array, items: {type: object, properties: {d: {type: integer}}}}}}}}
  e: {type: object, properties: {f: {type: object, properties: {g: {type: boolean}}}}}
`
	p := plan(t, structural.APIServer, manifest("App", schema), manifest("Zoo", strings.ReplaceAll(schema, "boolean", "number")))
	names := func(nodes []*Node) string {
		var all []string
		for _, n := range nodes {
			all = append(all, n.Name)
		}
		return strings.Join(all, " ")
	}
	compareText(t, names(p.Prune), "App AppA AppAB AppABC AppABCItem AppE AppEF")
	compareText(t, names(p.Check), "App AppA AppAB AppABC AppABCItem AppE AppEF Zoo ZooE ZooEF")
}
