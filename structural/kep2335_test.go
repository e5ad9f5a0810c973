package structural_test

import (
	"reflect"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

// litmusExamples are the examples of KEP-2335's litmus test. Where unfolded is empty, unfolding changes nothing, and
// where stripped is, stripping does not.
var litmusExamples = []struct {
	name, specified, unfolded, stripped string
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
		unfolded: `
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
oneOf:
- required: ["emptyDir"]
- required: ["hostPath"]
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
		// The document moves pattern and anyOf into a second element of allOf. The API server leaves them where they are,
		// which says the same.
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
		unfolded: `
x-kubernetes-int-or-string: true
pattern: abc
allOf:
- anyOf:
  - type: integer
  - type: string
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

			unfolded := e.unfolded
			if unfolded == "" {
				unfolded = e.specified
			}
			if want := inResource(unfolded); !reflect.DeepEqual(s.Unfold(), want) {
				t.Errorf("unfolded:\n%+v\nwant:\n%+v", s.Unfold().Properties["p"], want.Properties["p"])
			}
			structuraltest.WantTexts(t, structural.Validate(s.Unfold(), nil))

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

// TestLitmusExampleRawExtension is the example in which the document leaves out the type of apiVersion, which is not
// structural: it is in what the document has after unfolding and stripping.
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

	want := structuraltest.NewSchema(t, `
type: object
properties:
  x:
    type: object
    nullable: true
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
    required: [kind, apiVersion]
    properties:
      apiVersion:
        type: string
        allOf:
        - pattern: ^([^/]+/?|/)[^/]*$
        - pattern: v1
      kind:
        type: string
`)
	want.Properties["x"].Properties["metadata"] = structural.ObjectMeta()
	for _, s := range []*structural.Schema{s, asPrinted} {
		unfolded := s.Unfold()
		if !reflect.DeepEqual(unfolded, want) {
			t.Errorf("unfolded: %+v, want %+v", unfolded.Properties["x"], want.Properties["x"])
		}
		structuraltest.WantTexts(t, structural.Validate(unfolded, nil))
		stripped := structureOf(unfolded)
		for k, typ := range map[string]string{"apiVersion": "string", "kind": "string", "metadata": "object"} {
			if p := stripped.Properties["x"].Properties[k]; p.Type != typ || p.ValueValidation != nil {
				t.Errorf("%s is stripped to %+v", k, p)
			}
		}
	}
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
