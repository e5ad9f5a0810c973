package specimen

// freeScalar makes n any scalar but null.
func (m *maker) freeScalar(n *node) *node {
	if n.role == plain {
		n.role = free
	}
	switch m.rng.IntN(6) {
	case 0:
		n.become(int64(m.rng.IntN(2000) - 1000))
	case 1:
		n.become(m.rng.IntN(2) == 0)
	case 2:
		n.become(float64(m.rng.IntN(1000)) / 8)
	default:
		n.become(m.word())
	}
	return n
}

// freeValue makes n any value that fits into a preserved subtree: scalars, lists and maps of them.
func (m *maker) freeValue(n *node, budget int) *node {
	n.role = free
	switch kind := m.rng.IntN(4); {
	case budget < 30 || kind == 0:
		return m.freeScalar(n)
	case kind == 1:
		n.form = listForm
		for i := m.rng.IntN(4); i > 0 && budget > 0; i-- {
			e := m.freeValue(&node{}, budget/2)
			budget -= e.size() + 1
			n.list = append(n.list, e)
		}
	default:
		n.form = mapForm
		for i := 1 + m.rng.IntN(4); i > 0 && budget > 0; i-- {
			k, e := m.freeKey(n), m.freeValue(&node{}, budget/2)
			budget -= len(k) + 4 + e.size()
			n.set(k, e)
		}
	}
	return n
}

// freeKey returns a key for a map that nothing is specified for: now and then one that means something elsewhere.
func (m *maker) freeKey(n *node) string {
	if m.rng.IntN(6) == 0 {
		k := []string{"metadata", "apiVersion", "kind", "spec", "status", "name", "items", "labels"}[m.rng.IntN(8)]
		if n.get(k) == nil {
			return k
		}
	}
	return m.key(n)
}
