package prunejson

import (
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
)

// paths walks through the document, which is valid, and returns the paths of what was dropped and of duplicate keys.
func (r *report) paths(doc []byte) prunert.JSONReport {
	w := pathWalk{report: *r, duplicates: duplicates{limits: prunelimits.Current()}}
	w.value(w.scan.Begin(nil, doc))
	return prunert.JSONReport{Dropped: w.recorder.Dropped(), Duplicate: w.duplicates.paths}
}

// pathWalk is a walk through a valid document.
type pathWalk struct {
	report     // what of it is still ahead
	scan       Scanner
	recorder   pruneimpl.Recorder
	duplicates duplicates
}

// value goes through the value at p. It returns the position after it, and how many events of the recorder lie below it.
func (w *pathWalk) value(p Pos) (end Pos, below int) {
	s := &w.scan
	switch {
	case s.IsAt(p, '{'):
		w.duplicates.enter()
		defer w.duplicates.leave()
		k, p, _ := s.Object(p)
		for k[0] == '"' {
			var n int
			end, n = w.member(p)
			below += n
			k, p = s.Next(end)
		}
		return s.Close(p), below
	case s.IsAt(p, '['):
		w.duplicates.enter()
		defer w.duplicates.leave()
		p, more, _ := s.List(p)
		for i := 0; more; i++ {
			w.duplicates.element(i)
			end, n := w.value(p)
			below += w.recorder.Index(i, n)
			p, more = s.Element(end)
		}
		return p, below
	}
	return s.Keep(p), 0
}

// member goes through the member whose key is at p, as value does.
func (w *pathWalk) member(p Pos) (end Pos, below int) {
	text, value := w.scan.KeyText(p)
	key := textOf(text) // nothing is dropped, so the document stays as it is
	if isNext(&w.dropped, p) {
		below = w.recorder.Drop(key)
	}
	isKey, isMetadata := isNext(&w.mapKeys, p), isNext(&w.metadata, w.scan.blanks(value))
	w.duplicates.member(key)
	end, n := w.value(value)
	switch {
	case isMetadata:
		n = w.recorder.Metadata(n)
	case isKey:
		n = w.recorder.Key(key, n)
	default:
		n = w.recorder.Field(key, n)
	}
	return end, below + n
}

// isNext reports whether p is the first of positions, and takes it away.
func isNext(positions *[]Pos, p Pos) bool {
	if len(*positions) == 0 || (*positions)[0] != p {
		return false
	}
	*positions = (*positions)[1:]
	return true
}
