package specimen

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/structural"
)

// has reports whether a flaw is asked for.
func (m *maker) has(f Flaw) bool { return m.opts.Flaws&f != 0 }

// here reports whether a flaw that is asked for shall be at this place.
func (m *maker) here(f Flaw) bool { return m.has(f) && m.rng.Float64() < m.opts.Rate }

// instead is here for flaws that replace what they meet: the more there is to lose, the rarer they are.
func (m *maker) instead(f Flaw, n *node, depth int) bool {
	if depth == 0 || !m.here(f) {
		return false
	}
	if n.form == scalarForm {
		return m.oneIn(2)
	}
	return m.oneIn(4 + min(len(n.fields)+len(n.list), 40))
}

// spoil puts flaws into n and all below it. What it adds has no flaws of its own, or there would be no end to it.
func (m *maker) spoil(n *node, depth int) {
	unknown, wrong := Unknown, WrongType
	if n.role == metadata {
		unknown, wrong = MetadataUnknown, MetadataMalformed
	}
	switch {
	case m.instead(Null, n, depth):
		n.become(nil) // which ObjectMeta reads as absent
		return
	case m.instead(wrong, n, depth):
		m.mistype(n)
		return
	}
	if n.role == metadata && m.here(MetadataValues) {
		m.spoilMetaValue(n)
	}
	for _, e := range n.list {
		m.spoil(e, depth+1)
	}
	for _, f := range n.fields {
		if n.role != metadata || n.named(f.key) || m.additional(n) != nil { // not the unknown, which decoders skip
			m.spoil(f.value, depth+1)
		}
	}
	if n.role == resource && m.here(Resources) {
		m.spoilResource(n)
	}
	open := n.form == mapForm && (m.additional(n) != nil || n.role == free)
	if open && m.here(Keys) {
		for i := range n.fields {
			// A key that the schema names stays, or the value would have another schema than it was made for.
			if k := n.fields[i].key; !n.named(k) && m.oneIn(2) {
				n.fields[i].key = m.oddKey(n)
			}
		}
	}
	// In labels and annotations every key is known.
	if n.form == mapForm && !(open && n.role == metadata) && m.here(unknown) {
		count := 1 + m.rng.IntN(2)
		if n.role == metadata && m.oneIn(100) {
			count = 90 + m.rng.IntN(30) // Kubernetes' decoder remembers 100
		}
		for range count {
			n.set(m.unknownKey(n), m.freeValue(&node{}, 20+m.rng.IntN(120)))
		}
	}
}

// spoilResource spoils what makes n a resource.
func (m *maker) spoilResource(n *node) {
	for _, k := range []string{"apiVersion", "kind", "metadata"} {
		role := typeMeta
		if k == "metadata" {
			role = metadata
		}
		switch m.rng.IntN(6) {
		case 0:
			n.remove(k)
		case 1:
			n.set(k, &node{role: role, scalar: nil})
		case 2:
			n.set(k, &node{role: role, form: mapForm})
			if role == typeMeta {
				n.get(k).become(m.oddScalar())
			}
		}
	}
}

// named reports whether n's schema has a place for k.
func (n *node) named(k string) bool {
	if n.role == resource && isMetaField(k) {
		return true
	}
	return n.schema != nil && n.schema.Properties[k] != nil
}

// unknownKey returns a key for an unknown field: something new, an odd one, or one that is known one level below or that is nearly one
// that is known.
func (m *maker) unknownKey(n *node) string {
	k := ""
	switch m.rng.IntN(3) {
	case 0:
		if m.has(Keys) || n.role == metadata {
			k = m.oddKey(n)
		}
	case 1:
		if n.schema != nil {
			k = m.neighbour(n.schema)
		}
	}
	if k == "" || n.named(k) || n.get(k) != nil {
		return m.key(n)
	}
	return k
}

// neighbour returns a field of a field of s, or nearly one of s; "" where there is none.
func (m *maker) neighbour(s *structural.Schema) string {
	if len(s.Properties) == 0 {
		return ""
	}
	k := pick(m.rng, sorted(s.Properties)...)
	if below := sorted(s.Properties[k].Properties); len(below) > 0 && m.oneIn(2) {
		return pick(m.rng, below...)
	}
	if m.oneIn(2) {
		return otherCase(k)
	}
	return pick(m.rng, strings.ToUpper(k), k+"s", k+"\x00", k+".x", k+"[0].x", k+" ", strings.ToLower(k))
}

// otherCase returns k with the case of its first letter changed.
func otherCase(k string) string {
	first, size := utf8.DecodeRuneInString(k)
	if upper := unicode.ToUpper(first); upper != first {
		return string(upper) + k[size:]
	}
	return string(unicode.ToLower(first)) + k[size:]
}

// mistype makes n a value of another form, or another scalar. A schema may name fields and elements whatever its type is,
// and they count when a map or a list is there: so they are, with values that need not fit.
func (m *maker) mistype(n *node) {
	whole := *n
	s := orNone(n.schema)
	n.list, n.fields = nil, nil
	switch m.rng.IntN(8) {
	case 0:
		n.form = listForm
		for range m.rng.IntN(3) {
			n.list = append(n.list, m.anyValue(s.Items))
		}
	case 1:
		n.form, n.list = listForm, []*node{&whole, m.freeValue(&node{}, 60)}
	case 2:
		n.form = mapForm
		for range m.rng.IntN(3) {
			n.set(m.unknownKey(n), m.freeValue(&node{}, 80))
		}
		for _, k := range sorted(s.Properties) {
			if m.oneIn(3) {
				n.set(k, m.anyValue(s.Properties[k]))
			}
		}
	case 3:
		n.form = mapForm
		for i, e := range whole.list {
			n.set(strconv.Itoa(i), e)
		}
		n.set(m.key(n), &whole)
	case 4:
		n.become(pick(m.rng, oddNumbers...))
	default:
		if whole.form == scalarForm && (isNumber(whole.scalar) || isTime(n)) {
			n.become(pick(m.rng, pick(m.rng, oddNumbers...), m.oddTime()))
		} else {
			n.become(m.oddScalar())
		}
	}
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

func isTime(n *node) bool { return validationOf(n.schema).Format == "date-time" }

// anyValue returns a small value that fits s, or any other.
func (m *maker) anyValue(s *structural.Schema) *node {
	if s == nil || m.oneIn(2) {
		return m.freeValue(&node{}, 80)
	}
	return m.value(s, 80)
}

// oddKeys are keys that a writer of paths, of Go source or of JSON could stumble over, or that ObjectMeta had once.
var oddKeys = []string{
	"", ".", "..", " ", "a.b", ".a", "spec.x", "[0]", "a[0].b", "[", "]", "0", "-1", "/", "~1", "\\", "'", "\"", "`", "\n", "\t",
	"\x00", "\x1b[31m", "\u2028", "\ufffd", "é", "e\u0301", "日本", "🙂", "<a>&", "%s", "$ref", "*", "foo-bar", "fooBar", "type", "nil",
	"metadata", "apiVersion", "kind", "spec", "items", "properties", "ownerReferences[0].name", "ownerReferences[0].extra", "managedFields[0].x",
	"metadata.name", "labels.a", "clusterName", "initializers", strings.Repeat("k", 300),
}

// oddNumbers are numbers at the borders between integers, floats and what fits into either.
var oddNumbers = []any{
	int64(0), int64(1), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), int64(math.MaxInt32) + 1, int64(1<<53) + 1,
	0.0, math.Copysign(0, -1), 1.0, -1.0, 1.5, -0.5, 0.1, 3e2, 1e15, -1e18, 1e19, -1e19, 1e20, -1e20, 1e21, 1e100, math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1e-7, 1 + 1e-12, 1 + 1e-6, 1 - 1e-12, float64(1 << 53), float64(1<<53) + 2, float64(math.MaxInt64),
	float64(math.MinInt64), math.Nextafter(math.MaxInt64, 0), math.Nextafter(math.MinInt64, math.Inf(-1)), 123456789.000000001,
}

// oddStrings are strings that look like something else, or are awkward to write.
var oddStrings = []string{
	"", " ", "null", "true", "0", "-1", "1.5", "1e3", "{}", "[]", `"a"`, `\u0041`, "2020-01-01", "yesterday", "\n", "\t", "\x00", "\x1f", "\x7f",
	"\u0085", "\u2028", "\ufeff", "\ufffd", "é", "e\u0301", "🙂", "\U0010ffff", "<a>&", "'\"`\\", "%s%n", "a.b[0]", strings.Repeat("long ", 60),
}

// oddKey returns an odd key that n does not have, or, when n has those that were tried, any other.
func (m *maker) oddKey(n *node) string {
	for range 3 {
		if k := pick(m.rng, oddKeys...); n.get(k) == nil {
			return k
		}
	}
	return m.key(n)
}

// oddScalar returns any scalar.
func (m *maker) oddScalar() any {
	return pick[any](m.rng, m.oneIn(2), pick(m.rng, oddNumbers...), pick(m.rng, oddStrings...), int64(m.rng.IntN(100)), m.word())
}

// oddTime returns a time, some of which change when they are written in UTC without fractions, or a text that is nearly one.
func (m *maker) oddTime() any {
	if m.oneIn(2) {
		return pick(m.rng, "2020-01-01", "2020-01-01T00:00Z", "2020-01-01 00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00", "20200101T000000Z",
			"2020-1-1T0:0:0Z", "2020-01-01T1:00:00Z", "2020-01-01T1:00:00.0Z", "2020-01-01T00:00:00Z ", " 2020-01-01T00:00:00Z", "2020-01-01T24:00:00Z",
			"2020-01-01T23:60:00Z", "2020-06-30T23:59:60Z", "2020-13-01T00:00:00Z", "2021-02-29T00:00:00Z", "2020-00-00T00:00:00Z",
			"2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+02", "2020-01-01T00:00:00+0200", "2020-01-01T00:00:00+02:60", "2020-01-01T00:00:00+24:01",
			"10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "+2020-01-01T00:00:00Z", "20-01-01T00:00:00Z", "2020-01-01T00:00:00UTC",
			"0000-12-31T23:00:00-01:00", "0001-01-01T02:00:00+02:00", "2020-01-01T00:00:00Z+02:00", "２020-01-01T00:00:00Z", "now", "1577836800")
	}
	day := pick(m.rng, "2020-01-01", "2020-02-29", "2021-12-31", "0000-01-01", "0001-01-01", "9999-12-31", "1969-12-31", "1582-10-10")
	return day + "T" + pick(m.rng, "00:00:00", "23:59:59") + pick(m.rng, "", "", ".0", ".5", ".000000", ".123456789", ".1234567891234", ",5", ".") +
		pick(m.rng, "Z", "Z", "+00:00", "-00:00", "+02:00", "-05:30", "+23:59", "-23:59", "+14:00")
}

// metaTexts are texts for names, namespaces, labels, annotations, finalizers and owners.
var metaTexts = []string{
	"", "a", "A", "a-b", "a-", "-a", "a.b", "a..b", ".", "..", "a/b", "a/", "/a", "a/b/c", "A.b/C", "a_b", "a b", "é", "\u212a", "%", "a%b", "v1", "/v1",
	"Event", "x/v1", "orphan", "foregroundDeletion", "kubernetes", "Apply", "Update", "Delete", "FieldsV1", "<&>", "\x00", "\u2028", "a\tb",
	"-./a", "a.b.c/Name_1", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 63) + "-", strings.Repeat("a.", 126) + "a",
	strings.Repeat("a.", 127) + "a", strings.Repeat("a", 253) + "/b", strings.Repeat("a", 254) + "/b", strings.Repeat("b", 128), strings.Repeat("b", 129),
	strings.Repeat("b", 256), strings.Repeat("b", 257),
}

// spoilMetaValue gives a part of metadata another value of its type.
func (m *maker) spoilMetaValue(n *node) {
	add := func(k, text string) { n.set(k, &node{role: metadata, scalar: text}) }
	switch s := orNone(n.schema); {
	case n.form == mapForm && s.AdditionalProperties != nil:
		add(pick(m.rng, metaTexts...), pick(m.rng, metaTexts...))
		if m.oneIn(40) {
			add("large", strings.Repeat("x", 256<<10-m.rng.IntN(40)))
		}
	case n.form == listForm && s.Items != nil:
		n.list = append(n.list, m.metaValue(s.Items, 100))
		if s.Items.Type == "string" && m.oneIn(6) {
			n.list = append(n.list, &node{role: metadata, scalar: "orphan"}, &node{role: metadata, scalar: "foregroundDeletion"})
		}
	case n.form == mapForm:
		// All fields, rather than none.
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if n.get(k) == nil && m.oneIn(3) {
				n.set(k, m.metaValue(s.Properties[k], 100))
			}
		}
		if s.Properties["controller"] != nil && m.oneIn(6) { // an owner
			add("apiVersion", "v1")
			add("kind", "Event")
		}
	case isTime(n):
		n.become(pick(m.rng, "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00"))
	default:
		switch n.scalar.(type) {
		case string:
			n.become(pick(m.rng, metaTexts...))
		case int64:
			n.become(pick[any](m.rng, int64(-1), int64(0), 1.0, int64(5)))
		case bool:
			n.become(!m.oneIn(4))
		}
	}
}
