package specimentest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/structural"
)

// spoiler makes an object and puts flaws into it.
type spoiler struct {
	*specimen.Maker
	flaws Flaw
	rate  float64
}

// spoilValues violates some keywords of a schema.
func (m *spoiler) spoilValues(root *specimen.Node, s *structural.Schema) {
	all := specimen.NewViolations(s)
	if all.Keywords() == 0 {
		return
	}
	for range 1 + int(m.rate*float64(min(all.Keywords(), 40))) {
		all.Into(root, m.Rand.IntN(all.Keywords()), m.Maker)
	}
}

// has reports whether a flaw is asked for.
func (m *spoiler) has(f Flaw) bool { return m.flaws&f != 0 }

// here reports whether a flaw that is asked for shall be at this place.
func (m *spoiler) here(f Flaw) bool { return m.has(f) && m.Rand.Float64() < m.rate }

// instead is here for flaws that replace a value: the larger the value, the rarer they are.
func (m *spoiler) instead(f Flaw, n *specimen.Node, depth int) bool {
	if depth == 0 || !m.here(f) {
		return false
	}
	if n.Form == specimen.ScalarForm {
		return m.OneIn(2)
	}
	return m.OneIn(4 + min(len(n.Fields)+len(n.List), 40))
}

// spoil puts flaws into n and all below it. What it adds has no flaws of its own, or there would be no end to it.
func (m *spoiler) spoil(n *specimen.Node, depth int) {
	unknown, wrong := Unknown, WrongType
	if n.Role == specimen.Metadata {
		unknown, wrong = MetadataUnknown, MetadataMalformed
	}
	switch {
	case m.instead(Null, n, depth):
		n.Become(nil) // which ObjectMeta reads as absent
		return
	case m.instead(wrong, n, depth):
		m.mistype(n)
		return
	}
	if n.Role == specimen.Metadata && m.here(MetadataValues) {
		m.spoilMetaValue(n)
	}
	for _, e := range n.List {
		m.spoil(e, depth+1)
	}
	for _, f := range n.Fields {
		if n.Role != specimen.Metadata || named(n, f.Key) || schemaOf(n).AdditionalProperties != nil { // not the unknown, which decoders skip
			m.spoil(f.Value, depth+1)
		}
	}
	if n.Role == specimen.Resource && m.here(Resources) {
		m.spoilResource(n)
	}
	open := n.Form == specimen.MapForm && (schemaOf(n).AdditionalProperties != nil || n.Role == specimen.Free)
	if open && m.here(Keys) {
		for i := range n.Fields {
			// A key that the schema names stays, or the value would get a schema that it was not made for.
			if k := n.Fields[i].Key; !named(n, k) && m.OneIn(2) {
				n.Fields[i].Key = m.oddKey(n)
			}
		}
	}
	// In labels and annotations every key is known.
	if n.Form == specimen.MapForm && !(open && n.Role == specimen.Metadata) && m.here(unknown) {
		count := 1 + m.Rand.IntN(2)
		if n.Role == specimen.Metadata && m.OneIn(100) {
			count = 90 + m.Rand.IntN(30) // Kubernetes' decoder remembers 100
		}
		for range count {
			n.Set(m.unknownKey(n), m.FreeValue(&specimen.Node{}, 20+m.Rand.IntN(120)))
		}
	}
}

// spoilResource spoils what makes n a resource.
func (m *spoiler) spoilResource(n *specimen.Node) {
	for _, k := range []string{"apiVersion", "kind", "metadata"} {
		role := specimen.TypeMeta
		if k == "metadata" {
			role = specimen.Metadata
		}
		switch m.Rand.IntN(6) {
		case 0:
			n.Remove(k)
		case 1:
			n.Set(k, &specimen.Node{Role: role, Scalar: nil})
		case 2:
			n.Set(k, &specimen.Node{Role: role, Form: specimen.MapForm})
			if role == specimen.TypeMeta {
				n.Get(k).Become(m.oddScalar())
			}
		}
	}
}

// named reports whether n's schema has a place for k.
func named(n *specimen.Node, k string) bool {
	if n.Role == specimen.Resource && (k == "apiVersion" || k == "kind" || k == "metadata") {
		return true
	}
	return n.Schema != nil && n.Schema.Properties[k] != nil
}

// unknownKey returns a key for an unknown field: something new, an odd one, or one that is known one level below or that is nearly one
// that is known.
func (m *spoiler) unknownKey(n *specimen.Node) string {
	k := ""
	switch m.Rand.IntN(3) {
	case 0:
		if m.has(Keys) || n.Role == specimen.Metadata {
			k = m.oddKey(n)
		}
	case 1:
		if n.Schema != nil {
			k = m.neighbour(n.Schema)
		}
	}
	if k == "" || named(n, k) || n.Get(k) != nil {
		return m.Key(n)
	}
	return k
}

// neighbour returns a field of a field of s, or nearly one of s; "" where there is none.
func (m *spoiler) neighbour(s *structural.Schema) string {
	if len(s.Properties) == 0 {
		return ""
	}
	k := pick(m.Rand, sorted(s.Properties)...)
	if below := sorted(s.Properties[k].Properties); len(below) > 0 && m.OneIn(2) {
		return pick(m.Rand, below...)
	}
	if m.OneIn(2) {
		return otherCase(k)
	}
	return pick(m.Rand, strings.ToUpper(k), k+"s", k+"\x00", k+".x", k+"[0].x", k+" ", strings.ToLower(k))
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
func (m *spoiler) mistype(n *specimen.Node) {
	whole := *n
	s := schemaOf(n)
	n.List, n.Fields = nil, nil
	switch m.Rand.IntN(8) {
	case 0:
		n.Form = specimen.ListForm
		for range m.Rand.IntN(3) {
			n.List = append(n.List, m.AnyValue(s.Items))
		}
	case 1:
		n.Form, n.List = specimen.ListForm, []*specimen.Node{&whole, m.FreeValue(&specimen.Node{}, 60)}
	case 2:
		n.Form = specimen.MapForm
		for range m.Rand.IntN(3) {
			n.Set(m.unknownKey(n), m.FreeValue(&specimen.Node{}, 80))
		}
		for _, k := range sorted(s.Properties) {
			if m.OneIn(3) {
				n.Set(k, m.AnyValue(s.Properties[k]))
			}
		}
	case 3:
		n.Form = specimen.MapForm
		for i, e := range whole.List {
			n.Set(strconv.Itoa(i), e)
		}
		n.Set(m.Key(n), &whole)
	case 4:
		n.Become(pick(m.Rand, oddNumbers...))
	default:
		if whole.Form == specimen.ScalarForm && (isNumber(whole.Scalar) || isTime(n)) {
			n.Become(pick(m.Rand, pick(m.Rand, oddNumbers...), m.oddTime()))
		} else {
			n.Become(m.oddScalar())
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

func isTime(n *specimen.Node) bool {
	v := schemaOf(n).ValueValidation
	return v != nil && v.Format == "date-time"
}

// schemaOf returns the schema of a value, an empty one if it has none.
func schemaOf(n *specimen.Node) *structural.Schema {
	if n.Schema == nil {
		return &structural.Schema{}
	}
	return n.Schema
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
func (m *spoiler) oddKey(n *specimen.Node) string {
	for range 3 {
		if k := pick(m.Rand, oddKeys...); n.Get(k) == nil {
			return k
		}
	}
	return m.Key(n)
}

// oddScalar returns any scalar.
func (m *spoiler) oddScalar() any {
	return pick[any](m.Rand, m.OneIn(2), pick(m.Rand, oddNumbers...), pick(m.Rand, oddStrings...), int64(m.Rand.IntN(100)), m.Word())
}

// oddTime returns a time, some of which change when they are written in UTC without fractions, or a text that is nearly one.
func (m *spoiler) oddTime() any {
	if m.OneIn(2) {
		return pick(m.Rand, "2020-01-01", "2020-01-01T00:00Z", "2020-01-01 00:00:00Z", "2020-01-01t00:00:00z", "2020-01-01T00:00:00", "20200101T000000Z",
			"2020-1-1T0:0:0Z", "2020-01-01T1:00:00Z", "2020-01-01T1:00:00.0Z", "2020-01-01T00:00:00Z ", " 2020-01-01T00:00:00Z", "2020-01-01T24:00:00Z",
			"2020-01-01T23:60:00Z", "2020-06-30T23:59:60Z", "2020-13-01T00:00:00Z", "2021-02-29T00:00:00Z", "2020-00-00T00:00:00Z",
			"2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00+02", "2020-01-01T00:00:00+0200", "2020-01-01T00:00:00+02:60", "2020-01-01T00:00:00+24:01",
			"10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "+2020-01-01T00:00:00Z", "20-01-01T00:00:00Z", "2020-01-01T00:00:00UTC",
			"0000-12-31T23:00:00-01:00", "0001-01-01T02:00:00+02:00", "2020-01-01T00:00:00Z+02:00", "２020-01-01T00:00:00Z", "now", "1577836800")
	}
	day := pick(m.Rand, "2020-01-01", "2020-02-29", "2021-12-31", "0000-01-01", "0001-01-01", "9999-12-31", "1969-12-31", "1582-10-10")
	return day + "T" + pick(m.Rand, "00:00:00", "23:59:59") + pick(m.Rand, "", "", ".0", ".5", ".000000", ".123456789", ".1234567891234", ",5", ".") +
		pick(m.Rand, "Z", "Z", "+00:00", "-00:00", "+02:00", "-05:30", "+23:59", "-23:59", "+14:00")
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
func (m *spoiler) spoilMetaValue(n *specimen.Node) {
	add := func(k, text string) { n.Set(k, &specimen.Node{Role: specimen.Metadata, Scalar: text}) }
	switch s := schemaOf(n); {
	case n.Form == specimen.MapForm && s.AdditionalProperties != nil:
		add(pick(m.Rand, metaTexts...), pick(m.Rand, metaTexts...))
		if m.OneIn(40) {
			add("large", strings.Repeat("x", 256<<10-m.Rand.IntN(40)))
		}
	case n.Form == specimen.ListForm && s.Items != nil:
		n.List = append(n.List, m.MetaValue(s.Items, 100))
		if s.Items.Type == "string" && m.OneIn(6) {
			n.List = append(n.List, &specimen.Node{Role: specimen.Metadata, Scalar: "orphan"}, &specimen.Node{Role: specimen.Metadata, Scalar: "foregroundDeletion"})
		}
	case n.Form == specimen.MapForm:
		// All fields, rather than none.
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if n.Get(k) == nil && m.OneIn(3) {
				n.Set(k, m.MetaValue(s.Properties[k], 100))
			}
		}
		if s.Properties["controller"] != nil && m.OneIn(6) { // an owner
			add("apiVersion", "v1")
			add("kind", "Event")
		}
	case isTime(n):
		n.Become(pick(m.Rand, "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00"))
	default:
		switch n.Scalar.(type) {
		case string:
			n.Become(pick(m.Rand, metaTexts...))
		case int64:
			n.Become(pick[any](m.Rand, int64(-1), int64(0), 1.0, int64(5)))
		case bool:
			n.Become(!m.OneIn(4))
		}
	}
}

// pick returns one of all.
func pick[T any](rng *rand.Rand, all ...T) T { return all[rng.IntN(len(all))] }

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
