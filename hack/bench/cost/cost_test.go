package cost

import (
	"math"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

func TestGrowthIsTheExponent(t *testing.T) {
	for _, want := range []float64{1, 1.5, 2} {
		var points []point
		for _, x := range []float64{1, 3, 10, 50, 300} {
			points = append(points, point{fields: x, bytes: 200 * math.Pow(x, want)})
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
	file := load.Load("crd.yaml", strings.NewReader(crd))
	if len(file.CRDs) != 1 {
		t.Fatalf("not loaded: %v", file.Findings)
	}
	in := []generator.Input{{CRD: file.CRDs[0], Version: file.CRDs[0].Versions[0]}}
	got, err := size(in, generator.Features{generator.FeaturePrune}, generator.ShareWithinKinds)
	if err != nil {
		t.Fatal(err)
	}
	// The root, spec, a, b, their x, c and its items. The root, spec, and a with b are functions.
	if got.schemaNodes != 8 || got.functions != 3 || got.fields != 4+3+1 || got.bytes == 0 {
		t.Errorf("got %+v", got)
	}
	all, err := size(in, generator.AllFeatures(), generator.ShareWithinKinds)
	if err != nil {
		t.Fatal(err)
	}
	if all.functions <= got.functions || all.bytes <= got.bytes {
		t.Errorf("all functions take %+v, pruning alone %+v", all, got)
	}
}

func TestChangedLinesIsWhatADiffShows(t *testing.T) {
	for _, tt := range []struct {
		before, after string
		want          int
	}{
		{"", "", 0},
		{"a\nb\nc", "a\nb\nc", 0},
		{"a\nb\nc", "a\nx\nc", 2},
		{"a\nb\nc", "a\nc", 1},
		{"a\nc", "a\nb\nc", 1},
		{"a\nb\nc\nd\ne", "x\nb\nc\nd\ny", 4},
		{"a\nb\nc\nd", "b\nc\nd\na", 2},
		{"", "a\nb", 3}, // a text without lines is one empty line
		{"a\nb\nc", "c\nb\na", 4},
	} {
		if got := changedLines([]byte(tt.before), []byte(tt.after)); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.before, tt.after, got, tt.want)
		}
	}
}

func TestFieldChangesLooksAtEveryPlace(t *testing.T) {
	file := load.Load("crd.yaml", strings.NewReader(crd))
	other := load.Load("other.yaml", strings.NewReader(strings.NewReplacer("Foo", "Bar", "foos", "bars").Replace(crd)))
	inputs := []generator.Input{{CRD: file.CRDs[0], Version: file.CRDs[0].Versions[0]}, {CRD: other.CRDs[0], Version: other.CRDs[0].Versions[0]}}
	schema := inputs[0].Version.Schema
	lines := func(places [][]*structural.JSONSchema, field func() *structural.JSONSchema) []int {
		c, err := fieldChanges(inputs, 0, places, field)
		if err != nil || c.others != 0 {
			t.Fatalf("%v, %d files of other kinds", err, c.others)
		}
		return c.lines
	}
	// The root, spec, a and b, which is equal to a.
	objects, types := lines(objectsOf(schema), leafField), lines(typesOf(schema), leafField)
	if len(objects) != 4 || len(types) != 3 {
		t.Fatalf("got %v and %v", objects, types)
	}
	for i, n := range lines(typesOf(schema), objectField) {
		if types[i] == 0 || n <= types[i] {
			t.Errorf("a leaf changes %d lines, an object %d", types[i], n)
		}
	}
	if objects[2] <= types[2] {
		t.Errorf("a field of a alone changes %d lines, one of a and b %d", objects[2], types[2])
	}
	if n := len(schema.Properties); n != 1 {
		t.Errorf("the root is left with %d fields", n)
	}
}

func TestChangesAt(t *testing.T) {
	c := changes{lines: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}}
	if c.at(0.5) != 5 || c.at(0.9) != 9 || c.at(1) != 100 || (changes{}).at(0.5) != 0 {
		t.Errorf("%d %d %d", c.at(0.5), c.at(0.9), c.at(1))
	}
}
