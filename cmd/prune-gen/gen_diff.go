package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// unifiedDiff returns what turns the text old into the text new, in the form that patch reads; nothing where they are
// equal.
func unifiedDiff(oldName, newName, old, new string) string {
	if old == new {
		return ""
	}
	a, b := splitLines(old), splitLines(new)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	h := hunk{a: a, b: b}
	for _, r := range diffLines(a, b) {
		if r.a == 0 && r.b == 0 {
			h.skipTo(r.length, r.length)
			h.startBefore(min(contextLines, r.length))
			continue
		}
		// The lines before r differ; those of r are the same, and only so many of them are shown.
		h.remove(h.aEnd, r.a)
		h.add(h.bEnd, r.b)
		end := r.a == len(a)-r.length && r.b == len(b)-r.length
		if r.length > 2*contextLines || end {
			h.same(min(contextLines, r.length))
			h.flush(&out)
			h.skipTo(r.a+r.length, r.b+r.length)
			if !end {
				h.startBefore(contextLines)
			}
			continue
		}
		h.same(r.length)
	}
	return out.String()
}

// contextLines is how many lines are shown around a difference.
const contextLines = 3

// hunk is a piece of a diff: a and b up to aEnd and bEnd from where it starts.
type hunk struct {
	a, b           []string
	aStart, bStart int
	aEnd, bEnd     int
	lines          []string
}

func (h *hunk) remove(from, to int) {
	for _, line := range h.a[from:to] {
		h.lines = append(h.lines, "-"+line)
	}
	h.aEnd = to
}

func (h *hunk) add(from, to int) {
	for _, line := range h.b[from:to] {
		h.lines = append(h.lines, "+"+line)
	}
	h.bEnd = to
}

func (h *hunk) same(n int) {
	for _, line := range h.a[h.aEnd : h.aEnd+n] {
		h.lines = append(h.lines, " "+line)
	}
	h.aEnd += n
	h.bEnd += n
}

// flush writes the hunk.
func (h *hunk) flush(out *strings.Builder) {
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(h.aStart, h.aEnd), span(h.bStart, h.bEnd))
	for _, line := range h.lines {
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	h.lines = nil
}

func (h *hunk) skipTo(a, b int) {
	h.aStart, h.bStart, h.aEnd, h.bEnd = a, b, a, b
}

// startBefore begins a hunk with the n lines before this place, which are the same on both sides.
func (h *hunk) startBefore(n int) {
	h.skipTo(h.aEnd-n, h.bEnd-n)
	h.same(n)
}

// span writes a range of lines: the first, counting from 1, and how many. Of no lines it is the one before them.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprintf("%d", start+1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

// splitLines returns the lines of text with their ends.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// shared says that length lines from a on in one text are those from b on in the other.
type shared struct{ a, b, length int }

// diffLines returns the lines that two texts share, in order. The last run ends where both texts do, and may be empty.
func diffLines(a, b []string) []shared {
	d := &differ{}
	ids := map[string]int{}
	intern := func(lines []string) []int {
		out := make([]int, len(lines))
		for i, line := range lines {
			id, ok := ids[line]
			if !ok {
				id = len(ids)
				ids[line] = id
			}
			out[i] = id
		}
		return out
	}
	d.a, d.b = intern(a), intern(b)
	d.compare(0, len(a), 0, len(b), 0)
	if n := len(d.runs); n == 0 || d.runs[n-1].a+d.runs[n-1].length != len(a) || d.runs[n-1].b+d.runs[n-1].length != len(b) {
		d.runs = append(d.runs, shared{len(a), len(b), 0})
	}
	return d.runs
}

type differ struct {
	a, b []int // lines, as numbers
	runs []shared
}

// match notes that n lines are equal, and joins them to those before.
func (d *differ) match(a, b, n int) {
	if n == 0 {
		return
	}
	if len(d.runs) > 0 {
		last := &d.runs[len(d.runs)-1]
		if last.a+last.length == a && last.b+last.length == b {
			last.length += n
			return
		}
	}
	d.runs = append(d.runs, shared{a, b, n})
}

const (
	maxDepth = 32  // beyond which the search for unique lines is not repeated
	maxEdits = 256 // beyond which a region without any counts as rewritten
)

// compare matches the lines a0 to a1 with b0 to b1. Lines that occur once on both sides are the fixed points between
// which it goes on, so that it takes little more than linear time on files of any size; the short regions that have none
// are compared line by line.
func (d *differ) compare(a0, a1, b0, b1, depth int) {
	head := 0
	for a0+head < a1 && b0+head < b1 && d.a[a0+head] == d.b[b0+head] {
		head++
	}
	d.match(a0, b0, head)
	a0, b0 = a0+head, b0+head
	tail := 0
	for a0 < a1-tail && b0 < b1-tail && d.a[a1-tail-1] == d.b[b1-tail-1] {
		tail++
	}
	a1, b1 = a1-tail, b1-tail
	if a0 < a1 && b0 < b1 {
		if fixed := d.unique(a0, a1, b0, b1); len(fixed) > 0 && depth < maxDepth {
			for _, f := range fixed {
				d.compare(a0, f.a, b0, f.b, depth+1)
				d.match(f.a, f.b, 1)
				a0, b0 = f.a+1, f.b+1
			}
			d.compare(a0, a1, b0, b1, depth+1)
		} else {
			d.lineByLine(a0, a1, b0, b1)
		}
	}
	d.match(a1, b1, tail)
}

// unique returns as many lines as possible that occur once on both sides and in the same order there.
func (d *differ) unique(a0, a1, b0, b1 int) []shared {
	type seen struct{ na, nb, a, b int }
	lines := map[int]*seen{}
	for i := a0; i < a1; i++ {
		s := lines[d.a[i]]
		if s == nil {
			s = &seen{}
			lines[d.a[i]] = s
		}
		s.na, s.a = s.na+1, i
	}
	for i := b0; i < b1; i++ {
		if s := lines[d.b[i]]; s != nil {
			s.nb, s.b = s.nb+1, i
		}
	}
	var pairs []shared
	for i := a0; i < a1; i++ {
		if s := lines[d.a[i]]; s.na == 1 && s.nb == 1 {
			pairs = append(pairs, shared{s.a, s.b, 1})
		}
	}
	// The longest sequence in which b grows, too: ends[n] is the pair with the smallest b that ends one of n+1 pairs.
	var ends []int
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]].b >= p.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var longest []shared
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		longest = append(longest, pairs[i])
	}
	slices.Reverse(longest)
	return longest
}

// lineByLine finds the shortest way from one region to the other, as long as it is short: the greedy algorithm of Myers.
// On the diagonal k, where a-b is k, reach[k] is how far into a one gets with a given number of edits.
func (d *differ) lineByLine(a0, a1, b0, b1 int) {
	n, m := a1-a0, b1-b0
	limit := min(n+m, maxEdits)
	reach := make([]int, 2*limit+3)
	at := func(k int) int { return k + limit + 1 }
	var history [][]int
	for edits := 0; edits <= limit; edits++ {
		for k := -edits; k <= edits; k += 2 {
			x := 0
			switch {
			case edits == 0:
			case k == -edits || k != edits && reach[at(k-1)] < reach[at(k+1)]:
				x = reach[at(k+1)]
			default:
				x = reach[at(k-1)] + 1
			}
			for x < n && x-k < m && d.a[a0+x] == d.b[b0+x-k] {
				x++
			}
			reach[at(k)] = x
			if x >= n && x-k >= m {
				d.wayBack(history, limit, edits, a0, a1, b0, b1)
				return
			}
		}
		history = append(history, slices.Clone(reach))
	}
}

// wayBack follows the way that lineByLine found from its end, and matches the lines on its diagonals.
func (d *differ) wayBack(history [][]int, limit, edits, a0, a1, b0, b1 int) {
	at := func(k int) int { return k + limit + 1 }
	var found []shared
	x, y := a1-a0, b1-b0
	for ; edits > 0; edits-- {
		reach, k := history[edits-1], x-y
		var px, py int
		if k == -edits || k != edits && reach[at(k-1)] < reach[at(k+1)] {
			px = reach[at(k+1)]
			py = px - (k + 1)
			found = append(found, shared{a0 + px, b0 + py + 1, x - px})
		} else {
			px = reach[at(k-1)]
			py = px - (k - 1)
			found = append(found, shared{a0 + px + 1, b0 + py, x - px - 1})
		}
		x, y = px, py
	}
	found = append(found, shared{a0, b0, x})
	for _, f := range slices.Backward(found) {
		d.match(f.a, f.b, f.length)
	}
}
