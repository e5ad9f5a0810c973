package structural

import (
	"fmt"
	"strconv"
)

// flaws reports the keys below n that are written twice, and those that a merge key after them replaces.
func (d *decoder) flaws(doc *document, n *node) {
	if len(doc.flaws) == 0 {
		return
	}
	seen := map[*node]bool{}
	var walk func(*node, *Path)
	walk = func(n *node, at *Path) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, f := range doc.flaws[n] {
			path := at.Child(f.key)
			switch {
			case d.report.full && f.kind == flawDuplicate:
				d.invalid(f.pos, nil, "", "")
			case d.report.full:
			case f.kind == flawDuplicate:
				d.find(SeverityError, f.pos, path.String(), fmt.Sprintf("duplicate field %q", dotted(path)),
					"the first one is in line "+strconv.Itoa(f.first.line)+": remove or rename one of them")
			case f.kind == flawMerged:
				d.find(SeverityWarning, f.pos, path.String(),
					fmt.Sprintf("field %q is replaced by the merge key in line %d", dotted(path), f.first.line),
					"Kubernetes lets the last one win: move the merge key (<<) to the top of its map")
			}
		}
		for i := range n.entries {
			walk(n.entries[i].value, at.Child(n.entries[i].key))
		}
		for i, e := range n.list {
			walk(e, at.Index(i))
		}
	}
	walk(n, nil)
}
