package plan

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A name that is too long is cut between characters, at either end.
func TestNamesAreCutBetweenCharacters(t *testing.T) {
	const s = "aéb€c😀d"
	for n := range len(s) + 2 {
		first, last := FirstBytes(s, n), LastBytes(s, n)
		if !utf8.ValidString(first) || !strings.HasPrefix(s, first) || len(first) > n {
			t.Errorf("the first %d bytes are %q", n, first)
		}
		if !utf8.ValidString(last) || !strings.HasSuffix(s, last) || len(last) > n {
			t.Errorf("the last %d bytes are %q", n, last)
		}
		// No more is cut than has to be.
		if short := min(n, len(s)); len(first) <= short-utf8.UTFMax || len(last) <= short-utf8.UTFMax {
			t.Errorf("of %d bytes, %d are first and %d last", n, len(first), len(last))
		}
	}
	if FirstBytes("éé", 2) != "é" || FirstBytes("éé", 3) != "é" || LastBytes("éé", 2) != "é" || LastBytes("éé", 3) != "é" {
		t.Error("a character that fits is cut")
	}
	if got := Key(strings.Repeat("é", 200)); got != `"`+strings.Repeat(`\u00e9`, 30)+`..."` {
		t.Errorf("a long key is %s", got)
	}
}
