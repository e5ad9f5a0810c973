package yamltext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLinesEndAsInYAML(t *testing.T) {
	text := []byte("a\nb\rc\r\nd\u0085e\u2028f\u2029é\u2027\n\ng")
	lines := NewLines(text)
	for i, want := range []string{"a", "b", "c", "d", "e", "f", "é\u2027", "", "g"} {
		if got := lines.Line(text, i+1); got == nil || string(got) != want {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
	for _, n := range []int{-1, 0, 10} {
		if got := lines.Line(text, n); got != nil {
			t.Errorf("line %d is %q", n, got)
		}
	}
	if got := lines.Line(text[1:], 1); got != nil {
		t.Errorf("a text that has changed has the line %q", got)
	}
	if got := (*Lines)(nil).Line(text, 1); got != nil {
		t.Errorf("no index has the line %q", got)
	}
	for offset, want := range map[int][2]int{0: {1, 0}, 1: {1, 0}, 2: {2, 2}, 5: {3, 4}, 6: {3, 4}, 7: {4, 7}, len(text) - 1: {9, len(text) - 1}, len(text): {9, len(text) - 1}} {
		if line, start := lines.At(offset); [2]int{line, start} != want {
			t.Errorf("offset %d is in line %d, which begins at %d, want %v", offset, line, start, want)
		}
	}
}

// An index of more than one block has the lines of an index of one.
func TestLinesOfLongTexts(t *testing.T) {
	var text []byte
	for i := range 300 {
		text = append(append(text, strings.Repeat("x", i*i%41)...), '\n')
	}
	text = append(text, strings.Repeat("x", 5000)...)
	text = append(text, "\na\n"...)
	want := NewLines(text)
	for _, bits := range []int{3, 4, 7, 12, 20} {
		have := newLines(text, bits)
		for n := range len(want.starts) + 2 {
			if a, b := string(have.Line(text, n)), string(want.Line(text, n)); a != b {
				t.Errorf("%d bits: line %d is %q, want %q", bits, n, a, b)
			}
		}
		for offset := range len(text) + 1 {
			line, start := have.At(offset)
			if n, at := want.At(offset); n != line || at != start {
				t.Fatalf("%d bits: offset %d is in line %d, which begins at %d, want %d and %d", bits, offset, line, start, n, at)
			}
		}
	}
}

func TestDecodeTakesMarksOff(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "\ufeffa": "a", "\xff\xfea\x00\xe9\x00": "aé", "\xfe\xff\x00a\x20\x28": "a\u2028", "": "", "\xff\xfe": "", "\xff\xfe\x3d\xd8\x00\xde": "😀",
	} {
		if got := string(Decode([]byte(text))); got != want {
			t.Errorf("%q is decoded to %q, want %q", text, got, want)
		}
	}
}

// TestScalarsAreAskedForInBatches has more numbers than go into one question, and one among them that JSON does not have.
func TestScalarsAreAskedForInBatches(t *testing.T) {
	var b strings.Builder
	for i := range 2500 {
		b.WriteString("- " + strings.Repeat("1", i%7+1) + strings.Repeat("0", i/7%40) + ".5\n- {0x" + strings.Repeat("f", i%9+1) + ": off}\n")
	}
	compareWithKubernetes(t, b.String())
	_, _, p := readYAML(b.String() + "- .inf\n")
	if p == nil || p.ID != IDNumber || p.Pos != (Pos{5001, 3}) {
		t.Errorf("got %+v", p)
	}
}

// A text can end within the bytes of a line break.
func TestLinesEndWithinABreak(t *testing.T) {
	for text, want := range map[string]int{"": 1, "a": 1, "a\r": 2, "a\n": 2, "a\r\n": 2, "a\xc2": 1, "a\xc2\x85": 2, "a\xc2\x86b": 1, "a\xe2": 1, "a\xe2\x80": 1, "a\xe2\x80\xa8": 2, "a\xe2\x80\xa9": 2, "a\xe2\x80\xaab": 1, "a\xe2\x81\xa8": 1, "\n\r\n\r": 4} {
		lines := NewLines([]byte(text))
		if line, _ := lines.At(len(text)); line != want {
			t.Errorf("%q has %d lines, want %d", text, line, want)
		}
		if lines.Line([]byte(text), want) == nil || lines.Line([]byte(text), want+1) != nil {
			t.Errorf("%q: the last line is not line %d", text, want)
		}
	}
}

// However a text is cut into pieces, a place in it is that of the whole text.
func TestPlacesInPieces(t *testing.T) {
	text := "a\nbé\r\nc\rd\u0085e\u2028f\u2029é\u2027\n\n\r\n\r\rg"
	lines := NewLines([]byte(text))
	for first := range len(text) {
		for second := first; second < len(text); second++ {
			if !utf8.RuneStart(text[first]) || !utf8.RuneStart(text[second]) {
				continue
			}
			var p Place
			p.Pass([]byte(text[:first]))
			p.Pass([]byte(text[first:second]))
			line, start := lines.At(second)
			if text[second] == '\n' && second > 0 && text[second-1] == '\r' {
				continue // within a line break
			}
			if want := (Pos{line, utf8.RuneCountInString(text[start:second]) + 1}); p.Pos() != want {
				t.Errorf("after %q and %q: %v, want %v", text[:first], text[first:second], p.Pos(), want)
			}
		}
	}
}
