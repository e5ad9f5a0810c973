package suiteinit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crdcover"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// crds returns those of files that the API server accepts.
func crds(t *testing.T, patterns ...string) []*structural.CRD {
	t.Helper()
	var all []*structural.CRD
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, crd := range load.Load(name, f).CRDs {
				crd.Meter = nil
				if _, err := suite.NewVariant(crd).Resources(); err == nil {
					all = append(all, crd)
				}
			}
		}
	}
	return all
}

// A suite that was written passes, and violates every constraint that it does not list as missing.
func TestFirstSuitesPass(t *testing.T) {
	patterns := []string{"../../golden/crontab/crd.yaml", "../../golden/subresources/crd.yaml", "../../examples/operator/config/crd/bases/*.yaml"}
	if testsize.All() {
		patterns[0] = "../../golden/*/crd.yaml"
	}
	count := crdcover.Count{}
	for _, crd := range crds(t, patterns...) {
		v := suite.NewVariant(crd)
		resources, _ := v.Resources()
		for _, r := range resources {
			s, err := New(v, r)
			if err != nil {
				t.Errorf("%s %s: %v", crd.Name, r.Version, err)
				continue
			}
			kind, err := crdcover.New(crd, r)
			if err != nil {
				t.Fatal(err)
			}
			_, failed, err := run(v, s.Text, func(q suite.Request) { kind.Record(q.Case.Name, q.Sent, q.Old, q.Request, q.Answer) })
			if err != nil || failed > 0 {
				t.Errorf("%s %s: %d cases fail, %v", crd.Name, r.Version, failed, err)
			}
			for i, c := range kind.Constraints() {
				if listed := strings.Contains(string(s.Text), "#   "+c.Title()+": "); s.Missing[i] == "" && len(c.ViolatedBy) == 0 || s.Missing[i] != "" && !listed {
					t.Errorf("%s %s: %s is violated by %q, and missing because %q", crd.Name, r.Version, c.Title(), c.ViolatedBy, s.Missing[i])
				}
			}
			n := crdcover.CountOf(s.Constraints)
			count.All += n.All
			count.Violated += n.Violated
		}
	}
	t.Logf("%d of %d", count.Violated, count.All)
	if count.Violated*100 < count.All*85 {
		t.Errorf("the suites violate %d of %d constraints", count.Violated, count.All)
	}
}

// A suite does not change by itself.
func TestSuitesAreTheSameEachTime(t *testing.T) {
	v := suite.NewVariant(crds(t, "../../golden/subresources/crd.yaml")[0])
	resources, err := v.Resources()
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for range 3 {
		s, err := New(v, resources[0])
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(s.Text)
		}
		if string(s.Text) != first {
			t.Fatalf("got\n%s\nthe first time\n%s", s.Text, first)
		}
	}
}
