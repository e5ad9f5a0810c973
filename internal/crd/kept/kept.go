// Package kept compares what pruning keeps of the objects of two CRDs.
package kept

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/pruning"
	"github.com/prune-gen/prune-gen/structural"
)

// Tree is what pruning keeps of the objects of a kind, as a tree.
type Tree struct {
	fields   map[string]*Tree
	values   *Tree // of a map, nil if it is not one
	refused  bool  // the values: no object has one
	elements *Tree // of a list, nil if it is not one
	rest     bool  // fields that are not specified stay, with all below them
	form     form
}

// form is the JSON type of values. If it changes, values are refused before fields are lost.
type form uint8

const (
	formUnknown form = iota
	formAny
	formScalar
	formObject
	formList
)

// By returns the tree of objects that behave like b.
func By(b structural.Behavior) *Tree {
	root := b.Schema.Resource()
	k := keeper{pruning.Options{Semantics: b.Semantics, PreserveUnknownFields: !b.Pruned}}
	return k.schema(root, root.XPreserveUnknownFields)
}

type keeper struct{ opts pruning.Options }

func (k keeper) schema(s *structural.Schema, preserve bool) *Tree {
	inherits := preserve && k.opts.Semantics == structural.KEP2332
	n := &Tree{form: formOf(s), rest: k.opts.KeepsUnknown(s, preserve)}
	if s.XEmbeddedResource {
		n.addMeta()
	}
	for name, child := range s.Properties {
		if !s.XEmbeddedResource || !structural.IsMetaField(name) {
			n.set(name, k.schema(child, k.opts.Preserves(child, inherits)))
		}
	}
	if values := pruning.Values(s); values != nil {
		n.refused = s.Values() == nil && !s.AdditionalProperties.Bool
		n.values = k.schema(values, k.opts.Preserves(values, inherits))
	}
	switch {
	case s.Items != nil:
		n.elements = k.schema(s.Items, k.opts.Preserves(s.Items, preserve))
	case preserve && !n.rest && n.form != formObject: // of a list in the place of the map
		n.elements = &Tree{rest: true}
	}
	return n
}

// formOf returns the forms of values that s accepts.
func formOf(s *structural.Schema) form {
	switch {
	case s.XIntOrString:
		return formScalar
	case s.Type == "":
		return formAny
	case s.Type == "object":
		return formObject
	case s.Type == "array":
		return formList
	}
	return formScalar
}

// addMeta adds the fields that every resource has.
func (n *Tree) addMeta() {
	for _, name := range []string{"apiVersion", "kind"} {
		n.set(name, &Tree{rest: true, form: formScalar})
	}
	n.set("metadata", keeper{}.schema(pruning.ObjectMeta(), false))
}

func (n *Tree) set(name string, child *Tree) {
	if n.fields == nil {
		n.fields = map[string]*Tree{}
	}
	n.fields[name] = child
}

// ByFields returns the tree of what a Fields function lists. Names are not escaped in such a list, so a.b is ambiguous: the tree with
// decides; otherwise it is b in a. Nor does a list say whether an object that keeps all fields is a resource, which drops unknown
// metadata: with decides this, too.
func ByFields(fields func(visit func(path string)), with *Tree) *Tree {
	root := &Tree{}
	l := listing{known: map[string]*Tree{"": root}, with: map[*Tree]*Tree{root: with}}
	fields(func(path string) {
		whole, isRest := strings.CutSuffix(path, "...")
		n := l.find(whole)
		n.rest = n.rest || isRest
	})
	root.completeMeta(with)
	return root
}

// listing makes a tree from paths.
type listing struct {
	known map[string]*Tree
	with  map[*Tree]*Tree // the same place in the other tree, nil for none
}

// find returns the node at path. It creates missing ones.
func (l listing) find(path string) *Tree {
	if n, ok := l.known[path]; ok {
		return n
	}
	n := &Tree{}
	l.known[path] = n
	if above, ok := strings.CutSuffix(path, "[*]"); ok {
		parent := l.find(above)
		parent.values = n
		if other := l.with[parent]; other != nil {
			l.with[n] = other.values
		}
		return n
	}
	if above, ok := strings.CutSuffix(path, "[]"); ok {
		parent := l.find(above)
		parent.elements = n
		if other := l.with[parent]; other != nil {
			l.with[n] = other.elements
		}
		return n
	}
	parent, name := l.parent(path)
	parent.set(name, n)
	l.with[n] = l.with[parent].field(name)
	return n
}

// parent returns the node that a field belongs to, and the name of the field. The node is at a known path above this one: at the longest
// for which the other tree has such a field, or else at the longest.
func (l listing) parent(path string) (parent *Tree, name string) {
	parent, name = l.known[""], path
	found := false
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] != '.' {
			continue
		}
		above, ok := l.known[path[:i]]
		if !ok && !found && (strings.HasSuffix(path[:i], "[]") || strings.HasSuffix(path[:i], "[*]")) { // which are not listed themselves
			above, ok = l.find(path[:i]), true
		}
		if !ok {
			continue
		}
		if !found {
			parent, name, found = above, path[i+1:], true
		}
		if other := l.with[above]; other != nil && other.fields[path[i+1:]] != nil {
			return above, path[i+1:]
		}
	}
	return parent, name
}

// field returns what k keeps of a field, nil if it is not specified.
func (k *Tree) field(name string) *Tree {
	if k == nil {
		return nil
	}
	if child := k.fields[name]; child != nil {
		return child
	}
	return k.values
}

// completeMeta adds what is below the metadata of resources, which is not listed.
func (n *Tree) completeMeta(with *Tree) {
	if n == nil {
		return
	}
	if with == nil {
		with = &Tree{}
	}
	isResource := n.listsMeta(with)
	if isResource {
		n.addMeta()
	}
	for name, child := range n.fields {
		if !isResource || !structural.IsMetaField(name) {
			below := with.fields[name]
			if below == nil {
				below = with.values
			}
			child.completeMeta(below)
		}
	}
	n.values.completeMeta(with.values)
	n.elements.completeMeta(with.elements)
}

// listsMeta reports whether n is a resource, as far as lists show it: nothing below its metadata is listed, and apiVersion and kind are
// kept whole, by themselves or, if the other tree has a resource there, with all other fields.
func (n *Tree) listsMeta(with *Tree) bool {
	m, v, k := n.fields["metadata"], n.fields["apiVersion"], n.fields["kind"]
	if m == nil || m.rest || m.fields != nil || m.values != nil || m.elements != nil {
		return false
	}
	if v != nil && k != nil {
		return v.rest && k.rest
	}
	theirs := with.fields["metadata"]
	return v == nil && k == nil && n.rest && theirs != nil && theirs.fields["ownerReferences"] != nil
}

// Without returns the places that k keeps and other drops, in the order of their names: only the topmost of each subtree, and none after
// the meter is spent.
func (k *Tree) Without(other *Tree, m *meter.Meter) []*Place {
	c := comparison{meter: m}
	c.compare(k, other, nil)
	listed := make(map[*Place]string, len(c.lost))
	for _, p := range c.lost {
		listed[p] = p.Listed()
	}
	slices.SortStableFunc(c.lost, func(a, b *Place) int { return strings.Compare(listed[a], listed[b]) })
	return c.lost
}

// comparison collects what one tree keeps and another one drops.
type comparison struct {
	lost  []*Place
	meter *meter.Meter
}

func (c *comparison) add(p *Place) {
	if p.Spend(c.meter) {
		c.lost = append(c.lost, p)
	}
}

func (c *comparison) compare(from, to *Tree, at *Place) {
	if !c.meter.Spend(1) || !from.form.meets(to.form) {
		return // values are refused before anything is lost
	}
	for _, name := range slices.Sorted(maps.Keys(from.fields)) {
		child := to.fields[name]
		if child == nil {
			child = to.values
		}
		switch {
		case child != nil:
			c.compare(from.fields[name], child, at.Field(name))
		case !to.rest:
			c.add(at.Field(name))
		}
	}
	c.compareValues(from, to, at)
	c.compareRest(from, to, at)
	switch {
	case from.elements == nil || to.elements == nil && (to.rest || to.form == formObject): // which has none
	case to.elements == nil:
		c.compare(from.elements, &Tree{}, at.Elements())
	default:
		c.compare(from.elements, to.elements, at.Elements())
	}
}

// meets reports whether some values have both forms.
func (f form) meets(other form) bool {
	return f == other || f <= formAny || other <= formAny
}

// compareValues compares the values of a map.
func (c *comparison) compareValues(from, to *Tree, at *Place) {
	switch {
	case from.values == nil, from.refused:
		return
	case to.values == nil && !to.rest:
		c.add(at.Values())
		return
	case to.values != nil:
		c.compare(from.values, to.values, at.Values())
	}
	for _, name := range onlyIn(to, from) {
		c.compare(from.values, to.fields[name], at.Field(name))
	}
}

// compareRest compares what happens to fields that are not specified.
func (c *comparison) compareRest(from, to *Tree, at *Place) {
	switch {
	case !from.rest, from.form == formList && to.form == formList && from.elements != nil: // a list has no fields but those of its elements
		return
	case to.values != nil:
		// Values that are all kept are the same as keeping everything.
		if !to.rest && !to.values.rest && to.values.form != formScalar {
			c.add(at.rest())
		}
	case !to.rest:
		if to.form != formScalar {
			c.add(at.rest())
		}
		return
	}
	// Pruning starts again in specified fields. What is not known about them is not reported as lost.
	for _, name := range onlyIn(to, from) {
		if child := to.fields[name]; from.values == nil && !child.rest && (child.form == formObject || child.form == formList && child.elements.isPruned()) {
			c.add(at.Field(name).rest())
		}
	}
}

// isPruned reports whether objects lose what is not specified.
func (k *Tree) isPruned() bool {
	return k != nil && !k.rest && (k.form == formObject || k.form == formList && k.elements.isPruned())
}

// onlyIn returns the names of the fields that a specifies and b does not.
func onlyIn(a, b *Tree) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		if b.fields[name] == nil {
			names = append(names, name)
		}
	}
	return names
}
