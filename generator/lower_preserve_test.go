package generator

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestTheTwoReadingsOfPreservedSubtrees(t *testing.T) {
	tests := []struct {
		name           string
		schema         string
		apiserver, kep string
	}{
		{
			name:      "a field without properties, example 7",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {bar: {type: object}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  bar  leaf\n  *    keep\n  []   keep",
			kep:       "keep",
		},
		{
			name:      "a field with properties, example 8",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {bar: {type: object, properties: {inner: {type: integer}}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  bar  prune AppSpecBar\n  *    keep\n  []   keep\nprune AppSpecBar  .spec.bar\n  inner  leaf\n  *      drop",
			kep:       "prune AppSpec\nprune AppSpec  .spec\n  bar  prune AppSpecBar\n  *    keep\n  []   keep\nprune AppSpecBar  .spec.bar\n  inner  leaf\n  *      drop",
		},
		{
			name:      "additionalProperties, example 9",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  *   leaf\n  []  keep",
			kep:       "keep",
		},
		{
			name:      "the elements of a preserving list",
			schema:    `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  *   keep\n  []  prune AppSpecItem\nprune AppSpecItem  .spec[]\n  a   leaf\n  *   keep\n  []  keep",
			kep:       "prune AppSpec\nprune AppSpec  .spec\n  *   keep\n  []  prune AppSpecItem\nprune AppSpecItem  .spec[]\n  a  leaf\n  *  drop",
		},
		{
			name:      "two levels down without properties",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {m: {type: object, additionalProperties: {type: object, additionalProperties: {type: string}}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  m   prune AppSpecM\n  *   keep\n  []  keep\nprune AppSpecM  .spec.m\n  *  map",
			kep:       "keep",
		},
		{
			name:      "an embedded resource below: its metadata is pruned in both",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec\n  *   prune AppSpecValue\n  []  keep\nprune AppSpecValue  .spec[*]\n  metadata  metadata\n  *         keep\n  []        keep",
			kep:       "prune AppSpec\nprune AppSpec  .spec\n  *   prune AppSpecValue\n  []  keep\nprune AppSpecValue  .spec[*]\n  metadata  metadata\n  *         keep\n  []        keep",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prune, checkOne := specPlan(t, structural.APIServer, tt.schema)
			compareText(t, prune, tt.apiserver)
			prune, checkOther := specPlan(t, structural.KEP2332, tt.schema)
			compareText(t, prune, tt.kep)
			compareText(t, checkOther, checkOne)
		})
	}
}

func TestWithoutPruningOnlyMetadataIsPruned(t *testing.T) {
	const schema = `
type: object
properties:
  spec:
    type: object
    properties:
      free: {type: object, additionalProperties: {type: string}}
      image: {type: string}
      templates:
        type: array
        items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`
	p := plan(t, structural.APIServer, manifestV1beta1("App", true, schema))
	compareText(t, p.String(), `
App example.com/v1
  prune App
  check App

prune App  the root
  metadata  metadata
  spec      prune AppSpec
  *         keep
  []        keep

prune AppSpec  .spec
  templates  prune AppSpecTemplates
  *          keep
  []         keep

prune AppSpecTemplates  .spec.templates
  *   keep
  []  prune AppSpecTemplatesItem

prune AppSpecTemplatesItem  .spec.templates[]
  metadata  metadata
  *         keep
  []        keep

check App  the root  object
  apiVersion  string
  kind        string
  metadata    metadata
  spec        check AppSpec

check AppSpec  .spec  object
  free       check AppSpecFree
  image      string
  templates  check AppSpecTemplates

check AppSpecFree  .spec.free  object
  *  string

check AppSpecTemplates  .spec.templates  array
  []  check AppSpecTemplatesItem

check AppSpecTemplatesItem  .spec.templates[]  object
  apiVersion  string
  kind        string
  metadata    metadata`)
	pruned := plan(t, structural.APIServer, manifestV1beta1("App", false, schema))
	if pruned.Kinds[0].SchemaHash == p.Kinds[0].SchemaHash {
		t.Error("the schema hash is the same with pruning and without")
	}
}

func TestWithoutPruningASchemaNeedNotBeStructural(t *testing.T) {
	// The conversion refuses $ref, so that this schema takes no part at all.
	p := plan(t, structural.APIServer, manifestV1beta1("App", true, `{type: object, properties: {a: {$ref: "#/definitions/a"}}}`))
	var b strings.Builder
	p.Kinds[0].Check.describe(&b, "check")
	compareText(t, b.String(), "check App  the root\n  apiVersion  string\n  kind        string\n  metadata    metadata")
}
