package specimen

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/structural"
)

// Violations makes objects that violate the keywords of a schema.
type Violations struct {
	schema   *structural.Schema
	keywords []keyword
}

// NewViolations finds the keywords of s.
func NewViolations(s *structural.Schema) *Violations {
	s = orNone(s)
	return &Violations{s, keywords(s)}
}

// Keywords returns how many keywords there are.
func (v *Violations) Keywords() int { return len(v.keywords) }

// Of returns the numbers of the keywords that are about values of s, which is part of the schema, or about fields of theirs.
func (v *Violations) Of(s *structural.Schema) (numbers []int) {
	for i, k := range v.keywords {
		if k.schema == s || k.schema != nil && slices.Contains(slices.Collect(maps.Values(s.Properties)), k.schema) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// Make returns a small object with a value for the keyword of that number, counted from 0, that violates it or is at its border. The seed
// decides how.
func (v *Violations) Make(number int, seed uint64) map[string]any {
	m := &Maker{Rand: newRand(seed ^ uint64(number)<<20), opts: Options{Size: 200}}
	root := m.root(v.schema)
	m.violate(root, v.keywords[number])
	return root.Object()
}

// Into violates the keyword of that number in an object that m has made for the schema.
func (v *Violations) Into(root *Node, number int, m *Maker) { m.violate(root, v.keywords[number]) }

func (m *Maker) violate(root *Node, k keyword) {
	whole := *root
	if n := k.at(m, root); n != nil {
		if n.Schema == nil {
			n.Schema = k.schema
		}
		k.violate(m, n)
	}
	if root.Form != MapForm {
		*root = whole // which is a map in every object
	}
}

// keyword is a place in a schema that restricts values: a keyword of value validation, in the schema of a value or below a
// junctor of it, or another one that is about more than the type.
type keyword struct {
	name   string // with the fields above it
	at     place
	schema *structural.Schema // of the value
	// violate changes a value to one that the keyword does not allow, or that is at its border.
	violate func(m *Maker, n *Node)
}

// place returns a value of an object, and makes it if it is missing. It returns nil if a value without a schema is in its place.
type place func(m *Maker, root *Node) *Node

// keywords returns every keyword of s, in an order that is always the same.
func keywords(s *structural.Schema) []keyword {
	var f keywordFinder
	f.schema(s, "", func(_ *Maker, root *Node) *Node { return root })
	return f.all
}

type keywordFinder struct {
	all []keyword
}

func (f *keywordFinder) add(set bool, at place, s *structural.Schema, name string, violate func(m *Maker, n *Node)) {
	if set {
		f.all = append(f.all, keyword{name, at, s, violate})
	}
}

func (f *keywordFinder) schema(s *structural.Schema, path string, at place) {
	if s.ValueValidation != nil {
		f.values(s.ValueValidation, s, path, at)
	}
	ap := s.AdditionalProperties
	f.add(s.XListType != nil && *s.XListType != "atomic", at, s, path+".x-kubernetes-list-type", (*Maker).repeat)
	f.add(s.XIntOrString, at, s, path+".x-kubernetes-int-or-string", becomeOne(true, 1.5, 2.0, nil, int64(3), "3"))
	f.add(s.XEmbeddedResource, at, s, path+".x-kubernetes-embedded-resource", (*Maker).violateResource)
	f.add(ap != nil && ap.Schema == nil && !ap.Bool, at, s, path+".additionalProperties", func(m *Maker, n *Node) {
		if n.Form == MapForm {
			n.Set(m.Key(n), m.freeScalar())
		}
	})
	for _, k := range sorted.Keys(s.Properties) {
		f.schema(s.Properties[k], path+"."+k, at.property(k))
	}
	if s.Items != nil {
		f.schema(s.Items, path+".", at.item)
	}
	if ap != nil && ap.Schema != nil {
		f.schema(ap.Schema, path+".", at.additional)
	}
}

// property returns the place of a property.
func (at place) property(k string) place {
	return func(m *Maker, root *Node) *Node {
		n := at(m, root)
		if n == nil || n.Schema == nil {
			return nil
		}
		n.reset(MapForm)
		child := n.Get(k)
		if child == nil || child.Schema == nil {
			child = m.Value(orNone(n.Schema.Properties[k]), 0)
			n.Set(k, child)
		}
		return child
	}
}

// item is the place of an element.
func (at place) item(m *Maker, root *Node) *Node {
	n := at(m, root)
	if n == nil || n.Schema == nil {
		return nil
	}
	n.reset(ListForm)
	if len(n.List) == 0 || m.OneIn(4) {
		n.List = append(n.List, m.Value(orNone(n.Schema.Items), 0))
	}
	return pick(m.Rand, n.List...)
}

// additional is the place of a value in a map.
func (at place) additional(m *Maker, root *Node) *Node {
	n := at(m, root)
	if n == nil || n.Schema == nil {
		return nil
	}
	n.reset(MapForm)
	child := m.Value(orNone(n.Schema.Values()), 0) // the schema of all metadata, which embedded resources have, is not a map
	n.Set(m.Key(n), child)
	return child
}

// orNone returns s, or a schema without keywords: junctors of schemas that are not structural can name fields without a schema.
func orNone(s *structural.Schema) *structural.Schema {
	if s == nil {
		return &structural.Schema{}
	}
	return s
}

// becomeOne returns a function that changes a value to one of all, or to a word.
func becomeOne(all ...any) func(*Maker, *Node) {
	return func(m *Maker, n *Node) { n.Become(pick(m.Rand, append(all, m.Word())...)) }
}

// bound returns a function that sets a size or a length next to a limit.
func bound(limit *int64, give func(*Maker, *Node, int64)) func(*Maker, *Node) {
	return func(m *Maker, n *Node) { give(m, n, *limit+int64(m.Rand.IntN(3))-1) }
}

// values adds the keywords of a validation of the value that s is the schema of.
func (f *keywordFinder) values(v *structural.ValueValidation, s *structural.Schema, path string, at place) {
	near := func(bound *float64) func(*Maker, *Node) {
		return func(m *Maker, n *Node) { n.Become(m.near(*bound)) }
	}
	for _, k := range []struct {
		name    string
		set     bool
		violate func(*Maker, *Node)
	}{
		{"format", v.Format != "", becomeOne(append(formatted(v.Format), int64(1), []any{}, nil, "5", true, 2.0, 1e300)...)},
		{"maximum", v.Maximum != nil, near(v.Maximum)},
		{"minimum", v.Minimum != nil, near(v.Minimum)},
		{"multipleOf", v.MultipleOf != nil, func(m *Maker, n *Node) { n.Become(m.near(*v.MultipleOf * float64(m.Rand.IntN(5)))) }},
		{"maxLength", v.MaxLength != nil, bound(v.MaxLength, (*Maker).letters)},
		{"minLength", v.MinLength != nil, bound(v.MinLength, (*Maker).letters)},
		{"pattern", v.Pattern != "", func(m *Maker, n *Node) {
			text := matching(m.Rand, v.Pattern)
			n.Become(pick(m.Rand, text, text+"!", "-"+text, text+"-", text+"\n", strings.ToUpper(text), first(text, utf8.RuneCountInString(text)/2), "é"+text, "", "a", "0", "A b",
				m.Word(), strings.Repeat("a", 64)))
		}},
		{"maxItems", v.MaxItems != nil, bound(v.MaxItems, (*Maker).resize)},
		{"minItems", v.MinItems != nil, bound(v.MinItems, (*Maker).resize)},
		{"uniqueItems", v.UniqueItems, (*Maker).repeat},
		{"enum", len(v.Enum) > 0, becomeOne(append(besides(v.Enum), "other", "", int64(65), 65.7, 1.0, true, nil)...)},
		{"maxProperties", v.MaxProperties != nil, bound(v.MaxProperties, (*Maker).resizeMap)},
		{"minProperties", v.MinProperties != nil, bound(v.MinProperties, (*Maker).resizeMap)},
		{"required", len(v.Required) > 0, func(m *Maker, n *Node) { n.Remove(pick(m.Rand, v.Required...)) }},
	} {
		f.add(k.set, at, s, path+"."+k.name, k.violate)
	}
	for _, junctor := range [][]*structural.NestedValueValidation{v.AllOf, v.AnyOf, v.OneOf, {v.Not}} {
		for _, n := range junctor {
			f.nested(n, s, path, at)
		}
	}
}

// nested adds the keywords below a junctor. The schema of a value there is that of the structure beside it.
func (f *keywordFinder) nested(n *structural.NestedValueValidation, s *structural.Schema, path string, at place) {
	if n == nil {
		return
	}
	s = orNone(s)
	f.values(&n.ValueValidation, s, path, at)
	f.add(n.ForbiddenGenerics.Type != "", at, s, path+".type", becomeOne(int64(1), 1.5, 2.0, true, nil, []any{}, []any{int64(1)}, map[string]any{}))
	for _, k := range sorted.Keys(n.Properties) {
		f.nested(n.Properties[k], s.Properties[k], path+"."+k, at.property(k))
	}
	f.nested(n.Items, s.Items, path+".", at.item)
}

// besides returns the values of an enum, and some that nearly equal them.
func besides(enum []any) []any {
	all := slices.Clone(enum)
	for _, v := range enum {
		switch v := v.(type) {
		case string:
			all = append(all, v+"x", strings.ToUpper(v))
		case int64:
			all = append(all, float64(v), float64(v)+0.5, v+1)
		case float64:
			all = append(all, v+0.5, int64(v))
		case map[string]any:
			more := maps.Clone(v)
			more["more"] = true
			all = append(all, more)
		}
	}
	return all
}

// near returns a number at a bound or next to it, of either type.
func (m *Maker) near(bound float64) any {
	f := bound + pick(m.Rand, 0, 1, -1, 0.5, -0.5, 1e-10)
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 && !m.OneIn(4) {
		return int64(f)
	}
	return pick(m.Rand, f, f, math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1)))
}

// letters makes n a text of count letters, of one byte or of several.
func (m *Maker) letters(n *Node, count int64) {
	n.Become(strings.Repeat(pick(m.Rand, "a", "é", "🙂"), int(min(max(count, 0), 10_000))))
}

// most is the maximum length of lists and maps that violate a keyword.
const most = 300

// resize makes n a list of the given number of elements.
func (m *Maker) resize(n *Node, size int64) {
	n.reset(ListForm)
	for size = min(max(size, 0), most); int64(len(n.List)) < size; {
		n.List = append(n.List, m.Value(n.Schema.Items, 0))
	}
	n.List = n.List[:size]
}

// resizeMap makes n a map of the given number of fields.
func (m *Maker) resizeMap(n *Node, size int64) {
	n.reset(MapForm)
	for size = min(max(size, 0), most); int64(len(n.Fields)) < size; {
		n.Set(m.Key(n), m.AnyValue(elementsOf(n.Schema)))
	}
	n.Fields = n.Fields[:size]
}

// repeat makes n a list in which elements, or parts of them, appear two or three times.
func (m *Maker) repeat(n *Node) {
	n.reset(ListForm)
	for len(n.List) < 2 {
		n.List = append(n.List, m.Value(n.Schema.Items, 60))
	}
	for range 1 + m.Rand.IntN(3) {
		again := *pick(m.Rand, n.List...)
		again.Fields = slices.Clone(again.Fields)
		switch {
		case m.OneIn(8):
			again.Become(pick[any](m.Rand, nil, "x", int64(1), 1.0, true))
		case len(again.Fields) > 0 && m.OneIn(3):
			if again.Remove(pick(m.Rand, again.Fields...).Key); m.OneIn(2) {
				again.Set("extra", &Node{Scalar: m.Word()})
			}
		}
		n.List = slices.Insert(n.List, m.Rand.IntN(len(n.List)+1), &again)
	}
}

// violateResource spoils apiVersion or kind of a resource.
func (m *Maker) violateResource(n *Node) {
	if k := pick(m.Rand, "apiVersion", "kind"); m.OneIn(4) {
		n.Remove(k)
	} else if n.Form == MapForm {
		n.Set(k, &Node{Role: TypeMeta, Scalar: pick[any](m.Rand, "", "a/b/c", "/", "v1", "Two Words", "-", strings.Repeat("a", 64), int64(1), nil, "a/v1", "1")})
	}
}
