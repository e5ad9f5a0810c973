package listed_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
)

func TestListsHaveRoomForAllButLongTexts(t *testing.T) {
	for bytes, want := range map[int]int{0: listed.Findings, 8000: listed.Findings, 1 << 20: 7} {
		var l listed.List
		n := 0
		for l.Add(bytes) {
			n++
		}
		if n != want {
			t.Errorf("room for %d findings of %d bytes, want %d", n, bytes, want)
		}
	}
}
