package input

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// write puts files below a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func names(files []file) []string {
	var out []string
	for _, in := range files {
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
		got := names(list(Args{Names: args}))
		slices.Sort(got)
		if w := slices.Sorted(slices.Values(want)); !slices.Equal(got, w) {
			t.Errorf("%v: %v, want %v", args, got, w)
		}
	}
	if got := names(list(Args{Names: []string{"rootlink"}})); len(got) != len(want) || got[0] != "rootlink/a.yml" {
		t.Errorf("rootlink: %v", got)
	}
	if got := names(list(Args{Names: []string{"gone", "./gone", "d/../gone", "-", "-"}})); !slices.Equal(got, []string{"gone", "-"}) {
		t.Errorf("the same name several times: %v", got)
	}
	if got := names(list(Args{Names: []string{"z.txt", "d/b.yaml", "-", "d", "gone"}})); !slices.Equal(got[:3], []string{"z.txt", "d/b.yaml", "-"}) ||
		got[len(got)-1] != "gone" {
		t.Errorf("not in the order of the arguments: %v", got)
	}
}

// The go command runs a directive without a shell, so that nobody else expands a pattern.
func TestPatternsAreExpanded(t *testing.T) {
	t.Chdir(write(t, map[string]string{
		"d/b.yaml": "", "d/a.yaml": "", "d/c.txt": "", "e/a.yaml": "", "e/sub/x.yaml": "", "[literal].yaml": "", "l.yaml": "",
	}))
	for arg, want := range map[string][]string{
		"d/*.yaml":       {"d/a.yaml", "d/b.yaml"},
		"d/[a-b].*":      {"d/a.yaml", "d/b.yaml"},
		"?/a.yaml":       {"d/a.yaml", "e/a.yaml"},
		"d/c.*":          {"d/c.txt"},
		"e*":             {"e/a.yaml", "e/sub/x.yaml"}, // a directory that matches is read whole
		"[literal].yaml": {"[literal].yaml"},
		"gone/*.yaml":    {"gone/*.yaml"},
		"d/[":            {"d/["},
		"-":              {"-"},
	} {
		if got := names(list(Args{Names: []string{arg}})); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", arg, got, want)
		}
	}
	if got, want := names(list(Args{Names: []string{"d/b.yaml", "*/*.yaml"}})), []string{"d/b.yaml", "d/a.yaml", "e/a.yaml"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, f := range list(Args{Names: []string{"gone/*.yaml", "d/["}}) {
		src := read(f, nil, Args{})
		if len(src.Findings) != 1 || src.Findings[0].Message != "the pattern matches no file" || src.Findings[0].Hint == "" {
			t.Errorf("%s: %+v", f.name, src.Findings)
		}
	}
}

// What a directive or a file names relative to its own directory is read from another one.
func TestBelow(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("a/example.com/crds", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ dir, arg, want string }{
		{"a/b", "../crds", "a/crds"},
		{"../..", "crds/*.yaml", "../../crds/*.yaml"},
		{".", "crds", "crds"},
		{"a", "..", "."},
		{"a", "-", "-"},
		{"a", "", ""},
		{"a", "/crds", "/crds"},
		{"a", "git:main:crds", "git:main:a/crds"},
		{"a", "git:main", "git:main:a"},
		{"a", "example.org/m@v1.2.3/crds", "example.org/m@v1.2.3/crds"},
		{"a", "example.com/crds", "a/example.com/crds"},
	} {
		if have := filepath.ToSlash(Below(test.dir, test.arg)); have != test.want {
			t.Errorf("%s in %s is %s, want %s", test.arg, test.dir, have, test.want)
		}
	}
}
