package specimen

import (
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"unicode"
)

// formatSamples are texts at the edges of formats: those that have it, and those that nearly do.
var formatSamples = map[string][]string{
	"bsonobjectid": {"507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"},
	"uri":          {"http://a/b?c#d", "/path", "a", "http://[::1", "mailto:a@b"},
	"email":        {"a@b", "A <a@b.c>", "a", "a@", "@b"},
	"hostname":     {"a.bc", "a", "-a", "a.b", "a_b.cd", strings.Repeat("a", 63) + ".bc", strings.Repeat("a", 64) + ".bc", "é.com", "a..bc"},
	"ipv4":         {"1.2.3.4", "01.2.3.004", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "::ffff:1.2.3.4", "1.2.3.", "0.0.0.0", "1.2.3.4/8", "::1", ""},
	"ipv6":         {"::1", "::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "::ffff:1.2.3.4", "0001::01", "00001::", "fe80::1%eth0", "g::", "1.2.3.4", ":", ""},
	"cidr": {"10.0.0.0/8", "10.0.0.0/32", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0", "010.0.0.0/8", "::/128", "::/129", "::/0", "::/0128",
		"::ffff:1.2.3.4/96", "::ffff:1.2.3.4/33", "010.0.0.0/32", "010.0.0.0/33", "00::/128", "00::/129", "10.0.0.0/-1", "10.0.0.0/+8", "/8", "10.0.0.0/8/8", "1.2.3.4/99999999999999999999"},
	"mac":        {"01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "01:23:45:67:89", "01:23:45:67:89:ag"},
	"uuid":       {"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567--e89b-12d3-a456-426614174000"},
	"uuid3":      {"123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-32d3-0456-426614174000", "123e4567-e89b-42d3-a456-426614174000"},
	"uuid4":      {"123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-B456-426614174000", "123e4567-e89b-42d3-c456-426614174000", "123e4567-e89b-32d3-a456-426614174000"},
	"uuid5":      {"123e4567-e89b-52d3-8456-426614174000", "123e4567-e89b-52d3-7456-426614174000", "123e4567-e89b-42d3-a456-426614174000"},
	"isbn":       {"0306406152", "9780306406157", "0306406153", "030640615"},
	"isbn10":     {"0306406152", "080442957X", "0-306-40615-2", "080442957x", "9780306406157"},
	"isbn13":     {"9780306406157", "978-0-306-40615-7", "9780306406158", "0306406152"},
	"creditcard": {"4111111111111111", "4111-1111-1111-1111", "4111111111111112", "41111111111111", "378282246310005"},
	"ssn":        {"123-45-6789", "123 45 6789", "123456789", "123-45-678", "123-456789 "},
	"hexcolor":   {"#ffffff", "fff", "#FFFF", "#ggg"},
	"rgbcolor":   {"rgb(0,0,0)", "rgb( 255 , 1 , 99 )", "rgb(256,0,0)", "rgb(0,0)", "rgb(00,0,0)", "rgb(260,0,0)"},
	"byte":       {"YQ==", "YWI=", "YWJj", "YQ", "YQ=", "Y===", "", "YQ==\n", "-_=="},
	"date":       {"2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2023-04-31", "2023-12-31", "2023-13-01", "2023-00-01", "2023-01-00", "2023-1-1", "2023-01-01 "},
	"datetime": {"2024-02-29T23:59:59Z", "2024-02-29t23:59:59z", "2024-02-29T23:59:59.123+01:00", "2024-02-29T24:00:00Z", "2024-02-29T23:60:00Z", "2024-02-29T23:59:60Z",
		"2024-02-29T23:59:59", "2024-02-29T23:59:59+0100", "2024-02-29T23:59:59.Z", "2024-02-29 23:59:59Z", "2024-02-30T00:00:00Z", "2024-02-29T23:59:59,5Z"},
	"duration":     {"1h", "3 days", "1 fortnight", "-1s", "1.5h", "1", "", "2 weeks 1 day", "1µs", "10 h"},
	"k8sshortname": {"a-b", "-a", "a-", strings.Repeat("a", 63), strings.Repeat("a", 64), "A", ""},
	"k8slongname":  {"a.b-c", "a..b", ".a", strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 126) + "ab", "A.b", ""},
}

// formatted returns values for a format: some that have it, and some that nearly do. Every text has a format that nobody checks.
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
	for _, text := range formatSamples[strings.ReplaceAll(format, "-", "")] {
		all = append(all, text)
	}
	return append(all, "a", "A b", "", "\x00")
}

// matching returns a text that matches a pattern, nearly always: word boundaries and anchors in the middle are ignored. It is
// empty for what is not a pattern.
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

// first returns the first n characters of a text.
func first(text string, n int) string { return string([]rune(text)[:n]) }
