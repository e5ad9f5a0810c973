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
