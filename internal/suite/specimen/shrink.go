package specimen

import (
	"maps"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
)

// Shrink returns the smallest object that it finds within a number of tries and for which differs still holds: it removes keys and
// elements, and replaces values by plainer ones, as long as that works.
func Shrink(obj map[string]any, tries int, differs func(map[string]any) bool) map[string]any {
	s := &shrinker{obj: jsonvalue.Copy(obj), differs: differs, tries: tries}
	for s.tries > 0 {
		before := s.kept
		s.value(s.obj, func(any) {})
		if s.kept == before {
			break
		}
	}
	return s.obj
}

type shrinker struct {
	obj     map[string]any
	differs func(map[string]any) bool
	tries   int
	kept    int // changes that were kept
}

// try makes a change and keeps it if the difference is still there.
func (s *shrinker) try(change, undo func()) bool {
	if s.tries--; s.tries < 0 {
		return false
	}
	change()
	if s.differs(jsonvalue.Copy(s.obj)) {
		s.kept++
		return true
	}
	undo()
	return false
}

// value shrinks v in place. set puts another value where v is.
func (s *shrinker) value(v any, set func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			old := v[k]
			if s.try(func() { delete(v, k) }, func() { v[k] = old }) {
				continue
			}
			s.value(old, func(e any) { v[k] = e })
		}
	case []any:
		// From the end, so that the indexes of the rest stay.
		for i := len(v) - 1; i >= 0; i-- {
			shorter := slices.Delete(slices.Clone(v), i, i+1)
			if s.try(func() { set(shorter) }, func() { set(v) }) {
				v = shorter
				continue
			}
			s.value(v[i], func(e any) { v[i] = e })
		}
	case string:
		for _, plain := range []string{"x", strings.Join(strings.Fields(v), " ")} {
			if len(plain) < len(v) && s.try(func() { set(plain) }, func() { set(v) }) {
				break
			}
		}
	}
}
