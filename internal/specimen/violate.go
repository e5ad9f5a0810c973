package specimen

import (
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/aimed"
	"github.com/prune-gen/prune-gen/structural"
)

// Violations makes objects that violate the keywords of a schema.
type Violations struct {
	schema   *structural.Schema
	keywords []keyword
}

// NewViolations finds the keywords of s.
func NewViolations(s *structural.Schema) *Violations {
	if s == nil {
		s = &structural.Schema{}
	}
	return &Violations{s, keywords(s)}
}

// Keywords returns how many keywords there are.
func (v *Violations) Keywords() int { return len(v.keywords) }

// Make returns a small object with a value for the keyword of that number, counted from 0, that violates it or is at its
// border. The seed says how.
func (v *Violations) Make(number int, seed uint64) map[string]any {
	m := &maker{rng: newRand(seed ^ uint64(number)<<20), opts: Options{Size: 200}}
	root := m.root(v.schema)
	m.violate(root, v.keywords[number])
	return root.object()
}

// spoilValues violates some keywords of a schema.
func (m *maker) spoilValues(root *node, s *structural.Schema) {
	all := keywords(s)
	if len(all) == 0 {
		return
	}
	for range 1 + int(m.opts.Rate*float64(min(len(all), 40))) {
		m.violate(root, all[m.rng.IntN(len(all))])
	}
}

// violate puts a value where a keyword applies to it, that violates the keyword or is at its border.
func (m *maker) violate(root *node, k keyword) {
	whole := *root
	n := root
	for _, step := range k.way {
		if n = m.below(n, step); n == nil {
			break // there is something else, which is a flaw too
		}
	}
	if n != nil {
		m.violateHere(n, k)
	}
	if root.form != mapForm {
		*root = whole // which is a map in every object
	}
}

// below returns a node below n, which is made if there is none.
func (m *maker) below(n *node, step wayStep) *node {
	if n.schema == nil {
		return nil
	}
	switch step.kind {
	case toProperty:
		if n.form != mapForm {
			n.form, n.list, n.fields = mapForm, nil, nil
		}
		child := n.get(step.name)
		if child == nil || child.schema == nil {
			child = m.value(orNone(n.schema.Properties[step.name]), 0)
			n.set(step.name, child)
		}
		return child
	case toItem:
		if n.form != listForm {
			n.form, n.list, n.fields = listForm, nil, nil
		}
		if len(n.list) == 0 || m.rng.IntN(4) == 0 {
			n.list = append(n.list, m.value(orNone(n.schema.Items), 0))
		}
		return n.list[m.rng.IntN(len(n.list))]
	default:
		if n.form != mapForm {
			n.form, n.list, n.fields = mapForm, nil, nil
		}
		child := m.value(n.schema.AdditionalProperties.Schema, 0)
		n.set(m.key(n), child)
		return child
	}
}

// orNone returns s, or a schema without keywords: junctors of schemas that are not structural name what has none.
func orNone(s *structural.Schema) *structural.Schema {
	if s == nil {
		return &structural.Schema{}
	}
	return s
}

// violateHere violates a keyword at n.
func (m *maker) violateHere(n *node, k keyword) {
	if n.schema == nil {
		n.schema = k.schema
	}
	v := k.values
	switch k.name {
	case "maximum":
		n.become(m.near(*v.Maximum))
	case "minimum":
		n.become(m.near(*v.Minimum))
	case "multipleOf":
		n.become(m.near(*v.MultipleOf * float64(m.rng.IntN(5))))
	case "maxLength":
		n.become(m.letters(*v.MaxLength + pick[int64](m.rng, -1, 0, 1, 1)))
	case "minLength":
		n.become(m.letters(*v.MinLength + int64(m.rng.IntN(3)) - 2))
	case "format":
		n.become(pick(m.rng, append(aimed.At(map[string]any{"format": v.Format}), m.word(), int64(1), []any{}, nil, "5", true, 2.0, 1e300)...))
	case "pattern":
		n.become(pick(m.rng, append(aimed.At(map[string]any{"pattern": v.Pattern}), m.word(), "A b", strings.Repeat("a", 64))...))
	case "enum":
		n.become(pick(m.rng, append(aimed.At(map[string]any{"enum": v.Enum}), "other", "", int64(65), 65.7, 1.0, true, nil, m.word())...))
	case "type":
		n.become(pick[any](m.rng, m.word(), int64(1), 1.5, 2.0, true, nil, []any{}, []any{int64(1)}, map[string]any{}))
	case "maxItems":
		m.resize(n, *v.MaxItems+int64(m.rng.IntN(2)))
	case "minItems":
		m.resize(n, *v.MinItems-int64(m.rng.IntN(2)))
	case "uniqueItems", "x-kubernetes-list-type":
		m.repeat(n)
	case "maxProperties":
		m.resizeMap(n, *v.MaxProperties+int64(m.rng.IntN(2)))
	case "minProperties":
		m.resizeMap(n, *v.MinProperties-int64(m.rng.IntN(2)))
	case "required":
		if n.form == mapForm {
			n.remove(pick(m.rng, v.Required...))
		}
	case "additionalProperties":
		if n.form == mapForm {
			n.set(m.key(n), m.freeScalar(&node{}))
		}
	case "x-kubernetes-int-or-string":
		n.become(pick[any](m.rng, true, 1.5, 2.0, nil, int64(3), "3"))
	case "x-kubernetes-embedded-resource":
		m.violateResource(n)
	default:
		panic("specimen: nobody violates " + k.name)
	}
}

// near returns a number at a bound or next to it, of either type.
func (m *maker) near(bound float64) any {
	f := bound + pick(m.rng, 0, 1, -1, 0.5, -0.5, 1e-10)
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 && !m.oneIn(4) {
		return int64(f)
	}
	return pick(m.rng, f, f, math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1)))
}

// letters returns so many letters, of one byte or of several.
func (m *maker) letters(n int64) string {
	return strings.Repeat(pick(m.rng, "a", "é", "🙂"), int(min(max(n, 0), 10_000)))
}

// most is how long lists and maps get at most for the sake of a keyword.
const most = 300

// resize makes n a list of so many elements.
func (m *maker) resize(n *node, size int64) {
	if n.form != listForm {
		n.form, n.list, n.fields = listForm, nil, nil
	}
	size = min(max(size, 0), most)
	for int64(len(n.list)) < size {
		n.list = append(n.list, m.value(n.schema.Items, 0))
	}
	n.list = n.list[:size]
}

// resizeMap makes n a map of so many fields.
func (m *maker) resizeMap(n *node, size int64) {
	if n.form != mapForm {
		n.form, n.list, n.fields = mapForm, nil, nil
	}
	size = min(max(size, 0), most)
	for int64(len(n.fields)) < size {
		n.set(m.key(n), m.anyValue(elementsOf(n.schema)))
	}
	n.fields = n.fields[:size]
}

// repeat makes n a list in which elements, or parts of them, stand twice or three times.
func (m *maker) repeat(n *node) {
	if n.form != listForm {
		n.form, n.list, n.fields = listForm, nil, nil
	}
	for len(n.list) < 2 {
		n.list = append(n.list, m.value(n.schema.Items, 60))
	}
	for range 1 + m.rng.IntN(3) {
		again := *n.list[m.rng.IntN(len(n.list))]
		again.fields = slices.Clone(again.fields)
		switch {
		case m.rng.IntN(8) == 0:
			again.become(pick[any](m.rng, nil, "x", int64(1), 1.0, true))
		case again.form == mapForm && len(again.fields) > 0 && m.rng.IntN(3) == 0:
			i := m.rng.IntN(len(again.fields))
			if again.remove(again.fields[i].key); m.rng.IntN(2) == 0 {
				again.set("extra", &node{scalar: m.word()})
			}
		}
		n.list = slices.Insert(n.list, m.rng.IntN(len(n.list)+1), &again)
	}
}

// violateResource spoils apiVersion or kind of a resource.
func (m *maker) violateResource(n *node) {
	k := []string{"apiVersion", "kind"}[m.rng.IntN(2)]
	if n.form != mapForm {
		return
	}
	if m.rng.IntN(4) == 0 {
		n.remove(k)
		return
	}
	n.set(k, &node{role: typeMeta, scalar: pick[any](m.rng, "", "a/b/c", "/", "v1", "Two Words", "-", strings.Repeat("a", 64), int64(1), nil, "a/v1", "1")})
}
