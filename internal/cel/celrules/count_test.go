package celrules_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/structural"
)

func TestRulesOfASharedSchemaCountOnce(t *testing.T) {
	rule := structural.ValidationRule{Rule: "true"}
	schema := func() *structural.JSONSchema {
		below := &structural.JSONSchema{XValidations: []structural.ValidationRule{rule, rule}}
		return &structural.JSONSchema{XValidations: []structural.ValidationRule{rule}, Properties: map[string]*structural.JSONSchema{"a": below}}
	}
	shared := schema()
	c := &structural.CRD{Versions: []*structural.Version{{}, {Schema: shared}, {Schema: shared}, {Schema: schema()}}}
	if n := celrules.Count(c); n != 6 {
		t.Errorf("got %d", n)
	}
	if structural.HasRules(nil) || structural.HasRules(&structural.JSONSchema{}) || !structural.HasRules(shared) {
		t.Error("a schema has rules exactly if one is in it")
	}
}

// The first rules are those of a schema itself, then those of its properties in the order of names, of its elements, and of its values.
func TestFirstRule(t *testing.T) {
	ruled := func() *structural.JSONSchema {
		return &structural.JSONSchema{XValidations: []structural.ValidationRule{{Rule: "true"}}}
	}
	none := &structural.JSONSchema{}
	list := func(s *structural.JSONSchema) *structural.JSONSchemaOrArray {
		return &structural.JSONSchemaOrArray{Schema: s}
	}
	values := func(s *structural.JSONSchema) *structural.JSONSchemaOrBool {
		return &structural.JSONSchemaOrBool{Schema: s}
	}
	for want, s := range map[string]*structural.JSONSchema{
		"<nil>":                      {Properties: map[string]*structural.JSONSchema{"a": none}, Items: list(none), AdditionalProperties: values(none)},
		"s.x-kubernetes-validations": {XValidations: ruled().XValidations, Items: list(ruled())},
		"s.properties[a].x-kubernetes-validations":                     {Properties: map[string]*structural.JSONSchema{"b": ruled(), "a": ruled()}, Items: list(ruled())},
		"s.properties[b].x-kubernetes-validations":                     {Properties: map[string]*structural.JSONSchema{"b": ruled(), "a": none}, AdditionalProperties: values(ruled())},
		"s.items.x-kubernetes-validations":                             {Properties: map[string]*structural.JSONSchema{"a": none}, Items: list(ruled()), AdditionalProperties: values(ruled())},
		"s.additionalProperties.x-kubernetes-validations":              {Items: list(none), AdditionalProperties: values(ruled())},
		"s.additionalProperties.items.x-kubernetes-validations":        {Items: list(nil), AdditionalProperties: values(&structural.JSONSchema{Items: list(ruled())})},
		"s.items.properties[a].properties[b].x-kubernetes-validations": {Items: list(&structural.JSONSchema{Properties: map[string]*structural.JSONSchema{"a": {Properties: map[string]*structural.JSONSchema{"b": ruled()}}}})},
	} {
		if have := celrules.First(s, structural.NewPath("s")).String(); have != want {
			t.Errorf("%s, want %s", have, want)
		}
	}
	if celrules.First(nil, structural.NewPath("s")) != nil {
		t.Error("no schema has a rule")
	}
}
