package rules

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// samples are texts that functions of rules have something to say about.
var samples = []string{
	"", "a", "abc", "A", "a-b", "a.b.c", "a/b", "*", "*.example.com", "example.com", "10.0.0.0/8", "10.0.0.1/8", "fd00::/8", "192.168.1.1", "::1",
	"::ffff:1.2.3.4", "https://example.com:80/path?x=1&x=2", "http://[::1", "/path", "1h", "30s", "1d", "5", "-1", "0", "100%", "50%", "1.5", "100m", "1Gi",
	"v1.2.3", "1.2.3", "1.2.3-rc.1", "true", "arn:aws:iam::123456789012:role/x", "2024-01-01T00:00:00Z", "2024-01-01", "YWJj", "not base64!", "ä",
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789", " x ", "a,b,c", "{}", "x=y",
}

func pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }

// matching returns a text that a regular expression matches, roughly.
func matching(rng *rand.Rand, pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	var b strings.Builder
	writeMatch(rng, re.Simplify(), &b)
	return b.String()
}

func writeMatch(rng *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	repeat := func(least, most int) {
		for range least + rng.IntN(most-least+1) {
			writeMatch(rng, re.Sub[0], b)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			b.WriteRune(r)
		}
	case syntax.OpCharClass:
		if n := len(re.Rune) / 2; n > 0 {
			i := 2 * rng.IntN(n)
			b.WriteRune(re.Rune[i] + rune(rng.IntN(min(int(re.Rune[i+1]-re.Rune[i])+1, 100))))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abc.-/"[rng.IntN(6)])
	case syntax.OpStar:
		repeat(0, 3)
	case syntax.OpPlus:
		repeat(1, 3)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 || most > re.Min+3 {
			most = re.Min + 3
		}
		repeat(re.Min, most)
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			writeMatch(rng, sub, b)
		}
	case syntax.OpAlternate:
		writeMatch(rng, pick(rng, re.Sub), b)
	}
}
