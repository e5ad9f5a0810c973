package suiteinit

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/unified"
)

var record = flag.Bool("update", false, "write the suites of testdata")

// The suites for the CRDs in testdata are recorded: what a search finds, how small it becomes, and why it finds nothing.
func TestSuitesAreSameAsBefore(t *testing.T) {
	testsize.NotShort(t)
	files, err := filepath.Glob("testdata/*.crd.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		for _, crd := range crds(t, file) {
			s, err := New(crd, crd.Versions[0].Name, Own)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			name := strings.TrimSuffix(file, ".crd.yaml") + ".suite.yaml"
			if *record {
				if err := os.WriteFile(name, s.Text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := unified.Diff(name, "now", want, s.Text); diff != "" {
				t.Errorf("run with -update and read the difference\n%s", diff)
			}
		}
	}
}
