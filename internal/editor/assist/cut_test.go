package assist_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/cut"
)

// At every place of manifests of the repository, what follows is proposed.
func TestWhatFollowsIsProposed(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var all cut.Tally
	for _, dir := range []string{"golden/crontab", "examples/operator"} {
		var crds string
		texts := map[string][]byte{}
		filepath.WalkDir(filepath.Join(root, dir), func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".yaml" && filepath.Ext(name) != ".json" {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			texts[name] = text
			crds += "\n---\n" + string(text)
			return nil
		})
		c := catalog(t, crds)
		for name, text := range texts {
			all.Text(c, name, text)
		}
	}
	t.Logf("%d objects, %d keys, %d values: proposed %d of %d", all.Objects, all.Keys, all.Values, all.Proposed, all.Asked)
	// Two texts are wrong: they have a string in place of a boolean.
	if all.Objects < 9 || all.Asked < 250 || len(all.Missed) > 2 {
		t.Errorf("missed %q", all.Missed)
	}
}
