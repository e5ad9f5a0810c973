package prunecel

import (
	"slices"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// place is where a value is in an object. It links to the place around it. Places are on the stack: none is declared in a loop, and nothing
// that they refer to is stored.
type place struct {
	around *place // nil for the whole object
	step   stepKind
	name   string
	index  int
	visit  int // the number of the value in the walk
}

// stepKind is how a value is reached from the one around it.
type stepKind uint8

const (
	stepField stepKind = iota
	stepKey
	stepIndex
)

// depth returns the number of steps to p.
func (p *place) depth() int {
	n := 0
	for ; p.around != nil; p = p.around {
		n++
	}
	return n
}

// field returns the path of p as errors have it, followed by more, and the same as steps. The names of the steps are parts of the text:
// a place is not on the stack if something that it refers to is stored. Where a name in more has dots in it, its steps lead nowhere.
func (p *place) field(more string) (string, prunert.Path) {
	var room [128]byte
	b := p.appendTo(room[:0])
	above := len(b)
	if more != "" {
		b = appendField(b, more)
	}
	if len(b) == 0 {
		return "<nil>", p.path("")
	}
	text := string(b)
	path := p.path(text[:above])
	for more != "" {
		end := strings.IndexAny(more[1:], ".[") + 1
		if end == 0 {
			end = len(more)
		}
		name := strings.TrimPrefix(more[:end], ".")
		if key, ok := strings.CutPrefix(name, "["); ok {
			name = strings.TrimSuffix(key, "]")
		}
		path, more = append(path, prunert.Step{Name: name, Index: -1}), more[end:]
	}
	return text, path
}

// path returns the steps to p, whose text is text.
func (p *place) path(text string) prunert.Path {
	path := make(prunert.Path, p.depth(), p.depth()+1)
	for i := len(path) - 1; i >= 0; i-- {
		if p.step == stepIndex {
			path[i] = prunert.Step{Index: p.index}
			text = text[:strings.LastIndexByte(text, '[')]
		} else {
			if p.step == stepKey {
				text = text[:len(text)-len("]")]
			}
			begin := len(text) - len(p.name)
			path[i] = prunert.Step{Name: text[begin:], Index: -1}
			text = text[:max(0, begin-len("."))] // or [
		}
		p = p.around
	}
	return path
}

func (p *place) appendTo(b []byte) []byte {
	if p.around == nil {
		return b
	}
	b = p.around.appendTo(b)
	switch p.step {
	case stepKey:
		return append(append(append(b, '['), p.name...), ']')
	case stepIndex:
		return append(strconv.AppendInt(append(b, '['), int64(p.index), 10), ']')
	}
	return appendField(b, p.name)
}

func appendField(b []byte, name string) []byte {
	if len(b) > 0 {
		b = append(b, '.')
	}
	return append(b, name...)
}

// change is a value with the old value that it replaces.
type change struct {
	pruneimpl.Correlation
	visit    int // of the value
	replaces bool
}

// correlate finds the old values of the value at p and of those around it. It returns the depth of p, which is its index in w.changes.
func (w *ruleWalk) correlate(p *place) (depth int) {
	if p.around == nil {
		if len(w.changes) == 0 {
			w.changes = append(w.changes, change{Correlation: pruneimpl.NewCorrelation(w.value, w.old, w.shape), replaces: true})
		}
		return 0
	}
	depth = w.correlate(p.around) + 1
	if depth < len(w.changes) && w.changes[depth].visit == p.visit {
		return depth
	}
	w.changes = slices.Grow(w.changes[:depth], 1)[:depth+1]
	around, c := &w.changes[depth-1], &w.changes[depth]
	c.visit = p.visit
	switch {
	case !around.replaces:
		c.replaces = false
	case p.step == stepIndex:
		c.replaces = around.Element(p.index, &c.Correlation)
	default:
		c.replaces = around.Field(p.name, &c.Correlation)
	}
	return depth
}

// isUnchanged reports whether the value at p has not changed. If it has no old value, the nearest value around it that has one counts, and
// for rules in allOf the one around the value that allOf is about.
func (w *ruleWalk) isUnchanged(p *place) bool {
	if w.old == nil || w.shape == nil || p.isTypeMeta() {
		return false
	}
	if w.changes == nil {
		w.changes = make([]change, 0, p.depth()+1)
	}
	nearest := w.correlate(p)
	if w.allOf != notInAllOf {
		nearest = w.allOf - 1
	}
	for ; nearest >= 0; nearest-- {
		if c := &w.changes[nearest]; c.replaces {
			return c.IsEqual()
		}
	}
	return false
}

// isTypeMeta reports whether p is apiVersion or kind of the object, or below one of them.
func (p *place) isTypeMeta() bool {
	if p.around == nil {
		return false
	}
	for p.around.around != nil {
		p = p.around
	}
	return p.step != stepIndex && (p.name == "apiVersion" || p.name == "kind")
}
