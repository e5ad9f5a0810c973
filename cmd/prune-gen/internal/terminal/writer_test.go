package terminal

import (
	"errors"
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

// What is not UTF-8 is escaped as soon as no byte can make a character of it, and the start of a character waits for its end.
func TestWriterWaitsOnlyForCharacters(t *testing.T) {
	for _, test := range []struct{ pieces, want string }{
		{"a|b", "a|b"},
		{"\xe2|\x82|\xac", "||€"},
		{"a\xe2\x82|\xacb", "a|€b"},
		{"\xf0\x9d\x84|\x9e", "|𝄞"},
		{"\xf0\x9d|x", "|\\xf0\\x9dx"},
		{"\xc3|\xc3|\xa4", "|\\xc3|ä"},
		{"\x80\x80\x80\x80|x", "\\x80\\x80\\x80\\x80|x"},
		{"\xff|x", "\\xff|x"},
		{"a\n\xc3|\xa4\n", "a\n|ä\n"},
		{"|x", "|x"},
		{"ä|", "ä|"},
	} {
		var out strings.Builder
		w := NewWriter(&out)
		var have []string
		for piece := range strings.SplitSeq(test.pieces, "|") {
			out.Reset()
			if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Errorf("%q: %d bytes, %v", piece, n, err)
			}
			have = append(have, out.String())
		}
		if have := strings.Join(have, "|"); have != test.want {
			t.Errorf("%q is written as %q, want %q", test.pieces, have, test.want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestErrorsOfWritersArePassedOn(t *testing.T) {
	if n, err := NewWriter(fullDisk{}).Write([]byte("a\nb")); n != 0 || err == nil || err.Error() != "no space" {
		t.Errorf("%d, %v", n, err)
	}
	if err := WriteJSON(fullDisk{}, 1); err == nil || err.Error() != "no space" {
		t.Error(err)
	}
	if err := WriteJSON(&strings.Builder{}, func() {}); err == nil {
		t.Error("a function is JSON")
	}
}
