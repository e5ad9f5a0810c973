package speed

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/hack/bench/set"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

const (
	seed     = 1  // the same objects on every machine
	rotating = 64 // how many different documents take turns
)

// The states of objects that are made from schemas and, in shipped, of those that people wrote.
var (
	clean = newState("clean", set.Objects(), sized(makeClean, json.Marshal),
		agreeOnPruning(false), agreeOnNormalizing, agreeOnTypes, agreeOnJSON(false))
	cleanIndented = newState("clean, indented", set.Objects(), sized(makeClean, indent), agreeOnJSON(false))
	cleanRotating = newState("clean, rotating", set.Objects(), inTurn(makeClean), agreeOnJSON(false))

	dirty = changing(newState("dirty", set.Objects(), sized(makeDirty, json.Marshal),
		agreeOnPruning(true), agreeOnNormalizing, agreeOnJSON(true), findUnknown))
	dirtyIndented = changing(newState("dirty, indented", set.Objects(), sized(makeDirty, indent), agreeOnJSON(true)))
	dirtyRotating = changing(newState("dirty, rotating", set.Objects(), inTurn(makeDirty), agreeOnJSON(true)))

	valid   = newState("valid", set.Objects(), sized(makeValid, json.Marshal), agreeOnValues(true))
	invalid = newState("invalid", set.Objects(), sized(makeInvalid, json.Marshal), agreeOnValues(false))

	deep = newState("nested", set.Nested(), byDepth, agreeOnPruning(false))

	shipped = newState("real", set.Objects(), shippedManifests, agreeOnPruning(false))
)

func changing(st *state) *state {
	st.dirty = true
	return st
}

// indent encodes an object as kubectl does.
func indent(obj any) ([]byte, error) { return json.MarshalIndent(obj, "", "    ") }

// maker makes an object of about the given number of bytes.
type maker func(k *kind, size int, seed uint64) (map[string]any, error)

// middle is the size of documents that take turns.
const middle = 15_000

// sized makes an object of each size.
func sized(make maker, encode func(any) ([]byte, error)) func(*kind) ([]*subject, error) {
	return func(k *kind) ([]*subject, error) {
		var all []*subject
		for _, size := range []struct {
			name  string
			bytes int
		}{{"small", 2_000}, {"middle", middle}, {"large", 200_000}} {
			obj, err := make(k, size.bytes, seed)
			if err != nil {
				return nil, err
			}
			doc, err := encode(obj)
			if err != nil {
				return nil, err
			}
			all = append(all, &subject{size: size.name, documents: [][]byte{doc}})
		}
		return all, nil
	}
}

// inTurn makes different documents of the middle size.
func inTurn(make maker) func(*kind) ([]*subject, error) {
	return func(k *kind) ([]*subject, error) {
		s := &subject{size: "rotating"}
		for i := range uint64(rotating) {
			obj, err := make(k, middle, seed+i)
			if err != nil {
				return nil, err
			}
			doc, err := json.Marshal(obj)
			if err != nil {
				return nil, err
			}
			s.documents = append(s.documents, doc)
		}
		return []*subject{s}, nil
	}
}

// byDepth makes objects with as many values as a chain of all levels has, in chains that are shorter each.
func byDepth(*kind) ([]*subject, error) {
	var all []*subject
	for levels := 1; levels <= set.Levels; levels *= 2 {
		chain := func() (o map[string]any) {
			for range levels {
				outer := map[string]any{"a": "a text", "b": 1, "c": true}
				if o != nil {
					outer["next"] = o
				}
				o = outer
			}
			return o
		}
		items := make([]any, set.Levels/levels)
		for i := range items {
			items[i] = chain()
		}
		doc, err := json.Marshal(map[string]any{
			"apiVersion": "bench.example.com/v1", "kind": "Nested", "metadata": map[string]any{"name": "n", "namespace": "default"},
			"spec": map[string]any{"items": items},
		})
		if err != nil {
			return nil, err
		}
		all = append(all, &subject{size: fmt.Sprint(levels), documents: [][]byte{doc}})
	}
	return all, nil
}

func options(k *kind, size int, flaws specimentest.Flaw, rate float64) specimentest.Options {
	return specimentest.Options{Size: size, Flaws: flaws, Rate: rate, APIVersion: k.CRD.Group + "/" + k.Version.Name, Kind: k.Name()}
}

// makeClean makes an object as the API server would have stored it: nobody finds anything to change. Defaults make it larger
// than it was asked to be: then it asks for less.
func makeClean(k *kind, size int, seed uint64) (map[string]any, error) {
	for asked := size; ; {
		obj := specimentest.Make(k.Schema, seed, options(k, asked, 0, 0))
		if _, err := k.generated.Normalize(obj, prunert.NormalizeOptions{}); err != nil {
			return nil, fmt.Errorf("normalize: %w", err)
		}
		data, err := json.Marshal(obj)
		if err != nil || len(data) <= size*11/10 || asked < size/2 {
			return obj, err
		}
		asked = min(asked-1, asked*size/len(data))
	}
}

// makeDirty makes an object with unknown fields on every level.
func makeDirty(k *kind, size int, seed uint64) (map[string]any, error) {
	return specimentest.Make(k.Schema, seed, options(k, size, specimentest.Unknown, 1)), nil
}

// makeInvalid makes an object with wrong values and values of wrong types.
func makeInvalid(k *kind, size int, seed uint64) (map[string]any, error) {
	return specimentest.Make(k.Schema, seed, options(k, size, specimentest.Values|specimentest.WrongType, 0.05)), nil
}

// makeValid makes an object that the schema allows.
func makeValid(k *kind, size int, seed uint64) (map[string]any, error) {
	opts := specimen.Options{Size: size, APIVersion: k.CRD.Group + "/" + k.Version.Name, Kind: k.Name()}
	obj, ok := specimen.Valid(k.Schema, seed, opts, func(obj map[string]any) *prunert.Refusal {
		if errs := k.generated.Validate(obj); len(errs) > 0 {
			return &prunert.Refusal{Errors: errs}
		}
		return nil
	})
	if !ok {
		return nil, errors.New("no object is valid")
	}
	return obj, nil
}

// The interpreter takes the place of generated code here.
func TestObjectsHaveTheirSizesAndStates(t *testing.T) {
	testsize.NotShort(t)
	read, err := set.Read(set.Objects()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range read {
		resources, err := dynamic.Compile(k.CRD)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(resources, func(r prunert.Resource) bool { return r.Version == k.Version.Name })
		for _, size := range []int{2_000, middle, 200_000} {
			for name, make := range map[string]maker{"clean": makeClean, "dirty": makeDirty, "valid": makeValid, "invalid": makeInvalid} {
				obj, err := make(&kind{Kind: k, generated: resources[i]}, size, seed)
				if err != nil {
					t.Fatalf("%s, %s, %d bytes: %v", k.Name(), name, size, err)
				}
				doc, err := json.Marshal(obj)
				if err != nil {
					t.Fatal(err)
				}
				if name == "clean" && (len(doc) < size*9/10 || len(doc) > size*11/10) || len(doc) < size/3 {
					t.Errorf("%s, %s: %d bytes, want about %d", k.Name(), name, len(doc), size)
				}
			}
		}
	}
}
