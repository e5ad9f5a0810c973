package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A module that another requires, by a replacement here, is found by its path.
func TestModulesAreFoundByTheirPath(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                  "module example.com/here\n\ngo 1.21\n\nrequire example.com/there/sub v0.0.0\n\nreplace example.com/there/sub => ./there\n",
		"there/go.mod":            "module example.com/there/sub\n\ngo 1.21\n",
		"there/config/crd/a.yaml": "kind: A\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for arg, want := range map[string]string{
		"example.com/there/sub/config/crd":        "there/config/crd",
		"example.com/there/sub/config/crd/a.yaml": "there/config/crd/a.yaml",
		"example.com/there/sub":                   "there",
		"example.com/elsewhere/config":            "",
		"example.com/there/sub@v9.9.9/config":     "",
		"config/crd":                              "",
		"../config/crd":                           "",
		"missing.yaml":                            "",
	} {
		have, err := inModule(arg)
		if elsewhere := strings.HasPrefix(arg, "example.com") && want == ""; (err != nil) != elsewhere {
			t.Errorf("%s: %v", arg, err)
		}
		if have != "" {
			have, _ = filepath.Rel(mustEval(t, dir), mustEval(t, have))
		}
		if filepath.ToSlash(have) != want {
			t.Errorf("%s is %q, want %q", arg, have, want)
		}
	}
	for arg, want := range map[string]string{
		"example.com/elsewhere/config":        "file does not exist, and no module that go.mod requires has this path: write MODULE@VERSION/PATH or, in a module of your own, run go get first",
		"example.com/there/sub/confg":         "file does not exist in the module; did you mean config?",
		"example.com/there/sub@latest/config": "file does not exist, and only a version names a module in the module cache: run go list -m example.com/there/sub@latest, and write what it prints for latest",
		"example.com/there/sub@main/config":   "file does not exist, and only a version names a module in the module cache: run go list -m example.com/there/sub@main, and write what it prints for main",
		"example.com/there/sub@v9.9.9/config": "file does not exist, and the module example.com/there/sub@v9.9.9 is not in the module cache: run go mod download example.com/there/sub@v9.9.9",
	} {
		if all := list(Args{Names: []string{arg}}); len(all) != 1 || all[0].err == nil || all[0].err.Error() != want {
			t.Errorf("%s: %+v, want %s", arg, all, want)
		}
	}
	if all := list(Args{Names: []string{"example.com/there/sub/config"}}); len(all) != 1 || filepath.Base(all[0].name) != "a.yaml" {
		t.Errorf("%+v", all)
	}
}

// Without the go command, nothing is known about modules, and nothing is said about the module cache.
func TestModulesNeedTheGoCommand(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	const want = "file does not exist, and there is no go command on the PATH to look for a Go module"
	for _, arg := range []string{"example.com/elsewhere/config", "sigs.k8s.io/yaml@v1.4.0/x"} {
		if all := list(Args{Names: []string{arg}}); len(all) != 1 || all[0].err == nil || all[0].err.Error() != want {
			t.Errorf("%s: %+v, want %s", arg, all, want)
		}
	}
	if all := list(Args{Names: []string{"missing.yaml"}}); len(all) != 1 || strings.Contains(all[0].err.Error(), "go command") {
		t.Errorf("%+v", all)
	}
}

func mustEval(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}
