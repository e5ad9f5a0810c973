package lower

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/prune-gen/prune-gen/generator/internal/plan"
)

// place is a node and the path to it.
type place struct {
	node *plan.Node
	path []segment
}

// below returns the places one step below, in sorted order.
func (p place) below() []place {
	var all []place
	step := func(child *plan.Node, s segment) {
		if child != nil && child.Do.Func() {
			all = append(all, place{child, append(p.path[:len(p.path):len(p.path)], s)})
		}
	}
	for _, f := range p.node.Fields {
		step(f.Node, propertySegment(f.Name))
	}
	step(p.node.RestNode, segment{kind: segmentValues})
	step(p.node.Elem, segment{kind: segmentItems})
	var seen [plan.Not + 1]int
	for _, b := range p.node.Branches {
		step(b.Node, branchSegment(b.Junctor, seen[b.Junctor]))
		seen[b.Junctor]++
	}
	return all
}

// nameNodes names the nodes that become functions, each after the shortest path that reaches it, of those the first in
// sorted order, or after its fields if paths to it end in different names. A part that is added deeper or later in a schema thus renames nothing. The roots come first, so that no other
// node takes their names. The nodes are returned in the order of their paths, kind by kind, and then those that kinds
// share, which are named after no kind.
func nameNodes(kinds []*plan.Kind, roots map[string]*plan.Node) []*plan.Node {
	shared := sharedNodes(kinds, roots)
	ends := endsOfPaths(roots)
	names := nameTable{taken: map[string]bool{}}
	paths := map[*plan.Node][]segment{}
	// claim names those of the places that are new and belong to k, and returns them.
	claim := func(k *plan.Kind, all []place) (claimed []place) {
		for _, p := range all {
			if _, ok := paths[p.node]; ok || shared[p.node] != (k == nil) {
				continue
			}
			paths[p.node] = p.path
			p.node.Elsewhere = len(ends[p.node]) > 1
			p.node.Path, p.node.Name = shortPath(p.path), names.nodeName(k, p)
			if k != nil {
				p.node.Owner = k.Kind
			}
			claimed = append(claimed, p)
		}
		return claimed
	}
	root := func(k *plan.Kind) []place {
		if n := roots[k.Kind]; n.Do.Func() {
			return []place{{n, nil}}
		}
		return nil
	}
	levels := make([][]place, len(kinds))
	for i, k := range kinds {
		levels[i] = claim(k, root(k))
	}
	var all []*plan.Node
	for i, k := range kinds {
		own := levels[i]
		for level := own; len(level) > 0; own = append(own, level...) {
			level = claim(k, below(level))
		}
		all = append(all, inOrder(own)...)
	}
	var common []place
	var level []place
	for _, k := range kinds {
		level = append(level, root(k)...)
	}
	for seen := map[*plan.Node]bool{}; len(shared) > 0 && len(level) > 0; {
		slices.SortStableFunc(level, func(a, b place) int { return slices.CompareFunc(a.path, b.path, segment.compare) })
		level = slices.DeleteFunc(level, func(p place) bool {
			again := seen[p.node]
			seen[p.node] = true
			return again
		})
		common = append(common, claim(nil, level)...)
		level = below(level)
	}
	return append(all, inOrder(common)...)
}

// sharedNodes returns the nodes that more than one kind reaches.
func sharedNodes(kinds []*plan.Kind, roots map[string]*plan.Node) map[*plan.Node]bool {
	first := map[*plan.Node]*plan.Kind{}
	shared := map[*plan.Node]bool{}
	for _, k := range kinds {
		seen := map[*plan.Node]bool{}
		var reach func(n *plan.Node)
		reach = func(n *plan.Node) {
			if !n.Do.Func() || seen[n] {
				return
			}
			seen[n] = true
			if _, ok := first[n]; ok {
				shared[n] = true
			} else {
				first[n] = k
			}
			for _, p := range (place{node: n}).below() {
				reach(p.node)
			}
		}
		reach(roots[k.Kind])
	}
	return shared
}

// endsOfPaths returns what the paths to each node end in: the name of a property, and what follows it for elements of lists, values of maps
// and alternatives. Of several, it returns two.
func endsOfPaths(roots map[string]*plan.Node) map[*plan.Node]map[string]bool {
	ends := map[*plan.Node]map[string]bool{}
	var reach func(n *plan.Node, end string)
	reach = func(n *plan.Node, end string) {
		if len(ends[n]) == 2 || ends[n][end] || !n.Do.Func() {
			return
		}
		first := ends[n] == nil
		if first {
			ends[n] = map[string]bool{}
		}
		ends[n][end] = true
		for _, p := range (place{node: n}).below() {
			switch s := p.path[0]; {
			case s.kind != segmentProperty:
				reach(p.node, end+s.identifier())
			case first:
				reach(p.node, s.identifier())
			}
		}
	}
	for _, n := range roots {
		reach(n, "")
	}
	return ends
}

func below(level []place) []place {
	var next []place
	for _, p := range level {
		next = append(next, p.below()...)
	}
	return next
}

// inOrder returns the nodes of places in the order of their paths.
func inOrder(all []place) []*plan.Node {
	slices.SortStableFunc(all, func(a, b place) int { return slices.CompareFunc(a.path, b.path, segment.compare) })
	nodes := make([]*plan.Node, len(all))
	for i, p := range all {
		nodes[i] = p.node
	}
	return nodes
}

// maxName is the maximum length of the name of a function. The middle of a longer one is replaced by a hash.
const maxName = 100

// nameTable gives out names for functions. The same path gets the same name whatever else is in the schema, unless two
// paths would get the same one: then those that come later carry a hash of their path.
type nameTable struct {
	taken map[string]bool
}

// nodeName returns the name for the node that is first reached at a place in a kind, which is nil if kinds share the node. The middle of a
// name that is too long is replaced by a hash: the end says most.
func (t *nameTable) nodeName(kind *plan.Kind, p place) string {
	if kind == nil {
		kind = &plan.Kind{Ident: "Shared"}
	}
	name, path := kind.Ident, p.path
	if with := contents(p.node); p.node.Elsewhere && with != "" {
		return t.claim(plan.FirstBytes(name+with, maxName), kind, path)
	}
	for _, s := range path {
		if name += s.identifier(); len(name) > maxName {
			end := ""
			for i := len(path) - 1; i >= 0 && len(end) < maxName/2; i-- {
				end = path[i].identifier() + end
			}
			name = plan.FirstBytes(name, maxName/3) + "_" + shortHash(uniquePath(kind, path)) + "_" + plan.LastBytes(end, maxName/2)
			break
		}
	}
	return t.claim(name, kind, path)
}

// claim returns a name that nothing else has: the given one, if possible.
func (t *nameTable) claim(name string, kind *plan.Kind, path []segment) string {
	for base, again := name, ""; t.taken[name]; again += " again" { // a short hash can be the same, too
		name = base + "_" + shortHash(uniquePath(kind, path)+again)
	}
	t.taken[name] = true
	return name
}

// contents names the first fields of an object, also of one in a list or a map: WithKeyName, WithKeyNameAnd3More, ListWithKeyName; and what
// restricts a text: TextAtMost63, TextDNSLabel. It returns "" for other values.
func contents(n *plan.Node) string {
	switch with := firstFields(n); {
	case with != "":
		return with
	case firstFields(n.Elem) != "":
		return "List" + firstFields(n.Elem)
	case firstFields(n.RestNode) != "":
		return "Map" + firstFields(n.RestNode)
	case n.Walk.Form == plan.FormText:
		return "Text" + restrictions(n.Do.(plan.Validate).Rules)
	}
	return ""
}

// firstFields names the first fields of an object, "" if there are none or nothing of their names can be in an identifier.
func firstFields(n *plan.Node) string {
	const most = 3
	if n == nil {
		return ""
	}
	with := ""
	for _, f := range n.Fields[:min(most, len(n.Fields))] {
		with += identifier(plan.FirstBytes(f.Name, maxName/4))
	}
	if with == "" {
		return ""
	}
	if more := len(n.Fields) - most; more > 0 {
		with += fmt.Sprintf("And%dMore", more)
	}
	return "With" + with
}

// restrictions names what restricts a text.
func restrictions(r plan.Rules) (name string) {
	if r.MinLength.Set {
		name += fmt.Sprintf("AtLeast%d", r.MinLength.To)
	}
	if r.MaxLength.Set {
		name += fmt.Sprintf("AtMost%d", r.MaxLength.To)
	}
	switch p := r.Pattern; {
	case p.Func != "":
		name += strings.TrimPrefix(p.Func, "Is")
	case p.Text != "":
		name += "Matching_" + shortHash(p.Text)
	}
	return name + identifier(strings.TrimPrefix(r.IsFormat, "Is"))
}

// uniquePath writes a path so that no two of them are written alike.
func uniquePath(kind *plan.Kind, path []segment) string {
	return fmt.Sprintf("%q %q %q", kind.Group, kind.Kind, path)
}

// identifier turns any text into what can stand inside of a Go identifier, with a capital first.
func identifier(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if upper {
				r = unicode.ToUpper(r)
			}
			upper = false
			b.WriteRune(r)
		default:
			upper = true
		}
	}
	return b.String()
}

// Exported returns a kind as part of exported identifiers: a hash stands in for what no identifier can contain.
func Exported(kind string) string {
	id := identifier(kind)
	if id == kind || id == strings.ToUpper(kind[:1])+kind[1:] {
		return id
	}
	return id + "_" + shortHash(kind)
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
