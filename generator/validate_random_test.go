package generator

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator/internal/lower"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/testing/valuetest"
	"github.com/prune-gen/prune-gen/structural"
)

// Generated validation equals the reference on random schemas and objects, also on schemas that no CRD may have.
func TestGeneratedValidationEqualsTheReference(t *testing.T) {
	testsize.NotShort(t)
	const objects = 200
	schemas := testsize.Pick(20, 200)
	seed := uint64(1)
	if s := os.Getenv("VALUETEST_SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	folder, err := filepath.Abs("../internal/testing/valuetest")
	if err != nil {
		t.Fatal(err)
	}
	add := func(pkg, name string, content []byte) {
		file := filepath.Join(dir, pkg+"_"+name)
		overlay[filepath.Join(folder, pkg, name)] = file
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var imports, subjects strings.Builder
	for i := range schemas {
		crd := valuetest.CRD(specimentest.Schema(seed+uint64(i), specimentest.SchemaOptions{Depth: 4, Values: true, Loose: i%4 > 0}))
		pkg := fmt.Sprintf("g%d", i)
		for _, f := range generateAnyway(t, crd, Options{Package: pkg, Features: Features{FeatureUpdate, FeatureStatus, FeatureMetadata}}) {
			add(pkg, f.Name, f.Content)
		}
		fmt.Fprintf(&imports, "\t%q\n", "github.com/prune-gen/prune-gen/internal/testing/valuetest/"+pkg)
		fmt.Fprintf(&subjects, "\t\t{%q, %s.ThingResource},\n", crd, pkg)
	}
	add("program", "main.go", fmt.Appendf(nil, `package main

import (
	"github.com/prune-gen/prune-gen/internal/testing/valuetest"
%s)

func main() {
	valuetest.Main(%d, %d, []valuetest.Subject{
%s	})
}
`, imports.String(), seed, objects, subjects.String()))
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := gocmd.Command(t, "", []string{"./internal/testing/valuetest"}, "run", "-overlay", file, "../internal/testing/valuetest/program").CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// generateAnyway generates code for a CRD whose schema need not be structural.
func generateAnyway(t *testing.T, text string, opts Options) []File {
	t.Helper()
	crd, version, err := valuetest.Load(text)
	if err != nil {
		t.Fatal(err)
	}
	chosen := opts.Features.chosen()
	behavior := structural.NewBehavior(crd, version, structural.APIServer)
	behavior.Schema = nil
	p := &Plan{plan: lower.Plan([]lower.Resource{{CRD: crd, Version: version, Behavior: behavior}}, passes(chosen), ShareWithinKinds, nil), features: chosen}
	files, err := p.Emit(opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return files
}
