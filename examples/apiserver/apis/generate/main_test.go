package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/examples/apiserver/internal/scratch"
)

// report prints what is linked for each of the definitions.
const report = `package main

import (
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"

	"github.com/prune-gen/prune-gen/examples/apiserver/scratch/apis"
)

func main() {
	definitions, err := apis.Definitions()
	fmt.Println(len(definitions), err)
	for _, d := range definitions {
		for _, v := range d.Versions {
			r, ok := prunert.Lookup(d.Group, v.Name, d.Names.Kind)
			fmt.Println(d.Group, v.Name, r.Kind, ok)
		}
	}
}
`

// Kinds of your own may be of any group, and groups may have versions of the same name.
func TestGroupsMayShareVersions(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	if err := scratch.WriteModule(root, module); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(module, "apis")
	if err := os.CopyFS(filepath.Join(dir, "crds"), os.DirFS("../crds")); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	write(filepath.Join(dir, "apis.go"), read("../apis.go"))
	own := strings.NewReplacer("fleet.example.com", "own.example.com", "v1alpha1", "v1", "Machine", "Gadget", "machine", "gadget").Replace(read("../crds/machines.yaml"))
	write(filepath.Join(dir, "crds", "own.yaml"), own)
	if err := os.MkdirAll(filepath.Join(dir, code, "gone.example.com", "v1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), root, dir, true); err == nil {
		t.Error("code that does not exist is current")
	}
	for _, verify := range []bool{false, true} {
		if err := run(t.Context(), root, dir, verify); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, code, "gone.example.com")); err == nil {
		t.Error("the code of a group that is gone is still there")
	}
	write(filepath.Join(module, "main.go"), report)
	cmd := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".")
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	want := "3 <nil>\nstable.example.com v1 CronTab true\nstable.example.com v1beta1 CronTab true\nfleet.example.com v1alpha1 Machine true\nown.example.com v1 Gadget true\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
	write(filepath.Join(dir, links), "package apis\n")
	if err := run(t.Context(), root, dir, true); err == nil {
		t.Error("a file without links is current")
	}
}
