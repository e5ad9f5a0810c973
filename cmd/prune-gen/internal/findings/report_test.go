package findings

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/structural"
)

// Whatever strings a report is made of, no form of it passes them on to a terminal.
func TestEveryPartOfAReportIsEscaped(t *testing.T) {
	const evil = "a\x1b[31m\r\n\u202e\u009b\xff::error::b"
	for _, format := range Formats() {
		var b bytes.Buffer
		r := New(&b, Options{Format: format})
		r.Add([]Snippet{{
			Finding: structural.Finding{
				ID: evil, File: evil, Line: 1, Column: 1, CRD: evil, Version: evil, Severity: structural.SeverityError, Path: evil,
				Message: evil + ": " + evil, Hint: evil,
			},
			text: evil, at: 1,
		}})
		r.Verdict(Verdict{File: evil, CRD: evil, Kind: evil, Versions: []string{evil}})
		if r.Finish(); !r.Failed() {
			t.Errorf("%s has not failed", format)
		}
		wantClean(t, format, strings.ReplaceAll(b.String(), `\ufffd`, ""))
	}
}

// wantClean fails when text has a character in it that a terminal acts on, apart from the ends of lines.
func wantClean(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		switch {
		case r == '\n':
		case r == utf8.RuneError, r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r == 0x2028, r == 0x2029:
			t.Fatalf("%s has the character %U at %d: %q", what, r, i, text[max(0, i-40):min(len(text), i+40)])
		}
	}
}

func TestFindingsAreSortedByLineFirst(t *testing.T) {
	found := []structural.Finding{{Line: 2, Column: 1}, {Line: 1, Column: 9, Message: "b"}, {Line: 1, Column: 9, Message: "a"}, {Line: 1, Column: 3}}
	Sort(found)
	for i, want := range []structural.Finding{{Line: 1, Column: 3}, {Line: 1, Column: 9, Message: "a"}, {Line: 1, Column: 9, Message: "b"}, {Line: 2, Column: 1}} {
		if !reflect.DeepEqual(found[i], want) {
			t.Errorf("%d: %+v, want %+v", i, found[i], want)
		}
	}
}

// A workflow command is one line, with the hint in it, and every form tells a warning from an error.
func TestWarningsWithAHint(t *testing.T) {
	warning := Snippet{Finding: structural.Finding{ID: "x/y", File: "a.yaml", Line: 1, Severity: structural.SeverityWarning, Message: "m", Hint: "h"}}
	for format, want := range map[string]string{
		"github": "::warning file=a.yaml,line=1,col=1,title=x/y::m%0Ahint: h\n",
		"sarif":  `"level": "warning"`,
		"text":   "warning: m",
		"json":   `"severity": "warning"`,
	} {
		t.Setenv("GITHUB_WORKSPACE", "")
		var b bytes.Buffer
		r := New(&b, Options{Format: format})
		r.Add([]Snippet{warning})
		if r.Finish(); !strings.Contains(b.String(), want) {
			t.Errorf("%s:\n%s", format, b.String())
		}
	}
}
