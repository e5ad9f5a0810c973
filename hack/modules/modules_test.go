// Package modules tests that the modules of this repository belong together.
package modules

import (
	"encoding/json"
	"flag"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const (
	root = "../.."
	path = "github.com/prune-gen/prune-gen"
)

// module is what go.mod says.
type module struct {
	Module  struct{ Path string }
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

// all returns the modules of the repository by their directories.
func all(t *testing.T) map[string]module {
	t.Helper()
	modules := map[string]module{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.Name() != "go.mod":
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		modules[filepath.ToSlash(dir)] = parse(t, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modules
}

// parse returns what a go.mod file says.
func parse(t *testing.T, file string) module {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		t.Fatal(file, err)
	}
	var m module
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(file, err)
	}
	return m
}

// older returns the names of a module's files for older versions of Kubernetes.
func older(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "kubernetes/*.mod"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files for older versions: %v", err)
	}
	for i, file := range files {
		files[i] = filepath.Base(file)
	}
	return files
}

// The modules are developed and released together: each is built with the others as they are here.
func TestModulesUseTheCheckout(t *testing.T) {
	modules := all(t)
	if len(modules) < 2 {
		t.Fatalf("found the modules %v", slices.Sorted(maps.Keys(modules)))
	}
	for dir, m := range modules {
		if want := strings.TrimSuffix(path+"/"+dir, "/."); m.Module.Path != want {
			t.Errorf("%s: the module is called %s, want %s", dir, m.Module.Path, want)
		}
		for _, required := range m.Require {
			below, ok := strings.CutPrefix(required.Path, path)
			if !ok {
				continue
			}
			replaced := ""
			for _, r := range m.Replace {
				if r.Old.Path == required.Path {
					replaced = filepath.ToSlash(filepath.Join(dir, r.New.Path))
				}
			}
			if want := filepath.ToSlash(filepath.Join(".", below)); replaced != want {
				t.Errorf("%s/go.mod replaces %s with %q, want the directory %s of the checkout", dir, required.Path, replaced, want)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the newest version of CHANGELOG.md to all files that name it")

// A release tags all modules with one version, and replacements do not count for those who require a module: what go.mod requires
// does. The action and the documentation name the version, too.
func TestVersionIsThatOfTheChangelog(t *testing.T) {
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - `).FindSubmatch(changelog)
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	want := "v" + string(newest[1])
	files := []string{filepath.Join(root, "action.yml"), filepath.Join(root, "docs/install.md")}
	for _, pattern := range []string{"examples/install/*", "hack/conformance/kubernetes/*.mod"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for dir := range all(t) {
		files = append(files, filepath.Join(root, dir, "go.mod"))
	}
	version := regexp.MustCompile(`(prune-gen/prune-gen(?:/kube)?[ @]|rev: |default: )(v\d+\.\d+\.\d+)\b`)
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range version.FindAllSubmatch(text, -1) {
			n++
			if string(m[2]) != want && !*update {
				t.Errorf("%s has %s, and CHANGELOG.md has %s: go test ./hack/modules -run Changelog -update", file, m[0], want)
			}
		}
		if *update {
			if err := os.WriteFile(file, version.ReplaceAll(text, []byte("${1}"+want)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n < 15 {
		t.Errorf("found only %d versions", n)
	}
}

// The go command would change nothing in go.mod and go.sum, nor in the files for older versions of Kubernetes. To know that of all, it
// downloads much. What make test does not build is looked at in any case, as far as that takes no downloads.
func TestModuleFilesAreTidy(t *testing.T) {
	for _, dir := range []string{"hack/conformance", "hack/apiserver/server", "builtin"} {
		for _, file := range older(t, dir) {
			run(t, dir, "list", "-mod=readonly", "-modfile=kubernetes/"+file, "-m", "all")
		}
	}
	if !testsize.All() {
		return
	}
	for dir := range all(t) {
		run(t, dir, "mod", "tidy", "-diff")
	}
	for _, dir := range []string{"hack/conformance", "hack/apiserver/server"} {
		for _, file := range older(t, dir) {
			run(t, dir, "mod", "tidy", "-diff", "-modfile=kubernetes/"+file)
		}
	}
	for _, file := range older(t, "builtin") {
		// It ignores build tags. With -e it goes on without the packages that only newer versions have.
		run(t, "builtin", "mod", "tidy", "-e", "-diff", "-modfile=kubernetes/"+file)
	}
}

// A program for an older version of Kubernetes has all of that version, and what else it requires is what the newest one requires.
func TestOlderProgramsDifferInKubernetesAlone(t *testing.T) {
	newest := parse(t, filepath.Join(root, "builtin/go.mod"))
	for _, file := range older(t, "builtin") {
		minor := strings.TrimSuffix(strings.TrimPrefix(file, "v1."), ".mod") + "."
		m := parse(t, filepath.Join(root, "builtin/kubernetes", file))
		if have, want := m.direct(), newest.direct(); !slices.Equal(have, want) {
			t.Errorf("%s requires %s, want %s", file, have, want)
		}
		for _, required := range m.Require {
			if required.Path == "k8s.io/kubernetes" && !strings.HasPrefix(required.Version, "v1."+minor) {
				t.Errorf("%s requires %s %s", file, required.Path, required.Version)
			}
		}
		for _, r := range m.Replace {
			if r.New.Path != r.Old.Path || !strings.HasPrefix(r.New.Version, "v0."+minor) {
				t.Errorf("%s replaces %s with %s", file, r.Old.Path, r.New)
			}
		}
	}
}

// direct returns the paths of the modules that a module imports packages of.
func (m module) direct() []string {
	var paths []string
	for _, required := range m.Require {
		if !required.Indirect {
			paths = append(paths, required.Path)
		}
	}
	return paths
}

// run runs the go command in a directory of the repository.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join(root, dir)
	cmd.Env = append(os.Environ(), "GOFLAGS=") // which may have what a command does not know
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("in %s, go %s: %v\n%s", dir, strings.Join(args, " "), err, out)
	}
}

// The module builtin has the patch level of k8s.io/kubernetes, whose sources may be older than the newest libraries.
func TestModulesHaveOneVersionOfKubernetes(t *testing.T) {
	versions := map[string][]string{}
	builtin := ""
	for dir, m := range all(t) {
		for _, required := range m.Require {
			switch {
			case required.Path != "k8s.io/apimachinery":
			case dir == "builtin":
				builtin = required.Version
			default:
				versions[required.Version] = append(versions[required.Version], dir)
			}
		}
	}
	if len(versions) != 1 {
		t.Errorf("versions of k8s.io/apimachinery, and who requires them: %v", versions)
	}
	for version := range versions {
		if minor := version[:strings.LastIndexByte(version, '.')+1]; !strings.HasPrefix(builtin, minor) {
			t.Errorf("builtin requires k8s.io/apimachinery %s, want %s*", builtin, minor)
		}
	}
}

// The module kube is for programs that want none of the rest of Kubernetes.
func TestKubeImportsApimachineryAlone(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-mod=readonly", "./...")
	cmd.Dir = filepath.Join(root, "kube")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, pkg := range strings.Fields(string(out)) {
		for _, other := range []string{"k8s.io/api/", "k8s.io/client-go/", "k8s.io/apiserver/", "k8s.io/apiextensions-apiserver/", "sigs.k8s.io/controller-runtime/"} {
			if strings.HasPrefix(pkg, other) {
				t.Errorf("kube depends on %s", pkg)
			}
		}
		found = found || strings.HasPrefix(pkg, "k8s.io/apimachinery/")
	}
	if !found {
		t.Error("kube does not depend on k8s.io/apimachinery")
	}
}
