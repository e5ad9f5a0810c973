package output

import (
	"io"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// A file that lies about can have anything in it, and a diff shows it.
func TestDiffIsFitForATerminal(t *testing.T) {
	var out strings.Builder
	writeDiff(t, &out, terminal.Palette{}, &File{path: "x.go", old: []byte("\ta\x1b[31m\tb\n##[error]c\n"), new: []byte("\ta\n")})
	want := "--- x.go\n+++ x.go\n@@ -1,2 +1,1 @@\n-\ta\\x1b[31m\tb\n-#\\x23[error]c\n+\ta\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	writeDiff(t, &out, terminal.NewPalette("always", false), &File{path: "x.go", old: []byte("a\n"), new: []byte("b\n")})
	for _, part := range []string{"\x1b[1m--- x.go\x1b[0m\n", "\x1b[1;31m-a\x1b[0m\n", "\x1b[32m+b\x1b[0m\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in %q", part, out.String())
		}
	}
}

// Lines are coloured by what becomes of them, also those that look like the first two.
func TestDiffIsColoured(t *testing.T) {
	var out strings.Builder
	if err := WriteUnified(&out, terminal.NewPalette("always", false), "x", []byte("-- a\n@@\nsame\n"), []byte("++ b\n@@\nsame\n")); err != nil {
		t.Fatal(err)
	}
	const want = "[1m--- x[0m\n[1m+++ x[0m\n[1;34m@@ -1,3 +1,3 @@[0m\n[1;31m--- a[0m\n[32m+++ b[0m\n @@\n same\n"
	if have := strings.ReplaceAll(out.String(), "\x1b", ""); have != want {
		t.Errorf("%q, want %q", have, want)
	}
	out.Reset()
	for _, f := range []*File{{path: "a", new: []byte("1\n")}, {path: "b\x1b", old: []byte("1\n2\n")}, {path: "c", old: []byte("1\r\n"), new: []byte("1\n")}} {
		writeDiff(t, &out, terminal.NewPalette("always", false), f)
	}
	if want := "\x1b[1ma:\x1b[0m missing, 1 line\n\x1b[1mb\\x1b:\x1b[0m no longer wanted, 2 lines\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func writeDiff(t *testing.T, w io.Writer, paint terminal.Palette, f *File) {
	t.Helper()
	if err := f.WriteDiff(w, paint); err != nil {
		t.Fatal(err)
	}
}
