package cli

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	words := []string{"lint", "skeleton", "version", "help", "verify"}
	for word, want := range map[string]string{
		"lnit": "lint", "lin": "lint", "lints": "lint", "skelton": "skeleton", "skel": "skeleton", "versions": "version",
		"verfy": "verify", "x": "", "": "", "build": "", "hint": "lint", strings.Repeat("lint", 1000): "lint",
	} {
		if got := Closest(word, words); got != want {
			t.Errorf("Closest(%.20q) = %q, want %q", word, got, want)
		}
	}
}
