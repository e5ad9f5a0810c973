package crddiff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
)

// Fifty changes of a CRD as people make them are found, under the rule and with the level that testdata/fifty.txt has.
func TestFiftyChanges(t *testing.T) {
	data, err := os.ReadFile("testdata/fifty.txt")
	if err != nil {
		t.Fatal(err)
	}
	crd, lines, _ := strings.Cut(string(data), "----\n")
	old := parse(t, crd)
	n := 0
	for line := range strings.Lines(lines) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if len(parts) != 4 {
			t.Fatalf("%d parts in %s", len(parts), line)
		}
		n++
		t.Run(parts[0], func(t *testing.T) {
			unescape := strings.NewReplacer(`\n`, "\n", `\|`, "|")
			text := strings.Replace(crd, unescape.Replace(parts[1]), unescape.Replace(parts[2]), 1)
			if text == crd {
				t.Fatal("nothing changed")
			}
			worst, said := crddiff.None, "-"
			for _, c := range changesOf(t, old, parse(t, text)) {
				if said == "-" || c.Level > worst {
					worst, said = c.Level, strings.TrimPrefix(string(c.ID), "diff/")+" "+c.Level.String()
				}
			}
			if said != parts[3] {
				t.Errorf("got %q, want %q", said, parts[3])
			}
		})
	}
	if n < 50 {
		t.Errorf("%d changes", n)
	}
}
