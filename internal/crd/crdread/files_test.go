package crdread_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
)

// In a directory, only manifests are read, and they need not contain CRDs. A file that is named must have one, whatever it is called.
func TestFilesOfCRDs(t *testing.T) {
	dir := t.TempDir()
	crd := structuraltest.CRDWith("{type: object}")
	for name, text := range map[string]string{
		"all/crd.yaml": crd, "all/sub/crd.yml": crd, "all/values.yaml": "a: 1\n", "all/template.yaml": "{{ .Values }}\n", "all/crd.txt": crd,
		"crd.txt": crd, "template.yaml": "{{ .Values }}\n", "values.yaml": "a: 1\n", "broken/crd.yaml": "kind: CustomResourceDefinition\napiVersion: [\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.yaml")); err != nil {
		t.Log(err)
	}
	for _, test := range []struct {
		name, wrong string
		crds        int
	}{
		{"all", "", 2}, {"crd.txt", "", 1}, {"template.yaml", "template.yaml:1: ", 0}, {"values.yaml", "values.yaml: there is no CustomResourceDefinition", 0},
		{"broken", "crd.yaml:2: ", 0}, {"missing", "missing: no such file", 0}, {"link.yaml", "link.yaml: no such file", 0},
	} {
		crds, err := crdread.Files(filepath.Join(dir, test.name))
		if len(crds) != test.crds || (err != nil) != (test.wrong != "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %d CRDs, %v, want %d, %s", test.name, len(crds), err, test.crds, test.wrong)
		}
	}
}
