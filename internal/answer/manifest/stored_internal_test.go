package manifest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
)

// A search of the entries for each field would not end before the tests have to. Equal entries cost nothing but such a search.
func TestEntriesAreNotSearched(t *testing.T) {
	const entries, fields = 3_000_000, 200_000
	node := yamltext.Node{Entries: slices.Repeat([]yamltext.Entry{{Key: "written000000", Value: &yamltext.Node{}}}, entries)}
	value := make(map[string]any, fields)
	for i := range fields {
		value[fmt.Sprintf("added%08d", i)] = ""
	}
	if keys, _ := ordered(&node, value); len(keys) != fields || keys[0] != "added00000000" {
		t.Errorf("%d keys, from %s", len(keys), keys[0])
	}
}
