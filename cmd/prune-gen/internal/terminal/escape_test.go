package terminal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"plain, ünïcode 漢字":  "plain, ünïcode 漢字",
		`^\d+$`:              `^\d+$`,
		"a\nb\r\tc":          `a\nb\r\tc`,
		"\x1b[31mred\x1b[m":  `\x1b[31mred\x1b[m`,
		"\u009b31m\x7f\x00":  `\u009b31m\x7f\x00`,
		"\u202egnp.exe":      `\u202egnp.exe`,
		"\u2028\ufeff\u200b": `\u2028\ufeff\u200b`,
		"\xff\xc3":           `\xff\xc3`,
		"\ufffd":             "\ufffd",
		"a ##[error]b":       `a #\x23[error]b`,
		"###[x]":             `##\x23[x]`,
		"\U000e0001":         `\U000e0001`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSONHasNoControlCharacters(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, map[string]string{"k\u009b": "a\x1b\n\u0085\u202e\U000e0001<&>漢 ##[x]"}); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"k\\u009b\": \"a\\u001b\\n\\u0085\\u202e\\udb40\\udc01<&>漢 #\\u0023[x]\"\n}\n"
	if b.String() != want {
		t.Errorf("have %s\nwant %s", b.String(), want)
	}
}

// A text is printable if and only if escaping leaves it as it is, and escaping once is enough.
func TestPrintableTextsAreNotEscaped(t *testing.T) {
	pieces := []string{"", "a", "#", "##", "##[", "[", " ", "é", "漢", "\ufffd", "\x1b", "\n", "\t", "\xff", "\u00a0", "\u202e", "\U0001f600", "\\"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				text := a + b + c
				escaped := Escape(text)
				if !strings.Contains(text, "\ufffd") && IsPrintable(text) != (escaped == text) {
					t.Errorf("%q is printable: %t, and escaped as %q", text, IsPrintable(text), escaped)
				}
				if again := Escape(escaped); again != escaped || strings.Contains(escaped, "##[") || strings.ContainsAny(escaped, "\x1b\n\t\u202e") || !utf8.ValidString(escaped) {
					t.Errorf("%q is escaped as %q, and again as %q", text, escaped, again)
				}
			}
		}
	}
	for in, want := range map[string]string{"a\tb\n": "a\tb", "a\n\n": `a\n`, "\t\x1b\t": "\t\\x1b\t", "a\r\n": `a\r`, "": "", "\n": ""} {
		if have := EscapeLine(in); have != want {
			t.Errorf("%q becomes %q, want %q", in, have, want)
		}
	}
}

// Characters beyond the first 65,536 are two escapes in JSON, which decode to themselves.
func TestJSONDecodesToItself(t *testing.T) {
	for _, r := range []rune{0, 0x1f, 0x7f, 0x80, 0x9b, 0xa0, 0x2028, 0xd7ff, 0xe000, 0xfeff, 0xffff, 0x10000, 0x1000b, 0xe0001, 0xf0000, 0x10ffff} {
		var b bytes.Buffer
		want := "a" + string(r) + "##[b"
		if err := WriteJSON(&b, want); err != nil {
			t.Fatal(err)
		}
		var have string
		if err := json.Unmarshal(b.Bytes(), &have); err != nil || have != want {
			t.Errorf("%U: %q in %s (%v)", r, have, b.String(), err)
		}
		if text := strings.TrimSuffix(b.String(), "\n"); !IsPrintable(text) {
			t.Errorf("%U: %q", r, text)
		}
	}
}
