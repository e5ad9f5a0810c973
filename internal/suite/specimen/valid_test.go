package specimen

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func TestValidObjectsHaveNothingWrong(t *testing.T) {
	written, _ := crdread.ParseSchema("schema", []byte(keywordSchema))
	s, errs := structural.NewSchema(written, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	mended := 0
	for seed := range uint64(100) {
		asked := 0
		obj, ok := Valid(s, seed, Options{Size: 500}, func(obj map[string]any) *prunert.Refusal {
			asked++
			if errs := new(interpret.Work).Validate(obj, written); len(errs) > 0 {
				return &prunert.Refusal{Errors: errs}
			}
			return nil
		})
		if errs := new(interpret.Work).Validate(obj, written); !ok || len(errs) > 0 {
			t.Fatalf("seed %d: %v: %v", seed, errs, obj)
		}
		if asked > 1 {
			mended++
		}
	}
	if mended == 100 {
		t.Error("no object is valid as it is made")
	}
	if obj, ok := Valid(s, 1, Options{}, func(map[string]any) *prunert.Refusal {
		return &prunert.Refusal{Errors: prunert.ErrorList{{Path: prunert.FieldPath("spec", "missing")}}}
	}); ok {
		t.Errorf("%v", obj)
	}
}
