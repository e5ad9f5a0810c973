package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// source is CRDs of a public Go module.
type source struct {
	module string // path@version
	files  []string
}

// certificates are CRDs of everyday size.
var certificates = source{"github.com/cert-manager/cert-manager@v1.21.2", []string{
	"deploy/crds/cert-manager.io_certificates.yaml", "deploy/crds/cert-manager.io_certificaterequests.yaml", "deploy/crds/acme.cert-manager.io_orders.yaml",
}}

// sources are CRDs of well-known projects.
var sources = []source{
	certificates,
	{"github.com/prometheus-operator/prometheus-operator@v0.85.0", []string{
		"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
	}},
	{"github.com/argoproj/argo-cd/v3@v3.5.6", []string{"manifests/crds/application-crd.yaml", "manifests/crds/appproject-crd.yaml"}},
	{"github.com/vmware-tanzu/velero@v1.18.3", []string{"config/crd/v1/bases/velero.io_backups.yaml", "config/crd/v1/bases/velero.io_schedules.yaml"}},
}

// build returns a program that runs the tests of this package with the code of the CRDs linked, and the directory of the CRDs. They
// are not part of this repository, and neither is what is generated from them: an overlay adds it to this package.
func build(t testing.TB, sources ...source) (program, crds string) {
	t.Helper()
	dir := t.TempDir()
	program, crds = filepath.Join(dir, "program"), filepath.Join(dir, "crds")
	generator := gocmd.Build(t, ".", "./cmd/prune-gen")
	here, err := filepath.Abs(".")
	check(t, err)
	check(t, os.Mkdir(crds, 0o700))
	links, replace := "package parity\n", map[string]string{}
	for i, s := range sources {
		var module struct{ Dir string }
		// No go.mod around the working directory has an effect.
		check(t, json.Unmarshal(run(t, dir, "go", "mod", "download", "-json", s.module), &module))
		for j, file := range s.files {
			data, err := os.ReadFile(filepath.Join(module.Dir, file))
			check(t, err)
			crd, out := filepath.Join(crds, fmt.Sprintf("%d-%d.yaml", i, j)), fmt.Sprintf("c%d_%d", i, j)
			check(t, os.WriteFile(crd, data, 0o600))
			run(t, dir, generator, "generate", "--quiet", "--emit", "all", "--register", "--layout", "versions", "--output-dir", out, crd)
			check(t, fs.WalkDir(os.DirFS(dir), out, func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					replace[filepath.Join(here, path)] = filepath.Join(dir, path)
				} else if err == nil && path != out {
					links += fmt.Sprintf("import _ %q\n", "github.com/prune-gen/prune-gen/examples/apiserver/internal/parity/"+path)
				}
				return err
			}))
		}
	}
	check(t, os.WriteFile(filepath.Join(dir, "links.go"), []byte(links), 0o600))
	replace[filepath.Join(here, "links_test.go")] = filepath.Join(dir, "links.go")
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	run(t, ".", "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	return program, crds
}

// run runs a program and returns its standard output.
func run(t testing.TB, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", gocmd.Variable+"=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return out
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
