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
	opts.Flaws = None
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
				if list, _, _ := strings.Cut(path, "["); !taken[list] {
					taken[list] = true
					changed = takeOut(obj, path) || changed
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

// takeOut takes the value at a path out of an object, or what it would be in where there is none. It reports whether it did so.
func takeOut(obj map[string]any, path string) bool {
	type place struct {
		in    any
		key   string
		index int
		put   func(any) // puts something else in place of in
	}
	var way []place
	var v any = obj
	put := func(any) {}
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch in := v.(type) {
		case map[string]any:
			way = append(way, place{in: in, key: step, put: put})
			v = in[step]
			put = func(v any) { in[step] = v }
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(in) {
				break
			}
			way = append(way, place{in: in, index: i, put: put})
			v = in[i]
			put = func(v any) { in[i] = v }
		}
	}
	for _, p := range slices.Backward(way) {
		switch in := p.in.(type) {
		case []any:
			p.put(slices.Delete(in, p.index, p.index+1))
			return true
		case map[string]any:
			if _, ok := in[p.key]; ok && (len(way) > 1 || !isMetaField(p.key)) {
				delete(in, p.key)
				return true
			}
		}
	}
	return false
}
