package structural

// File returns the name of the file that c was read from.
func (c *CRD) File() string {
	return c.file
}

// Locate returns where p is written: the key of a field, the start of an element. Where p is not written at all, it is
// the nearest place above it that is.
func (c *CRD) Locate(p *Path) Position {
	return c.locate(p, (*node).get)
}

// locate is Locate with a way to look up a key.
func (c *CRD) locate(p *Path, get func(*node, string) *entry) Position {
	if c.root == nil {
		return Position{File: c.file}
	}
	_, at, _ := c.root.find(p, get)
	return Position{File: c.file, Line: at.line, Column: at.column}
}

// find returns the node at p with its place, or the nearest one above it that exists: whole is false then.
func (n *node) find(p *Path, get func(*node, string) *entry) (found *node, at pos, whole bool) {
	at = n.pos
	for _, s := range p.steps() {
		if s.step == stepIndex {
			if s.index < 0 || s.index >= len(n.list) {
				return n, at, false
			}
			n = n.list[s.index]
			at = n.pos
			continue
		}
		e := get(n, s.name)
		if e == nil {
			return n, at, false
		}
		n, at = e.value, e.pos
	}
	return n, at, true
}
