package oddmeta

import (
	_ "embed"
	"errors"
	"fmt"
	"iter"

	"github.com/prune-gen/prune-gen/hack/conformance/compare"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/oddmeta/generated"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
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

// Objects returns objects with odd metadata: each at the root and in an embedded resource, which is one after the other of
// those that the CRD has. It takes one of so many metadata.
func Objects(sample int) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		n, all := 0, 0
		for meta := range Metadata() {
			if all++; all%sample != 0 {
				continue
			}
			root := map[string]any{"apiVersion": "odd.example.com/v1", "kind": "Carrier", "metadata": meta}
			if !yield(root) || !yield(carrier(n, jsonvalue.Copy(meta))) {
				return
			}
			n++
		}
	}
}

// carriers is how many places there are for embedded resources.
const carriers = 6

// carrier returns an object with metadata at the nth place.
func carrier(n int, meta any) map[string]any {
	res := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": meta}
	other := map[string]any{"apiVersion": "v1", "kind": "B", "metadata": map[string]any{"name": "b", "u": "x"}, "u": "x"}
	// The keys of maps have a say in paths.
	key := []string{"k", "a.b", "", "a[0]", "metadata", "é\n"}[n/carriers%6]
	spec := map[string]any{}
	switch n % carriers {
	case 0:
		spec["free"] = res
	case 1:
		spec["strict"] = res
	case 2:
		spec["list"] = []any{other, res}
	case 3:
		spec["map"] = map[string]any{key: res, "other": other}
	case 4:
		spec["maps"] = map[string]any{"other": []any{nil}, key: []any{res, other}}
	case 5:
		spec["outer"] = map[string]any{"apiVersion": "v1", "kind": "O", "metadata": jsonvalue.Copy(meta), "inner": res}
	default:
		panic(fmt.Sprintf("oddmeta: no place %d", n))
	}
	return map[string]any{
		"apiVersion": "odd.example.com/v1", "kind": "Carrier", "metadata": map[string]any{"name": "c", "u": "x"}, "spec": spec,
	}
}

// Compare compares our functions that normalize with Kubernetes' on one of so many objects.
func Compare(workers, sample int) ([]*compare.Tally, error) {
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
	return compare.Objects(s, functions, Objects(sample), workers, "go test ./oddmeta"), nil
}
