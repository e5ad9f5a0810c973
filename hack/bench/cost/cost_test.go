package cost

import (
	"math"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/bench/report"
	"github.com/prune-gen/prune-gen/structural"
)

func TestGrowthIsTheExponent(t *testing.T) {
	for _, want := range []float64{1, 1.5, 2} {
		var points []report.Point
		for _, x := range []float64{1, 3, 10, 50, 300} {
			points = append(points, report.Point{Fields: x, Bytes: 200 * math.Pow(x, want)})
		}
		if got := growth(points); math.Abs(got-want) > 1e-9 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Foo, plural: foos}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              a: {type: object, properties: {x: {type: string}}}
              b: {type: object, properties: {x: {type: string}}}
              c: {type: array, items: {type: string}}
`

func TestSizeCountsEqualNodesOnce(t *testing.T) {
	file := structural.Load("crd.yaml", strings.NewReader(crd))
	if len(file.CRDs) != 1 {
		t.Fatalf("not loaded: %v", file.Findings)
	}
	in := []generator.Input{{CRD: file.CRDs[0], Version: file.CRDs[0].Versions[0]}}
	got, err := size(in, generator.Features{generator.FeaturePrune})
	if err != nil {
		t.Fatal(err)
	}
	// The root, spec, a, b, their x, c and its items. The root, spec, and a with b are functions.
	if got.schemaNodes != 8 || got.functions != 3 || got.fields != 4+3+1 || got.bytes == 0 {
		t.Errorf("got %+v", got)
	}
	all, err := size(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all.functions <= got.functions || all.bytes <= got.bytes {
		t.Errorf("all functions take %+v, pruning alone %+v", all, got)
	}
}
