package oddmeta

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// wanted is how many different metadata there are at least.
const wanted = 10_000

func TestThereAreManyMetadata(t *testing.T) {
	different := map[string]bool{}
	for meta := range Metadata() {
		data, err := json.Marshal(meta)
		if err != nil {
			t.Fatal(err)
		}
		different[string(data)] = true
	}
	t.Logf("%d different metadata", len(different))
	if len(different) < wanted {
		t.Errorf("%d different metadata, want %d", len(different), wanted)
	}
}

func TestOddMetadataIsNormalizedAsInKubernetes(t *testing.T) {
	prunert.SetLimits(prunert.Limits{}) // the API server lists everything
	t.Cleanup(func() { prunert.SetLimits(prunert.DefaultLimits()) })
	sample := 8
	if testsize.All() {
		sample = 1
	}
	tallies, err := Compare(runtime.GOMAXPROCS(0), sample)
	if err != nil {
		t.Fatal(err)
	}
	if len(tallies) != 2 {
		t.Fatalf("%d functions", len(tallies))
	}
	for _, tally := range tallies {
		t.Logf("%s: %d objects", tally.Function.Name, tally.Objects)
		if tally.Objects < 2*wanted/sample {
			t.Errorf("%s: only %d objects", tally.Function.Name, tally.Objects)
		}
		if tally.Disagreements > 0 {
			t.Errorf("%s: %d disagreements", tally.Function.Name, tally.Disagreements)
		}
		for _, f := range tally.Failures {
			t.Error(f)
		}
	}
}

func TestGeneratedCodeIsCurrent(t *testing.T) {
	s, err := Subject()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generator.Generate([]generator.Input{{CRD: s.CRD.CRD, Version: s.Version}}, generator.Options{
		Package: "generated", Features: generator.Features{generator.FeatureNormalize},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join("generated", f.Name)
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.Content) {
			t.Errorf("%s is not current: run go generate", name)
		}
	}
}
