package terminal

import (
	"bytes"
	"os"
	"testing"
)

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
			if got := NewPalette(test.when, test.terminal).on; got != test.want {
				t.Errorf("--color=%s, terminal %t, %v: %t", test.when, test.terminal, test.env, got)
			}
		})
	}
}

func TestOnlyTerminalsAreTerminals(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Is(null) || Is((*os.File)(nil)) || Is(&bytes.Buffer{}) {
		t.Error("takes something else for a terminal")
	}
}

// The first and the last character of each range that takes two columns, and their neighbours.
func TestCellsOfCharacters(t *testing.T) {
	for _, wide := range [][2]rune{
		{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
		{0x1f300, 0x1faff}, {0x20000, 0x3fffd},
	} {
		for r, want := range map[rune]int{wide[0] - 1: 1, wide[0]: 2, wide[1]: 2, wide[1] + 1: 1} {
			if r == 0xfe2f { // a combining mark
				want = 0
			}
			if got := Cells(string(r)); got != want {
				t.Errorf("%U takes %d columns, want %d", r, got, want)
			}
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "\u02ff": 1, "e\u0301": 1, "\u20dd": 0, "a漢b": 4, "é": 1} {
		if got := Cells(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 1, "…"}, {"漢字", 4, "漢字"}, {"漢字", 3, "漢…"}, {"漢字", 2, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := cut(test.text, test.width); got != test.want || Cells(got) > max(1, test.width) {
			t.Errorf("%q in %d columns is %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestColoursAreThoseOfTheirNames(t *testing.T) {
	p := NewPalette("always", false)
	for got, want := range map[string]string{
		p.Bold("x"): "\x1b[1mx\x1b[0m", p.Dim("x"): "\x1b[2mx\x1b[0m", p.Red("x"): "\x1b[1;31mx\x1b[0m", p.Green("x"): "\x1b[32mx\x1b[0m",
		p.Yellow("x"): "\x1b[1;33mx\x1b[0m", p.Blue("x"): "\x1b[1;34mx\x1b[0m", p.Red(""): "", Palette{}.Red("x"): "x",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
