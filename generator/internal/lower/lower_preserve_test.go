package lower

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
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
			apiserver: "prune AppSpec\nprune AppSpec  .spec  look up\n  bar  leaf, listed\n  *    keep\n  []   keep",
			kep:       "keep",
		},
		{
			name:      "a field with properties, example 8",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {bar: {type: object, properties: {inner: {type: integer}}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec  look up\n  bar  prune AppSpecBar\n  *    keep\n  []   keep\nprune AppSpecBar  .spec.bar  leaf object\n  inner  leaf\n  *      drop",
			kep:       "prune AppSpec\nprune AppSpec  .spec  look up\n  bar  prune AppSpecBar\n  *    keep\n  []   keep\nprune AppSpecBar  .spec.bar  leaf object\n  inner  leaf\n  *      drop",
		},
		{
			name:      "additionalProperties, example 9",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec  range\n  *   leaf\n  []  keep",
			kep:       "keep",
		},
		{
			name:      "the elements of a preserving list",
			schema:    `{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec  list\n  *   keep\n  []  prune AppSpecItem\nprune AppSpecItem  .spec[]  look up\n  a   leaf, listed\n  *   keep\n  []  keep",
			kep:       "prune AppSpec\nprune AppSpec  .spec  list\n  *   keep\n  []  prune AppSpecItem\nprune AppSpecItem  .spec[]  leaf object\n  a  leaf\n  *  drop",
		},
		{
			name:      "two levels down without properties",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {m: {type: object, additionalProperties: {type: object, additionalProperties: {type: string}}}}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec  look up\n  m   prune AppSpecM\n  *   keep\n  []  keep\nprune AppSpecM  .spec.m  range\n  *  leaf map",
			kep:       "keep",
		},
		{
			name:      "an embedded resource below: its metadata is pruned in both",
			schema:    `{type: object, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}`,
			apiserver: "prune AppSpec\nprune AppSpec  .spec  range\n  *   prune AppSpecValue\n  []  keep\nprune AppSpecValue  .spec[*]  look up\n  metadata  metadata\n  *         keep\n  []        keep",
			kep:       "prune AppSpec\nprune AppSpec  .spec  range\n  *   prune AppSpecValue\n  []  keep\nprune AppSpecValue  .spec[*]  look up\n  metadata  metadata\n  *         keep\n  []        keep",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prune, checkOne := specPlan(t, structural.APIServer, tt.schema)
			crdtest.CompareText(t, prune, tt.apiserver)
			prune, checkOther := specPlan(t, structural.KEP2332, tt.schema)
			crdtest.CompareText(t, prune, tt.kep)
			crdtest.CompareText(t, checkOther, checkOne)
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
	p := lowered(t, structural.APIServer, crdtest.ManifestV1beta1("App", true, schema))
	crdtest.CompareText(t, p.String(), `
App example.com/v1
  prune App
  check App

prune App  the root  look up
  metadata  metadata
  spec      prune AppSpec
  *         keep
  []        keep

prune AppSpec  .spec  look up
  templates  prune AppSpecTemplates
  *          keep
  []         keep

prune AppSpecTemplates  .spec.templates  list
  *   keep
  []  prune AppSpecTemplatesItem

prune AppSpecTemplatesItem  .spec.templates[]  look up
  metadata  metadata
  *         keep
  []        keep

check App  the root  object  look up
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata
  spec        check AppSpec

check AppSpec  .spec  object  look up
  free       check AppSpecFree
  image      string, listed
  templates  check AppSpecTemplates

check AppSpecFree  .spec.free  object  range
  *  string

check AppSpecTemplates  .spec.templates  array  list
  []  check AppSpecTemplatesItem

check AppSpecTemplatesItem  .spec.templates[]  object  look up
  apiVersion  string, listed
  kind        string, listed
  metadata    metadata`)
}

func TestWithoutPruningASchemaNeedNotBeStructural(t *testing.T) {
	// The conversion refuses $ref, so that this schema takes no part at all.
	p := lowered(t, structural.APIServer, crdtest.ManifestV1beta1("App", true, `{type: object, properties: {a: {$ref: "#/definitions/a"}}}`))
	check := p.Tree("check")
	crdtest.CompareText(t, check.Describe(check.Roots["App"]), "check App  the root  any value, look up\n  apiVersion  string, listed\n  kind        string, listed\n  metadata    metadata")
}
