package reads

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// module writes a program on the stubs.
func module(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/poison/poison.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, stubs)
	write(t, dir, map[string]string{"_runtime/pkg/poison/poison.go": string(text)})
	write(t, dir, files)
	return dir
}

func find(t *testing.T, dir string) *Result {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	r, err := Find(t.Context(), Config{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// poisoned runs a program whose cache drops in a mode what the result does not name.
func poisoned(t *testing.T, program, mode string, r *Result) string {
	t.Helper()
	keep := map[string][]string{}
	for _, typ := range r.Types {
		paths := []string{"kind"}
		for _, read := range typ.Reads {
			paths = append(paths, read.Path)
		}
		keep[typ.Name] = paths
	}
	text, err := json.Marshal(map[string]any{"Mode": mode, "Keep": keep})
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "poison.json")
	if err := os.WriteFile(config, text, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), "POISON="+config)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func build(t *testing.T, dir string) string {
	t.Helper()
	program := filepath.Join(dir, "program")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", program, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestRandomProgramsReadNothingElse executes random programs with a cache that drops the fields that they do not read.
func TestRandomProgramsReadNothingElse(t *testing.T) {
	testsize.NotShort(t)
	rounds, size := 1, 30
	if testsize.All() {
		rounds = 40
	}
	kept, fields := 0, 0
	for round := range rounds {
		seed := uint64(round) + 1
		files := programs(rand.New(rand.NewPCG(seed, 0)), size)
		dir := module(t, files)
		r := find(t, dir)
		for _, typ := range r.Types {
			kept, fields = kept+typ.Kept, fields+typ.Fields
		}
		program := build(t, dir)
		want := poisoned(t, program, "none", r)
		for _, mode := range []string{"zero", "random", "random", "random"} {
			compare(t, fmt.Sprintf("seed %d, %s", seed, mode), files, want, poisoned(t, program, mode, r), r)
		}
	}
	t.Logf("%d of %d fields kept", kept, fields)
	if kept > fields*3/4 {
		t.Errorf("%d of %d fields are kept: the test cannot fail", kept, fields)
	}
}

// compare reports the packages that print something else.
func compare(t *testing.T, label string, files map[string]string, want, got string, r *Result) {
	t.Helper()
	if want == got {
		return
	}
	parts := func(out string) map[string]string {
		all, name := map[string]string{}, ""
		for line := range strings.Lines(out) {
			if text := strings.TrimSpace(line); files[text+"/run.go"] != "" {
				name = text
			}
			all[name] += line
		}
		return all
	}
	wants, gots := parts(want), parts(got)
	for name := range wants {
		if wants[name] == gots[name] {
			continue
		}
		paths := ""
		for _, typ := range r.Types {
			if strings.HasPrefix(typ.Name, "example.com/random/"+name+".") {
				for _, read := range typ.Reads {
					paths += read.Path + " "
				}
			}
		}
		text := files[name+"/run.go"]
		t.Errorf("%s: %s prints\n%swithout poison\n%skept: %s\n%s", label, name, gots[name], wants[name], paths, text[strings.Index(text, "func Run"):])
		return
	}
}
