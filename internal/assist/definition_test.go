package assist_test

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/assist"
	"github.com/prune-gen/prune-gen/internal/crdread"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const constraints = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [needed]
            x-kubernetes-validations:
            - rule: "true"
            - {rule: "!has(self.a) || self.a != 'bad'", message: a is bad, fieldPath: .a}
            - {rule: "!has(self.a) || self.a != 'worse'"}
            properties:
              needed: {type: string}
              a: {type: string, maxLength: 5}
              low: {type: integer, minimum: 3}
              high: {type: integer, maximum: 3}
              step: {type: integer, multipleOf: 2}
              short: {type: string, minLength: 3}
              long: {type: string, maxLength: 3}
              pattern: {type: string, pattern: ^a$}
              enum: {type: string, enum: [a]}
              time: {type: string, format: date-time}
              type: {type: string}
              few: {type: array, minItems: 2, items: {type: string}}
              many: {type: array, maxItems: 1, items: {type: string}}
              empty: {type: object, minProperties: 1, additionalProperties: {type: string}}
              full: {type: object, maxProperties: 1, additionalProperties: {type: string}}
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              one: {type: object, oneOf: [{required: [x]}, {required: [z]}], properties: {x: {type: string}, z: {type: string}}}
              any: {type: object, anyOf: [{required: [x]}, {required: [z]}], properties: {x: {type: string}, z: {type: string}}}
              not: {type: object, not: {required: [x]}, properties: {x: {type: string}}}
              list: {type: array, items: {type: object, properties: {high: {type: integer, maximum: 3}}}}
              map: {type: object, additionalProperties: {type: integer, maximum: 3}}
`

// Each finding about an object leads to the keyword that refuses it.
func TestConstraintPath(t *testing.T) {
	crds := crdread.Load("crd.yaml", strings.NewReader(constraints)).CRDs
	s := manifest.FromCRDs(nil, dynamic.Compile, crds...)
	for field, want := range map[string]string{
		"needed: null": "required", "low: 1": "properties.low.minimum", "high: 9": "properties.high.maximum", "step: 3": "properties.step.multipleOf",
		"short: a": "properties.short.minLength", "long: abcd": "properties.long.maxLength", "pattern: b": "properties.pattern.pattern", "enum: b": "properties.enum.enum",
		"time: x": "properties.time.format", "type: 1": "properties.type.type", "few: [a]": "properties.few.minItems", "many: [a, b]": "properties.many.maxItems",
		"empty: {}": "properties.empty.minProperties", "full: {a: b, c: d}": "properties.full.maxProperties", "set: [a, a]": "properties.set.x-kubernetes-list-type",
		"one: {}": "properties.one.oneOf", "any: {}": "properties.any.anyOf", "not: {x: a}": "properties.not.not", "list: [{high: 9}]": "properties.list.items.properties.high.maximum",
		"map: {a: 9}": "properties.map.additionalProperties.maximum", "a: bad": "x-kubernetes-validations[1]", "a: worse": "x-kubernetes-validations[2]",
	} {
		text := head + "spec:\n  needed: x\n  " + field + "\n"
		if field == "needed: null" {
			text = head + "spec: {}\n"
		}
		var found []structural.Finding
		manifest.Read(objects.NewText("", []byte(text)), func(o manifest.Object) []structural.Finding {
			found = s.Answer(o, manifest.Warn).Findings
			return nil
		}, s)
		if len(found) == 0 {
			t.Errorf("%s is accepted: %v", field, s.Err())
			continue
		}
		f := found[0]
		have := assist.ConstraintPath(crds[0].Versions[0], f.Steps(), f.Message).String()
		if want = "spec.versions[0].schema.openAPIV3Schema.properties.spec." + want; have != want {
			t.Errorf("%s: %s, want %s: %s", field, have, want, f.Message)
		}
	}
}
