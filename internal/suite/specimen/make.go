package specimen

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/structural"
)

// Maker makes one object.
type Maker struct {
	Rand *rand.Rand
	// Beyond lets lists, maps and texts be larger than their schemas allow.
	Beyond bool
	// Numbers are used for values that no schema describes; nil for plain ones.
	Numbers []any

	opts Options
	// open lists the nodes that can take more: lists with a schema for their elements, maps with one for their values,
	// and maps in which everything is preserved. texts lists the strings that may be longer.
	open  []*Node
	texts []*Node
	// aim is nil for objects that aim at nothing.
	aim *aiming
	// work has the patterns of texts.
	work interpret.Work
}

// NewMaker returns a maker of one object.
func NewMaker(seed uint64, opts Options) *Maker {
	if opts.Size == 0 {
		opts.Size = 1000
	}
	m := &Maker{Rand: newRand(seed), opts: opts}
	if opts.Aim != nil {
		m.aimAt(opts.Aim)
	}
	return m
}

// Root returns the root of an object for s.
func (m *Maker) Root(s *structural.Schema) *Node {
	n := m.root(orNone(s))
	if m.aim == nil {
		m.grow(n)
	}
	return n
}

// root returns the root of an object of part of the wanted size; grow adds the rest.
func (m *Maker) root(s *structural.Schema) *Node {
	n := &Node{Schema: s, Role: Resource, Form: MapForm}
	m.typeMeta(n, m.opts.APIVersion, m.opts.Kind)
	meta := n.Get("metadata")
	for _, f := range []struct{ key, value string }{{"name", m.opts.Name}, {"namespace", m.opts.Namespace}} {
		if f.value != "" {
			meta.Set(f.key, &Node{Schema: meta.Schema.Properties[f.key], Role: Metadata, Scalar: f.value})
		}
	}
	if m.aim != nil {
		defer m.aim.enter(s)()
	}
	m.fields(n, m.opts.Size*3/4-n.size())
	return n
}

// Value returns a value of the type in s, with about the given number of bytes, or fewer.
func (m *Maker) Value(s *structural.Schema, budget int) *Node {
	n := &Node{Schema: s}
	if m.aim != nil {
		defer m.aim.enter(s)()
	}
	switch {
	case s == nil || s.Type == "" && s.XPreserveUnknownFields && len(s.Properties) == 0 && s.AdditionalProperties == nil && s.Items == nil:
		return m.FreeValue(n, budget)
	case s.Nullable && m.OneIn(20) && (m.aim == nil || !m.aim.onPath[s]):
		n.Scalar = nil
	case len(validationOf(s).Enum) > 0 && (isScalarType(s) || m.aim != nil) && (m.aim == nil || !m.OneIn(4)):
		n.Become(jsonvalue.Copy(pick(m.Rand, s.ValueValidation.Enum...)))
	case s.XIntOrString:
		if n.Scalar = any(m.text(s)); m.OneIn(2) {
			n.Scalar = m.integer(s)
		}
	case s.Type == "array", s.Type == "" && s.Items != nil:
		n.Form = ListForm
		m.elements(n, budget)
	case s.Type == "object", s.Type == "":
		n.Form = MapForm
		if s.XEmbeddedResource {
			n.Role = Resource
			m.typeMeta(n, "", "")
		}
		m.fields(n, budget-n.size())
	case s.Type == "integer":
		n.Scalar = m.integer(s)
	case s.Type == "number":
		n.Scalar = m.number(s)
	case s.Type == "boolean":
		n.Scalar = m.OneIn(2)
	default:
		n.Scalar = m.text(s)
		if v := validationOf(s); isFree(v) && v.MaxLength == nil || m.Beyond {
			m.texts = append(m.texts, n)
		}
	}
	return n
}

func isScalarType(s *structural.Schema) bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type)
}

// fields fills a map: what is required, and as much else as the budget allows.
func (m *Maker) fields(n *Node, budget int) {
	s := n.Schema
	names := slices.Sorted(maps.Keys(s.Properties))
	m.Rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	required := func(k string) bool { return slices.Contains(validationOf(s).Required, k) }
	// Required fields come first: they exist whatever the budget is.
	slices.SortStableFunc(names, func(a, b string) int {
		return strings.Compare(strconv.FormatBool(required(b)), strconv.FormatBool(required(a)))
	})
	for _, k := range names {
		if n.Role == Resource && structural.IsMetaField(k) {
			continue
		}
		if m.aim != nil && !m.aim.wants(m, k, s.Properties[k], required(k)) {
			continue
		}
		if m.aim == nil && budget <= 0 && !required(k) {
			break
		}
		// A large object spreads what it has over its fields; a small one gives all to the first.
		share := budget * (20 + m.Rand.IntN(60)) / 100
		child := m.Value(s.Properties[k], share)
		n.Set(k, child)
		budget -= len(k) + 4 + child.size()
	}
	if ap := s.AdditionalProperties; ap != nil && (ap.Schema != nil || ap.Bool) || s.XPreserveUnknownFields {
		m.open = append(m.open, n)
		m.extendBy(n, m.Rand.IntN(4), int64Or(validationOf(s).MinProperties), min(budget, 400))
	}
}

// elements fills a list.
func (m *Maker) elements(n *Node, budget int) {
	m.open = append(m.open, n)
	m.extendBy(n, 1+m.Rand.IntN(4), int64Or(validationOf(n.Schema).MinItems), budget/2)
}

// extendBy adds elements or keys to n, until it has as many as it must have, or as the budget allows. An Aim has its own number.
func (m *Maker) extendBy(n *Node, count int, least int64, budget int) {
	if m.aim != nil {
		all, done := m.aim.count(m, elementsOf(n.Schema), mostOf(n))
		defer done()
		for range all {
			m.extend(n, budget)
		}
		return
	}
	for least = min(least, mostElements); count > 0 && budget > 0 || int64(len(n.List)+len(n.Fields)) < least; count-- {
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
	return s.Values()
}

// mostOf returns how many elements or fields n may have, nil for any number.
func mostOf(n *Node) *int64 {
	if v := validationOf(n.Schema); n.Form == ListForm {
		return v.MaxItems
	} else {
		return v.MaxProperties
	}
}

// extend adds one element to a list or one key to a map, and returns about how many bytes that took: 0 if there is no room for it.
func (m *Maker) extend(n *Node, budget int) int {
	if most := mostOf(n); m.aim == nil && !m.Beyond && most != nil && int64(len(n.List)+len(n.Fields)) >= *most {
		return 0
	}
	if n.Form == ListForm {
		var e *Node
		switch s := n.Schema; {
		case s == nil || s.Items == nil && s.XPreserveUnknownFields:
			e = m.FreeValue(&Node{}, budget)
		case s.Items == nil:
			e = m.freeScalar() // the maps in such a list would be emptied
		default:
			for tries := 0; e == nil || m.aim == nil && n.repeats(e); tries++ {
				if tries == 5 {
					return 0
				}
				e = m.Value(s.Items, budget)
			}
			e.inherit(n)
		}
		n.List = append(n.List, e)
		return e.size() + 1
	}
	k := m.Key(n)
	var e *Node
	switch ap := m.additional(n); {
	case ap == nil:
		e = m.FreeValue(&Node{}, budget)
	case ap.Schema == nil:
		e = m.freeScalar()
	default:
		e = m.Value(ap.Schema, budget)
		e.inherit(n)
	}
	n.Set(k, e)
	return len(k) + 4 + e.size()
}

// additional returns what a map says about the keys that have no schema of their own, nil where they are free.
func (m *Maker) additional(n *Node) *structural.SchemaOrBool {
	if n.Schema == nil {
		return nil
	}
	return n.Schema.AdditionalProperties
}

// inherit makes n part of the metadata that its parent is part of.
func (n *Node) inherit(parent *Node) {
	if parent.Role == Metadata {
		n.setRole(Metadata)
	}
}

func (n *Node) setRole(r Role) {
	if n.Schema == nil {
		return
	}
	n.Role = r
	for _, e := range n.List {
		e.setRole(r)
	}
	for _, f := range n.Fields {
		f.Value.setRole(r)
	}
}

// Key returns a key that n does not have and that its schema does not name.
func (m *Maker) Key(n *Node) string {
	k := m.Word()
	if m.aim != nil {
		k = m.aim.key(m)
	}
	for i := 0; ; i++ {
		named := false
		if n.Schema != nil {
			_, named = n.Schema.Properties[k]
		}
		if !named && n.Get(k) == nil && !(n.Role == Resource && structural.IsMetaField(k)) {
			return k
		}
		k = m.Word() + strconv.Itoa(i)
	}
}

// grow adds elements, keys and, where there is no room for either, text, until n has the size that is wanted.
func (m *Maker) grow(n *Node) {
	missing := m.opts.Size - n.size()
	for tries := 0; missing > 20 && len(m.open) > 0 && tries < 100; {
		into := m.open[m.Rand.IntN(len(m.open))]
		added := m.extend(into, min(missing, 100+m.Rand.IntN(1500)))
		if added < 8 && (into.Form == ListForm || added == 0) {
			tries++ // there is no room, or it is {} because nothing is specified
		}
		missing -= added
	}
	for missing > 20 && len(m.texts) > 0 {
		into := m.texts[m.Rand.IntN(len(m.texts))]
		text, ok := into.Scalar.(string)
		if !ok {
			panic("specimen: a text is no longer a string")
		}
		more := m.sentence(min(missing, 400))
		into.Scalar = text + more
		missing -= len(more)
	}
}

// freeScalar returns any scalar except null.
func (m *Maker) freeScalar() *Node {
	n := &Node{Role: Free}
	switch m.Rand.IntN(6) {
	case 0:
		n.Scalar = int64(m.Rand.IntN(2000) - 1000)
	case 1:
		n.Scalar = m.OneIn(2)
	case 2:
		if n.Scalar = float64(m.Rand.IntN(1000)) / 8; m.Numbers != nil {
			n.Scalar = pick(m.Rand, m.Numbers...)
		}
	default:
		n.Scalar = m.Word()
	}
	return n
}

// FreeValue makes n any value that fits into a preserved subtree: scalars, lists and maps of them.
func (m *Maker) FreeValue(n *Node, budget int) *Node {
	n.Role = Free
	switch kind := m.Rand.IntN(4); {
	case budget < 30 || kind == 0:
		n.Become(m.freeScalar().Scalar)
	case kind == 1:
		n.Form = ListForm
		for i := m.Rand.IntN(4); i > 0 && budget > 0; i-- {
			e := m.FreeValue(&Node{}, budget/2)
			budget -= e.size() + 1
			n.List = append(n.List, e)
		}
	default:
		n.Form = MapForm
		for i := 1 + m.Rand.IntN(4); i > 0 && budget > 0; i-- {
			k, e := m.Key(n), m.FreeValue(&Node{}, budget/2)
			if m.OneIn(6) { // a key that means something elsewhere
				k = pick(m.Rand, "metadata", "apiVersion", "kind", "spec", "status", "name", "items", "labels")
			}
			budget -= len(k) + 4 + e.size()
			n.Set(k, e)
		}
	}
	return n
}

// AnyValue returns a small value that fits s, or any other.
func (m *Maker) AnyValue(s *structural.Schema) *Node {
	if s == nil || m.OneIn(2) {
		return m.FreeValue(&Node{}, 80)
	}
	return m.Value(s, 80)
}
