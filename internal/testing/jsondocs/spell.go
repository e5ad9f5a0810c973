package jsondocs

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/testing/numbers"
)

// Spelling says how a value is written as JSON.
type Spelling int

const (
	// Compact is without blanks.
	Compact Spelling = iota
	// Indented has a line for each member and each element.
	Indented
	// Ragged is indented by some number of spaces, except for some lines.
	Ragged
	// Odd has blanks anywhere, escapes for any character, members in any order and numerals in any form.
	Odd
	// OddTwice is Odd with duplicate keys, of which the last has the value.
	OddTwice

	// Spellings is how many there are.
	Spellings
)

// Spell writes a decoded value so that decoding gives the value back. The same seed gives the same text.
func Spell(v any, spelling Spelling, seed uint64) []byte {
	s := speller{twice: spelling == OddTwice, rand: rand.New(rand.NewPCG(seed, 0))}
	switch spelling {
	case Compact:
		return bytes.TrimSpace([]byte(numbers.Encode(v, "")))
	case Indented:
		return []byte(numbers.Encode(v, "  "))
	case Ragged:
		for line := range strings.Lines(numbers.Encode(v, strings.Repeat(" ", 1+s.rand.IntN(9)))) {
			text := strings.TrimLeft(line, " ")
			s.ragged(len(line) - len(text))
			s.out = append(s.out, strings.TrimSpace(text)...)
		}
		return s.out
	}
	s.blanks()
	s.value(v)
	s.blanks()
	return s.out
}

// speller writes odd spellings.
type speller struct {
	out   []byte
	rand  *rand.Rand
	twice bool // keys are duplicated
}

// chance is true with a probability in percent.
func (s *speller) chance(percent int) bool { return s.rand.IntN(100) < percent }

// blanks writes blanks where they make no difference.
func (s *speller) blanks() {
	if s.chance(30) {
		for range s.rand.IntN(12) {
			s.out = append(s.out, " \t\n\r"[s.rand.IntN(4)])
		}
	}
}

// ragged begins a line that should have the given number of spaces.
func (s *speller) ragged(spaces int) {
	before, after := "\n", ""
	switch s.rand.IntN(40) {
	case 0, 1:
		spaces = max(0, spaces+s.rand.IntN(9)-4)
	case 2:
		spaces = s.rand.IntN(100)
	case 3:
		before = "   \r\n"
	case 4:
		before = "\n\n"
	case 5:
		after = "\t"
	case 6: // none at all
		before, spaces = "", 0
	}
	s.out = append(s.out, before+strings.Repeat(" ", spaces)+after...)
}

func (s *speller) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		s.object(v)
	case []any:
		s.out = append(s.out, '[')
		for i, e := range v {
			s.comma(i > 0)
			s.value(e)
			s.blanks()
		}
		s.out = append(s.out, ']')
	case string:
		s.text(v, 10)
	case int64:
		if v == 0 && s.chance(30) {
			s.out = append(s.out, '-')
		}
		s.out = strconv.AppendInt(s.out, v, 10)
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

// comma writes what precedes an element or a member.
func (s *speller) comma(comma bool) {
	if comma {
		s.out = append(s.out, ',')
	}
	s.blanks()
}

func (s *speller) object(m map[string]any) {
	keys := slices.Sorted(maps.Keys(m))
	s.rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	s.out = append(s.out, '{')
	first := true
	member := func(key string, v any) {
		s.comma(!first)
		first = false
		s.text(key, 5)
		s.blanks()
		s.out = append(s.out, ':')
		s.blanks()
		s.value(v)
		s.blanks()
	}
	for _, key := range keys {
		for s.twice && s.chance(10) {
			member(key, m[keys[s.rand.IntN(len(keys))]])
		}
	}
	for _, key := range keys {
		member(key, m[key])
	}
	s.out = append(s.out, '}')
}

// text writes a string in which a percentage of the characters is escaped.
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

// float writes a number that decodes to a float64.
func (s *speller) float(f float64) {
	text := strconv.FormatFloat(f, "eEfgG"[s.rand.IntN(5)], -1, 64)
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
