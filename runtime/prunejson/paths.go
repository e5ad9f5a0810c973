package prunejson

import (
	"unicode/utf8"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// paths walks through the document, which is valid, and returns the paths of what was dropped and of duplicate keys.
func (r *report) paths(doc string) prunert.JSONReport {
	w := pathWalk{doc: doc, report: *r, duplicates: duplicates{limits: prunert.CurrentLimits()}}
	w.walk()
	return prunert.JSONReport{Dropped: w.recorder.Dropped(), Duplicate: w.duplicates.paths}
}

// pathWalk is a walk through a valid document. It does not recurse, and never goes back.
type pathWalk struct {
	doc        string
	report     // what of it is still ahead
	open       []container
	recorder   pruneimpl.Recorder
	duplicates duplicates
}

// container is an object or a list that the walk is in.
type container struct {
	step  step   // to the value that the walk is at
	key   string // of that value, decoded; for members of an object
	index int    // of that value; for elements of a list
	below int    // how many events of the recorder lie below the container
}

// step says how the recorder calls what leads to a value.
type step uint8

const (
	stepIndex step = iota
	stepField
	stepKey
	stepMetadata
)

// walk goes through the whole document.
func (w *pathWalk) walk() {
	for p := w.blanks(0); ; {
		// A value begins at p.
		more := true
		switch w.doc[p] {
		case '{':
			w.push(container{step: stepField})
			if p = w.blanks(p + 1); w.doc[p] != '}' {
				p = w.member(p)
				continue
			}
		case '[':
			w.push(container{step: stepIndex, index: -1})
			if p = w.blanks(p + 1); w.doc[p] != ']' {
				w.element()
				continue
			}
		case '"':
			p, more = w.next(w.text(p), 0)
		default:
			p, more = w.next(w.scalar(p), 0)
		}
		for more && (w.doc[p] == '}' || w.doc[p] == ']') {
			p, more = w.next(p+1, w.pop())
		}
		if !more {
			return
		}
		if p = w.blanks(p + 1); w.open[len(w.open)-1].step == stepIndex { // after a comma
			w.element()
		} else {
			p = w.member(p)
		}
	}
}

func (w *pathWalk) push(c container) {
	w.open = append(w.open, c)
	w.duplicates.enter()
}

// pop leaves a container and returns how many events lie below it.
func (w *pathWalk) pop() (below int) {
	last := len(w.open) - 1
	below = w.open[last].below
	w.open = w.open[:last]
	w.duplicates.leave()
	return below
}

// member enters the member whose key is at p and returns the position of its value.
func (w *pathWalk) member(p Pos) Pos {
	end := w.text(p)
	value := w.blanks(w.blanks(end) + 1)
	c := &w.open[len(w.open)-1]
	c.key = decodedText(w.doc[p+1 : end-1])
	c.step = stepField
	if isNext(&w.mapKeys, p) {
		c.step = stepKey
	}
	if isNext(&w.metadata, value) {
		c.step = stepMetadata
	}
	if isNext(&w.dropped, p) {
		c.below += w.recorder.Drop(c.key)
	}
	w.duplicates.member(c.key)
	return value
}

// isNext reports whether p is the first of positions, and takes it away.
func isNext(positions *[]Pos, p Pos) bool {
	if len(*positions) == 0 || (*positions)[0] != p {
		return false
	}
	*positions = (*positions)[1:]
	return true
}

// element enters the next element of a list.
func (w *pathWalk) element() {
	c := &w.open[len(w.open)-1]
	c.index++
	w.duplicates.element(c.index)
}

// next returns the position of what comes after a value that ends at p, and whether there is anything. n events lie
// below the value.
func (w *pathWalk) next(p Pos, n int) (at Pos, more bool) {
	if len(w.open) == 0 {
		return p, false
	}
	c := &w.open[len(w.open)-1]
	switch c.step {
	case stepIndex:
		n = w.recorder.Index(c.index, n)
	case stepField:
		n = w.recorder.Field(c.key, n)
	case stepKey:
		n = w.recorder.Key(c.key, n)
	case stepMetadata:
		n = w.recorder.Metadata(n)
	}
	c.below += n
	return w.blanks(p), true
}

// blanks returns the position of the first byte from p on that is not blank.
func (w *pathWalk) blanks(p Pos) Pos {
	for p < len(w.doc) && isBlank(w.doc[p]) {
		p++
	}
	return p
}

// text returns the position after the string at p.
func (w *pathWalk) text(p Pos) Pos {
	for p++; w.doc[p] != '"'; p++ {
		if w.doc[p] == '\\' {
			p++
		}
	}
	return p + 1
}

// scalar returns the position after the number or the literal at p.
func (w *pathWalk) scalar(p Pos) Pos {
	for !isBlank(w.doc[p]) && w.doc[p] != ',' && w.doc[p] != '}' && w.doc[p] != ']' {
		p++
	}
	return p
}

// decodedText returns what a decoder makes of the inside of a string.
func decodedText(raw string) string {
	for i := range len(raw) {
		if raw[i] == '\\' || raw[i] >= utf8.RuneSelf {
			return string(appendText(nil, []byte(raw)))
		}
	}
	return raw
}
