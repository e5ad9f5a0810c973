package structural_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// litmusExamples are the examples of KEP-2335's litmus test. Where stripped is empty, stripping changes nothing.
var litmusExamples = []struct {
	name, specified, stripped string
}{
	{
		name: "discriminated union",
		specified: `
type: object
x-kubernetes-unions:
- discriminator: type
  fields:
    emptyDir: EmptyDir
    hostPath: HostPath
properties:
  type:
    type: string
    enum: ["EmptyDir", "HostPath"]
  emptyDir:
    type: object
  hostPath:
    type: object
    properties:
      path:
        type: string
        pattern: "/.*"
    required: ["path"]
  sharedField:
    type: string
required:
- sharedField
`,
		stripped: `
type: object
x-kubernetes-unions:
- discriminator: type
  fields:
    emptyDir: EmptyDir
    hostPath: HostPath
properties:
  type:
    type: string
  emptyDir:
    type: object
  hostPath:
    type: object
    properties:
      path:
        type: string
  sharedField:
    type: string
`,
	},
	{
		name: "non-polymorphic type, polymorphic format",
		specified: `
type: string
anyOf:
- pattern: '^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}$'
- pattern: '(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|)$'
`,
		stripped: `{type: string}`,
	},
	{
		name: "embedded JSON",
		specified: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
`,
	},
	{
		name: "string maps",
		specified: `
type: object
additionalProperties:
  type: integer
  minimum: 42
`,
		stripped: `
type: object
additionalProperties:
  type: integer
`,
	},
	{
		name: "IntOrString",
		specified: `
x-kubernetes-int-or-string: true
pattern: abc
anyOf:
- minimum: 42
  maximum: 50
- minimum: 52
  maximum: 60
`,
		stripped: `{x-kubernetes-int-or-string: true}`,
	},
	{
		name: "IntOrString, alternatively",
		specified: `
x-kubernetes-int-or-string: true
allOf:
- anyOf:
  - type: integer
  - type: string
- pattern: abc
  anyOf:
  - minimum: 42
    maximum: 50
  - minimum: 52
    maximum: 60
`,
		stripped: `{x-kubernetes-int-or-string: true}`,
	},
}

func TestLitmusExamplesOfKEP2335(t *testing.T) {
	for _, e := range litmusExamples {
		t.Run(e.name, func(t *testing.T) {
			// The examples are parts of a resource.
			inResource := func(schema string) *structural.Schema {
				root := structuraltest.NewSchema(t, `{type: object}`)
				root.Properties = map[string]*structural.Schema{"p": structuraltest.NewSchema(t, schema)}
				return root
			}
			s := inResource(e.specified)
			structuraltest.WantTexts(t, structural.Validate(s, nil))

			stripped := e.stripped
			if stripped == "" {
				stripped = e.specified
			}
			want := inResource(stripped)
			want.Visit(func(s *structural.Schema) { s.ValueValidation = nil })
			if got := structureOf(s); !reflect.DeepEqual(got, want) {
				t.Errorf("stripped:\n%+v\nwant:\n%+v", got.Properties["p"], want.Properties["p"])
			}
		})
	}
}

func TestStrippedSchemasPruneAlike(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		s := structuraltest.RandomSchema(t, seed, specimentest.SchemaOptions{Depth: 4, Values: seed%2 == 0})
		if errs := structural.Validate(s, nil); len(errs) > 0 {
			t.Fatalf("made a schema that is not structural: %q", structuraltest.Texts(errs))
		}
		stripped := structureOf(s)
		obj := structuraltest.RandomObject(s, seed)
		other := jsonvalue.Copy(obj)
		dropped := interpret.Prune(obj, s, interpret.PruneOptions{})
		if alike := interpret.Prune(other, stripped, interpret.PruneOptions{}); !reflect.DeepEqual(alike, dropped) || !reflect.DeepEqual(obj, other) {
			t.Fatalf("dropped %q, and by the stripped schema %q", dropped, alike)
		}
	}
}

// structureOf returns a copy of s that has its structure alone: whatever s accepts, the copy accepts.
func structureOf(s *structural.Schema) *structural.Schema {
	out := s.Copy()
	out.Visit(func(s *structural.Schema) { s.ValueValidation = nil })
	return out
}

// TestLitmusExampleRawExtension is the example in which the document leaves out the type of apiVersion, which is not
// structural.
func TestLitmusExampleRawExtension(t *testing.T) {
	const specified = `
type: object
properties:
  x:
    type: object
    nullable: true
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
    properties:
      apiVersion:
        pattern: v1
`
	asPrinted := structuraltest.NewSchema(t, specified)
	structuraltest.WantTexts(t, structural.Validate(asPrinted, nil),
		`properties[x].properties[apiVersion].type: Invalid value: "": must be string`,
		`properties[x].properties[apiVersion].type: Required value: must not be empty for specified object fields`)
	s := structuraltest.NewSchema(t, specified+"        type: string\n")
	structuraltest.WantTexts(t, structural.Validate(s, nil))
}

// TestWhatKEP2335WantsToAvoid is the document's first example: the type of bar is unclear.
func TestWhatKEP2335WantsToAvoid(t *testing.T) {
	s := structuraltest.NewSchema(t, `
properties:
  foo:
    type: string
  bar:
    minimum: 42
anyOf:
- properties:
    foo:
      pattern: abc
    bar:
      type: string
- properties:
    bar:
      type: integer
      minimum: 1
      maximum: 0
`)
	structuraltest.WantTexts(t, structural.Validate(s, structural.NewPath("x")),
		`x.anyOf[0].properties[bar].type: Forbidden: must be empty to be structural`,
		`x.anyOf[1].properties[bar].type: Forbidden: must be empty to be structural`,
		`x.properties[bar].type: Required value: must not be empty for specified object fields`,
		`x.type: Required value: must not be empty at the root`)
}

// TestMetadataExamplesOfKEP2335 has the two nested restrictions of metadata. The second one is allowed in the document
// and forbidden by the API server.
func TestMetadataExamplesOfKEP2335(t *testing.T) {
	structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, `{type: object, properties: {metadata: {type: object, properties: {name: {type: string},
		generateName: {type: string}}}}}`), structural.NewPath("x")))
	structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, `{type: object, properties: {metadata: {type: object}}, anyOf: [{properties: {metadata: {}}}]}`),
		structural.NewPath("x")), `x.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context`)
	structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, `
type: object
properties:
  embedded: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}}}
anyOf:
- properties: {embedded: {properties: {metadata: {}}}}
`), structural.NewPath("x")), `x.anyOf[0].properties[embedded].properties[metadata]: Forbidden: must not be specified in a nested context`)
}
