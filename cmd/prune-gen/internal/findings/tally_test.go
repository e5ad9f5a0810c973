package findings

import (
	"fmt"
	"strings"
	"testing"
)

// Twelve kinds are listed, and the others counted.
func TestUnknownKindsAreListedUpToALimit(t *testing.T) {
	for kinds, more := range map[int]string{12: "", 13: " and 1 kind more", 20: " and 8 kinds more"} {
		tally := Tally{}
		for i := range kinds {
			tally.UnknownKinds = append(tally.UnknownKinds, KindCount{APIVersion: "v1", Kind: fmt.Sprint("Kind", i), Objects: 2})
		}
		text := tally.unknownKinds()
		if strings.Count(text, " (2)") != 12 || !strings.HasSuffix(text, " (2)"+more) || !strings.Contains(text, fmt.Sprintf("for %d objects: ", 2*kinds)) {
			t.Errorf("%d kinds: %s", kinds, text)
		}
	}
}

// The objects of a kind that is in several files are counted together, and the kinds are sorted.
func TestKindsAreCountedOnce(t *testing.T) {
	var out strings.Builder
	r := New(&out, Options{})
	for _, kinds := range [][]KindCount{{{"v1", "Pod", 2}, {"b/v1", "A", 1}}, {{"v1", "Job", 1}, {"v1", "Pod", 3}}, {{"a/v1", "Pod", 1}, {"v1", "Pod", 1}}} {
		r.Count(Tally{Manifests: true, UnknownKinds: kinds})
	}
	r.Finish()
	const want = "a/v1 Pod (1), b/v1 A (1), v1 Job (1), v1 Pod (6)"
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s does not say %s", out.String(), want)
	}
}

// What was left out is said in the singular and in the plural.
func TestLinksToDirectoriesAreCounted(t *testing.T) {
	for links, want := range map[int]string{0: "[]", 1: "[skipped 1 link to a directory]", 2: "[skipped 2 links to directories]"} {
		if have := fmt.Sprint(Tally{Links: links}.leftOut()); have != want {
			t.Errorf("%d: %s, want %s", links, have, want)
		}
	}
}
