package terminal

import (
	"strings"
	"testing"
)

func TestWriterEscapesWhateverThePieces(t *testing.T) {
	const text = "a: \"ä\x1b[31m\"\tb\nc: €\u009b\r\n\n𝄞"
	const want = "a: \"ä\\x1b[31m\"\tb\nc: €\\u009b\\r\n\n𝄞"
	for size := 1; size <= len(text); size++ {
		var out strings.Builder
		w := NewWriter(&out)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if out.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, out.String(), want)
		}
	}
}
