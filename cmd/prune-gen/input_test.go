package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// If the command before the pipe fails, its empty output must not pass as valid manifests.
func TestEmptyStandardInputIsAnError(t *testing.T) {
	for _, args := range []string{"validate --crd CRD -", "prune --crd CRD -", "prune --crd CRD --normalize -", "diff CRD CRD -"} {
		r := runWith("", strings.Fields(strings.ReplaceAll(args, "CRD", "testdata/good/crd.yaml"))...)
		if r.code != exitInput || !strings.Contains(r.stdout+r.stderr, "<stdin>: error: standard input is empty [text/unreadable]") {
			t.Errorf("%s: exit status %d\n%s%s", args, r.code, r.stdout, r.stderr)
		}
	}
}

func TestStandardInput(t *testing.T) {
	r := runWith(crd("bads", badField)+"---\n"+crd("goods", goodField), "lint", "-")
	if r.code != exitInput || !strings.HasPrefix(r.stdout, "<stdin>:19:11: error: ") || !strings.Contains(r.stdout, "ok  goods.example.com") {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
	if r := runWith("", "lint", "-"); r.code != exitInput || !strings.Contains(r.stderr, "no CustomResourceDefinition in standard input") {
		t.Errorf("empty: exit status %d, %q", r.code, r.stderr)
	}
	if r := runWith(crd("goods", goodField), "lint", "-", "-"); r.code != exitOK || strings.Count(r.stdout, "ok  ") != 1 {
		t.Errorf("named twice: exit status %d\n%s", r.code, r.stdout)
	}
}

func TestTemplatesInADirectory(t *testing.T) {
	dir := write(t, map[string]string{
		"a/good.yaml":     crd("goods", goodField),
		"a/template.yaml": "{{- if .Values.x }}\nkind: Deployment\n{{- end }}\n",
		"b/crd.yaml":      "{{- if .Values.x }}\n" + crd("goods", goodField) + "{{- end }}\n",
	})
	r := runWith("", "lint", filepath.Join(dir, "a"))
	if r.code != exitOK || !strings.Contains(r.stdout, "skipped 1 template: render templates first") {
		t.Errorf("a template of something else: exit status %d\n%s", r.code, r.stdout)
	}
	wantRun(t, exitInput, "", "and skipped 1 template, to be rendered first", "lint", filepath.Join(dir, "b"))
	for _, name := range []string{"a/template.yaml", "b/crd.yaml"} {
		wantRun(t, exitInput, "hint: this looks like a template", "-", "lint", filepath.Join(dir, name))
	}
}

// The output does not depend on which file is ready first.
func TestOutputFollowsTheArguments(t *testing.T) {
	testsize.NotShort(t)
	files := map[string]string{}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		field := goodField
		if c%3 == 0 {
			field = badField
		}
		files[string(c)+".yaml"] = crd("things"+string(c), field)
	}
	// The first one takes longest.
	files["a.yaml"] = crd("thingsa", "{type: object, properties: {"+manyFields(5000)+"}}")
	t.Chdir(write(t, files))
	first := runWith("", "lint", ".")
	for range 5 {
		if again := runWith("", "lint", "."); again != first {
			t.Fatalf("differs:\n%s\n%s", first.stdout, again.stdout)
		}
	}
	var order []string
	for line := range strings.Lines(first.stdout) {
		if _, rest, ok := strings.Cut(line, "things"); ok {
			order = append(order, rest[:1])
		}
	}
	if !slices.IsSorted(order) || len(order) != len(files) {
		t.Errorf("order of output: %v", order)
	}
}

// manyFields returns n properties in flow style.
func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d: {type: string}, ", i)
	}
	return b.String()
}

// The parser ends a line at each of these, and so does what is shown of it.
func TestFindingsShowTheirLineWhateverEndsIt(t *testing.T) {
	const want = `<stdin>:19:11: error: …properties[field].type: Required value: must not be empty for specified object fields [structural/type-required]
   |
19 |           field: {minLength: 1}
   |           ^^^^^
`
	for _, end := range []string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		text := strings.ReplaceAll(crd("bads", badField), "\n", end)
		for _, start := range []string{"", "\ufeff"} {
			if r := runWith(start+text, "lint", "-"); !strings.HasPrefix(r.stdout, want) {
				t.Errorf("lines that end in %q after %q:\n%s", end, start, r.stdout)
			}
		}
	}
}

func TestUnreadableFileIsShownWithTheOthers(t *testing.T) {
	dir := write(t, map[string]string{"good.yaml": crd("goods", goodField)})
	r := runWith("", "lint", filepath.Join(dir, "gone"), dir)
	if r.code != exitInput || !strings.Contains(r.stdout, "gone: error: no such file or directory") || !strings.Contains(r.stdout, "ok  goods") {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
}

// In a directive the way to the CRDs depends on the layout of the repository: api/v1 is two steps below its root, api/apps/v1 is
// three. A wrong number of steps gets a hint.
func TestMissingDirectoryHasAHint(t *testing.T) {
	for _, test := range []struct{ name, in, arg, bases, hint string }{
		{"one step too many", "api/v1", "../../../config/crd/bases", "config/crd/bases/crd.yaml", "= hint: did you mean ../../config/crd/bases?\n"},
		{"one step too few", "api/apps/v1", "../../config/crd/bases", "config/crd/bases/crd.yaml", "= hint: did you mean ../../../config/crd/bases?\n"},
		{"none at all", "api/v1", "config/crd/bases/", "config/crd/bases/crd.yaml", "= hint: did you mean ../../config/crd/bases?\n"},
		{"from the root", ".", "../config/crd/bases", "config/crd/bases/crd.yaml", "= hint: did you mean config/crd/bases?\n"},
		{"not made yet", "api/v1", "../../config/crd/bases", "crd.yaml", "= hint: controller-gen writes it: run make manifests first\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, map[string]string{"api/v1/doc.go": "package v1\n", "api/apps/v1/doc.go": "package v1\n", test.bases: crd("things", goodField)})
			t.Chdir(test.in)
			wantRun(t, exitInput, "-", "no such file or directory [text/unreadable]\n", "generate", test.arg)
			wantRun(t, exitInput, "-", test.hint, "generate", test.arg)
		})
	}
	if r := runWith("", "lint", "gone.yaml"); strings.Contains(r.stdout, "hint") {
		t.Errorf("there is nothing to hint at:\n%s", r.stdout)
	}
}
