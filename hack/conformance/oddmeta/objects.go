// Package oddmeta compares how metadata with odd values in every field is treated, at the root and in embedded resources. Normalizing such
// metadata has to end as it does in Kubernetes.
package oddmeta

import (
	_ "embed"
	"errors"
	"iter"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/oddmeta/generated"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
)

//go:generate sh -c "cd ../../.. && go run ./cmd/prune-gen generate --emit-only normalize --package generated --output-dir hack/conformance/oddmeta/generated hack/conformance/oddmeta/crd.yaml"

//go:embed crd.yaml
var crd []byte

// Subject returns the resource that carries odd metadata, with its generated code.
func Subject() (*compare.Subject, error) {
	c := &corpus.Corpus{}
	c.AddFile("oddmeta/crd.yaml", crd)
	if len(c.CRDs) != 1 {
		return nil, errors.New("oddmeta/crd.yaml is not one CRD")
	}
	subjects, err := compare.Subjects(c.CRDs[0])
	if err != nil {
		return nil, err
	}
	if len(subjects) != 1 {
		return nil, errors.New("oddmeta/crd.yaml has not one version")
	}
	subjects[0].Generated = &generated.CarrierResource
	return subjects[0], nil
}

// All is how many objects there are.
const All = 20_000

// Objects returns one in the given number of objects with odd metadata, the same ones each time.
func Objects(s *compare.Subject, sample int) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for n := range All / sample {
			seed := uint64(n * sample)
			flaws := specimentest.MetadataUnknown | specimentest.MetadataValues | specimentest.Null | specimentest.Keys
			if n%2 == 0 { // malformed metadata is refused as a whole
				flaws |= specimentest.MetadataMalformed | specimentest.Resources
			}
			opts := specimentest.Options{
				Size: 700, Flaws: flaws, Rate: []float64{0.02, 0.1, 0.3, 0.7}[n/2%4], APIVersion: "odd.example.com/v1", Kind: "Carrier",
			}
			if !yield(specimentest.Make(s.Schema, seed, opts)) {
				return
			}
		}
		for _, depth := range []int{10, 100, 1000, 5000} {
			for _, meta := range []map[string]any{
				{"managedFields": []any{map[string]any{"fieldsV1": deep(depth)}}}, {"unknown": deep(depth)}, {"labels": deep(depth)},
			} {
				if !yield(map[string]any{"apiVersion": "odd.example.com/v1", "kind": "Carrier", "metadata": meta}) {
					return
				}
			}
		}
	}
}

// deep returns depth objects and lists in each other, with a float at the bottom that is whole.
func deep(depth int) any {
	var v any = 7.0
	for i := range depth {
		if i%2 == 0 {
			v = map[string]any{"d": v}
		} else {
			v = []any{v}
		}
	}
	return v
}

// Compare compares our functions that normalize with Kubernetes' on one in the given number of objects.
func Compare(sample int) ([]*compare.Tally, error) {
	s, err := Subject()
	if err != nil {
		return nil, err
	}
	var functions []compare.Function
	for _, f := range compare.Functions() {
		if f.Name == "interpret.Normalize" || f.Name == "Normalize" {
			f.Name += ", odd metadata"
			functions = append(functions, f)
		}
	}
	return compare.Objects(s, functions, Objects(s, sample)), nil
}
