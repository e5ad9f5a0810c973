package specimen

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/structural"
)

// maker makes one object.
type maker struct {
	rng  *rand.Rand
	opts Options
	// open lists the nodes that can take more: lists with a schema for their elements, maps with one for their values,
	// and maps in which everything is preserved. texts lists the strings that may be longer.
	open  []*node
	texts []*node
	// aim is nil for objects that aim at nothing.
	aim *aiming
	// work has the patterns of texts.
	work interpret.Work
}

// root returns the object without flaws. It takes some of the size that is wanted; grow adds the rest.
func (m *maker) root(s *structural.Schema) *node {
	n := &node{schema: s, role: resource, form: mapForm}
	m.typeMeta(n, m.opts.APIVersion, m.opts.Kind)
	meta := n.get("metadata")
	for _, f := range []struct{ key, value string }{{"name", m.opts.Name}, {"namespace", m.opts.Namespace}} {
		if f.value != "" {
			meta.set(f.key, &node{schema: meta.schema.Properties[f.key], role: metadata, scalar: f.value})
		}
	}
	if m.aim != nil {
		defer m.aim.enter(s)()
	}
	m.fields(n, m.opts.Size*3/4-n.size())
	return n
}

// value returns a value of the type that s wants, with about the given number of bytes, or fewer.
func (m *maker) value(s *structural.Schema, budget int) *node {
	n := &node{schema: s}
	if m.aim != nil {
		defer m.aim.enter(s)()
	}
	switch {
	case s == nil || s.Type == "" && s.XPreserveUnknownFields && len(s.Properties) == 0 && s.AdditionalProperties == nil && s.Items == nil:
		return m.freeValue(n, budget)
	case s.Nullable && m.oneIn(20) && (m.aim == nil || !m.aim.onPath[s]):
		n.scalar = nil
	case len(validationOf(s).Enum) > 0 && (isScalarType(s) || m.aim != nil) && (m.aim == nil || !m.oneIn(4)):
		n.become(jsonvalue.Copy(pick(m.rng, s.ValueValidation.Enum...)))
	case s.XIntOrString:
		if n.scalar = any(m.text(s)); m.oneIn(2) {
			n.scalar = m.integer(s)
		}
	case s.Type == "array", s.Type == "" && s.Items != nil:
		n.form = listForm
		m.elements(n, budget)
	case s.Type == "object", s.Type == "":
		n.form = mapForm
		if s.XEmbeddedResource {
			n.role = resource
			m.typeMeta(n, "", "")
		}
		m.fields(n, budget-n.size())
	case s.Type == "integer":
		n.scalar = m.integer(s)
	case s.Type == "number":
		n.scalar = m.number(s)
	case s.Type == "boolean":
		n.scalar = m.oneIn(2)
	default:
		n.scalar = m.text(s)
		if v := validationOf(s); isFree(v) && v.MaxLength == nil || m.has(Values) {
			m.texts = append(m.texts, n)
		}
	}
	return n
}

func isScalarType(s *structural.Schema) bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type)
}

// fields fills a map: what is required, and as much else as the budget allows.
func (m *maker) fields(n *node, budget int) {
	s := n.schema
	names := slices.Sorted(maps.Keys(s.Properties))
	m.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	required := func(k string) bool { return slices.Contains(validationOf(s).Required, k) }
	// What is required comes first: it is there whatever the budget is.
	slices.SortStableFunc(names, func(a, b string) int {
		return strings.Compare(strconv.FormatBool(required(b)), strconv.FormatBool(required(a)))
	})
	for _, k := range names {
		if n.role == resource && isMetaField(k) {
			continue
		}
		if m.aim != nil && !m.aim.wants(m, k, s.Properties[k], required(k)) {
			continue
		}
		if m.aim == nil && budget <= 0 && !required(k) {
			break
		}
		// A large object spreads what it has over its fields; a small one gives all to the first.
		share := budget * (20 + m.rng.IntN(60)) / 100
		child := m.value(s.Properties[k], share)
		n.set(k, child)
		budget -= len(k) + 4 + child.size()
	}
	if ap := s.AdditionalProperties; ap != nil && (ap.Schema != nil || ap.Bool) || s.XPreserveUnknownFields {
		m.open = append(m.open, n)
		m.extendBy(n, m.rng.IntN(4), int64Or(validationOf(s).MinProperties), min(budget, 400))
	}
}

// elements fills a list.
func (m *maker) elements(n *node, budget int) {
	m.open = append(m.open, n)
	m.extendBy(n, 1+m.rng.IntN(4), int64Or(validationOf(n.schema).MinItems), budget/2)
}

// extendBy adds some elements or keys to n, until it has as many as it must have, or as the budget allows. What is aimed at has a number
// of its own.
func (m *maker) extendBy(n *node, count int, least int64, budget int) {
	if m.aim != nil {
		all, done := m.aim.count(m, elementsOf(n.schema), mostOf(n))
		defer done()
		for range all {
			m.extend(n, budget)
		}
		return
	}
	for least = min(least, mostElements); count > 0 && budget > 0 || int64(len(n.list)+len(n.fields)) < least; count-- {
		added := m.extend(n, budget)
		if added == 0 {
			return
		}
		budget -= added
	}
}

func int64Or(v *int64) int64 {
	if v == nil {
		return 0
	}
	return *v
}

// elementsOf returns the schema of the elements of a list, or of the values of a map.
func elementsOf(s *structural.Schema) *structural.Schema {
	if s.Items != nil {
		return s.Items
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Schema
	}
	return nil
}

// mostOf returns how many elements or fields n may have, nil for any number.
func mostOf(n *node) *int64 {
	if v := validationOf(n.schema); n.form == listForm {
		return v.MaxItems
	} else {
		return v.MaxProperties
	}
}

// extend adds one element to a list or one key to a map, and returns about how many bytes that took: 0 if there is no room for it.
func (m *maker) extend(n *node, budget int) int {
	if most := mostOf(n); m.aim == nil && !m.has(Values) && most != nil && int64(len(n.list)+len(n.fields)) >= *most {
		return 0
	}
	if n.form == listForm {
		var e *node
		switch s := n.schema; {
		case s == nil || s.Items == nil && s.XPreserveUnknownFields:
			e = m.freeValue(&node{}, budget)
		case s.Items == nil:
			e = m.freeScalar() // the maps in such a list would be emptied
		default:
			for tries := 0; e == nil || m.aim == nil && n.repeats(e); tries++ {
				if tries == 5 {
					return 0
				}
				e = m.value(s.Items, budget)
			}
			e.inherit(n)
		}
		n.list = append(n.list, e)
		return e.size() + 1
	}
	k := m.key(n)
	var e *node
	switch ap := m.additional(n); {
	case ap == nil:
		e = m.freeValue(&node{}, budget)
	case ap.Schema == nil:
		e = m.freeScalar()
	default:
		e = m.value(ap.Schema, budget)
		e.inherit(n)
	}
	n.set(k, e)
	return len(k) + 4 + e.size()
}

// additional returns what a map says about the keys that have no schema of their own, nil where they are free.
func (m *maker) additional(n *node) *structural.SchemaOrBool {
	if n.schema == nil {
		return nil
	}
	return n.schema.AdditionalProperties
}

// inherit makes n part of the metadata that its parent is part of.
func (n *node) inherit(parent *node) {
	if parent.role == metadata {
		n.setRole(metadata)
	}
}

func (n *node) setRole(r role) {
	if n.schema == nil {
		return
	}
	n.role = r
	for _, e := range n.list {
		e.setRole(r)
	}
	for _, f := range n.fields {
		f.value.setRole(r)
	}
}

// key returns a key that n does not have and that its schema does not name.
func (m *maker) key(n *node) string {
	k := m.word()
	if m.aim != nil {
		k = m.aim.key(m)
	}
	for i := 0; ; i++ {
		named := false
		if n.schema != nil {
			_, named = n.schema.Properties[k]
		}
		if !named && n.get(k) == nil && !(n.role == resource && isMetaField(k)) {
			return k
		}
		k = m.word() + strconv.Itoa(i)
	}
}

// grow adds elements, keys and, where there is no room for either, text, until n has the size that is wanted.
func (m *maker) grow(n *node) {
	missing := m.opts.Size - n.size()
	for tries := 0; missing > 20 && len(m.open) > 0 && tries < 100; {
		into := m.open[m.rng.IntN(len(m.open))]
		added := m.extend(into, min(missing, 100+m.rng.IntN(1500)))
		if added < 8 && (into.form == listForm || added == 0) {
			tries++ // there is no room, or it is {} because nothing is specified
		}
		missing -= added
	}
	for missing > 20 && len(m.texts) > 0 {
		into := m.texts[m.rng.IntN(len(m.texts))]
		text, ok := into.scalar.(string)
		if !ok {
			panic("specimen: a text is no longer a string")
		}
		more := m.sentence(min(missing, 400))
		into.scalar = text + more
		missing -= len(more)
	}
}

func isMetaField(k string) bool {
	return k == "apiVersion" || k == "kind" || k == "metadata"
}

// freeScalar returns any scalar but null.
func (m *maker) freeScalar() *node {
	n := &node{role: free}
	switch m.rng.IntN(6) {
	case 0:
		n.scalar = int64(m.rng.IntN(2000) - 1000)
	case 1:
		n.scalar = m.oneIn(2)
	case 2:
		if n.scalar = float64(m.rng.IntN(1000)) / 8; m.has(WrongType | MetadataMalformed) {
			n.scalar = pick(m.rng, oddNumbers...)
		}
	default:
		n.scalar = m.word()
	}
	return n
}

// freeValue makes n any value that fits into a preserved subtree: scalars, lists and maps of them.
func (m *maker) freeValue(n *node, budget int) *node {
	n.role = free
	switch kind := m.rng.IntN(4); {
	case budget < 30 || kind == 0:
		n.become(m.freeScalar().scalar)
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
			k, e := m.key(n), m.freeValue(&node{}, budget/2)
			if m.oneIn(6) { // a key that means something elsewhere
				k = pick(m.rng, "metadata", "apiVersion", "kind", "spec", "status", "name", "items", "labels")
			}
			budget -= len(k) + 4 + e.size()
			n.set(k, e)
		}
	}
	return n
}
