package target

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write puts files into a new directory and returns it.
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

func nothing(string) bool { return false }

func TestFind(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		tags    []string
		skip    string
		pkg     string
		built   []string
		tests   []string
		imports []string
	}{
		{name: "nothing there"},
		{name: "no Go", files: map[string]string{"README": "", "sub/x.go": "package sub"}},
		{
			name:    "a package",
			files:   map[string]string{"b.go": "package v1\nimport \"os\"", "a.go": "package v1\nimport (\"fmt\"; \"os\")"},
			pkg:     "v1",
			built:   []string{"a.go", "b.go"},
			imports: []string{"fmt", "os"},
		},
		{
			name:  "tests of both kinds",
			files: map[string]string{"a.go": "package v1", "a_test.go": "package v1", "b_test.go": "package v1_test"},
			pkg:   "v1", built: []string{"a.go"}, tests: []string{"a_test.go"},
		},
		{name: "nothing but a test outside", files: map[string]string{"a_test.go": "package v1_test"}, pkg: "v1"},
		{
			name:  "files that are not built",
			files: map[string]string{"a.go": "package v1", "gen.go": "//go:build ignore\n\npackage main", "x_plan9.go": "package v9"},
			pkg:   "v1", built: []string{"a.go"},
		},
		{
			name:  "a file that is built with a tag",
			files: map[string]string{"a.go": "package v1", "b.go": "//go:build tag\n\npackage v1", "c.go": "//go:build !tag\n\npackage v1"},
			tags:  []string{"tag"},
			pkg:   "v1", built: []string{"a.go", "b.go"},
		},
		{
			name:  "a stale file of another package",
			files: map[string]string{"a.go": "package v1", "stale.go": "package old"},
			skip:  "stale.go", pkg: "v1", built: []string{"a.go"},
		},
		{name: "nothing but stale files", files: map[string]string{"stale.go": "package old"}, skip: "stale.go"},
		{
			name:  "a file that does not parse",
			files: map[string]string{"a.go": "package v1\n\nfunc {", "b.go": "package v1\n\nimport fmt", "c.go": "package v1"},
			pkg:   "v1", built: []string{"a.go", "b.go", "c.go"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := write(t, test.files)
			p, err := Find(dir, test.tags, func(name string) bool { return name == test.skip })
			if err != nil {
				t.Fatal(err)
			}
			if p.Dir != dir || p.Name != test.pkg || !slices.Equal(p.files, test.built) || !slices.Equal(p.tests, test.tests) ||
				!slices.Equal(p.Imports, test.imports) {
				t.Errorf("%+v, want %+v", p, test)
			}
		})
	}
}

func TestFindDoesNotImportC(t *testing.T) {
	dir := write(t, map[string]string{"a.go": "package v1", "b.go": "package v1\n\nimport \"C\"\nimport \"os\"\n"})
	var want []string
	if build.Default.CgoEnabled {
		want = []string{"os"}
	}
	if p, err := Find(dir, nil, nothing); err != nil || !slices.Equal(p.Imports, want) {
		t.Errorf("%+v, %v; want the imports %q", p, err, want)
	}
}

func TestFindPassesOverLinksThatLeadNowhere(t *testing.T) {
	dir := write(t, map[string]string{"a.go": "package v1"})
	if err := os.Symlink("somebody@somewhere", filepath.Join(dir, ".#a.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("gone", filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	if p, err := Find(dir, nil, nothing); err != nil || !slices.Equal(p.files, []string{"a.go"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFindPassesOverWhatIsNoFile uses a device instead of a pipe, because not every system can make a pipe.
func TestFindPassesOverWhatIsNoFile(t *testing.T) {
	dir := write(t, map[string]string{"a.go": "package v1", "sub.go/b.go": "package v2"})
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "null.go")); err != nil {
		t.Fatal(err)
	}
	p, err := Find(dir, nil, nothing)
	if err != nil || p.Name != "v1" || !slices.Equal(p.files, []string{"a.go"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestFindNeedsNoDirectory(t *testing.T) {
	if p, err := Find(filepath.Join(t.TempDir(), "a", "b"), nil, nothing); err != nil || p.Name != "" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestFindRefuses(t *testing.T) {
	dir := write(t, map[string]string{"two/a.go": "package a", "two/b.go": "package b", "file": "", "bad/a.go": "func"})
	for name, want := range map[string]string{
		"two":    "DIR/two has two packages: a in a.go, b in b.go",
		"file":   "DIR/file is not a directory",
		"file/x": "stat DIR/file/x: not a directory",
		"bad":    "find the package in DIR/bad: DIR/bad/a.go:1:1: expected 'package', found 'func'",
	} {
		p, err := Find(filepath.Join(dir, filepath.FromSlash(name)), nil, nothing)
		if err == nil || p != nil || filepath.ToSlash(strings.ReplaceAll(err.Error(), dir, "DIR")) != want {
			t.Errorf("%s: %+v, %v; want %s", name, p, err, want)
		}
	}
}
