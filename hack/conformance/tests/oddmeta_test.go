package tests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/hack/conformance/oddmeta"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Each field of metadata occurs with many values, some of them malformed, null and unknown.
func TestFieldsHaveManyValues(t *testing.T) {
	s, err := oddmeta.Subject()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]map[string]bool{}
	var visit func(at string, v any)
	visit = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				visit(at+"."+k, e)
			}
		case []any:
			for _, e := range v {
				visit(at+"[]", e)
			}
		}
		if values[at] == nil {
			values[at] = map[string]bool{}
		}
		values[at][fmt.Sprintf("%T %v", v, v)] = true
	}
	made := 0
	for obj := range oddmeta.Objects(s, 8) {
		if made++; made <= oddmeta.All/8 { // the others are deep
			visit("", obj["metadata"])
		}
	}
	for _, at := range []string{
		".name", ".labels", ".annotations", ".generation", ".creationTimestamp", ".deletionTimestamp", ".finalizers", ".finalizers[]", ".ownerReferences",
		".ownerReferences[]", ".ownerReferences[].controller", ".ownerReferences[].uid", ".managedFields", ".managedFields[].time", ".managedFields[].fieldsV1",
	} {
		if n := len(values[at]); n < 40 && at != ".ownerReferences[].controller" || n < 8 || !values[at]["<nil> <nil>"] {
			t.Errorf("%s has %d values, null: %t", at, n, values[at]["<nil> <nil>"])
		}
	}
	if len(values) < 2000 {
		t.Errorf("there are only %d paths", len(values))
	}
}

func TestOddMetadataIsNormalizedAsInKubernetes(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{}) // the API server lists everything
	t.Cleanup(func() { prunelimits.Set(prunelimits.Limits{Entries: prunelimits.Entries, Bytes: prunelimits.Bytes}) })
	sample := testsize.Pick(8, 1)
	tallies, err := oddmeta.Compare(sample)
	if err != nil {
		t.Fatal(err)
	}
	if len(tallies) != 2 {
		t.Fatalf("%d functions", len(tallies))
	}
	for _, tally := range tallies {
		t.Logf("%s: %d objects", tally.Name, tally.Compared)
		if tally.Compared < oddmeta.All/sample {
			t.Errorf("%s: only %d objects", tally.Name, tally.Compared)
		}
		if tally.Disagreements > 0 {
			t.Errorf("%s: %d disagreements", tally.Name, tally.Disagreements)
		}
		for _, f := range tally.Failures {
			t.Error(f)
		}
	}
}

func TestCodeForOddMetadataIsCurrent(t *testing.T) {
	scratch.Newest(t, "the code is generated for the newest version")
	s, err := oddmeta.Subject()
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
		name := filepath.Join("../oddmeta/generated", f.Name)
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.Content) {
			t.Errorf("%s is not current: run go generate", name)
		}
	}
}
