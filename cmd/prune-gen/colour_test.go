package main

import (
	"strings"
	"testing"
)

func TestColourDoesNotChangeTheText(t *testing.T) {
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
