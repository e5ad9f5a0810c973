package output

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
	"github.com/prune-gen/prune-gen/internal/allocated"
)

func TestUnifiedDiff(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"nothing at all", "", "", ""},
		{"new file", "", "a\nb\n", "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed file", "a\n", "", "--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a\n"},
		{"one line", "a\nb\nc\n", "a\nx\nc\n", "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{
			"context", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
		},
		{
			"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "2\n3\n4\n5\n6\n7\n8\n",
			"--- old\n+++ new\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -6,4 +5,3 @@\n 6\n 7\n 8\n-9\n",
		},
		{
			"near changes share a hunk", "1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n",
			"--- old\n+++ new\n@@ -1,7 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n",
		},
		{
			"a line that stays between two that go, and occurs twice", "x\na\ntwice\nb\ny\ntwice\n", "x\ntwice\nc\ny\ntwice\n",
			"--- old\n+++ new\n@@ -1,6 +1,5 @@\n x\n-a\n twice\n-b\n+c\n y\n twice\n",
		},
		{
			"no end of line", "a\nb", "a\nb\n",
			"--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := unified("old", "new", []byte(test.old), []byte(test.new))
			if got != test.want {
				t.Errorf("have\n%s\nwant\n%s", got, test.want)
			}
			if back := patch(t, test.old, got); back != test.new {
				t.Errorf("applied, it gives %q, want %q", back, test.new)
			}
		})
	}
}

func TestDiffOfRandomTextsApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		words := 1 + r.IntN(12)
		text := func(n int) []string {
			lines := make([]string, n)
			for i := range lines {
				lines[i] = fmt.Sprintf("%d\n", r.IntN(words))
			}
			return lines
		}
		a := text(r.IntN(40))
		b := slices.Clone(a)
		for range r.IntN(6) {
			at := r.IntN(len(b) + 1)
			to := min(len(b), at+r.IntN(4))
			b = slices.Concat(b[:at], text(r.IntN(4)), b[to:])
		}
		old, new := strings.Join(a, ""), strings.Join(b, "")
		diff := unified("old", "new", []byte(old), []byte(new))
		if back := patch(t, old, diff); back != new {
			t.Fatalf("%q to %q: applied, it gives %q\n%s", old, new, back, diff)
		}
		if (diff == "") != (old == new) {
			t.Fatalf("%q to %q: %q", old, new, diff)
		}
	}
}

// A diff has to be as good as people expect, also without lines that occur only once.
func TestDiffIsShort(t *testing.T) {
	var a []string
	for i := range 200 {
		a = append(a, fmt.Sprintf("%d\n", i%2))
	}
	b := slices.Delete(slices.Clone(a), 100, 103)
	edits := 0
	for line := range strings.Lines(unified("", "", []byte(strings.Join(a, "")), []byte(strings.Join(b, "")))) {
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			edits++
		}
	}
	if edits != 2+3 {
		t.Errorf("%d lines for 3 that are gone", edits-2)
	}
}

// A change of the generator touches every function of a file, and each of them is shown by itself.
func TestDiffOfManyChangesIsShort(t *testing.T) {
	const changes = 500
	var old, new strings.Builder
	for i := range changes {
		function := fmt.Sprintf("// f%d returns.\nfunc f%d() {\n\tif x {\n\t\treturn\n\t}\n\tfor {\n\t}\n}\n\n", i, i)
		old.WriteString(function)
		new.WriteString(strings.Replace(function, "return\n", "return 1\n", 1))
	}
	edits := 0
	for line := range strings.Lines(unified("", "", []byte(old.String()), []byte(new.String()))) {
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			edits++
		}
	}
	if edits != 2+2*changes {
		t.Errorf("%d lines for %d changes", edits-2, changes)
	}
}

// Files that have next to nothing in common, and those that are nearly all alike, take little.
func TestDiffOfLargeFilesTakesLittleMemory(t *testing.T) {
	const n = 20_000
	lines := func(format string, mod int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i%mod)
		}
		return b.String()
	}
	for name, pair := range map[string][2]string{
		"all different":        {lines("a%d\n", n), lines("b%d\n", n)},
		"few different lines":  {lines("%d\n", 7), lines("%d\n", 5)},
		"shifted":              {lines("%d\n", 7), lines("%d\n", 7)[2:]},
		"every second line":    {lines("%d\n", n), lines("%d\n", 2)},
		"reversed order":       {lines("%d\n", n), lines("-%d\n", n) + lines("%d\n", n)},
		"one and many of them": {"x\n", strings.Repeat("x\n", n)},
		"one line":             {strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20)},
	} {
		var diff string
		bytes := allocated.By(func() { diff = unified("", "", []byte(pair[0]), []byte(pair[1])) })
		if bytes > 20<<20 {
			t.Errorf("%s: allocates %d bytes", name, bytes)
		}
		if patch(t, pair[0], diff) != pair[1] {
			t.Errorf("%s: the diff does not apply", name)
		}
	}
}

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
