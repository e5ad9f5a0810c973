package plan

import (
	"cmp"
	"fmt"
	"strings"
)

// String writes the plan in the form that the comment on Plan shows.
func (p *Plan) String() string {
	var b strings.Builder
	for _, k := range p.Kinds {
		fmt.Fprintf(&b, "%s %s\n", k.Kind, k.APIVersion())
		for _, t := range p.Trees {
			fmt.Fprintf(&b, "  %s\n", t.Label(t.Roots[k.Kind]))
		}
	}
	for _, t := range p.Trees {
		for _, n := range t.Funcs {
			b.WriteByte('\n')
			b.WriteString(t.Describe(n))
		}
	}
	return b.String()
}

// Describe writes what the function of a node does.
func (t *Tree) Describe(n *Node) string {
	b := &strings.Builder{}
	head := []string{t.Label(n), cmp.Or(n.Path, "the root")}
	for _, s := range []string{n.Do.String(), n.Walk.String()} {
		if s != "" {
			head = append(head, s)
		}
	}
	fmt.Fprintln(b, strings.Join(head, "  "))
	type row struct{ key, value string }
	var rows []row
	listed := map[string]bool{}
	for _, g := range n.Walk.Groups {
		for _, f := range g.Fields {
			listed[f.Name] = g.Listed
		}
	}
	for _, f := range n.Fields {
		value := t.labelIn(f.Node, f.Slot)
		if listed[f.Name] {
			value += ", listed"
		}
		rows = append(rows, row{Key(f.Name), value})
	}
	switch n.Rest {
	case RestDrop:
		rows = append(rows, row{"*", "drop"})
	case RestWalk:
		rows = append(rows, row{"*", t.labelIn(n.RestNode, n.RestSlot)})
	case RestRefuse:
		rows = append(rows, row{"*", "refuse"})
	case RestKeep:
		switch n.Do.(type) { // the other passes keep everything anyway
		case Prune, Coerce:
			rows = append(rows, row{"*", "keep"})
		}
	}
	if n.Elem != nil && (n.Elem.Do != PruneLeaf && n.Elem.Do != (Shape{Kind: ShapeBare}) || n.ElemSlot != nil) {
		rows = append(rows, row{"[]", t.labelIn(n.Elem, n.ElemSlot)})
	}
	for _, b := range n.Branches {
		rows = append(rows, row{b.Junctor.String(), t.Label(b.Node)})
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r.key))
	}
	for _, r := range rows {
		fmt.Fprintf(b, "  %-*s  %s\n", width, r.key, r.value)
	}
	return b.String()
}

// Label is how the tree refers to a node.
func (t *Tree) Label(n *Node) string {
	if n.Do.Func() {
		return t.Pass + " " + n.Name
	}
	return n.Do.String()
}

// labelIn is how the tree refers to a node in a slot.
func (t *Tree) labelIn(n *Node, s Slot) string {
	if s == nil {
		return t.Label(n)
	}
	return t.Label(n) + ", " + s.String()
}

func (w Walk) String() string {
	if w.ByLetter {
		return strings.TrimPrefix(w.way()+", keys by letter", ", ")
	}
	return w.way()
}

// way writes how a function goes through a decoded value.
func (w Walk) way() string {
	switch w.Form {
	case FormList:
		return "list"
	case FormKeptList:
		return "kept list"
	case FormLeafObject:
		return "leaf object"
	case FormText:
		return "text"
	}
	object := ""
	switch {
	case w.Ranges:
		object = "range"
	case len(w.Groups) > 0:
		object = "look up"
	}
	if w.Form == FormAny {
		return strings.TrimSuffix("any value, "+object, ", ")
	}
	return object
}
