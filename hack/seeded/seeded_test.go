package seeded

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Every fault is found, on its line and by its name, and correct manifests have no findings.
func TestFaultsAreFoundOnTheirLines(t *testing.T) {
	c, err := load.CRD([]byte(CRD), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := manifest.FromCRDs(nil, dynamic.Compile, c)
	find := func(text string) []structural.Finding {
		return manifest.Read(objects.NewText("f.yaml", []byte(text)), func(o manifest.Object) []structural.Finding { return s.Answer(o, manifest.Strict).Findings }, s).Findings
	}
	if found := find(Good); len(found) > 0 {
		t.Errorf("nothing is wrong: %+v", found)
	}
	if n := len(Faults()); n != 50 {
		t.Errorf("%d faults", n)
	}
	for _, f := range Faults() {
		t.Run(f.Name, func(t *testing.T) {
			found := find(f.Text())
			for _, have := range found {
				if have.Line == f.Line && have.Severity == structural.SeverityError && f.Names(have.Path+" "+have.Message) {
					return
				}
			}
			t.Errorf("%+v, want %s on line %d", found, f.Path, f.Line)
		})
	}
}
