package specimen

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unknownMeta are names that look like fields of ObjectMeta: one that Kubernetes once had, one of another type.
var unknownMeta = []string{"extra", "clusterName", "initializers", "label", "apiVersion", "kind", "metadata", "spec", "time"}

// spoilResource spoils what makes n a resource.
func (m *maker) spoilResource(n *node) {
	if !m.here(Resources) {
		return
	}
	for _, k := range []string{"apiVersion", "kind"} {
		switch m.rng.IntN(6) {
		case 0:
			n.remove(k)
		case 1:
			n.set(k, &node{role: typeMeta, scalar: m.oddScalar()})
		case 2:
			n.set(k, &node{role: typeMeta, scalar: nil})
		}
	}
	switch m.rng.IntN(6) {
	case 0:
		n.remove("metadata")
	case 1:
		n.set("metadata", &node{role: metadata, scalar: nil})
	case 2:
		n.set("metadata", &node{role: metadata, form: mapForm})
	}
}

// spoilMetadata spoils metadata and everything in it. Its parts keep their role, so that this goes all the way down.
func (m *maker) spoilMetadata(n *node) {
	if m.here(MetadataMalformed) && m.rng.IntN(4) == 0 {
		m.malform(n)
		return
	}
	if m.here(Null) && m.rng.IntN(4) == 0 {
		n.become(nil) // which ObjectMeta reads as absent
		return
	}
	// In labels and annotations every key is known.
	if n.form == mapForm && m.additional(n) == nil && m.here(MetadataUnknown) {
		count := 1 + m.rng.IntN(2)
		if m.rng.IntN(100) == 0 {
			count = 120 // more than Kubernetes' decoder remembers
		}
		for range count {
			n.set(m.unknownMetaKey(n), m.freeValue(&node{}, 60))
		}
	}
	if n.form == mapForm && m.additional(n) != nil && m.here(Keys) {
		n.set(m.oddKey(n), &node{role: metadata, scalar: m.word()})
	}
	if m.here(MetadataValues) {
		m.spoilMetaValue(n)
	}
	for _, e := range n.list {
		m.spoilMetadata(e)
	}
	for _, f := range n.fields {
		if f.value.role == metadata {
			m.spoilMetadata(f.value)
		}
	}
}

// malform gives n a value that ObjectMeta's decoder refuses nearly always.
func (m *maker) malform(n *node) {
	switch m.rng.IntN(5) {
	case 0:
		n.form, n.fields, n.list = mapForm, []field{{m.word(), m.freeScalar(&node{})}}, nil
	case 1:
		n.form, n.fields, n.list = listForm, nil, []*node{m.freeScalar(&node{})}
	default:
		n.become(m.oddScalar())
	}
}

func (m *maker) unknownMetaKey(n *node) string {
	var k string
	switch m.rng.IntN(4) {
	case 0:
		k = unknownMeta[m.rng.IntN(len(unknownMeta))]
	case 1:
		if len(n.fields) > 0 {
			k = otherCase(n.fields[m.rng.IntN(len(n.fields))].key)
		}
	case 2:
		if m.has(Keys) {
			k = m.oddKey(n)
		}
	}
	if k == "" || n.named(k) || n.get(k) != nil {
		return m.key(n)
	}
	return k
}

// otherCase returns k with the case of its first letter changed.
func otherCase(k string) string {
	first, size := utf8.DecodeRuneInString(k)
	if upper := unicode.ToUpper(first); upper != first {
		return string(upper) + k[size:]
	}
	return string(unicode.ToLower(first)) + k[size:]
}

// metaTexts are texts for names, namespaces, labels, annotations, finalizers and owners.
var metaTexts = []string{
	"", "a", "A", "a-b", "a-", "-a", "a.b", "a..b", ".", "..", "a/b", "a/", "/a", "a/b/c", "A.b/C", "a_b", "a b", "é", "\u212a", "%", "a%b", "v1", "/v1",
	"Event", "x/v1", "orphan", "foregroundDeletion", "kubernetes", "Apply", "Update", "Delete", "FieldsV1", "<&>", "\x00", "\u2028", "a\tb",
	"-./a", "a.b.c/Name_1", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 63) + "-", strings.Repeat("a.", 126) + "a",
	strings.Repeat("a.", 127) + "a", strings.Repeat("a", 253) + "/b", strings.Repeat("a", 254) + "/b", strings.Repeat("b", 128), strings.Repeat("b", 129),
	strings.Repeat("b", 256), strings.Repeat("b", 257),
}

// metaTimes are times, some of them the same.
var metaTimes = []string{
	"2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.5Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00",
}

// spoilMetaValue gives a part of metadata another value of its type.
func (m *maker) spoilMetaValue(n *node) {
	text := func() string { return metaTexts[m.rng.IntN(len(metaTexts))] }
	switch {
	case n.form == mapForm && m.additional(n) != nil:
		n.set(text(), &node{role: metadata, scalar: text(), schema: n.schema.AdditionalProperties.Schema})
		if m.rng.IntN(40) == 0 {
			n.set("large", &node{role: metadata, scalar: strings.Repeat("x", 256<<10-m.rng.IntN(40))})
		}
	case n.form == listForm && n.schema != nil && n.schema.Items != nil:
		n.list = append(n.list, m.metaValue(n.schema.Items, 100))
		if n.schema.Items.Type == "string" && m.rng.IntN(6) == 0 {
			for _, finalizer := range []string{"orphan", "foregroundDeletion"} {
				n.list = append(n.list, &node{role: metadata, scalar: finalizer})
			}
		}
	case n.form == mapForm && n.schema != nil:
		// All fields, rather than none.
		for _, k := range slices.Sorted(maps.Keys(n.schema.Properties)) {
			if n.get(k) == nil && m.rng.IntN(3) == 0 {
				n.set(k, m.metaValue(n.schema.Properties[k], 100))
			}
		}
		if n.schema.Properties["controller"] != nil && m.rng.IntN(6) == 0 { // an owner
			n.set("apiVersion", &node{role: metadata, scalar: "v1"})
			n.set("kind", &node{role: metadata, scalar: "Event"})
		}
	case n.form != scalarForm:
	case n.schema != nil && n.schema.ValueValidation.Format == "date-time":
		n.become(metaTimes[m.rng.IntN(len(metaTimes))])
	default:
		switch n.scalar.(type) {
		case string:
			n.become(text())
		case int64:
			n.become(pick[any](m.rng, int64(-1), int64(0), 1.0, int64(5)))
		case bool:
			n.become(m.rng.IntN(4) > 0)
		}
	}
}
