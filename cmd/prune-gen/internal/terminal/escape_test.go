package terminal

import (
	"bytes"
	"testing"
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
