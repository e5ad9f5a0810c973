package jsondocs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Spelling says how a value is written as JSON.
type Spelling int

const (
	// Compact is without blanks.
	Compact Spelling = iota
	// Indented has a line for each member and each element.
	Indented
	// Ragged is indented by some number of spaces, but for lines that are not.
	Ragged
	// Odd has blanks anywhere, escapes for any character, members in any order and numerals in any form.
	Odd
	// OddTwice is Odd with keys that are there twice, of which the last has the value.
	OddTwice

	// Spellings is how many there are.
	Spellings
)

// Spell writes a decoded value so that decoding gives the value back. The same seed gives the same text.
func Spell(v any, spelling Spelling, seed uint64) []byte {
	s := speller{spelling: spelling, rand: rand.New(rand.NewPCG(seed, 0)), unit: 2}
	if spelling == Ragged {
		s.unit = s.rand.IntN(10)
	}
	s.blanks(0)
	s.value(v, 0)
	s.blanks(0)
	return s.out
}

type speller struct {
	out      []byte
	spelling Spelling
	rand     *rand.Rand
	unit     int // by how many spaces each level is indented
}

func (s *speller) odd() bool { return s.spelling >= Odd }

// chance is true so many times in a hundred, and only where the spelling is odd.
func (s *speller) chance(percent int) bool { return s.odd() && s.rand.IntN(100) < percent }

// blanks writes blanks where they make no difference, at some depth.
func (s *speller) blanks(depth int) {
	switch {
	case s.spelling == Indented:
		s.line(s.unit * depth)
	case s.spelling == Ragged:
		s.ragged(s.unit * depth)
	case s.chance(30):
		for range s.rand.IntN(12) {
			s.out = append(s.out, " \t\n\r"[s.rand.IntN(4)])
		}
	}
}

// line begins a line with spaces.
func (s *speller) line(spaces int) {
	s.out = append(s.out, "\n"+strings.Repeat(" ", spaces)...)
}

// ragged begins a line that should have so many spaces.
func (s *speller) ragged(spaces int) {
	switch s.rand.IntN(40) {
	case 0, 1:
		s.line(max(0, spaces+s.rand.IntN(9)-4))
	case 2:
		s.line(s.rand.IntN(100))
	case 3:
		s.out = append(s.out, "   \r"...)
		s.line(spaces)
	case 4:
		s.line(0)
		s.line(spaces)
	case 5:
		s.line(spaces)
		s.out = append(s.out, '\t')
	case 6: // none at all
	default:
		s.line(spaces)
	}
}

func (s *speller) value(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		s.object(v, depth)
	case []any:
		s.out = append(s.out, '[')
		for i, e := range v {
			if i > 0 {
				s.comma()
			}
			s.blanks(depth + 1)
			s.value(e, depth+1)
		}
		if len(v) > 0 {
			s.blanks(depth)
		}
		s.out = append(s.out, ']')
	case string:
		s.text(v, 10)
	case int64:
		s.integer(v)
	case float64:
		s.float(v)
	case bool:
		s.out = strconv.AppendBool(s.out, v)
	case nil:
		s.out = append(s.out, "null"...)
	default:
		panic(fmt.Sprintf("jsondocs: a %T, which no decoder makes", v))
	}
}

func (s *speller) comma() {
	if s.odd() {
		s.blanks(0)
	}
	s.out = append(s.out, ',')
}

func (s *speller) object(m map[string]any, depth int) {
	keys := slices.Sorted(maps.Keys(m))
	if s.odd() {
		s.rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	s.out = append(s.out, '{')
	first := true
	member := func(key string, v any) {
		if !first {
			s.comma()
		}
		first = false
		s.blanks(depth + 1)
		s.text(key, 5)
		if s.odd() {
			s.blanks(0)
		}
		s.out = append(s.out, ':')
		switch {
		case s.spelling == Indented || s.spelling == Ragged:
			s.out = append(s.out, ' ')
		case s.odd():
			s.blanks(0)
		}
		s.value(v, depth+1)
	}
	if s.spelling == OddTwice {
		for _, key := range keys {
			for s.chance(10) {
				member(key, m[keys[s.rand.IntN(len(keys))]])
			}
		}
	}
	for _, key := range keys {
		member(key, m[key])
	}
	if len(m) > 0 {
		s.blanks(depth)
	}
	s.out = append(s.out, '}')
}

// text writes a string in which so many characters in a hundred are escaped.
func (s *speller) text(text string, percent int) {
	if !s.chance(40) {
		percent = 0
	}
	s.out = append(s.out, '"')
	for _, r := range text {
		short := strings.IndexRune("\"\\\b\f\n\r\t/", r)
		switch {
		case r == utf8.RuneError && s.chance(50):
			// Bytes that begin a character which does not go on, and half of a surrogate pair.
			s.out = append(s.out, []string{"\xff", "\xc3", "\xed", `\ud800`}[s.rand.IntN(4)]...)
		case short >= 0 && (r != '/' || s.chance(percent)) && !s.chance(percent):
			s.out = append(s.out, '\\', `"\bfnrt/`[short])
		case r < 0x20 || r == '"' || r == '\\' || s.chance(percent):
			s.escape(r)
		default:
			s.out = utf8.AppendRune(s.out, r)
		}
	}
	s.out = append(s.out, '"')
}

func (s *speller) escape(r rune) {
	format := `\u%04x`
	if s.chance(50) {
		format = `\u%04X`
	}
	if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
		s.out = fmt.Appendf(s.out, format+format, r1, r2)
		return
	}
	s.out = fmt.Appendf(s.out, format, r)
}

// integer writes a number that decodes to an int64, of which there is one form, apart from zero.
func (s *speller) integer(i int64) {
	if i == 0 && s.chance(30) {
		s.out = append(s.out, '-')
	}
	s.out = strconv.AppendInt(s.out, i, 10)
}

// float writes a number that decodes to a float64.
func (s *speller) float(f float64) {
	format := byte('g')
	if s.odd() {
		format = "eEfgG"[s.rand.IntN(5)]
	}
	text := strconv.FormatFloat(f, format, -1, 64)
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	if !strings.Contains(mantissa, ".") && (exponent == "" || s.chance(30)) {
		mantissa += ".0"
	}
	if strings.Contains(mantissa, ".") && s.chance(30) {
		mantissa += "000"
	}
	if exponent == "" && s.chance(30) {
		exponent = []string{"e0", "E+0", "e-00", "e+000"}[s.rand.IntN(4)]
	}
	s.out = append(s.out, mantissa+exponent...)
}
