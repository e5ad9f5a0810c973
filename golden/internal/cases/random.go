package cases

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/structural"
)

// Maker makes objects from schemas. The zero values of its fields make objects that are as the schema wants them.
type Maker struct {
	*rand.Rand
	// Unknown, Wrong and Null are how often an object has a field that the schema does not specify, how often a value is
	// of the wrong type, and how often it is null: 0 never, 1 always.
	Unknown, Wrong, Null float64
}

// Object makes an object of the resource.
func (m *Maker) Object(r *Resource) map[string]any {
	obj := m.object(r.Schema.Resource(), 0)
	obj["apiVersion"], obj["kind"] = r.APIVersion(), r.CRD.Names.Kind
	return obj
}

func (m *Maker) value(s *structural.Schema, depth int) any {
	switch {
	case m.chance(m.Null), s.Nullable && m.chance(0.1):
		return nil
	case m.chance(m.Wrong):
		return m.anything(depth)
	case s.XIntOrString:
		return []any{m.number(), m.word()}[m.IntN(2)]
	case s.Type == "object":
		return m.object(s, depth)
	case s.Type == "array":
		return m.list(s, depth)
	case s.Type == "integer" || s.ValueValidation != nil && s.ValueValidation.Format == "int64":
		return m.number()
	case s.Type == "number":
		return []any{m.number(), m.NormFloat64()}[m.IntN(2)]
	case s.Type == "boolean":
		return m.IntN(2) == 0
	case s.Type == "string" && s.ValueValidation != nil && s.ValueValidation.Format == "date-time":
		return "2024-02-29T12:00:00Z"
	case s.Type == "string":
		return m.word()
	}
	return m.anything(depth)
}

func (m *Maker) object(s *structural.Schema, depth int) map[string]any {
	obj := map[string]any{}
	// Some objects have nearly all of their fields, others nearly none: generated code tells the two apart.
	density := []float64{0.1, 0.5, 0.95}[m.IntN(3)]
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		if m.chance(density) {
			obj[k] = m.value(s.Properties[k], depth+1)
		}
	}
	if ap := s.AdditionalProperties; ap != nil {
		for range m.IntN(3) {
			if ap.Schema != nil {
				obj[m.word()] = m.value(ap.Schema, depth+1)
			} else {
				obj[m.word()] = m.scalar()
			}
		}
	}
	if s.XPreserveUnknownFields && m.chance(0.5) {
		obj[m.word()] = m.anything(depth + 1)
	}
	if s.XEmbeddedResource {
		obj["apiVersion"], obj["kind"] = m.text(), m.text()
		obj["metadata"] = m.value(structural.ObjectMeta(), depth+1)
	}
	for m.chance(m.Unknown) {
		obj[m.word()] = m.anything(depth + 1)
		if m.Unknown == 1 {
			break
		}
	}
	return obj
}

func (m *Maker) list(s *structural.Schema, depth int) []any {
	list := []any{}
	for range m.IntN(4) {
		if s.Items != nil {
			list = append(list, m.value(s.Items, depth+1))
		} else {
			list = append(list, m.scalar())
		}
	}
	return list
}

// anything makes a value that no schema speaks of.
func (m *Maker) anything(depth int) any {
	kind := m.IntN(4)
	if depth > 20 {
		kind = 0
	}
	switch kind {
	case 1:
		obj := map[string]any{}
		for range m.IntN(3) {
			obj[m.word()] = m.anything(depth + 1)
		}
		return obj
	case 2:
		list := []any{}
		for range m.IntN(3) {
			list = append(list, m.anything(depth+1))
		}
		return list
	}
	return m.scalar()
}

func (m *Maker) scalar() any {
	return []any{nil, true, m.number(), m.NormFloat64(), m.word(), float64(m.IntN(10)), 1e300}[m.IntN(7)]
}

func (m *Maker) number() any { return m.Int64N(2000) - 1000 }

// text makes a value for a field that has to be a string.
func (m *Maker) text() any {
	if m.chance(m.Wrong) {
		return m.scalar()
	}
	return m.word()
}

func (m *Maker) word() string {
	words := []string{"a", "b", "spec", "metadata", "kind", "apiVersion", "name", "x-y", "ü", "", "a.b", "[0]", "\n"}
	if i := m.IntN(2 * len(words)); i < len(words) {
		return words[i]
	}
	return "w" + strconv.Itoa(m.IntN(100))
}

func (m *Maker) chance(p float64) bool { return m.Float64() < p }
