package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"bytes"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/crdcases"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// A CRD that a program has made is judged as one that was read: without its text, the findings are the same, but for their places.
func TestCRDsWithoutATextAreJudgedAlike(t *testing.T) {
	testsize.NotShort(t)
	texts := map[string][]byte{}
	files, err := crdcases.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, c := range f.Cases {
			if texts[c.Name], err = yaml.JSONToYAML(c.CRD); err != nil {
				t.Fatal(err)
			}
		}
	}
	names, err := filepath.Glob("../../golden/*/crd.yaml")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if texts[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for name, text := range texts {
		for _, c := range readAll(text) {
			want := unplaced(lint.CRD(c))
			c.Source = nil
			if have := unplaced(lint.CRD(c)); !slices.Equal(have, want) {
				t.Errorf("%s:\n%q, with its text\n%q", name, have, want)
			}
			n += len(want)
		}
	}
	if n < 1000 {
		t.Errorf("only %d findings", n)
	}
}

// readAll returns the CRDs of a text, those that are refused, too.
func readAll(text []byte) []*structural.CRD {
	f := crdread.Load("f", bytes.NewReader(text))
	return slices.Concat(f.CRDs, f.Refused)
}

// unplaced returns findings as texts without their places, sorted.
func unplaced(found []structural.Finding) (all []string) {
	for _, f := range found {
		all = append(all, fmt.Sprint(f.ID, " ", f.Severity, " ", f.Version, " ", f.CRD, " ", f.Path, " ", f.Message, " ", f.Causes))
	}
	slices.Sort(all)
	return all
}
