package pruneimpl

import (
	"fmt"
	"slices"
	"strconv"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Dropped returns the paths of the dropped fields, sorted, as the API server writes them: spec.list[0].field. Where the
// limits leave some out, the last entry says how many. All paths share one piece of memory.
func (r *Recorder) Dropped() []string {
	if len(r.events) == 0 {
		return nil
	}
	text := make([]byte, 0, min(64*r.drops.listed, 1<<20))
	ends := make([]int, 0, r.drops.listed)
	more := r.drops.more
	r.leaves(func(steps []event, leaf event) {
		switch {
		case leaf.kind != leafDrop:
		case !r.fits(len(text)):
			more++
		default:
			text = appendField(appendPath(text, steps, dotted), leaf.name, len(steps) == 0)
			ends = append(ends, len(text))
		}
	})
	all := string(text)
	paths := make([]string, len(ends), len(ends)+1)
	begin := 0
	for i, end := range ends {
		paths[i] = all[begin:end]
		begin = end
	}
	slices.Sort(paths)
	if more > 0 {
		paths = append(paths, moreText(more))
	}
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
	// at the root. It has no part in metadata.
	inBody
)

// appendPath writes the path that steps lead to.
func appendPath(b []byte, steps []event, style pathStyle) []byte {
	if style != bracketed && slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }) {
		style = bracketed
	}
	begin := len(b)
	for i, e := range steps {
		switch {
		case e.kind == stepJunctor:
		case e.kind == stepIndex:
			b = append(strconv.AppendInt(append(b, '['), int64(e.index), 10), ']')
		case style == bracketed && (e.kind == stepKey || e.kind == stepField && e.name == ""):
			b = append(append(append(b, '['), e.name...), ']')
		case style == inBody:
			b = appendField(b, e.name, e.kind != stepKey && len(b) == begin)
		default:
			b = appendField(b, e.name, i == 0)
		}
		if e.kind == stepMetadata {
			style = dotted
		}
	}
	return b
}

func appendField(b []byte, name string, first bool) []byte {
	if !first {
		b = append(b, '.')
	}
	return append(b, name...)
}

// valuePath returns the path of the value at the end of steps.
func valuePath(steps []event) prunert.Path {
	path := make(prunert.Path, 0, len(steps))
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
