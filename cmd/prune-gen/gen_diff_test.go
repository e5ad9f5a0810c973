package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestUnifiedDiff(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"nothing at all", "", "", ""},
		{"new file", "", "a\nb\n", "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed file", "a\n", "", "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n"},
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
			"near changes share a hunk", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n",
			"--- old\n+++ new\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n",
		},
		{
			"no end of line", "a\nb", "a\nb\n",
			"--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := unifiedDiff("old", "new", test.old, test.new)
			if got != test.want {
				t.Errorf("have\n%s\nwant\n%s", got, test.want)
			}
			if back := patch(t, test.old, got); back != test.new {
				t.Errorf("applied, it gives %q, want %q", back, test.new)
			}
		})
	}
}

// patch applies a diff, and fails where it does not fit.
func patch(t *testing.T, old, diff string) string {
	t.Helper()
	a := splitLines(old)
	var out []string
	next := 0
	lines := splitLines(diff)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "@@ ") {
			var span string
			fmt.Sscanf(line, "@@ -%s", &span)
			start, count := 0, 1
			fmt.Sscanf(span, "%d,%d", &start, &count)
			if count > 0 {
				start--
			}
			out = append(out, a[next:start]...)
			next = start
			continue
		}
		if i < 2 { // the names
			continue
		}
		text := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
			text = strings.TrimSuffix(text, "\n")
		}
		switch line[0] {
		case ' ', '-':
			if next >= len(a) || a[next] != text {
				t.Fatalf("line %d of the diff does not fit: %q", i+1, line)
			}
			next++
			if line[0] == ' ' {
				out = append(out, text)
			}
		case '+':
			out = append(out, text)
		}
	}
	return strings.Join(append(out, a[next:]...), "")
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
		diff := unifiedDiff("old", "new", old, new)
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
	for line := range strings.Lines(unifiedDiff("", "", strings.Join(a, ""), strings.Join(b, ""))) {
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			edits++
		}
	}
	if edits != 2+3 {
		t.Errorf("%d lines for 3 that are gone", edits-2)
	}
}

// Files that have next to nothing in common, and those that are nearly all alike, must not take forever.
func TestDiffOfLargeFilesIsQuick(t *testing.T) {
	const n = 100_000
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
	} {
		start := time.Now()
		if diff := unifiedDiff("", "", pair[0], pair[1]); patch(t, pair[0], diff) != pair[1] {
			t.Errorf("%s: the diff does not apply", name)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
