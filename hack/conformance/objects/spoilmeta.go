package objects

import (
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
