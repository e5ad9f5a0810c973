package specimen

import (
	"maps"
	"slices"
	"strconv"

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
		return m.rng.IntN(2) == 0
	}
	return m.rng.IntN(4+min(len(n.fields)+len(n.list), 40)) == 0
}

// spoil puts flaws into n and all below it. What it adds has no flaws of its own, or there would be no end to it.
func (m *maker) spoil(n *node, depth int) {
	if n.role == metadata {
		m.spoilMetadata(n)
		return
	}
	switch {
	case m.instead(Null, n, depth):
		n.become(nil)
		return
	case m.instead(WrongType, n, depth):
		m.mistype(n)
		return
	case n.form == scalarForm && isNumber(n.scalar) && m.here(Numbers):
		n.become(oddNumbers[m.rng.IntN(len(oddNumbers))])
	}
	for _, e := range n.list {
		m.spoil(e, depth+1)
	}
	for _, f := range n.fields {
		m.spoil(f.value, depth+1)
	}
	if n.form == mapForm {
		m.spoilMap(n)
	}
	if m.instead(Swapped, n, depth) {
		m.swap(n)
	}
}

// spoilMap spoils the keys of a map, and what a resource has beyond its schema.
func (m *maker) spoilMap(n *node) {
	if n.role == resource {
		m.spoilResource(n)
	}
	if m.here(Keys) && (m.additional(n) != nil || n.role == free) {
		for i := range n.fields {
			// A key that the schema names stays, or the value would have another schema than it was made for.
			if k := n.fields[i].key; !n.named(k) && m.rng.IntN(2) == 0 {
				n.fields[i].key = m.oddKey(n)
			}
		}
	}
	if m.here(Unknown) {
		for range 1 + m.rng.IntN(2) {
			n.set(m.unknownKey(n), m.freeValue(&node{}, 20+m.rng.IntN(120)))
		}
	}
}

// named reports whether n's schema has a place for k.
func (n *node) named(k string) bool {
	if n.role == resource && isMetaField(k) {
		return true
	}
	if n.schema == nil {
		return false
	}
	_, ok := n.schema.Properties[k]
	return ok
}

// unknownKey returns a key for an unknown field: something new, an odd one, or one that is known one level above or
// below, or in another case.
func (m *maker) unknownKey(n *node) string {
	if m.has(Keys) && m.rng.IntN(3) == 0 {
		if k := m.oddKey(n); !n.named(k) {
			return k
		}
	}
	if m.rng.IntN(3) == 0 && n.schema != nil {
		if k := m.neighbour(n.schema); k != "" && !n.named(k) && n.get(k) == nil {
			return k
		}
	}
	return m.key(n)
}

// neighbour returns a field of a field of s, or one of s in another case; "" where there is none.
func (m *maker) neighbour(s *structural.Schema) string {
	names := slices.Sorted(maps.Keys(s.Properties))
	if len(names) == 0 {
		return ""
	}
	k := names[m.rng.IntN(len(names))]
	if below := slices.Sorted(maps.Keys(s.Properties[k].Properties)); len(below) > 0 && m.rng.IntN(2) == 0 {
		return below[m.rng.IntN(len(below))]
	}
	return otherCase(k)
}

// mistype makes n a value of another form, or another scalar. A schema may name fields and elements whatever its type is,
// and they count when a map or a list is there: so they are, with values that need not fit.
func (m *maker) mistype(n *node) {
	switch m.rng.IntN(4) {
	case 0:
		n.form, n.list, n.fields = listForm, nil, nil
		for range m.rng.IntN(3) {
			var items *structural.Schema
			if n.schema != nil {
				items = n.schema.Items
			}
			n.list = append(n.list, m.anyValue(items))
		}
	case 1:
		n.form, n.list, n.fields = mapForm, nil, nil
		for range m.rng.IntN(3) {
			n.set(m.unknownKey(n), m.freeValue(&node{}, 80))
		}
		if n.schema == nil {
			return
		}
		for _, k := range slices.Sorted(maps.Keys(n.schema.Properties)) {
			if m.rng.IntN(3) == 0 {
				n.set(k, m.anyValue(n.schema.Properties[k]))
			}
		}
	default:
		n.become(m.oddScalar())
	}
}

// anyValue returns a small value that fits s, or any other.
func (m *maker) anyValue(s *structural.Schema) *node {
	if s == nil || m.rng.IntN(2) == 0 {
		return m.freeValue(&node{}, 80)
	}
	return m.value(s, 80)
}

// swap makes a map of a list, with what was in it, a list of a map, and either of a scalar.
func (m *maker) swap(n *node) {
	switch n.form {
	case listForm:
		n.form = mapForm
		for i, e := range n.list {
			n.set(strconv.Itoa(i), e)
		}
		n.list = nil
		if len(n.fields) == 0 {
			n.set(m.key(n), m.freeValue(&node{}, 60))
		}
	case mapForm:
		whole := *n
		n.form, n.fields = listForm, nil
		n.list = append(n.list, &whole)
		for range m.rng.IntN(3) {
			n.list = append(n.list, m.freeValue(&node{}, 60))
		}
	default:
		whole := *n
		if m.rng.IntN(2) == 0 {
			n.form, n.list = listForm, []*node{&whole}
		} else {
			n.form, n.fields = mapForm, []field{{m.key(n), &whole}}
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
