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

// Whatever strings a report is made of, no form of it passes them on to a terminal.
func TestEveryPartOfAReportIsEscaped(t *testing.T) {
	const evil = "a\x1b[31m\r\n\u202e\u009b\xff::error::b"
	for _, output := range []string{"text", "json", "sarif", "github"} {
		fl := newFlags("test", "", "")
		how := fl.findings()
		if err := fl.Parse([]string{"--output", output}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		r := how.reporter(&b, false)
		r.findings([]snippet{{
			Finding: structural.Finding{
				File: evil, Line: 1, Column: 1, CRD: evil, Version: evil, Severity: structural.SeverityError, Path: evil,
				Message: evil + ": " + evil, Hint: evil,
			},
			text: evil, at: 1,
		}})
		r.printer.verdict(verdict{file: evil, crd: evil, kind: evil, versions: []string{evil}})
		r.printer.condition(condition{evil, evil, evil, evil, evil})
		if err := r.finish(nil); err != errFindings {
			t.Errorf("%s: %v", output, err)
		}
		wantClean(t, output, strings.ReplaceAll(b.String(), `\ufffd`, ""))
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
