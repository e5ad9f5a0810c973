package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

type namedString string

// foreign are values of types that no JSON decoder makes, but programs do.
var foreign = []any{
	map[string]string{"app": "x", "-": "-"}, map[string]string(nil), []string{"a", "a"}, []string(nil), []map[string]any{{"a": nil}}, []int64{1}, [1]any{nil}, map[any]any{1: 2},
	namedString(""), namedString("a"), json.Number("1"), json.RawMessage(`{}`), []byte("x"),
	int(1), int32(-1), uint64(1 << 63), float32(1.5), new("x"), (*string)(nil), struct{ A int }{1}, time.Unix(0, 0), prunert.OmittedValue{},
}

// withForeign returns v with some of the values in it replaced by foreign ones.
func withForeign(v any, random *rand.Rand, rate float64) any {
	if random.Float64() < rate {
		return pick(random, foreign...)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = withForeign(v[k], random, rate)
		}
	case []any:
		for i := range v {
			v[i] = withForeign(v[i], random, rate)
		}
	}
	return v
}

// fields of metadata that are not in every random object.
var metadataFields = []string{"labels", "annotations", "finalizers", "ownerReferences", "managedFields", "name", "generation", "creationTimestamp", "deletionGracePeriodSeconds"}

// agreeOnForeign makes a random object with foreign values and compares generated code with the reference.
func agreeOnForeign(t *testing.T, r *cases.Resource, generated prunert.Resource, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	object := func() map[string]any {
		obj := r.Make(random.Uint64(), specimentest.Options{Size: 200, Flaws: specimentest.All, Rate: 0.05})
		for _, k := range slices.Sorted(maps.Keys(obj)) {
			obj[k] = withForeign(obj[k], random, pick(random, 0.02, 0.1, 0.3))
		}
		if metadata, ok := obj["metadata"].(map[string]any); ok {
			metadata[pick(random, metadataFields...)] = pick(random, foreign...)
		}
		return obj
	}
	obj, old := object(), object()
	agree(t, r, generated, obj)
	same := func(what string, have, want any) {
		t.Helper()
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: have\n%+v\nwant\n%+v\nfor\n%v\nafter\n%v", what, have, want, obj, old)
		}
	}
	if generated.ValidateUpdate != nil {
		same("ValidateUpdate", generated.ValidateUpdate(obj, old), r.ValidateUpdate(obj, old))
		same("ValidateUpdate", generated.ValidateUpdate(obj, obj), r.ValidateUpdate(obj, obj))
	}
	if generated.ValidateStatus != nil {
		same("ValidateStatus", generated.ValidateStatus(obj, old), r.ValidateStatus(obj, old))
	}
	interpreted := generated
	interpreted.Normalize, interpreted.ValidateMetadata, interpreted.ValidateRules = r.Normalize, r.ValidateMetadata, r.ValidateRules
	interpreted.Validate, interpreted.ValidateUpdate, interpreted.ValidateStatus = r.Validate, r.ValidateUpdate, r.ValidateStatus
	if generated.Normalize != nil && generated.Validate != nil && generated.ValidateMetadata != nil {
		req := prunert.Request{GenerateName: func(base string) string { return base + "x" }}
		have, want := generated.Create(jsonvalue.Copy(obj), req), interpreted.Create(jsonvalue.Copy(obj), req)
		same("Create", fmt.Sprint(have.Refusal), fmt.Sprint(want.Refusal))
		have, want = generated.Update(jsonvalue.Copy(obj), old, req), interpreted.Update(jsonvalue.Copy(obj), old, req)
		same("Update", fmt.Sprint(have.Refusal), fmt.Sprint(want.Refusal))
	}
}

// Nothing is said about a foreign value in metadata, and it stays.
func TestForeignMetadataStays(t *testing.T) {
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		for _, v := range foreign {
			for _, k := range metadataFields {
				if generated.Normalize == nil || k == "name" {
					continue
				}
				obj := r.Named(map[string]any{"metadata": map[string]any{"name": "a", k: v}})
				for _, source := range []prunert.Source{prunert.FromRequest, prunert.FromStorage} {
					unknown, err := generated.Normalize(obj, prunert.NormalizeOptions{Source: source, ReportUnknown: true})
					if err != nil || unknown != nil || !reflect.DeepEqual(obj["metadata"].(map[string]any)[k], v) {
						t.Errorf("%s is %#v: %v, %v, and becomes %v", k, v, unknown, err, obj["metadata"])
					}
				}
			}
		}
	})
}

// Generated code and the reference do the same with values that no decoder makes, and neither of them panics.
func TestGeneratedCodeAgreesWithTheReferenceOnForeignValues(t *testing.T) {
	testsize.NotShort(t)
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		random := randomOf(r, 2)
		for range 40 {
			if agreeOnForeign(t, r, generated, random.Uint64()); t.Failed() {
				return
			}
		}
	})
}

func FuzzForeignValues(f *testing.F) {
	all, err := cases.All("..")
	if err != nil {
		f.Fatal(err)
	}
	var kinds []*cases.Resource
	for _, c := range all {
		kinds = append(kinds, c.Resources()...)
	}
	for kind := range kinds {
		f.Add(uint64(kind), uint(kind))
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind uint) {
		r := kinds[kind%uint(len(kinds))]
		agreeOnForeign(t, r, resources[r.Key()], seed)
	})
}
