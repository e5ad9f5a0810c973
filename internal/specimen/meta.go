package specimen

import "github.com/prune-gen/prune-gen/structural"

// typeMeta gives a resource its apiVersion, kind and metadata.
func (m *maker) typeMeta(n *node, apiVersion, kind string) {
	if apiVersion == "" {
		apiVersion = []string{"v1", "apps/v1", "example.com/v1alpha1"}[m.rng.IntN(3)]
	}
	if kind == "" {
		kind = []string{"ConfigMap", "Deployment", "Widget"}[m.rng.IntN(3)]
	}
	n.set("apiVersion", &node{role: typeMeta, scalar: apiVersion})
	n.set("kind", &node{role: typeMeta, scalar: kind})
	n.set("metadata", m.metadata())
}

// metadata returns well-formed metadata: a name nearly always, the rest now and then.
func (m *maker) metadata() *node {
	meta := &node{schema: structural.ObjectMeta(), role: metadata, form: mapForm}
	for _, f := range []struct {
		name  string
		often int // of 100
	}{
		{"name", 90}, {"namespace", 50}, {"labels", 40}, {"annotations", 30}, {"uid", 20}, {"resourceVersion", 20},
		{"generation", 20}, {"creationTimestamp", 20}, {"finalizers", 15}, {"ownerReferences", 15},
		{"managedFields", 10}, {"generateName", 5}, {"deletionTimestamp", 5}, {"deletionGracePeriodSeconds", 5},
		{"selfLink", 3},
	} {
		if m.rng.IntN(100) < f.often {
			meta.set(f.name, m.metaValue(meta.schema.Properties[f.name], 150))
		}
	}
	return meta
}

// metaValue is value without room to grow: large objects are large because of what is in them, not because of their
// metadata.
func (m *maker) metaValue(s *structural.Schema, budget int) *node {
	open, texts, aim := len(m.open), len(m.texts), m.aim
	if s.Type != "string" { // names may be aimed at
		m.aim = nil
	}
	n := m.value(s, budget)
	m.open, m.texts, m.aim = m.open[:open], m.texts[:texts], aim
	n.setRole(metadata)
	return n
}
