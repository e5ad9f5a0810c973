// Package scratch builds programs with the generated code of CRDs that are not part of this repository, in a module of their own
// that is thrown away.
package scratch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is a module that is not in the working tree, named so that it may import internal packages of this one.
const program = "github.com/prune-gen/prune-gen/examples/apiserver/scratch"

// Certificates are CRDs of everyday size.
var Certificates = Source{"github.com/cert-manager/cert-manager@v1.21.2", []string{
	"deploy/crds/cert-manager.io_certificates.yaml", "deploy/crds/cert-manager.io_certificaterequests.yaml", "deploy/crds/acme.cert-manager.io_orders.yaml",
}}

// Sources are CRDs of well-known projects.
var Sources = []Source{
	Certificates,
	{"github.com/prometheus-operator/prometheus-operator@v0.85.0", []string{
		"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
	}},
	{"github.com/argoproj/argo-cd/v3@v3.5.6", []string{"manifests/crds/application-crd.yaml", "manifests/crds/appproject-crd.yaml"}},
	{"github.com/vmware-tanzu/velero@v1.18.3", []string{"config/crd/v1/bases/velero.io_backups.yaml", "config/crd/v1/bases/velero.io_schedules.yaml"}},
}

// Source is CRDs of a public Go module.
type Source struct {
	Module string // path@version
	Files  []string
}

// Program is what Build made.
type Program struct {
	// Path is the program, CRDs the directory with the CRDs whose code is linked into it.
	Path, CRDs string
}

// Build makes, below dir, the program of package drive with the code of the CRDs linked into it. root is the root of this
// repository.
func Build(ctx context.Context, root, dir string, sources ...Source) (*Program, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	p := &Program{Path: filepath.Join(dir, "program"), CRDs: filepath.Join(dir, "crds")}
	if err := os.MkdirAll(p.CRDs, 0o700); err != nil {
		return nil, err
	}
	if err := WriteModule(root, dir); err != nil {
		return nil, err
	}
	generator := filepath.Join(dir, "prune-gen")
	if err := run(ctx, root, "go", "build", "-o", generator, "./cmd/prune-gen"); err != nil {
		return nil, err
	}
	var packages []string
	for i, s := range sources {
		from, err := download(ctx, s.Module)
		if err != nil {
			return nil, err
		}
		for j, file := range s.Files {
			data, err := os.ReadFile(filepath.Join(from, file))
			if err != nil {
				return nil, err
			}
			crd := filepath.Join(p.CRDs, fmt.Sprintf("%d-%d.yaml", i, j))
			if err := os.WriteFile(crd, data, 0o600); err != nil {
				return nil, err
			}
			out := fmt.Sprintf("code/c%d_%d", i, j)
			if err := run(ctx, dir, generator, "generate", "--quiet", "--emit", "all", "--register", "--layout", "versions", "--output-dir", out, crd); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			versions, err := os.ReadDir(filepath.Join(dir, out))
			if err != nil {
				return nil, err
			}
			for _, v := range versions {
				packages = append(packages, program+"/"+out+"/"+v.Name())
			}
		}
	}
	if err := writeMain(dir, packages); err != nil {
		return nil, err
	}
	return p, run(ctx, dir, "go", "build", "-mod=mod", "-o", p.Path, ".")
}

// WriteModule writes to dir the files of a module that builds what this one builds. root is the root of this repository, as an
// absolute path.
func WriteModule(root, dir string) error {
	here := filepath.Join(root, "examples/apiserver")
	mod, err := os.ReadFile(filepath.Join(here, "go.mod"))
	if err != nil {
		return err
	}
	const own = "github.com/prune-gen/prune-gen/examples/apiserver"
	text := strings.Replace(string(mod), "module "+own, "module "+program, 1)
	text = strings.NewReplacer("=> ../../hack/apiserver", "=> "+root+"/hack/apiserver", "=> ../..", "=> "+root).Replace(text)
	text += fmt.Sprintf("\nrequire %s v0.0.0-00010101000000-000000000000\n\nreplace %s => %s\n", own, own, here)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(here, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o600)
}

func writeMain(dir string, packages []string) error {
	var out bytes.Buffer
	out.WriteString("package main\n\nimport (\n\t\"" + strings.TrimSuffix(program, "/scratch") + "/internal/drive\"\n")
	for _, p := range packages {
		fmt.Fprintf(&out, "\t_ %q\n", p)
	}
	out.WriteString(")\n\nfunc main() { drive.Main() }\n")
	return os.WriteFile(filepath.Join(dir, "main.go"), out.Bytes(), 0o600)
}

// download returns the directory of a public module.
func download(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	// No go.mod around the working directory has a say in it.
	cmd.Dir = os.TempDir()
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w: %s", module, err, out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", err
	}
	return m.Dir, nil
}

func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return nil
}
