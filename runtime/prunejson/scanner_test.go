package prunejson

import (
	"strings"
	"testing"
)

// However far a line is indented and however far it was thought to be, it begins where its spaces end.
func TestLinesBeginWhereTheirSpacesEnd(t *testing.T) {
	eachIndentation(func(s *Scanner, unit, depth, spaces int) {
		const begin = len("{")
		for _, rest := range []string{"", "x", "\x00 ", strings.Repeat("x", 100)} {
			s.Begin(nil, []byte("{"+strings.Repeat(" ", spaces)+rest))
			s.unit = unit
			if p := s.line(begin, depth); p != begin+spaces {
				t.Fatalf("%d levels of %d spaces, and there are %d before %q: the line begins at %d", depth, unit, spaces, rest, p-begin)
			}
		}
	})
}

// Whatever blanks there are between a comma and a key, the comma goes with the key.
func TestCommasAreFoundBeforeBlanks(t *testing.T) {
	eachIndentation(func(s *Scanner, unit, depth, spaces int) {
		const before = "{1,\n1"
		const comma = len(before)
		for _, first := range []string{"", "\n", "\r\n", " \n", "\n\n"} {
			for _, last := range []string{"", " ", "\t", "\n"} {
				blanks := first + strings.Repeat(" ", spaces) + last
				if blanks == "" {
					continue
				}
				s.Begin(nil, []byte(before+`,`+blanks+`"key"`))
				s.unit, s.depth, s.from = unit, depth, 0
				if p := s.before(comma + len(blanks)); p != comma {
					t.Fatalf("%d levels of %d spaces, and %q: the comma is at %d", depth, unit, blanks, p)
				}
				s.from = comma + 1
				if p := s.before(comma + len(blanks)); p != s.from {
					t.Fatalf("%d levels of %d spaces, and %q behind a comma that is gone: %d", depth, unit, blanks, p)
				}
			}
		}
	})
}

// If the first line is indented far, the scanner does not expect the same of the others.
func TestHowFarLinesAreIndentedIsBounded(t *testing.T) {
	for spaces := range 2 * maxUnit {
		var s Scanner
		s.Object(s.Begin(nil, []byte("{\n"+strings.Repeat(" ", spaces)+`"a":1}`)))
		want := spaces
		if spaces > maxUnit {
			want = 0
		}
		if s.unit != want {
			t.Errorf("%d spaces make a level of %d, want %d", spaces, s.unit, want)
		}
	}
}

func eachIndentation(do func(s *Scanner, unit, depth, spaces int)) {
	for unit := range 10 {
		for depth := range 10 {
			for spaces := range 100 {
				do(new(Scanner), unit, depth, spaces)
			}
		}
	}
}
