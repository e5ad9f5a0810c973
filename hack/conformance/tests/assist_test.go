package tests

import (
	"path"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/cut"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// At every place of the manifests that projects ship, the key that follows is proposed if the schema knows it. The kinds of versions that
// are not served are not.
func TestWhatFollowsIsProposed(t *testing.T) {
	var all cut.Tally
	files := 0
	for _, m := range loadModules(t) {
		s := server(t, m.crds)
		for i, file := range m.names() {
			if !testsize.All() && i%8 > 0 {
				continue
			}
			before := all.Objects
			all.Text(s, path.Join(m.query, file), m.files[file])
			if all.Objects > before {
				files++
			}
		}
	}
	t.Logf("%d files, %d objects: proposed %d of %d, for %d keys and %d values; %d more keys are free", files, all.Objects, all.Proposed, all.Asked, all.Keys, all.Values, all.Free)
	for _, missed := range all.Missed[:min(len(all.Missed), 40)] {
		t.Log(missed)
	}
	const least, share = 20, 0.999
	if files < least || float64(all.Proposed) < share*float64(all.Asked) {
		t.Errorf("%d files, proposed %d of %d", files, all.Proposed, all.Asked)
	}
}
