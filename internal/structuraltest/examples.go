package structuraltest

const ArticleCore = `
type: object
properties:
  spec:
    type: object
    properties:
      command:
        type: string
      shell:
        type: string
      machines:
        type: array
        items:
          type: string
`

const ArticleWithValidation = `
type: object
properties:
  spec:
    type: object
    properties:
      command:
        type: string
        minLength: 1                          # value validation
      shell:
        type: string
        minLength: 1                          # value validation
      machines:
        type: array
        items:
          type: string
          pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" # value validation
    oneOf:                                    # value validation
    - required: ["command"]                   # value validation
    - required: ["shell"]                     # value validation
required: ["spec"]                            # value validation
`

const ArticleBroken = `
properties:
  spec:
    type: object
    properties:
      command:
        type: string
        minLength: 1
      shell:
        type: string
        minLength: 1
      machines:
        type: array
        items:
          type: string
          pattern: "^[a-z0-9]+(-[a-z0-9]+)*$"
    oneOf:
    - properties:
        command:
          type: string
      required: ["command"]
    - properties:
        shell:
          type: string
      required: ["shell"]
    not:
      properties:
        privileged: {}
required: ["spec"]
`

// FullSchema has every keyword that a structural schema can have.
const FullSchema = `
type: object
description: d
title: t
default: {a: [1, 2.5, null]}
nullable: true
externalDocs: {description: e, url: u}
example: {b: c}
x-kubernetes-preserve-unknown-fields: true
x-kubernetes-embedded-resource: true
x-kubernetes-int-or-string: true
x-kubernetes-list-map-keys: [k]
x-kubernetes-list-type: map
x-kubernetes-map-type: granular
x-kubernetes-unions: [{discriminator: type, fields: {a: A}}]
x-kubernetes-validations: [{rule: r, message: m, messageExpression: e, reason: FieldValueInvalid, fieldPath: .p, optionalOldSelf: true}]
properties: {p: {type: string}}
additionalProperties: {type: integer}
items: {type: boolean}
format: f
maximum: 9.5
exclusiveMaximum: true
minimum: 1
exclusiveMinimum: true
maxLength: 2
minLength: 3
pattern: p
maxItems: 4
minItems: 5
uniqueItems: true
multipleOf: 6
enum: [1, a, null]
maxProperties: 7
minProperties: 8
required: [r]
allOf: [{minLength: 10}]
anyOf: [{minLength: 11}]
oneOf: [{minLength: 12}]
not: {minLength: 13, properties: {q: {minLength: 14}}, items: {minLength: 15}, additionalProperties: {minLength: 16}, type: string,
  x-kubernetes-map-type: atomic, x-kubernetes-validations: [{rule: inner}]}
`

// KEP2332Examples are the examples of KEP-2332. In two of them the document and the API server disagree.
var KEP2332Examples = []struct {
	Name, Schema, Object string
	Want                 string
	Dropped              []string
	// What the document says, where that is something else.
	KepWant    string
	KepDropped []string
}{
	{
		Name:    "1. unspecified",
		Schema:  `{type: object}`,
		Object:  `{"foo": 42, "json": {"bar": 43}}`,
		Want:    `{}`,
		Dropped: []string{"foo", "json"},
	},
	{
		Name: "2. properties at top-level",
		Schema: `
type: object
properties:
  foo:
    type: object
`,
		Object:  `{"foo": {"abc": 42}, "json": {"bar": 43}}`,
		Want:    `{"foo": {}}`,
		Dropped: []string{"foo.abc", "json"},
	},
	{
		Name: "3. properties at multiple levels",
		Schema: `
type: object
properties:
  foo:
    type: object
    properties:
      bar:
        type: object
`,
		Object:  `{"foo": {"bar": {"abc": 42}, "def": 43}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"bar": {}}}`,
		Dropped: []string{"foo.bar.abc", "foo.def", "json"},
	},
	{
		Name: "4. additionalProperties with a non-empty schema",
		Schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties:
      type: object
`,
		Object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"abc": {}, "def": {}}}`,
		Dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		Name: "5. additionalProperties: false",
		Schema: `
type: object
properties:
  foo:
    type: object
    additionalProperties: false
`,
		Object:  `{"foo": {"abc": {"x": 42}, "def": {"y": 43}}, "json": {"ghi": 44}}`,
		Want:    `{"foo": {"abc": {}, "def": {}}}`,
		Dropped: []string{"foo.abc.x", "foo.def.y", "json"},
	},
	{
		Name: "6. arbitrary JSON",
		Schema: `
type: object
properties:
  json:
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
`,
		Object:  `{"foo": 42, "json": {"bar": 43}}`,
		Want:    `{"json": {"bar": 43}}`,
		Dropped: []string{"foo"},
	},
	{
		Name: "7. JSON, but with properties at the same level",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    properties:
      bar:
        type: object
`,
		Object:     `{"foo": 42, "json": {"bar": {"abc": 43}, "def": 44}}`,
		Want:       `{"json": {"bar": {}, "def": 44}}`,
		Dropped:    []string{"foo", "json.bar.abc"},
		KepWant:    `{"json": {"bar": {"abc": 43}, "def": 44}}`,
		KepDropped: []string{"foo"},
	},
	{
		Name: "8. JSON, but with properties at the same and lower levels",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    properties:
      bar:
        type: object
        properties:
          inner:
            type: integer
`,
		Object:  `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		Want:    `{"json": {"bar": {"inner": 43}, "def": 45}}`,
		Dropped: []string{"foo", "json.bar.abc"},
	},
	{
		Name: "9. additionalProperties within JSON",
		Schema: `
type: object
properties:
  json:
    type: object
    x-kubernetes-preserve-unknown-fields: true
    nullable: true
    additionalProperties:
      type: object
`,
		Object:     `{"foo": 42, "json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		Want:       `{"json": {"bar": {}, "def": 45}}`,
		Dropped:    []string{"foo", "json.bar.abc", "json.bar.inner"},
		KepWant:    `{"json": {"bar": {"inner": 43, "abc": 44}, "def": 45}}`,
		KepDropped: []string{"foo"},
	},
	{
		Name: "10. embedded resource",
		Schema: `
type: object
properties:
  object:
    type: object
    nullable: true
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
`,
		Object:  `{"foo": 42, "object": {"bar": 43, "abc": 44, "metadata": {"name": "example", "garbage": 45}}}`,
		Want:    `{"object": {"bar": 43, "abc": 44, "metadata": {"name": "example"}}}`,
		Dropped: []string{"foo", "object.metadata.garbage"},
	},
	{
		Name:    "11. implicit metav1.TypeMeta and metav1.ObjectMeta",
		Schema:  `{type: object}`,
		Object:  `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example", "garbage": 43}, "foo": 42}`,
		Want:    `{"apiVersion": "example/v1", "kind": "Foo", "metadata": {"name": "example"}}`,
		Dropped: []string{"foo", "metadata.garbage"},
	},
}
