package rules

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/structural"
)

// maker makes objects that aim at a rule: the node of the rule exists, and what the rule reads has values from the rule.
type maker struct {
	rng    *rand.Rand
	target *Target
	onPath map[*structural.Schema]bool
	// chance is how many of 100 fields that the rule reads exist; few are texts that come again and again.
	chance int
	few    []string
	// isLong says that the lists and maps that the rule is about are long, and many texts, too; room is how many elements they may have.
	isLong bool
	room   int
	// hasTwins says that most elements of a list are like others in it.
	hasTwins bool
}

// mostElements is how many elements long lists have, and lists in them together.
const mostElements = 150

func newMaker(t *Target, seed uint64) *maker {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 0x72756c6573)), target: t, onPath: map[*structural.Schema]bool{}, room: mostElements}
	for _, s := range t.Path {
		m.onPath[s] = true
	}
	m.chance = []int{30, 60, 95}[m.rng.IntN(3)]
	m.hasTwins = m.oneIn(4)
	for range 2 {
		m.few = append(m.few, m.newText())
	}
	return m
}

func (m *maker) oneIn(n int) bool { return m.rng.IntN(n) == 0 }

// object returns an object.
func (m *maker) object() map[string]any {
	obj, _ := m.value(m.target.Path[0], false).(map[string]any)
	if obj == nil {
		obj = map[string]any{}
	}
	obj["apiVersion"], obj["kind"] = "example.com/v1", "Widget"
	meta := map[string]any{"name": m.text(nil)}
	if m.oneIn(3) {
		meta["generateName"] = m.text(nil)
	}
	obj["metadata"] = meta
	return obj
}

// value returns a value of the type of s. below says that the rule is about it, or about a value around it.
func (m *maker) value(s *structural.Schema, below bool) any {
	onPath := m.onPath[s]
	below = below || s == m.target.Node()
	switch {
	case s.Nullable && !onPath && m.oneIn(8):
		return nil
	case s.ValueValidation != nil && len(s.ValueValidation.Enum) > 0 && !m.oneIn(4):
		return jsonvalue.Copy(pick(m.rng, s.ValueValidation.Enum))
	case s.XIntOrString:
		if m.oneIn(2) {
			return m.integer()
		}
		return m.text(s)
	case s.Type == "object":
		return m.fields(s, below)
	case s.Type == "array":
		return m.elements(s, below)
	case s.Type == "integer":
		return m.integer()
	case s.Type == "number":
		if m.oneIn(2) {
			return m.integer()
		}
		return float64(m.integer()) + 0.5
	case s.Type == "boolean":
		return m.oneIn(2)
	case s.Type == "string":
		return m.text(s)
	}
	return pick(m.rng, []any{map[string]any{"a": "b"}, "x", int64(1), []any{"x"}})
}

func (m *maker) fields(s *structural.Schema, below bool) map[string]any {
	out := map[string]any{}
	for _, name := range sortedKeys(s.Properties) {
		p := s.Properties[name]
		isRequired := s.ValueValidation != nil && slices.Contains(s.ValueValidation.Required, name)
		var chance int // of 100
		switch {
		case m.onPath[p]:
			chance = 100
		case below && m.target.reads[name]:
			chance = m.chance
		case isRequired:
			chance = 85
		case below:
			chance = 12
		default:
			chance = 3
		}
		if m.rng.IntN(100) < chance {
			out[name] = m.value(p, below)
		}
	}
	if ap := s.AdditionalProperties; ap != nil && ap.Schema != nil {
		n, done := m.size(m.onPath[ap.Schema], below, maxProperties(s))
		for range n {
			out[m.key()] = m.value(ap.Schema, below)
		}
		done()
	}
	if s.XPreserveUnknownFields && m.oneIn(3) {
		out["unknown"] = pick(m.rng, []any{"x", int64(1), map[string]any{"y": nil}})
	}
	if s.XEmbeddedResource {
		out["apiVersion"], out["kind"], out["metadata"] = "v1", "Pod", map[string]any{"name": m.text(nil)}
	}
	return out
}

func (m *maker) key() string {
	if m.oneIn(2) {
		return m.text(nil)
	}
	return "key" + strconv.Itoa(m.rng.IntN(4))
}

// size returns how many elements a list has, or a map; done is called when they are made. most is how many it may have, nil for any number.
func (m *maker) size(onPath, below bool, most *int64) (n int, done func()) {
	done = func() {}
	if m.isLong && below {
		room := m.room
		n = room
		if most != nil {
			n = int(min(int64(n), *most))
		}
		m.room = room / max(n, 1)
		return n, func() { m.room = room }
	}
	return m.shortSize(onPath), done
}

func (m *maker) shortSize(onPath bool) int {
	if lits := m.target.literals.integers; len(lits) > 0 && m.oneIn(5) {
		if n := pick(m.rng, lits) + int64(m.rng.IntN(3)) - 1; n >= 0 && n <= 70 {
			return int(n)
		}
	}
	n := m.rng.IntN(4)
	if onPath {
		n = max(n, 1)
	}
	return n
}

func (m *maker) elements(s *structural.Schema, below bool) []any {
	out := []any{}
	if s.Items == nil {
		return out
	}
	n, done := m.size(m.onPath[s.Items], below, maxItems(s))
	defer done()
	for range n {
		if len(out) > 0 && (m.oneIn(5) || m.hasTwins && !m.oneIn(4)) {
			again := jsonvalue.Copy(pick(m.rng, out))
			switch m.rng.IntN(3) {
			case 0:
				again = m.changed(again, 3, false)
			case 1: // all is the same, except for one field
				if fields, ok := again.(map[string]any); ok && len(fields) > 0 {
					delete(fields, pick(m.rng, sortedKeys(fields)))
				}
			}
			out = append(out, again)
			continue
		}
		out = append(out, m.value(s.Items, below))
	}
	return out
}

func maxItems(s *structural.Schema) *int64 {
	if s.ValueValidation == nil {
		return nil
	}
	return s.ValueValidation.MaxItems
}

func maxProperties(s *structural.Schema) *int64 {
	if s.ValueValidation == nil {
		return nil
	}
	return s.ValueValidation.MaxProperties
}

func (m *maker) integer() int64 {
	if lits := m.target.literals.integers; len(lits) > 0 && !m.oneIn(4) {
		return pick(m.rng, lits) + int64(m.rng.IntN(3)) - 1
	}
	return pick(m.rng, []int64{0, 1, 2, 3, 5, 10, 100, -1, 65535, 70000, 1 << 40})
}

func (m *maker) text(s *structural.Schema) string {
	if s != nil && s.ValueValidation != nil {
		switch v := s.ValueValidation; {
		case v.Format == "duration" && !m.oneIn(6):
			return pick(m.rng, []string{"1h", "30s", "0s", "1 day", "2w", "1h30m", "-5s"})
		case v.Format == "date-time" && !m.oneIn(6):
			return pick(m.rng, []string{"2024-01-01T00:00:00Z", "2024-06-01T12:00:00.5+02:00", "1999-12-31T23:59:59Z"})
		case v.Format == "date" && !m.oneIn(6):
			return pick(m.rng, []string{"2024-01-01", "1999-12-31"})
		case v.Format == "byte" && !m.oneIn(6):
			return pick(m.rng, []string{"YWJj", "", "AAAA", "__8="})
		case v.Pattern != "" && m.oneIn(3):
			return matching(m.rng, v.Pattern)
		}
	}
	if m.oneIn(3) {
		return pick(m.rng, m.few)
	}
	return m.newText()
}

// newText returns a text with something of the rule in it, or any.
func (m *maker) newText() string {
	lits := m.target.literals
	if m.isLong && m.oneIn(2) {
		if n := pick(m.rng, lits.integers) + 1; n > 0 && n < maxLength {
			return strings.Repeat("a", int(n))
		}
	}
	switch m.rng.IntN(7) {
	case 0, 1:
		if len(lits.texts) > 0 {
			return pick(m.rng, lits.texts)
		}
	case 2:
		if len(lits.patterns) > 0 {
			return matching(m.rng, pick(m.rng, lits.patterns))
		}
	case 3:
		if len(lits.texts) > 0 {
			return pick(m.rng, lits.texts) + pick(m.rng, []string{"", "x", "/", ":", ".", "-"}) + pick(m.rng, lits.texts)
		}
	case 4:
		if lits := lits.integers; len(lits) > 0 && m.oneIn(2) {
			if n := pick(m.rng, lits) + int64(m.rng.IntN(3)) - 1; n >= 0 && n < maxLength {
				return strings.Repeat(pick(m.rng, []string{"a", "a.", "ä"}), int(n))[:n]
			}
		}
	case 5:
		return ""
	}
	return pick(m.rng, samples)
}

// maxLength is how long texts are at most.
const maxLength = 5000

// before returns an object that an update could lead from to obj.
func (m *maker) before(obj map[string]any) map[string]any {
	old, _ := m.changed(jsonvalue.Copy(obj), []int{3, 10, 40}[m.rng.IntN(3)], false).(map[string]any)
	return old
}

// spoiled returns obj with values of wrong types.
func (m *maker) spoiled(obj map[string]any) map[string]any {
	out, _ := m.changed(jsonvalue.Copy(obj), []int{6, 20, 60}[m.rng.IntN(3)], true).(map[string]any)
	return out
}

// changed returns a value in which about one value in so many is different; its type may be another.
func (m *maker) changed(v any, often int, anyType bool) any {
	if anyType && m.oneIn(4*often) {
		return pick(m.rng, []any{nil, "x", int64(1), 1.5, true, map[string]any{"a": "b"}, []any{"x"}, []any{}, map[string]any{}})
	}
	differs := m.oneIn(often)
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			if m.oneIn(3*often) && k != "metadata" {
				delete(v, k)
			} else if k != "metadata" || anyType {
				below := m.changed(v[k], often, anyType)
				if k == "metadata" && below == nil {
					continue
				}
				v[k] = below
			}
		}
	case []any:
		for i := range v {
			v[i] = m.changed(v[i], often, anyType)
		}
		if !differs || len(v) == 0 {
			return v
		}
		switch m.rng.IntN(4) {
		case 0:
			m.rng.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		case 1:
			return v[1:]
		case 2:
			return append(v, jsonvalue.Copy(v[0]))
		}
		return v
	case string:
		if differs {
			return m.text(nil)
		}
	case int64:
		if differs {
			return m.integer()
		}
	case bool:
		return v != differs
	}
	return v
}
