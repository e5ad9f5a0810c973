package specimen

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
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

// Of each list, one element is taken out at a time, and what makes an object a resource stays.
func TestWhatIsWrongIsTakenOut(t *testing.T) {
	at := func(index int, names ...string) *prunert.Error {
		path := prunert.FieldPath(names...)
		if index >= 0 {
			path = append(path, prunert.Step{Index: index})
		}
		return &prunert.Error{Path: path}
	}
	for _, c := range []struct {
		errs  prunert.ErrorList
		want  string
		found bool
	}{
		{prunert.ErrorList{at(0, "spec", "a"), at(1, "spec", "a")}, `{"apiVersion":"v1","spec":{"a":[2,3],"b":4}}`, true},
		{prunert.ErrorList{at(-1, "spec", "b"), at(2, "spec", "a")}, `{"apiVersion":"v1","spec":{"a":[1,2]}}`, true},
		{prunert.ErrorList{at(-1, "apiVersion")}, `{"apiVersion":"v1","spec":{"a":[1,2,3],"b":4}}`, false},
	} {
		obj := map[string]any{"apiVersion": "v1", "spec": map[string]any{"a": []any{int64(1), int64(2), int64(3)}, "b": int64(4)}}
		if found := TakeOut(obj, c.errs); found != c.found || jsonvalue.Text(obj) != c.want {
			t.Errorf("%v: %t, %s, want %t, %s", c.errs, found, jsonvalue.Text(obj), c.found, c.want)
		}
	}
}
