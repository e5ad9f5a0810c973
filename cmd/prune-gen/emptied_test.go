package main

import (
	"errors"
	"go/format"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// go generate lists all files before it runs anything, and fails at one that is gone when it wants to read it. A kind
// that is removed does not make the run skip later packages.
func TestRemovedKindDoesNotEndGoGenerate(t *testing.T) {
	testsize.Large(t, "runs go generate again and again")
	mod, sum := toolModule(t)
	const directive = "\n//go:generate go tool prune-gen generate --emit-only prune ../crds\n"
	t.Chdir(write(t, map[string]string{
		"go.mod": mod, "go.sum": sum,
		"crds/a.yaml":     groupCRD("first.example.com", "A", "v1"),
		"crds/b.yaml":     groupCRD("first.example.com", "B", "v1"),
		"crds/c.yaml":     groupCRD("second.example.com", "C", "v1"),
		"first/doc.go":    marked("first.example.com", "v1") + directive,
		"second/doc.go":   marked("second.example.com", "v1") + directive,
		"main.go":         "package main\n\nimport v1 \"example.com/app/first\"\n\nfunc main() { v1.PruneB(nil) }\n",
		"second/other.go": "package v1\n",
	}))
	t.Setenv("GOPROXY", "off")
	goCommand := func(args ...string) (string, error) {
		out, err := gocmd.Command(t, "", []string{"./cmd/prune-gen"}, args...).CombinedOutput()
		return string(out), err
	}
	want := func(part string, args ...string) {
		t.Helper()
		if out, err := goCommand(args...); err != nil || !strings.Contains(out, part) {
			t.Fatalf("go %q: %v\n%s\nwant %q", args, err, out, part)
		}
	}
	want("v1: 2 kinds, ", "generate", "./...")
	want("", "build", "./...")
	if err := os.Remove("crds/b.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := replaceIn("crds/c.yaml", "field:", "other:"); err != nil {
		t.Fatal(err)
	}
	const a, b, c = "first/zz_generated.prune.a.go", "first/zz_generated.prune.b.go", "second/zz_generated.prune.c.go"

	want(" in first, 1 unchanged, 1 emptied, for you to delete (", "generate", "./...")
	if text := contents(t)[c]; !strings.Contains(text, `"other"`) {
		t.Errorf("the next package was skipped:\n%s", text)
	}
	if out, err := goCommand("build", "./..."); err == nil || !strings.Contains(out, "undefined: v1.PruneB") {
		t.Errorf("what is gone can still be called: %v\n%s", err, out)
	}
	if err := os.Remove("main.go"); err != nil {
		t.Fatal(err)
	}
	want("", "vet", "./...")
	want("1 file up to date, 1 empty file for you to delete\n", "tool", "prune-gen", "verify", "--emit-only", "prune", "--output-dir", "first", "crds")
	if have := generated(t); have != a+" "+b+" "+c {
		t.Errorf("there is %s", have)
	}
	// What is committed now no run changes: neither with the empty file nor after it is deleted.
	committed := contents(t)
	want(" in first, 1 unchanged, 1 empty, for you to delete\n", "generate", "./...")
	want(" in first, 1 unchanged, 1 empty, for you to delete\n", "tool", "prune-gen", "generate", "--emit-only", "prune", "--output-dir", "first", "crds")
	if !maps.Equal(committed, contents(t)) {
		t.Errorf("the next run changed what was committed: %s", generated(t))
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	want(" in first, 1 unchanged\n", "generate", "./...")
	if have := generated(t); have != a+" "+c {
		t.Errorf("there is %s", have)
	}

	// The last kind of a group goes. Nothing is changed, and the message says what to do.
	if err := os.Remove("crds/a.yaml"); err != nil {
		t.Fatal(err)
	}
	committed = contents(t)
	const told = "the package in first has group first.example.com, by its marker +groupName, but no CRD has it: there is second.example.com; " +
		"choose with --group; if its last kind is gone, remove the directive at doc.go:4 and the files zz_generated.prune*"
	if out, err := goCommand("generate", "./..."); err == nil || !strings.Contains(out, told) {
		t.Errorf("%v\n%s", err, out)
	}
	if !maps.Equal(committed, contents(t)) {
		t.Error("a run that failed changed something")
	}
	if err := errors.Join(os.Remove(a), os.WriteFile("first/doc.go", []byte(marked("first.example.com", "v1")), 0o666)); err != nil {
		t.Fatal(err)
	}
	want(" in second, 1 unchanged\n", "generate", "./...")

	// The last kind of all.
	if err := os.Remove("crds/c.yaml"); err != nil {
		t.Fatal(err)
	}
	if out, err := goCommand("generate", "./..."); err == nil || !strings.Contains(out, "; if its last kind is gone, remove the directive at doc.go:4 and the files zz_generated.prune*") {
		t.Errorf("%v\n%s", err, out)
	}
}

// emptied returns the text of a file that was emptied.
func emptied(pkg string) string {
	return generator.GeneratedBy + `

//go:build ignore

// Nothing is generated into this file any more: delete it. It was emptied because go generate fails if a file goes away while
// it runs.

package ` + pkg + "\n"
}

func TestFilesAreEmptiedOnlyUnderGoGenerate(t *testing.T) {
	testsize.NotShort(t)
	const a, b = "zz_generated.prune.a.go", "zz_generated.prune.b.go"
	stale := generator.GeneratedBy + "\n\npackage api\n\nfunc PruneB() {}\n"
	empty := emptied("api")
	tests := []struct {
		name, before, gofile, args string
		want                       string // the text of the file after it
		stdout                     string
	}{
		{"by itself", stale, "", "generate", "", "1 file written, 1 removed\n"},
		{"under go generate", stale, "doc.go", "generate", empty, "1 file written, 1 emptied, for you to delete ("},
		{"under go generate, in a dry run", stale, "doc.go", "generate --dry-run", stale, "would empty " + b + "\nv1: "},
		{"when it is empty, by itself", empty, "", "generate", empty, "1 file written, 1 empty, for you to delete\n"},
		{"when it is empty, under go generate", empty, "doc.go", "generate", empty, "1 file written, 1 empty, for you to delete\n"},
		{"when git has changed the ends of lines", strings.ReplaceAll(empty, "\n", "\r\n"), "doc.go", "generate", strings.ReplaceAll(empty, "\n", "\r\n"), "1 file written, 1 empty, for you to delete\n"},
		{"when it is to stay", stale, "doc.go", "generate --keep-stale", stale, "1 file written\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "doc.go": "package api\n", b: test.before})
			t.Setenv("GOFILE", test.gofile)
			t.Setenv("GOLINE", strings.Repeat("1", len(test.gofile)))
			wantRun(t, exitOK, test.stdout, "-", append(strings.Fields(test.args), pruneOnly, "a.yaml")...)
			if have := contents(t)[b]; have != test.want {
				t.Errorf("%s is\n%s\nwant\n%s", b, have, test.want)
			}
		})
	}
	if formatted, err := format.Source([]byte(empty)); err != nil || string(formatted) != empty {
		t.Errorf("gofmt makes of it: %v\n%s", err, formatted)
	}
}

// For verify a file that was emptied is as good as removed, but not one that only looks like it.
func TestVerifyTakesEmptiedFiles(t *testing.T) {
	const b = "zz_generated.prune.b.go"
	inModule(t, map[string]string{"a.yaml": kindCRD("A", "v1")})
	wantRun(t, exitOK, "1 file written", "-", "generate", pruneOnly, "a.yaml")
	empty := emptied("v1")
	for text, code := range map[string]int{
		empty:                                   exitOK,
		strings.ReplaceAll(empty, "\n", "\r\n"): exitOK,
		generator.GeneratedBy + "\n\npackage v1\n":                            exitInput,
		strings.Replace(empty, "ignore", "linux", 1) + "\nfunc PruneB() {}\n": exitInput,
	} {
		if err := os.WriteFile(b, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, format := range findings.Formats() {
			r := runWith("", "verify", pruneOnly, "--output", format, "a.yaml")
			if r.code != code {
				t.Errorf("--output %s: exit status %d, want %d\n%s%s\n%s", format, r.code, code, r.stdout, r.stderr, text)
			}
		}
	}
}
