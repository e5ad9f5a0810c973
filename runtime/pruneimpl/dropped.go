package pruneimpl

import (
	"fmt"
	"slices"
	"strconv"
)

// Dropped returns the paths of the dropped fields, sorted, as the API server writes them: spec.list[0].field. Where the
// limits leave some out, the last entry says how many.
func (r *Recorder) Dropped() []string {
	if len(r.events) == 0 {
		return nil
	}
	paths := make([]string, 0, r.drops.listed+1)
	bytes, more := 0, r.drops.more
	var path []byte // the steps to the last leaf, written
	var begins []int
	metadata := -1 // which of them is metadata
	r.leaves(func(steps []event, kept int, leaf event) {
		if !r.fits(bytes) {
			more++
			return
		}
		if kept < len(begins) {
			path, begins = path[:begins[kept]], begins[:kept]
		}
		if kept <= metadata {
			metadata = -1
		}
		for i := kept; i < len(steps); i++ {
			begins = append(begins, len(path))
			path = appendStep(path, steps[i], i == 0)
			if steps[i].kind == stepMetadata {
				metadata = i
			}
		}
		if metadata >= 0 {
			paths = append(paths, render(steps, leaf.name))
		} else {
			paths = append(paths, string(appendField(path, leaf.name, len(steps) == 0)))
		}
		bytes += len(paths[len(paths)-1])
	})
	slices.Sort(paths)
	if more > 0 {
		paths = append(paths, moreText(more))
	}
	return paths
}

// render writes a path of steps and, if there is one, a last field. Above metadata the API server writes map keys in
// brackets, everywhere else it does not.
func render(steps []event, last ...string) string {
	return renderBrackets(steps, slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }), last...)
}

// renderBrackets does the same; brackets says whether map keys are in brackets, which ends with metadata.
func renderBrackets(steps []event, brackets bool, last ...string) string {
	var b []byte
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
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(e.index), 10)
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
