package unified

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/allocated"
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
			got := Diff("old", "new", []byte(test.old), []byte(test.new))
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
		diff := Diff("old", "new", []byte(old), []byte(new))
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
	for line := range strings.Lines(Diff("", "", []byte(strings.Join(a, "")), []byte(strings.Join(b, "")))) {
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
	for line := range strings.Lines(Diff("", "", []byte(old.String()), []byte(new.String()))) {
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
		bytes := allocated.By(func() { diff = Diff("", "", []byte(pair[0]), []byte(pair[1])) })
		if bytes > 20<<20 {
			t.Errorf("%s: allocates %d bytes", name, bytes)
		}
		if patch(t, pair[0], diff) != pair[1] {
			t.Errorf("%s: the diff does not apply", name)
		}
	}
}
