package specimen

import (
	"math"
	"strings"
)

// oddKeys are keys that a writer of paths, of Go source or of JSON could stumble over.
var oddKeys = []string{
	"", ".", "..", " ", "a.b", "spec.x", "[0]", "a[0].b", "[", "]", "0", "-1", "/", "~1", "\\", "'", "\"", "`", "\n", "\t",
	"\x00", "\x1b[31m", "\u2028", "é", "e\u0301", "日本", "🙂", "<a>&", "%s", "$ref", "*", "foo-bar", "fooBar", "type", "nil",
	"metadata", "apiVersion", "kind", "spec", "items", "properties", "ownerReferences[0].name",
	"ownerReferences[0].extra", strings.Repeat("k", 300),
}

// oddNumbers are numbers at the borders between integers, floats and what fits into either.
var oddNumbers = []any{
	int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), int64(math.MaxInt32) + 1, int64(1<<53) + 1,
	0.0, math.Copysign(0, -1), 1.0, -1.0, 1.5, 0.1, 1e20, -1e20, 1e21, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64,
	1 + 1e-12, 1 + 1e-6, 1 - 1e-12, float64(1 << 53), float64(1<<53) + 2, float64(math.MaxInt64), 123456789.000000001,
}

// oddStrings are strings that look like something else.
var oddStrings = []string{
	"", " ", "null", "true", "0", "1e3", "{}", "[]", "2020-01-01", "yesterday", "\x00", "\u2028", "é", "🙂", "<a>&", "'\"`\\",
	strings.Repeat("long ", 60),
}

// oddKey returns an odd key that n does not have, or, when n has those that were tried, any other.
func (m *maker) oddKey(n *node) string {
	for range 3 {
		k := oddKeys[m.rng.IntN(len(oddKeys))]
		if n.get(k) == nil {
			return k
		}
	}
	return m.key(n)
}

// oddScalar returns any scalar.
func (m *maker) oddScalar() any {
	switch m.rng.IntN(5) {
	case 0:
		return m.rng.IntN(2) == 0
	case 1:
		return oddNumbers[m.rng.IntN(len(oddNumbers))]
	case 2:
		return oddStrings[m.rng.IntN(len(oddStrings))]
	case 3:
		return int64(m.rng.IntN(100))
	}
	return m.word()
}
