package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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

func names(inputs []input) []string {
	var out []string
	for _, in := range inputs {
		out = append(out, filepath.ToSlash(in.name))
	}
	return out
}

func TestDirectoriesAreReadToTheirDepth(t *testing.T) {
	t.Chdir(write(t, map[string]string{
		"d/b.yaml": "", "d/a.yml": "", "d/c/d/e.json": "", "d/c/F.YAML": "", "d/readme.md": "", "d/yaml": "", "d/c.yaml/x.yaml": "",
		"z.txt": "", "e/q.yaml": "",
	}))
	if err := os.Symlink("../e", "d/dirlink.yaml"); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"d/nowhere.yaml": "gone", "d/other.yaml": "../e/q.yaml", "rootlink": "d"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"d/a.yml", "d/b.yaml", "d/c/F.YAML", "d/c/d/e.json", "d/c.yaml/x.yaml", "d/other.yaml"}
	for _, args := range [][]string{{"d"}, {"d/"}, {"d", "./d/b.yaml", "d/../d"}, {"d", "e"}} {
		got := names(listInputs(args))
		slices.Sort(got)
		if w := slices.Sorted(slices.Values(want)); !slices.Equal(got, w) {
			t.Errorf("%v: %v, want %v", args, got, w)
		}
	}
	if got := names(listInputs([]string{"rootlink"})); len(got) != len(want) || got[0] != "rootlink/a.yml" {
		t.Errorf("rootlink: %v", got)
	}
	if got := names(listInputs([]string{"z.txt", "d/b.yaml", "-", "d", "gone"})); !slices.Equal(got[:3], []string{"z.txt", "d/b.yaml", "-"}) ||
		got[len(got)-1] != "gone" {
		t.Errorf("not in the order of the arguments: %v", got)
	}
}

func TestUnreadableDirectoryIsAFinding(t *testing.T) {
	if os.Getuid() == 0 {
		// Nothing is unreadable to root: see that at least an error of the walk gets through.
		src := unreadable("d/secret", &os.PathError{Op: "open", Path: "d/secret", Err: os.ErrPermission})
		if f := src.Findings[0]; f.File != "d/secret" || f.Message != "permission denied" {
			t.Errorf("%+v", f)
		}
		return
	}
	dir := write(t, map[string]string{"secret/a.yaml": "", "good.yaml": crd("goods", goodField)})
	secret := filepath.Join(dir, "secret")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(secret, 0o777)
	r := runWith("", "lint", dir)
	if r.code != exitInput || !strings.Contains(r.stdout, "secret: error: permission denied") || !strings.Contains(r.stdout, "ok  goods") {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
}

func TestTemplatesInADirectory(t *testing.T) {
	dir := write(t, map[string]string{
		"a/good.yaml":     crd("goods", goodField),
		"a/template.yaml": "{{- if .Values.x }}\nkind: Deployment\n{{- end }}\n",
		"b/crd.yaml":      "{{- if .Values.x }}\n" + crd("goods", goodField) + "{{- end }}\n",
	})
	r := runWith("", "lint", filepath.Join(dir, "a"))
	if r.code != exitOK || !strings.Contains(r.stdout, "passed over 1 file: not YAML") {
		t.Errorf("a template of something else: exit status %d\n%s", r.code, r.stdout)
	}
	for _, args := range [][]string{{"lint", filepath.Join(dir, "b")}, {"lint", filepath.Join(dir, "a", "template.yaml")}} {
		if r := runWith("", args...); r.code != exitInput || !strings.Contains(r.stdout, "hint: this looks like a template") {
			t.Errorf("%v: exit status %d\n%s", args, r.code, r.stdout)
		}
	}
}

// The output does not depend on which file is ready first.
func TestOutputFollowsTheArguments(t *testing.T) {
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
