package structural_test

import (
	"testing"

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
	if n := structural.CountRules(c); n != 6 {
		t.Errorf("got %d", n)
	}
	if structural.HasRules(nil) || structural.HasRules(&structural.JSONSchema{}) || !structural.HasRules(shared) {
		t.Error("a schema has rules exactly if one is in it")
	}
}
