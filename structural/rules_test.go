package structural_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/recorded"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the recorded files")

func TestRulesAreRecorded(t *testing.T) {
	var have strings.Builder
	pages := map[string]string{}
	for i, r := range structural.Rules() {
		if i > 0 && r.ID <= structural.Rules()[i-1].ID {
			t.Errorf("%s comes after %s", r.ID, structural.Rules()[i-1].ID)
		}
		if r.ID.Info() != r {
			t.Errorf("%s: %+v", r.ID, r.ID.Info())
		}
		fmt.Fprintf(&have, "%s\n  %s\n", r.ID, r.Summary)
		if r.Hint != "" {
			fmt.Fprintf(&have, "  hint: %s\n", r.Hint)
		}
		kind, _, _ := strings.Cut(string(r.ID), "/")
		if pages[kind] == "" {
			pages[kind] = r.HelpURI
			fmt.Fprintf(&have, "  page of %s: %s\n", kind, r.HelpURI)
		}
		if r.HelpURI != pages[kind] {
			t.Errorf("%s: the page is %s", r.ID, r.HelpURI)
		}
	}
	recorded.Compare(t, *update, "testdata/rules.txt", have.String())
}
