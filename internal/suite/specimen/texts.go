package specimen

import (
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"unicode"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
)

// formatted returns values for a format: some that have it, and some that nearly do. A format that nobody checks allows every text.
func formatted(format string) []any {
	switch format {
	case "int32":
		return []any{int64(math.MaxInt32), int64(math.MaxInt32 + 1), int64(math.MinInt32), int64(math.MinInt32 - 1), float64(math.MaxInt32), float64(math.MaxInt32 + 1), 1.5}
	case "int64":
		return []any{int64(math.MaxInt64), int64(math.MinInt64), 1 << 62 * 1.0, float64(1 << 63), -float64(1 << 63), 1e19, 0.5}
	case "float", "double":
		return []any{1.5, math.MaxFloat32, math.Nextafter(math.MaxFloat32, math.Inf(1)), 3.5e38, -math.MaxFloat32, -3.5e38, 1e308, int64(math.MaxInt64), 1e-50}
	}
	var all []any
	if f := formats.Find(format); f != nil {
		for _, text := range f.Samples {
			all = append(all, text)
		}
	}
	return append(all, "a", "A b", "", "\x00")
}

// matching returns a text that matches a pattern, nearly always: word boundaries and anchors in the middle are ignored. It is empty for
// an invalid pattern.
func matching(rng *rand.Rand, pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return matchingTree(rng, tree)
}

func matchingTree(rng *rand.Rand, e *syntax.Regexp) string {
	const more = 3 // repetitions, at most, beyond those that must be
	times := 1
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass:
		if len(e.Rune) == 0 {
			return ""
		}
		i := 2 * rng.IntN(len(e.Rune)/2)
		r := e.Rune[i] + rune(rng.IntN(min(int(e.Rune[i+1]-e.Rune[i])+1, 100)))
		if !unicode.IsPrint(r) {
			r = e.Rune[1]
		}
		return string(r)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return pick(rng, "a", "é", "-")
	case syntax.OpAlternate:
		return matchingTree(rng, pick(rng, e.Sub...))
	case syntax.OpQuest:
		times = rng.IntN(2)
	case syntax.OpStar:
		times = rng.IntN(more + 1)
	case syntax.OpPlus:
		times += rng.IntN(more + 1)
	case syntax.OpRepeat:
		times = e.Min + rng.IntN(more+1)
		if e.Max >= 0 {
			times = min(times, e.Max)
		}
	}
	text := ""
	for range times {
		for _, sub := range e.Sub { // several only of what is concatenated
			text += matchingTree(rng, sub)
		}
	}
	return text
}

// Beside returns a text next to those that match a pattern: one of them with a printable character in it at which a set of characters
// begins or ends in the pattern, or just outside of the set.
func Beside(pattern string, seed uint64) string {
	rng := newRand(seed)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	text, edges := []rune(matchingTree(rng, tree)), edges(tree)
	if len(edges) == 0 {
		return string(text)
	}
	at := rng.IntN(len(text) + 1)
	return string(slices.Insert(text, at, pick(rng, edges...)))
}

// edges returns the printable characters at which the sets of characters of a pattern begin and end, with their neighbours.
func edges(e *syntax.Regexp) []rune {
	var all []rune
	for _, r := range e.Rune {
		all = append(all, r-1, r, r+1)
	}
	for _, sub := range e.Sub {
		all = append(all, edges(sub)...)
	}
	return slices.DeleteFunc(all, func(r rune) bool { return !unicode.IsPrint(r) })
}

// first returns the first n characters of a text.
func first(text string, n int) string { return string([]rune(text)[:n]) }
