package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
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
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSONHasNoControlCharacters(t *testing.T) {
	var b bytes.Buffer
	if err := writeJSON(&b, map[string]string{"k\u009b": "a\x1b\n\u0085\u202e\U000e0001<&>漢 ##[x]"}); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"k\\u009b\": \"a\\u001b\\n\\u0085\\u202e\\udb40\\udc01<&>漢 #\\u0023[x]\"\n}\n"
	if b.String() != want {
		t.Errorf("have %s\nwant %s", b.String(), want)
	}
}

func TestSnippetPointsAtTheToken(t *testing.T) {
	long := strings.Repeat("é", 200)
	tests := []struct {
		line         string
		column       int
		text, marked string
	}{
		{"    spec:", 5, "    spec:", "    ^^^^"},
		{"  - type: string", 5, "  - type: string", "    ^^^^"},
		{`{"a":1,"b\"c":2}`, 8, `{"a":1,"b\"c":2}`, `       ^^^^^^`},
		{"a: b # c", 4, "a: b # c", "   ^"},
		{"a: http://x", 4, "a: http://x", "   ^^^^^^^^"},
		{"a: {b: {c: d}}", 12, "a: {b: {c: d}}", "           ^"},
		{"\tx: 1", 2, "    x: 1", "    ^"},
		{"\x1bé漢: x", 4, `\x1bé漢: x`, `       ^`},
		{"漢: x", 1, "漢: x", "^^"},
		{"a:", 99, "a:", "  ^"},
		{`'it''s': x`, 1, `'it''s': x`, "^^^^"},
		{`"open`, 1, `"open`, "^^^^^"},
		{long + "key: x" + long, 201, "…" + long[:140] + "key: x" + long[:108] + "…", strings.Repeat(" ", 71) + "^^^"},
	}
	for _, test := range tests {
		s := snippets([]byte(test.line+"\n"), []structural.Finding{{Line: 1, Column: test.column}})[0]
		text, indent, width := s.show()
		marked := strings.Repeat(" ", indent) + strings.Repeat("^", width)
		if text != test.text || marked != test.marked {
			t.Errorf("%q at %d\nhave %s\n     %s\nwant %s\n     %s", test.line, test.column, text, marked, test.text, test.marked)
		}
	}
}

func TestColourIsForTerminals(t *testing.T) {
	tests := []struct {
		when     string
		terminal bool
		env      map[string]string
		want     bool
	}{
		{"auto", true, nil, true},
		{"auto", false, nil, false},
		{"auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"TERM": "dumb"}, false},
		{"always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", true, nil, false},
	}
	for _, test := range tests {
		t.Run("", func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("TERM", "xterm")
			for k, v := range test.env {
				t.Setenv(k, v)
			}
			if got := newPalette(test.when, test.terminal).on; got != test.want {
				t.Errorf("--color=%s, terminal %t, %v: %t", test.when, test.terminal, test.env, got)
			}
		})
	}
	in := crd("bads", badField)
	plain := runWith(in, "lint", "-").stdout
	coloured := runWith(in, "lint", "--color=always", "-").stdout
	if strings.Contains(plain, "\x1b") {
		t.Errorf("colour in what is not a terminal: %q", plain)
	}
	for _, code := range []string{"\x1b[1;31merror:\x1b[0m", "\x1b[1;31m^"} {
		if !strings.Contains(coloured, code) {
			t.Errorf("no %q in %q", code, coloured)
		}
	}
	stripped := coloured
	for _, code := range []string{"0", "1", "2", "32", "1;31", "1;33", "1;34"} {
		stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
	}
	if stripped != plain {
		t.Errorf("colour changes the text:\n%s\n%s", stripped, plain)
	}
}
