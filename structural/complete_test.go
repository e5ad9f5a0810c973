package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural"
)

func TestValidateWantsWhatTheRootsValueValidationNames(t *testing.T) {
	for _, c := range []struct {
		schema string
		want   []string
	}{
		{`{type: object, allOf: [{properties: {a: {}}}]}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.allOf[0].properties[a]`}},
		{`{type: object, anyOf: [{}, {properties: {a: {}}}]}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.anyOf[1].properties[a]`}},
		{`{type: object, oneOf: [{properties: {a: {}}}]}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.oneOf[0].properties[a]`}},
		{`{type: object, not: {properties: {a: {}}}}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.not.properties[a]`}},
		{`{type: object, not: {anyOf: [{properties: {a: {}}}]}}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.not.anyOf[0].properties[a]`}},
		{`{type: object, anyOf: [{items: {}}]}`,
			[]string{`x.items: Required value: because it is defined in x.anyOf[0].items`}},
		// One field, named twice.
		{`{type: object, anyOf: [{properties: {a: {}}}, {properties: {a: {}}}]}`, []string{
			`x.properties[a]: Required value: because it is defined in x.anyOf[0].properties[a]`,
			`x.properties[a]: Required value: because it is defined in x.anyOf[1].properties[a]`,
		}},
		// Below a field that is specified, the value validation of the root is followed.
		{`{type: object, properties: {a: {type: object}}, not: {properties: {a: {properties: {b: {}}}}}}`, []string{
			`x.properties[a].properties[b]: Required value: because it is defined in x.not.properties[a].properties[b]`}},
		{`{type: object, properties: {a: {type: array, items: {type: object}}}, not: {properties: {a: {items: {properties: {b: {}}}}}}}`,
			[]string{`x.properties[a].items.properties[b]: Required value: because it is defined in x.not.properties[a].items.properties[b]`}},
		{`{type: object, properties: {a: {type: object}}, not: {properties: {a: {items: {}}}}}`,
			[]string{`x.properties[a].items: Required value: because it is defined in x.not.properties[a].items`}},
		{`{type: object, properties: {a: {type: object}}, not: {properties: {a: {allOf: [{properties: {b: {}}}]}}}}`, []string{
			`x.properties[a].properties[b]: Required value: because it is defined in x.not.properties[a].allOf[0].properties[b]`}},
		// Of what is not specified, only the topmost is said.
		{`{type: object, not: {properties: {a: {properties: {b: {}}}}}}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.not.properties[a]`}},
		// additionalProperties specify no field.
		{`{type: object, properties: {a: {type: object, additionalProperties: {type: string}}}, not: {properties: {a: {properties: {b: {}}}}}}`,
			[]string{`x.properties[a].properties[b]: Required value: because it is defined in x.not.properties[a].properties[b]`}},
		// Neither does preserving.
		{`{type: object, x-kubernetes-preserve-unknown-fields: true, not: {properties: {a: {}}}}`,
			[]string{`x.properties[a]: Required value: because it is defined in x.not.properties[a]`}},
		{`{type: object, properties: {a: {type: string}}, not: {properties: {a: {minLength: 1}}}}`, nil},
		// required names no field in this sense.
		{`{type: object, anyOf: [{required: [a]}]}`, nil},
	} {
		structuraltest.WantTexts(t, structural.Validate(structuraltest.NewSchema(t, c.schema), structural.NewPath("x")), c.want...)
	}
}

func TestValidateOverlooksWhatOtherValueValidationNames(t *testing.T) {
	for _, c := range []struct {
		schema, overlooked string
	}{
		{`{type: object, properties: {p: {type: object, not: {properties: {a: {}}}}}}`,
			`x.properties[p].properties[a]: Required value: because it is defined in x.properties[p].not.properties[a]`},
		{`{type: object, properties: {p: {type: array, items: {type: object, anyOf: [{properties: {a: {}}}]}}}}`,
			`x.properties[p].items.properties[a]: Required value: because it is defined in x.properties[p].items.anyOf[0].properties[a]`},
		{`{type: object, properties: {p: {type: object, additionalProperties: {type: object, oneOf: [{items: {}}]}}}}`,
			`x.properties[p].additionalProperties.items: Required value: because it is defined in ` +
				`x.properties[p].additionalProperties.oneOf[0].items`},
	} {
		s := structuraltest.NewSchema(t, c.schema)
		structuraltest.WantTexts(t, structural.Validate(s, structural.NewPath("x")))
		structuraltest.WantTexts(t, structural.ValidateBelowRoot(s, structural.NewPath("x")), c.overlooked)
	}
}
