package run

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/cases"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// The generated description of a kind is that of its CRD.
func TestGeneratedResourcesSayWhatTheirCRDsSay(t *testing.T) {
	scales := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if generated.Scale != nil {
			scales++
		}
		compiled, err := dynamic.Compile(r.CRD)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(compiled, func(c prunert.Resource) bool { return c.Version == generated.Version })
		if i < 0 {
			t.Fatalf("version %s is not compiled", generated.Version)
		}
		generated.ListKind, compiled[i].ListKind = listKind(generated), listKind(compiled[i]) // which need not be said
		have, want := reflect.ValueOf(generated), reflect.ValueOf(compiled[i])
		for i := range have.NumField() {
			field := have.Type().Field(i)
			if field.Type.Kind() == reflect.Func || field.Name == "SchemaHash" {
				continue
			}
			if !reflect.DeepEqual(have.Field(i).Interface(), want.Field(i).Interface()) {
				t.Errorf("%s is %+v, want %+v", field.Name, have.Field(i), want.Field(i))
			}
		}
	})
	if scales == 0 {
		t.Error("no kind has a scale")
	}
}

// The fields that generated code lists are those of its CRD, also where it is told that the schema is another one.
func TestGeneratedCodeListsTheFieldsOfItsCRD(t *testing.T) {
	tried := 0
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if generated.Fields == nil {
			return
		}
		tried++
		paths := 0
		generated.Fields(func(string) { paths++ })
		generated.SchemaHash = "another"
		fit, err := dynamic.Fits(generated, r.CRD)
		if err != nil || fit.Same || len(fit.Lost)+len(fit.Extra) > 0 || paths < 3 {
			t.Errorf("%d paths, %+v, %v", paths, fit, err)
		}
	})
	if tried < 5 {
		t.Errorf("only %d resources list their fields", tried)
	}
}
