package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
)

// report prints what is linked for the kinds.
const report = `package main

import (
	"fmt"

	prunert "github.com/prune-gen/prune-gen/runtime"

	_ "github.com/prune-gen/prune-gen/examples/apiserver/own"
)

func main() {
	for _, r := range prunert.Linked().Resources() {
		fmt.Println(r.Group, r.Version, r.Kind)
	}
}
`

// Kinds of your own may be of any group, and groups may have versions of the same name.
func TestGroupsMayShareVersions(t *testing.T) {
	gocmd.Sources(t, "./cmd/prune-gen")
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "crds"), os.DirFS("../crds")); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module github.com/prune-gen/prune-gen/examples/apiserver/own\n")
	write("apis.go", "package apis\n")
	data, err := os.ReadFile("../crds/machines.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write("crds/own.yaml", strings.NewReplacer("fleet.example.com", "own.example.com", "v1alpha1", "v1", "Machine", "Gadget", "machine", "gadget").Replace(string(data)))
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
	// An overlay makes the package one of this module.
	if err := os.Mkdir(filepath.Join(dir, "main"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("main/main.go", report)
	here := filepath.Join(root, "examples", "apiserver")
	replace := map[string]string{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			replace[filepath.Join(here, "own", path)] = filepath.Join(dir, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	write("overlay.json", string(overlay))
	out, err := gocmd.Command(t, here, nil, "run", "-overlay", filepath.Join(dir, "overlay.json"), "./own/main").CombinedOutput()
	want := "fleet.example.com v1alpha1 Machine\nown.example.com v1 Gadget\nstable.example.com v1 CronTab\nstable.example.com v1beta1 CronTab\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
	write(links, "package apis\n")
	if err := run(t.Context(), root, dir, true); err == nil {
		t.Error("a file without links is current")
	}
}
