package input

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of a revision, files are read and links are not: neither to a file, nor to a directory, nor out of the repository, however they are named.
func TestFilesOfARevision(t *testing.T) {
	t.Chdir(write(t, map[string]string{"d/a.yaml": "a: 1\n", "d/c/b.json": "{}", "d/run.yaml": "x: 1\n", "d/readme.md": "r", "e/q.yaml": "q: 1\n"}))
	for link, target := range map[string]string{"d/to-file.yaml": "a.yaml", "d/to-dir": "../e", "d/nowhere.yaml": "gone", "d/outside.yaml": "/etc/passwd", "top": "d"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod("d/run.yaml", 0o777); err != nil { // which has another mode
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "m"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.WriteFile("d/a.yaml", []byte("changed"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ arg, want string }{
		{"git:HEAD", "d/a.yaml d/c/b.json d/run.yaml e/q.yaml"},
		{"git:HEAD:", "d/a.yaml d/c/b.json d/run.yaml e/q.yaml"},
		{"git:HEAD:d", "d/a.yaml d/c/b.json d/run.yaml"},
		{"git:HEAD:./d/", "d/a.yaml d/c/b.json d/run.yaml"},
		{"git:HEAD:d/a.yaml", "d/a.yaml"},
		{"git:HEAD:d/readme.md", "d/readme.md"},
		{"git:HEAD:d/q*", "no manifest in d/q*"},
		{"git:HEAD:d/to-file.yaml", "no manifest in d/to-file.yaml"},
		{"git:HEAD:d/outside.yaml", "no manifest in d/outside.yaml"},
		{"git:HEAD:d/to-dir", "no manifest in d/to-dir"},
		{"git:HEAD:top", "no manifest in top"},
		{"git:HEAD:gone", "no manifest in gone"},
		{"git:gone", "git knows no revision gone here: in a shallow clone, run git fetch --depth 1 origin gone, and write git:FETCH_HEAD"},
		{"git:origin/main:d", "git knows no revision origin/main here: in a shallow clone, run git fetch --depth 1 origin main, and write git:FETCH_HEAD"},
		{"git:HEAD~9", "git knows no revision HEAD~9 here: in a shallow clone, run git fetch --unshallow first"},
		{"git::d", "is not a revision"},
		{"git:--all:d", "is not a revision"},
	} {
		all := list(Args{Names: []string{test.arg}})
		if all[0].err != nil {
			if !strings.Contains(all[0].err.Error(), test.want) {
				t.Errorf("%s: %v, want %s", test.arg, all[0].err, test.want)
			}
			continue
		}
		got := strings.ReplaceAll(strings.Join(names(all), " "), "git:HEAD:", "")
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.arg, got, test.want)
		}
		named := len(all) == 1
		for _, f := range all {
			if f.listed == named {
				t.Errorf("%s: %s is listed: %t", test.arg, f.name, f.listed)
			}
			r, err := f.open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil || strings.HasSuffix(f.name, ":d/a.yaml") && string(data) != "a: 1\n" {
				t.Errorf("%s: %q, %v", f.name, data, err)
			}
			r.Close()
		}
	}
	got := names(list(Args{Names: []string{"git:HEAD:d"}, Exclude: []string{"d/c"}}))
	if want := []string{"git:HEAD:d/a.yaml", "git:HEAD:d/run.yaml"}; !slices.Equal(got, want) {
		t.Errorf("without d/c: %q, want %q", got, want)
	}
	for _, test := range []struct{ pattern, want string }{
		{"*/*.yaml", "d/a.yaml d/run.yaml e/q.yaml"},
		{"./?", "(d/a.yaml) (d/c/b.json) (d/run.yaml) (e/q.yaml)"},
		{"d/[a-q]*", "d/a.yaml (d/c/b.json)"},
		{"d/r*.*", "d/readme.md d/run.yaml"},
		{"d/../e/*", "e/q.yaml"},
	} {
		var got []string
		for _, f := range list(Args{Names: []string{"git:HEAD:" + test.pattern}}) {
			name := strings.TrimPrefix(f.name, "git:HEAD:")
			if f.listed {
				name = "(" + name + ")"
			}
			got = append(got, name)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.pattern, got, test.want)
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got := names(list(Args{Names: []string{"git:HEAD:" + filepath.Join(dir, "e")}})); !slices.Equal(got, []string{"git:HEAD:e/q.yaml"}) {
		t.Errorf("a path that is absolute: %q", got)
	}
}
