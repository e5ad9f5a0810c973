package specimen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/structural"
)

// Valid returns an object with nothing wrong, as far as wrong says: the paths of the values that are. Whatever they name is taken out
// of objects that are made for s, until one is right. It reports false if none becomes so.
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
				// From the lists that the path goes through, one element is taken out at a time: the others move.
				list, _, _ := strings.Cut(path, "[")
				if !taken[list] && !isMetaField(path) {
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

// takeOut returns v without the value at a path, or without what it would be in where there is none. It reports whether there is one.
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
