package generation

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/base/gosource"
)

// A directory is shown by its name. go generate runs in one package after another, all of which are "." to prune-gen.
func TestDirectoriesAreShownByName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"api/apps/v1", "api/batch/v1"} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("go.mod", []byte("module example.com/m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, dir, want string }{
		{".", "out", "out"},
		{".", "out/v1", "out/v1"},
		{"api/apps/v1", ".", "api/apps/v1"},
		{"api/batch/v1", "./", "api/batch/v1"},
		{"api/batch/v1", "../../apps", "../../apps"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Chdir(test.from)
			if have := ShownDir(test.dir); have != test.want {
				t.Errorf("%q, want %q", have, test.want)
			}
		})
	}
}

// Generated code that is wrong is our fault. The lines around the error are printed.
func TestBugIsShownWithItsLines(t *testing.T) {
	var stderr strings.Builder
	s := &Session{env: &cli.Environment{Stderr: &stderr}}
	text := []byte("package v1\n\nfunc f() {\n\treturn \x1b[31m1\n}\n")
	err := s.bug(&gosource.Error{File: "zz_generated.prune.x.go", Line: 4, Message: "too many \x1b return values", Source: text})
	var ours *cli.InternalError
	if !errors.As(err, &ours) {
		t.Fatalf("%v, want an InternalError", err)
	}
	if strings.Contains(stderr.String(), "\x1b") {
		t.Errorf("an escape on standard error: %q", stderr.String())
	}
	for _, part := range []string{
		"zz_generated.prune.x.go:4: too many \\x1b return values\n", "  3  func f() {\n> 4      return \\x1b[31m1\n  5  }\n",
		"nothing was written", "bug in prune-gen", cli.IssuesURL,
	} {
		if !strings.Contains(stderr.String()+err.Error(), part) {
			t.Errorf("no %q in\n%s%v", part, stderr.String(), err)
		}
	}
	if err := s.bug(errors.New("something else")); !errors.As(err, &ours) {
		t.Errorf("%v, want an InternalError", err)
	}
}
