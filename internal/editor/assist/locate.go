package assist

import (
	"slices"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Place is where an offset is in a text.
type Place struct {
	// APIVersion and Kind are those of the object, "" where they are not written. An item of a list can have those that the list implies.
	APIVersion, Kind string
	// Path leads from the object to the value, also for a key.
	Path prunert.Path
	// IsKey reports whether the offset is in a key, or where one could be written.
	IsKey bool
	// Start and End are the bounds of the key or the scalar, with its quotes. They are equal where nothing is written.
	Start, End int

	*scanner
	object *node
}

// Locate finds where an offset is in a text, which need not parse. It is false for an offset that is nowhere: in comments and template
// actions, and in an indentation.
func Locate(c Catalog, text []byte, offset int) (Place, bool) {
	if offset < 0 || offset > len(text) {
		return Place{}, false
	}
	p := Place{scanner: scan(text, offset)}
	if p.found == nil || p.inAction() {
		return Place{}, false
	}
	at := p.found.value
	if p.IsKey = p.isKey; p.IsKey || !at.has(offset) {
		at = p.found.key // or the dash of an element
	}
	if !at.has(offset) {
		return Place{}, false // the value is in a later line
	}
	p.Start, p.End = at.start, at.end
	var way []*node
	for n := p.found; n != p.doc; n = n.parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	if way[0] != p.doc.last() {
		return Place{}, false
	}
	p.object = way[0]
	p.APIVersion, p.Kind = p.textOf(p.object, "apiVersion"), p.textOf(p.object, "kind")
	way = way[1:]
	// The items of a list are objects, unless the list is of a kind of its own.
	for len(way) >= 2 && way[0].step.Name == "items" && way[1].step.Index >= 0 && strings.HasSuffix(p.Kind, "List") {
		if c != nil {
			if _, _, _, ok := c.Behavior(p.APIVersion, p.Kind); ok {
				break
			}
		}
		apiVersion, kind := p.APIVersion, strings.TrimSuffix(p.Kind, "List")
		p.object, way = way[1], way[2:]
		p.APIVersion, p.Kind = p.textOf(p.object, "apiVersion"), p.textOf(p.object, "kind")
		if p.APIVersion == "" && p.Kind == "" && kind != "" {
			p.APIVersion, p.Kind = apiVersion, kind
		}
	}
	for _, n := range way {
		p.Path = append(p.Path, n.step)
	}
	return p, true
}

// textOf returns the value of a field of a node as text, "" if it is not written.
func (s *scanner) textOf(n *node, name string) string {
	for _, e := range n.children {
		if e.step.Name == name && (e.form == plain || e.form == quoted) {
			return unquoted(e.value.in(s.text))
		}
	}
	return ""
}

// inAction reports whether the offset is in a template action.
func (s *scanner) inAction() bool {
	start := s.offset
	for start > 0 && !isBreak(s.text[start-1]) {
		start--
	}
	line := string(s.text[start:s.offset])
	return strings.LastIndex(line, "{{") > strings.LastIndex(line, "}}")
}
