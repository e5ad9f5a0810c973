package pruneimpl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Dropped returns the paths of the dropped fields, sorted, as the API server writes them: spec.list[0].field. If the limits leave some out,
// the last entry says how many. All paths share one piece of memory.
func (r *Recorder) Dropped() []string {
	if len(r.events) == 0 {
		return nil
	}
	dropped := newPathList(r.drops.listed)
	more := r.drops.more
	log := r.read(dotted)
	for leaf := log.next(); leaf != nil; leaf = log.next() {
		switch {
		case leaf.kind != leafDrop:
		case !r.fits(dropped.text.Len()):
			more++
		default:
			dropped.add(log.path(), leaf.name, len(log.steps) == 0)
		}
	}
	paths := dropped.sorted()
	if more > 0 {
		paths = append(paths, moreText(more))
	}
	return paths
}

// pathList is a list of paths that share one piece of memory.
type pathList struct {
	text strings.Builder
	ends []int // of the paths in text
}

// newPathList returns a list with room for about n paths.
func newPathList(n int) *pathList {
	l := &pathList{ends: make([]int, 0, n)}
	l.text.Grow(min(64*n, 1<<20))
	return l
}

// add adds the path of a field; first says that it is at the root.
func (l *pathList) add(path []byte, name string, first bool) {
	l.text.Write(path)
	if !first {
		l.text.WriteByte('.')
	}
	l.text.WriteString(name)
	l.ends = append(l.ends, l.text.Len())
}

// sorted returns the paths, sorted, with room for another one.
func (l *pathList) sorted() []string {
	all, begin := l.text.String(), 0
	paths := make([]string, len(l.ends), len(l.ends)+1)
	for i, end := range l.ends {
		paths[i] = all[begin:end]
		begin = end
	}
	slices.Sort(paths)
	return paths
}

// moreText stands last in a report that leaves out n paths.
func moreText(n int) string { return fmt.Sprintf("... and %d more", n) }

// pathStyle is how the API server writes a path.
type pathStyle uint8

const (
	// dotted is for dropped fields: dots before names and keys. Those above metadata are bracketed.
	dotted pathStyle = iota
	// bracketed has map keys in brackets, up to metadata.
	bracketed
	// inBody is that of the schema validator, which begins a path again where it is empty: a field without a name leaves no trace
	// at the root. It does not look at metadata.
	inBody
)

// appendPath writes the path that steps lead to.
func appendPath(b []byte, steps []event, style pathStyle) []byte {
	if style != bracketed && slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }) {
		style = bracketed
	}
	begin := len(b)
	for i := range steps {
		b = appendStep(b, begin, &steps[i], style, i == 0)
		if steps[i].kind == stepMetadata {
			style = dotted
		}
	}
	return b
}

// appendStep writes a step of the path that begins at begin.
func appendStep(b []byte, begin int, e *event, style pathStyle, first bool) []byte {
	switch {
	case e.kind == stepJunctor:
		return b
	case e.kind == stepIndex:
		return append(strconv.AppendInt(append(b, '['), int64(e.index), 10), ']')
	case style == bracketed && (e.kind == stepKey || e.kind == stepField && e.name == ""):
		return append(append(append(b, '['), e.name...), ']')
	case style == inBody:
		first = e.kind != stepKey && len(b) == begin
	}
	return appendField(b, e.name, first)
}

func appendField(b []byte, name string, first bool) []byte {
	if !first {
		b = append(b, '.')
	}
	return append(b, name...)
}

// valuePath returns the path of the value at the end of steps, with room for another step.
func valuePath(steps []event) prunert.Path {
	path := make(prunert.Path, 0, len(steps)+1)
	for _, e := range steps {
		switch e.kind {
		case stepJunctor:
		case stepIndex:
			path = append(path, prunert.Step{Index: e.index})
		default:
			path = append(path, prunert.Step{Name: e.name, Index: -1})
		}
	}
	return path
}
