package specimen

import "github.com/prune-gen/prune-gen/structural"

// typeMeta gives a resource its apiVersion, kind and metadata.
func (m *Maker) typeMeta(n *Node, apiVersion, kind string) {
	if apiVersion == "" {
		apiVersion = []string{"v1", "apps/v1", "example.com/v1alpha1"}[m.Rand.IntN(3)]
	}
	if kind == "" {
		kind = []string{"ConfigMap", "Deployment", "Widget"}[m.Rand.IntN(3)]
	}
	n.Set("apiVersion", &Node{Role: TypeMeta, Scalar: apiVersion})
	n.Set("kind", &Node{Role: TypeMeta, Scalar: kind})
	n.Set("metadata", m.metadata())
}

// metadata returns well-formed metadata: a name nearly always, the rest now and then.
func (m *Maker) metadata() *Node {
	meta := &Node{Schema: structural.ObjectMeta(), Role: Metadata, Form: MapForm}
	for _, f := range []struct {
		name  string
		often int // of 100
	}{
		{"name", 90}, {"namespace", 50}, {"labels", 40}, {"annotations", 30}, {"uid", 20}, {"resourceVersion", 20},
		{"generation", 20}, {"creationTimestamp", 20}, {"finalizers", 15}, {"ownerReferences", 15},
		{"managedFields", 10}, {"generateName", 5}, {"deletionTimestamp", 5}, {"deletionGracePeriodSeconds", 5},
		{"selfLink", 3},
	} {
		if m.Rand.IntN(100) < f.often {
			meta.Set(f.name, m.MetaValue(meta.Schema.Properties[f.name], 150))
		}
	}
	return meta
}

// MetaValue is Value without room to grow: large objects are large because of what is in them, not because of their
// metadata.
func (m *Maker) MetaValue(s *structural.Schema, budget int) *Node {
	open, texts, aim := len(m.open), len(m.texts), m.aim
	if s.Type != "string" { // names may be aimed at
		m.aim = nil
	}
	n := m.Value(s, budget)
	m.open, m.texts, m.aim = m.open[:open], m.texts[:texts], aim
	n.setRole(Metadata)
	return n
}
