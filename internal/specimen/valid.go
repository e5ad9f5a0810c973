package specimen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Valid returns a valid object. The function wrong returns the paths of invalid values; these are removed from objects that are made for
// s, until one is valid. It reports false if none is.
func Valid(s *structural.Schema, seed uint64, opts Options, wrong func(obj map[string]any) []string) (map[string]any, bool) {
	for attempt := range 100 {
		obj := Make(s, seed+uint64(attempt)<<40, opts)
		for range 100 {
			paths := wrong(obj)
			if len(paths) == 0 {
				return obj, true
			}
			changed := false
			taken := map[string]bool{}
			for _, path := range paths {
				// Only one element of each list is removed at a time, because the others move.
				list, _, _ := strings.Cut(path, "[")
				if !taken[list] && !structural.IsMetaField(path) {
					taken[list] = true
					_, out := takeOut(obj, strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }))
					changed = changed || out
				}
			}
			if !changed {
				break
			}
		}
		opts.Size = 100 + 50*attempt // others have more or fewer fields
	}
	return nil, false
}

// takeOut returns v without the value at a path, or without its nearest existing parent if that value does not exist. It reports whether
// it found one.
func takeOut(v any, path []string) (rest any, taken bool) {
	if len(path) == 0 {
		return v, false
	}
	switch in := v.(type) {
	case map[string]any:
		e, ok := in[path[0]]
		if !ok {
			return in, false
		}
		if in[path[0]], taken = takeOut(e, path[1:]); !taken {
			delete(in, path[0])
		}
		return in, true
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(in) {
			return in, false
		}
		if in[i], taken = takeOut(in[i], path[1:]); !taken {
			in = slices.Delete(in, i, i+1)
		}
		return in, true
	}
	return v, false
}
