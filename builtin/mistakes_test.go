package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Forty mistakes, twenty that a schema can show and twenty that only code can, are found on the lines that a person would point at, and
// on no others.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	build := func(from, pkg, name string, flags ...string) {
		build := exec.Command("go", append(append([]string{"build", "-o", filepath.Join(dir, name)}, flags...), pkg)...)
		build.Dir, build.Env = from, append(os.Environ(), "PRUNE_GEN_GOCMD=1") // as internal/testing/gocmd does
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	build("..", "./cmd/prune-gen", "prune-gen")
	_, version, _ := strings.Cut(linked(t, "k8s.io/kubernetes"), "@v")
	version = version[:strings.LastIndexByte(version, '.')]
	if mod := "kubernetes/v" + version + ".mod"; exists(mod) {
		build(".", ".", "prune-gen-builtin-"+version, "-modfile="+mod, "-tags=v"+version)
	} else {
		build(".", ".", "prune-gen-builtin")
	}
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "-- ")[1:]
	if len(cases) != 40 {
		t.Errorf("%d cases", len(cases))
	}
	for _, c := range cases {
		name, text, _ := strings.Cut(c, "\n")
		var want []int
		for i, line := range strings.Split(text, "\n") {
			if strings.HasSuffix(line, "#!") {
				want = append(want, i+1)
			}
		}
		validate := exec.Command(filepath.Join(dir, "prune-gen"), "validate", "--kubernetes", version, "--output", "json", "-")
		validate.Stdin = strings.NewReader(strings.ReplaceAll(text, " #!", ""))
		out, err := validate.Output()
		var found struct {
			Findings []struct {
				Line                    int
				Severity, Message, Hint string
			}
		}
		if json.Unmarshal(out, &found) != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		var have []int
		var said []string
		for _, f := range found.Findings {
			have = append(have, f.Line)
			said = append(said, fmt.Sprintf("%d: %s: %s (%s)", f.Line, f.Severity, f.Message, f.Hint))
		}
		if slices.Sort(have); !slices.Equal(slices.Compact(have), want) {
			t.Errorf("%s: found on lines %d, want %d:\n%s", name, have, want, strings.Join(said, "\n"))
		}
		t.Logf("%s: %s", name, strings.Join(said, "; "))
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
