package input

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
)

func TestLinesAreCountedAsYAMLDoes(t *testing.T) {
	line := lines([]byte("\ufeffone\r\ntwo\rthree\u0085four\u2028five\u2029\nseven"))
	for i, want := range []string{"one", "two", "three", "four", "five", "", "seven", ""} {
		if got := string(line(i + 1)); got != want {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
	for _, data := range []string{"\xff\xfe\x41\x42\x43\x44", "\xfe\xff\x41\x42"} {
		if lines([]byte(data)) != nil {
			t.Errorf("UTF-16 is shown as it is: %q", data)
		}
	}
}

func TestUnreadableDirectoryIsAFinding(t *testing.T) {
	if os.Getuid() == 0 {
		// Nothing is unreadable to root: see that at least an error of the walk gets through.
		src := unreadable("d/secret", &os.PathError{Op: "open", Path: "d/secret", Err: os.ErrPermission})
		if f := src.Findings[0]; f.Rule != findings.RuleUnreadable || f.File != "d/secret" || f.Message != "permission denied" {
			t.Errorf("%+v", f)
		}
		return
	}
	dir := write(t, map[string]string{"secret/a.yaml": "", "other.yaml": ""})
	secret := filepath.Join(dir, "secret")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(secret, 0o777)
	files := list([]string{dir})
	if len(files) != 2 {
		t.Fatalf("%v", files)
	}
	if src := read(files[0], nil); len(src.Findings) != 0 {
		t.Errorf("%+v", src.Findings)
	}
	src := read(files[1], nil)
	if f := src.Findings[0]; f.Rule != findings.RuleUnreadable || f.File != secret || f.Message != "permission denied" {
		t.Errorf("%+v", f)
	}
}
