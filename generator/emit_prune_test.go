package generator

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
)

func TestListsOfPreservedElementsAreLeftAlone(t *testing.T) {
	files := generate(t, Options{Features: AllFeatures(), Package: "v1"}, crdtest.Manifest("Route", `
type: object
properties:
  spec:
    type: object
    properties:
      routes:
        type: array
        items: {x-kubernetes-preserve-unknown-fields: true}
`))
	if _, err := typecheck.Check(files); err != nil {
		t.Fatal(err)
	}
	want := `	if _, ok := v.([]any); ok {
		return 0
	}
	return pruneimpl.PruneLeaf(v, rec)
`
	if got := string(files[0].Content); !strings.Contains(got, want) {
		t.Errorf("the list is not left alone:\n%s", got)
	}
}
