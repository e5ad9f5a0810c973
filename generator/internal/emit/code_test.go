package emit

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Names from a CRD are words of a comment: as they are, if nothing in them can be taken for something else.
func TestNamesInCommentsAreWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "azAZ09./-": "azAZ09./-", "a b": `"a?b"`, "a_b": `"a_b"`, "a:b": `"a:b"`, "a@b": `"a@b"`, "a[b": `"a[b"`, "a`b": "\"a`b\"", "a{b": `"a{b"`,
		"\x00": `"\x00"`, "é": `"\u00e9"`, "a\nb": `"a\nb"`,
	} {
		if got := word(name); got != want {
			t.Errorf("word(%q) = %s, want %s", name, got, want)
		}
	}
}

// Backquotes are for text whose every character can be seen. Whatever the text is, Go reads the literal as one token on one line that
// has this value.
func TestTextIsQuotedSoThatItReadsBest(t *testing.T) {
	for text, want := range map[string]string{
		"":                 `""`,
		"plain":            `"plain"`,
		`^\d+(\.\d+)?$`:    "`^\\d+(\\.\\d+)?$`",
		`say "yes"`:        "`say \"yes\"`",
		"\\é漢":             "`\\é漢`",
		"it's":             `"it's"`,
		"\\`":              "\"\\\\`\"",
		"\\\n//go:embed x": `"\\\n//go:embed x"`,
		"\\\r":             `"\\\r"`,
		"\\\t":             `"\\\t"`,
		"\\\x00":           `"\\\x00"`,
		"\\\x7f":           `"\\\x7f"`,
		"\\\xff":           `"\\\xff"`,
		"\\\xed\xa0\x80":   `"\\\xed\xa0\x80"`,
		"\\\ufeff":         `"\\\ufeff"`,
		"\\\u202e":         `"\\\u202e"`,
		"\\\u2028":         `"\\\u2028"`,
		"\\\u00a0":         `"\\\u00a0"`,
		"\\\u200b":         `"\\\u200b"`,
	} {
		if got := quote(text); got != want {
			t.Errorf("quote(%q) = %s, want %s", text, got, want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "\\", `"`, "`", "\n", "\r", "\t", "\x00", "\x80", "\ufeff", "\u202e", "*/", "//go:build x", "%s", "prunecel.In", "漢"}
	for range 10_000 {
		text := ""
		for range random.IntN(6) {
			text += pieces[random.IntN(len(pieces))]
		}
		literal := quote(text)
		if back, err := strconv.Unquote(literal); err != nil || back != text || strings.ContainsAny(literal, "\n\r") {
			t.Fatalf("quote(%q) = %s, which is %q: %v", text, literal, back, err)
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile("", -1, len(literal)), []byte(literal), nil, 0)
		if _, tok, lit := s.Scan(); tok != token.STRING || lit != literal {
			t.Fatalf("quote(%q) = %s, of which Go reads %s", text, literal, lit)
		}
	}
}

func TestCommentsHaveNothingButText(t *testing.T) {
	for text, want := range map[string]string{
		" ~aZ":               " ~aZ",
		"\x1f\x7f\t\x00\n":   "?????",
		"é漢٣":                "é漢٣",
		"\u00a0\u2028\u202e": "???",
	} {
		if got := sanitize(text); got != want {
			t.Errorf("sanitize(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCommentsAreWrapped(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one", []string{"one"}},
		{"  one \n two ", []string{"one two"}},
		{"1234567890", []string{"1234567890"}},
		{"1234 67890", []string{"1234 67890"}},
		{"1234 678901", []string{"1234", "678901"}},
		{"a 123456789012 b", []string{"a", "123456789012", "b"}},
		{"aa bb cc dd ee", []string{"aa bb cc", "dd ee"}},
	} {
		if got := wrap(test.text, 10); !slices.Equal(got, test.want) {
			t.Errorf("wrap(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	lines := commentLines(strings.Repeat("word ", 50))
	if len(lines) != 3 || len(lines[0]) != len("// ")+114 || !strings.HasPrefix(lines[2], "// word") {
		t.Errorf("%q", lines)
	}
}

// Keys are compared in pieces of 16 bytes, and bytes are characters if they can be.
func TestKeysAreComparedInPieces(t *testing.T) {
	for name, want := range map[string]string{
		"a":                     "string(k[:4]) == `\"a\":`",
		strings.Repeat("a", 13): "string(k[:16]) == `\"aaaaaaaaaaaaa\":`",
		strings.Repeat("a", 14): "string(k[:16]) == `\"aaaaaaaaaaaaaa\"` && string(k[16:17]) == `:`",
		strings.Repeat("a", 61): "",
		strings.Repeat("a", 62): `s.IsOdd(k, "` + strings.Repeat("a", 62) + `")`,
		"a\"":                   "s.IsOdd(k, `a\"`)",
		"a\\":                   "s.IsOdd(k, `a\\`)",
		"a\x1f":                 `s.IsOdd(k, "a\x1f")`,
		"a b":                   "string(k[:6]) == `\"a b\":`",
		"":                      "string(k[:3]) == `\"\":`",
	} {
		got := isKey("s", name)
		if want == "" {
			if strings.Contains(got, "IsOdd") || strings.Count(got, "&&") != 3 {
				t.Errorf("%q: %s", name, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	for c, want := range map[byte]string{'a': "'a'", ' ': "' '", 0x1f: "31", 0x7f: `'\x7f'`, 0x80: "128"} {
		if got := byteLiteral(c); got != want {
			t.Errorf("%#x: %s, want %s", c, got, want)
		}
	}
}
