package specimen

import (
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Aim makes objects for one place in a schema and for what the schema says there, in a CEL rule, for example: values have the types of
// the schema, but need not keep to its bounds.
type Aim struct {
	// Path leads to the schema of the place. Values of these schemas exist.
	Path []*structural.Schema
	// Fields are names. Below the place, such fields often exist; others seldom do.
	Fields map[string]bool
	// Texts, Patterns and Integers are parts to make texts and integers from.
	Texts, Patterns []string
	Integers        []int64
	// Long makes long lists, maps and texts below the place.
	Long bool
}

// Read adds the constants of a CEL rule and the fields that it reads.
func (a *Aim) Read(e *prunecel.Expr) {
	switch e.Op {
	case prunecel.OpConst:
		switch v := e.Const.(type) {
		case string:
			a.Texts = append(a.Texts, v)
		case int64:
			a.Integers = append(a.Integers, v)
		}
	case prunecel.OpSelect, prunecel.OpHas:
		if name, ok := prunecel.Unescape(e.Name); ok {
			a.Fields[name] = true
		}
	case prunecel.OpCall:
		switch e.Name {
		case "matches", "find", "findAll":
			if p, ok := e.Args[1].Const.(string); ok {
				a.Patterns = append(a.Patterns, p)
			}
		case "_?._", "_[?_]":
			if name, ok := e.Args[1].Const.(string); ok {
				a.Fields[name] = true
			}
		}
	}
	for _, arg := range e.Args {
		a.Read(arg)
	}
}

// aiming is an Aim while one object is made.
type aiming struct {
	*Aim
	onPath map[*structural.Schema]bool
	// chance is the percentage of the fields that exist; few are texts that are used repeatedly.
	chance int
	few    []string
	// room is how many elements a long list may have, and lists in it together; below says that the place is around the value.
	room  int
	below bool
	// hasTwins says that most elements of a list resemble others in it.
	hasTwins bool
}

// mostElements is how many elements long lists have, mostLetters how many letters texts.
const mostElements, mostLetters = 150, 5000

func (m *Maker) aimAt(a *Aim) {
	m.aim = &aiming{Aim: a, onPath: map[*structural.Schema]bool{}, room: mostElements, chance: pick(m.Rand, 30, 60, 95), hasTwins: m.OneIn(4)}
	for _, s := range a.Path {
		m.aim.onPath[s] = true
	}
	for range 2 {
		m.aim.few = append(m.aim.few, m.aim.text(m))
	}
}

// enter is called when a value of s begins, and what it returns when it ends.
func (a *aiming) enter(s *structural.Schema) (leave func()) {
	was := a.below
	a.below = was || s == a.Path[len(a.Path)-1]
	return func() { a.below = was }
}

// wants reports whether a field exists.
func (a *aiming) wants(m *Maker, name string, s *structural.Schema, required bool) bool {
	chance := 3 // of 100
	switch {
	case a.onPath[s]:
		chance = 100
	case a.below && a.Fields[name]:
		chance = a.chance
	case required:
		chance = 85
	case a.below:
		chance = 12
	}
	return m.Rand.IntN(100) < chance
}

// count returns how many elements a list or a map has; done is called when they are made. most is how many it may have, nil for
// any number.
func (a *aiming) count(m *Maker, elements *structural.Schema, most *int64) (n int, done func()) {
	done = func() {}
	if a.Long && a.below {
		room := a.room
		n = room
		if most != nil {
			n = int(min(int64(n), *most))
		}
		a.room = room / max(n, 1)
		return n, func() { a.room = room }
	}
	if len(a.Integers) > 0 && m.OneIn(5) {
		if n := a.integer(m); n >= 0 && n <= 70 {
			return int(n), done
		}
	}
	n = m.Rand.IntN(4)
	if a.onPath[elements] {
		n = max(n, 1)
	}
	return n, done
}

// integer returns one of the integers, or one beside it.
func (a *aiming) integer(m *Maker) int64 {
	if len(a.Integers) > 0 && !m.OneIn(4) {
		return pick(m.Rand, a.Integers...) + int64(m.Rand.IntN(3)) - 1
	}
	return pick[int64](m.Rand, 0, 1, 2, 3, 5, 10, 100, -1, 65535, 70000, 1<<40)
}

// value returns a text for a schema: often one of its format, now and then one of its pattern.
func (a *aiming) value(m *Maker, v *structural.ValueValidation) string {
	switch {
	case v.Format != "" && !m.OneIn(6):
		return m.formatted(v.Format)
	case v.Pattern != "" && m.OneIn(3):
		return matching(m.Rand, v.Pattern)
	}
	if m.OneIn(3) {
		return pick(m.Rand, a.few...)
	}
	return a.text(m)
}

// text returns a text with a part of what is aimed at, or any text.
func (a *aiming) text(m *Maker) string {
	if a.Long && len(a.Integers) > 0 && m.OneIn(2) {
		if n := pick(m.Rand, a.Integers...) + 1; n > 0 && n < mostLetters {
			return strings.Repeat("a", int(n))
		}
	}
	switch m.Rand.IntN(7) {
	case 0, 1:
		if len(a.Texts) > 0 {
			return pick(m.Rand, a.Texts...)
		}
	case 2:
		if len(a.Patterns) > 0 {
			return matching(m.Rand, pick(m.Rand, a.Patterns...))
		}
	case 3:
		if len(a.Texts) > 0 {
			return pick(m.Rand, a.Texts...) + pick(m.Rand, "", "x", "/", ":", ".", "-") + pick(m.Rand, a.Texts...)
		}
	case 4:
		if len(a.Integers) > 0 && m.OneIn(2) {
			if n := a.integer(m); n >= 0 && n < mostLetters {
				return first(strings.Repeat(pick(m.Rand, "a", "a.", "é"), int(n)), int(n))
			}
		}
	case 5:
		return ""
	}
	return pick(m.Rand, Samples...)
}

func (a *aiming) key(m *Maker) string {
	if m.OneIn(2) {
		return a.value(m, &structural.ValueValidation{})
	}
	return "key" + strconv.Itoa(m.Rand.IntN(4))
}

// twins makes elements of lists like others in them, equal or nearly so.
func (a *aiming) twins(m *Maker, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sorted.Keys(v) {
			a.twins(m, v[k])
		}
	case []any:
		for i, e := range v {
			a.twins(m, e)
			if i == 0 || !m.OneIn(5) && (!a.hasTwins || m.OneIn(4)) {
				continue
			}
			v[i] = jsonvalue.Copy(v[m.Rand.IntN(i)])
			fields, ok := v[i].(map[string]any)
			switch {
			case m.OneIn(3):
				v[i] = a.nearly(m, v[i])
			case ok && len(fields) > 0 && m.OneIn(2): // all is the same, except for one field
				delete(fields, pick(m.Rand, sorted.Keys(fields)...))
			}
		}
	}
}

// nearly returns v with another value in one place.
func (a *aiming) nearly(m *Maker, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			k := pick(m.Rand, sorted.Keys(v)...)
			v[k] = a.nearly(m, v[k])
		}
	case []any:
		if len(v) > 0 {
			i := m.Rand.IntN(len(v))
			v[i] = a.nearly(m, v[i])
		}
	case string:
		return pick(m.Rand, v+"x", a.text(m))
	case int64:
		return pick(m.Rand, v+1, a.integer(m))
	case bool:
		return !v
	}
	return v
}

// Samples are texts that functions of CEL can parse, or nearly can.
var Samples = []string{
	"", "a", "abc", "A", "a-b", "a.b.c", "a/b", "*", "*.example.com", "example.com", "10.0.0.0/8", "10.0.0.1/8", "fd00::/8", "192.168.1.1", "::1",
	"::ffff:1.2.3.4", "https://example.com:80/path?x=1&x=2", "http://[::1", "/path", "1h", "30s", "1d", "5", "-1", "0", "100%", "50%", "1.5", "100m", "1Gi",
	"v1.2.3", "1.2.3", "1.2.3-rc.1", "true", "arn:aws:iam::123456789012:role/x", "2024-01-01T00:00:00Z", "2024-01-01", "YWJj", "not base64!", "ä",
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789", " x ", "a,b,c", "{}", "x=y",
}
