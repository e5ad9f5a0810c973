package generator

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

func TestPackagesHaveALimitedNumberOfFunctions(t *testing.T) {
	properties := map[string]*structural.JSONSchema{}
	for i := range maxFunctions / 2 {
		properties[fmt.Sprintf("p%d", i)] = &structural.JSONSchema{Type: "object", Properties: map[string]*structural.JSONSchema{
			fmt.Sprintf("q%d", i): {Type: "string"},
		}}
	}
	version := &structural.Version{
		Name: "v1", Pruned: true, SchemaPath: structural.NewPath("schema"),
		Schema: &structural.JSONSchema{Type: "object", Properties: properties},
	}
	crd := &structural.CRD{Group: "example.com", Names: structural.Names{Kind: "Big", Plural: "bigs"}, Versions: []*structural.Version{version}}
	_, err := Lower([]Input{{crd, version}}, Options{Features: Features{FeaturePrune, FeatureCheck}})
	var input *InputError
	if !errors.As(err, &input) || !strings.Contains(err.Error(), "is the limit") {
		t.Fatalf("got %v", err)
	}
	for i := range 10 {
		delete(properties, fmt.Sprintf("p%d", i))
	}
	if _, err := Lower([]Input{{crd, version}}, Options{Features: Features{FeaturePrune, FeatureCheck}}); err != nil {
		t.Fatal(err)
	}
}
