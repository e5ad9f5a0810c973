package main

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

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

func TestSourceLinesAreCountedAsYAMLDoes(t *testing.T) {
	data := []byte("\ufeffone\r\ntwo\rthree\u0085four\u2028five\u2029\nseven")
	var findings []structural.Finding
	for i := range 7 {
		findings = append(findings, structural.Finding{Line: 7 - i, Column: 2})
	}
	findings = append(findings, structural.Finding{Line: 99, Column: 1}, structural.Finding{})
	want := []string{"seven", "", "five", "four", "three", "two", "one", "", ""}
	for i, s := range snippets(data, findings) {
		if s.text != want[i] || s.text != "" && s.at != 1 {
			t.Errorf("line %d is %q at %d, want %q at 1", s.Line, s.text, s.at, want[i])
		}
	}
	for _, data := range []string{"\xff\xfe\x41\x42\x43\x44", "\xfe\xff\x41\x42", "binary\x00"} {
		if s := snippets([]byte(data), []structural.Finding{{Line: 1, Column: 1}})[0]; s.text != "" {
			t.Errorf("shows %q", s.text)
		}
	}
}
