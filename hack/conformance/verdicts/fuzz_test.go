package verdicts

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/testing/schemacases"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"sigs.k8s.io/yaml"
)

// golden returns the CRDs of the golden cases.
func golden(f *testing.F) [][]byte {
	f.Helper()
	files, err := filepath.Glob("../../../golden/*/crd.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no golden cases: %v", err)
	}
	var all [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 4000 {
			all = append(all, data)
		}
	}
	return all
}

// FuzzCRD feeds a file to both sides: what both load, they load alike and judge alike, and what we refuse Kubernetes
// refuses, too.
func FuzzCRD(f *testing.F) {
	for _, data := range golden(f) {
		f.Add(data)
	}
	for seed := range uint64(10) {
		f.Add(specimentest.CRD(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &corpus.Corpus{}
		c.AddFile("crd.yaml", data)
		for _, d := range c.Disagreements {
			if len(c.NotYAML) == 0 { // a file that is broken comes apart in other places
				t.Error(d.Reason)
			}
		}
		for _, crd := range c.CRDs {
			for _, d := range CRD(crd) {
				if d.Known == "" {
					t.Errorf("%s\n%s", d, crd.Raw)
				}
			}
		}
		for _, r := range c.Refused {
			if strings.Contains(r.Reason, "duplicate field") {
				continue // Kubernetes overlooks these when it reads a file
			}
			if k, err := kube.DecodeCRD(r.Raw); err == nil && len(k.Unknown) == 0 && len(k.Validate()) == 0 {
				t.Errorf("refused, but Kubernetes accepts it: %s\n%s", r.Reason, r.Raw)
			}
		}
	})
}

// FuzzSchema feeds a bare schema to both sides.
func FuzzSchema(f *testing.F) {
	for i, c := range schemacases.Broken() {
		if i%50 == 0 {
			raw, err := json.Marshal(c.Schema)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		// Both sides are to read the same JSON: what is not JSON, or has a key twice, is FuzzCRD's business.
		if !bytes.HasPrefix(raw, []byte("{")) || !json.Valid(raw) {
			return
		}
		if _, err := yaml.YAMLToJSONStrict(raw); err != nil {
			return
		}
		_, diffs := Schema(raw)
		for _, d := range diffs {
			if d.Known == "" {
				t.Errorf("%s\n%s", d, raw)
			}
		}
	})
}
