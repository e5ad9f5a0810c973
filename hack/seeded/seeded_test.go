// Package seeded has fifty manifests with one fault each, which prune-gen must find. It also counts which of them other programs find.
package seeded

import (
	"os"
	"testing"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/objects"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Every fault is found, on its line and by its name, and correct manifests have no findings.
func TestFaultsAreFoundOnTheirLines(t *testing.T) {
	crd, err := os.ReadFile("testdata/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := load.CRD(crd, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := manifest.FromCRDs(nil, dynamic.Compile, c)
	find := func(text string) []structural.Finding {
		return manifest.Read(objects.NewText("f.yaml", []byte(text)), func(o manifest.Object) []structural.Finding { return s.Answer(o, manifest.Strict).Findings }, s).Findings
	}
	if found := find(string(good)); len(found) > 0 {
		t.Errorf("nothing is wrong: %+v", found)
	}
	if n := len(faults()); n != 50 {
		t.Errorf("%d faults", n)
	}
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			found := find(f.text(string(good)))
			for _, have := range found {
				if have.Line == f.line && have.Severity == structural.SeverityError && f.names(have.Path+" "+have.Message) {
					return
				}
			}
			t.Errorf("%+v, want %s on line %d", found, f.path, f.line)
		})
	}
}
