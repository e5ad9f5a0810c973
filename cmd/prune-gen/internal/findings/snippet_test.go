package findings

import (
	"reflect"
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
		s := Snippets([]structural.Finding{{Line: 1, Column: test.column}}, func(int) []byte { return []byte(test.line) })[0]
		text, indent, width := s.Show()
		marked := strings.Repeat(" ", indent) + strings.Repeat("^", width)
		if text != test.text || marked != test.marked {
			t.Errorf("%q at %d\nhave %s\n     %s\nwant %s\n     %s", test.line, test.column, text, marked, test.text, test.marked)
		}
	}
}

func TestSnippetsKeepTheOrderOfFindings(t *testing.T) {
	lines := []string{"one two", "three", "binary\x00", "\t four"}
	line := func(n int) []byte {
		if n > len(lines) {
			return nil
		}
		return []byte(lines[n-1])
	}
	found := []structural.Finding{
		{Line: 2, Column: 2}, {Line: 1, Column: 5}, {}, {Line: 1, Column: 1}, {Line: 9, Column: 1}, {Line: 3, Column: 1}, {Line: 1, Column: 5}, {Line: 4},
	}
	want := []Snippet{{text: "three", at: 1}, {text: "one two", at: 4}, {}, {text: "one two"}, {}, {}, {text: "one two", at: 4}, {text: "\t four", at: 2}}
	for i, s := range Snippets(found, line) {
		if want[i].Finding = found[i]; !reflect.DeepEqual(s, want[i]) {
			t.Errorf("finding %d: %+v, want %+v", i, s, want[i])
		}
	}
	for _, s := range Snippets(found, nil) {
		if s.text != "" {
			t.Errorf("%+v without a source", s)
		}
	}
}

// A CRD can be one line of megabytes with thousands of findings. Reading it from its beginning for each of them would not end before
// the tests have to.
func TestALongLineIsReadOnce(t *testing.T) {
	const n = 100_000
	field := "key: {" + strings.Repeat(" ", 400) + "}, "
	long := []byte(strings.Repeat(field, n))
	var found []structural.Finding
	for i := range n {
		found = append(found, structural.Finding{Line: 1, Column: len(field)*i + 1})
	}
	for i, s := range Snippets(found, func(int) []byte { return long }) {
		if !strings.HasPrefix(s.text[s.at:], "key: ") {
			t.Fatalf("finding %d points at %q", i, s.text[s.at:])
		}
	}
}
