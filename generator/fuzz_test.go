package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Whatever the names and texts of a CRD are, they stay names and texts.
func FuzzHostileNames(f *testing.F) {
	for i, s := range crdtest.Hostile() {
		if i%8 > 0 && !testsize.All() {
			continue // TestHostile... have all of them, one by one
		}
		other := crdtest.Hostile()[(i*7+3)%len(crdtest.Hostile())]
		f.Add("example.com", "App", "apps", "v1", s, other, "")
		f.Add(s, "App", "apps", other, "spec", "text", "")
		f.Add("example.com", s, other, "v1", "spec", "text", "")
		f.Add("example.com", "App", "apps", "v1", "spec", "text", s)
	}
	f.Add("example.com", "App", "apps", "v1", "spec", "text", "// Copyright")
	f.Fuzz(func(t *testing.T, group, kind, plural, version, name, other, header string) {
		t.Parallel()
		schema := hostileSchema(name)
		schema.Properties[other] = hostileSchema(other)
		opts := Options{Features: AllFeatures(), Package: "v1", Header: header, Register: true}
		attack(t, opts, hostileInput(group, kind, plural, version, schema))
	})
}

// Whatever a file contains, it is refused or becomes a package that compiles and contains what was meant.
func FuzzGenerate(f *testing.F) {
	seeds, err := filepath.Glob("../golden/*/crd.yaml")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no golden CRDs: %v", err)
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 4<<10 {
			f.Add(data)
		}
	}
	f.Add([]byte(crdtest.Manifest("App", appSchema)))
	f.Add([]byte(crdtest.ManifestV1beta1("App", true, appSchema)))
	f.Fuzz(func(t *testing.T, data []byte) {
		t.Parallel()
		if len(data) > 16<<10 {
			return // what is large is slow, and finds nothing else
		}
		byVersion := map[string][]Input{}
		for _, c := range crdread.Load("crd.yaml", strings.NewReader(string(data))).CRDs {
			for _, v := range c.Versions {
				byVersion[v.Name] = append(byVersion[v.Name], Input{c, v})
			}
		}
		for _, inputs := range byVersion {
			attack(t, Options{Features: AllFeatures(), Package: "v1", Register: true}, inputs...)
		}
	})
}
