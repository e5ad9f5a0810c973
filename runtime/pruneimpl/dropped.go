package pruneimpl

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Dropped returns the paths of the dropped fields, sorted, as the API server writes them: spec.list[0].field. Where the
// limits leave some out, the last entry says how many. All paths share one piece of memory. It is the last thing that a recorder
// is asked.
func (r *Recorder) Dropped() []string {
	if len(r.events) == 0 {
		return nil
	}
	paths := r.paths()
	r.reuse()
	return paths
}

// paths returns what Dropped does.
func (r *Recorder) paths() []string {
	w := pathWriter{
		events: r.events, limits: r.limits, ends: make([]int, 0, r.drops.listed),
		steps: make([]int, 0, 32), path: make([]byte, 0, 256), children: make([]int, 0, 128),
	}
	w.text.Grow(min(pathSize*r.drops.listed, maxText))
	w.below(0, len(r.events))
	all := w.text.String()
	paths := make([]string, len(w.ends), len(w.ends)+1)
	begin := 0
	for i, end := range w.ends {
		paths[i] = all[begin:end]
		begin = end
	}
	if w.deceived && !slices.IsSorted(paths) {
		slices.Sort(paths)
	}
	if more := r.drops.more + r.drops.listed - len(paths); more > 0 {
		paths = append(paths, moreText(more))
	}
	return paths
}

// How much memory is taken for paths before any of them is written: so much for each, and no more than that for all.
const (
	pathSize = 64
	maxText  = 1 << 20
)

// pathWriter writes the paths of the dropped fields, one after the other. It goes through the log as the tree that it is, and
// through the fields of an object in the order of their paths: to compare names is less work than to compare paths.
//
// It has the log and not the recorder, which stays on the stack of those who drop nothing.
type pathWriter struct {
	events []event
	limits prunert.Limits
	text   strings.Builder
	ends   []int // where the paths end in text

	// Events, as their places in the log: the steps to where the writer is, root first, and a stack of what is below them.
	steps, children []int
	path            []byte // the steps, written
	metadata        bool   // one of the steps is metadata, and not the first
	deceived        bool   // the order of names may not be that of paths
}

// below writes the paths that the events from lo up to hi stand for, all of which lie below the last step.
func (w *pathWriter) below(lo, hi int) {
	first := len(w.children)
	for i := hi - 1; i >= lo; i -= w.events[i].below + 1 {
		w.children = append(w.children, i)
	}
	slices.Reverse(w.children[first:]) // which has most of them in order
	slices.SortFunc(w.children[first:], w.compare)
	for at := first; at < len(w.children); at++ {
		i := w.children[at]
		switch e := &w.events[i]; {
		case e.kind >= stepField:
			w.step(i, e)
		case fits(w.limits, w.text.Len()):
			w.leaf(e.name)
		}
	}
	w.children = w.children[:first]
}

// step goes into a step that is at place i of the log.
func (w *pathWriter) step(i int, e *event) {
	length, metadata := len(w.path), w.metadata
	w.path = appendStep(w.path, *e, len(w.steps) == 0)
	w.metadata = metadata || e.kind == stepMetadata && len(w.steps) > 0
	w.steps = append(w.steps, i)
	w.below(i-e.below, i)
	w.steps, w.path, w.metadata = w.steps[:len(w.steps)-1], w.path[:length], metadata
}

// leaf writes the path of a dropped field.
func (w *pathWriter) leaf(name string) {
	if w.metadata { // which changes how the steps above it are written
		steps := make([]event, len(w.steps))
		for i, at := range w.steps {
			steps[i] = w.events[at]
		}
		w.text.WriteString(render(steps, name))
		w.deceived = true
	} else {
		w.text.Write(w.path)
		if len(w.steps) > 0 {
			w.text.WriteByte('.')
		}
		w.text.WriteString(name)
	}
	w.ends = append(w.ends, w.text.Len())
}

// compare orders two events below one step as their paths are ordered. Where names with dots and brackets in them, or equal
// ones, leave that to what comes after them, it says so in deceived.
func (w *pathWriter) compare(i, j int) int {
	a, b := &w.events[i], &w.events[j]
	if a.name != "" && b.name != "" && a.name[0] != b.name[0] { // as most do
		return int(a.name[0]) - int(b.name[0])
	}
	c := 0
	if a.kind == stepIndex && b.kind == stepIndex {
		var x, y [24]byte
		c = bytes.Compare(appendIndex(x[:0], a.index), appendIndex(y[:0], b.index))
	} else {
		n := min(len(a.name), len(b.name))
		if c = strings.Compare(a.name[:n], b.name[:n]); c == 0 {
			c = int(w.following(i, n)) - int(w.following(j, n))
		}
	}
	w.deceived = w.deceived || c == 0
	return c
}

// following returns the byte that follows the first n bytes of the name of the event at place i in paths, 0 for none.
func (w *pathWriter) following(i, n int) byte {
	switch e := &w.events[i]; {
	case n < len(e.name):
		return e.name[n]
	case e.kind < stepField:
		return 0
	case w.events[i-1].kind == stepIndex:
		return '['
	}
	return '.'
}

// render writes a path of steps and, if there is one, a last field. Above metadata the API server writes map keys in
// brackets, everywhere else it does not.
func render(steps []event, last ...string) string {
	return renderBrackets(steps, slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }), last...)
}

// renderBrackets does the same; brackets says whether map keys are in brackets, which ends with metadata.
func renderBrackets(steps []event, brackets bool, last ...string) string {
	var buf [256]byte
	b := buf[:0]
	for i, e := range steps {
		if brackets && (e.kind == stepKey || e.kind == stepField && e.name == "") {
			b = append(b, '[')
			b = append(b, e.name...)
			b = append(b, ']')
		} else {
			b = appendStep(b, e, i == 0)
		}
		brackets = brackets && e.kind != stepMetadata
	}
	for _, name := range last {
		b = appendField(b, name, len(steps) == 0)
	}
	return string(b)
}

func appendStep(b []byte, e event, first bool) []byte {
	if e.kind != stepIndex {
		return appendField(b, e.name, first)
	}
	return appendIndex(b, e.index)
}

func appendIndex(b []byte, i int) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(i), 10)
	return append(b, ']')
}

func appendField(b []byte, name string, first bool) []byte {
	if !first {
		b = append(b, '.')
	}
	return append(b, name...)
}

// moreText stands last in a report that leaves out n paths.
func moreText(n int) string { return fmt.Sprintf("... and %d more", n) }
