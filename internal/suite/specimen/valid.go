package specimen

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Valid returns an object that is not refused. The values that are wrong are removed from objects that are made for s, until one is accepted. It
// reports false if none is.
func Valid(s *structural.Schema, seed uint64, opts Options, refused func(obj map[string]any) *prunert.Refusal) (map[string]any, bool) {
	for attempt := range 100 {
		obj := Make(s, seed+uint64(attempt)<<40, opts)
		for range 500 {
			refusal := refused(obj)
			if refusal == nil {
				return obj, true
			}
			if !TakeOut(obj, refusal.Errors) {
				break
			}
		}
		opts.Size = 100 + 50*attempt // others have more or fewer fields
	}
	return nil, false
}

// TakeOut removes the values that errors are about, or their nearest parents if they do not exist; apiVersion, kind and metadata stay. It reports
// whether it found one.
func TakeOut(obj map[string]any, errs prunert.ErrorList) (found bool) {
	taken := map[string]bool{}
	for _, e := range errs {
		// Only one element of each list is removed at a time, because the others move.
		list := e.Path
		if i := slices.IndexFunc(list, func(s prunert.Step) bool { return s.Index >= 0 }); i >= 0 {
			list = list[:i]
		}
		if at := list.String(); !taken[at] && !(len(e.Path) == 1 && structural.IsMetaField(e.Path[0].Name)) {
			taken[at] = true
			_, out := takeOut(obj, e.Path)
			found = found || out
		}
	}
	return found
}

// takeOut returns v without the value at a path, or without its nearest existing parent if that value does not exist. It reports whether
// it found one.
func takeOut(v any, path prunert.Path) (rest any, taken bool) {
	if len(path) == 0 {
		return v, false
	}
	switch in := v.(type) {
	case map[string]any:
		e, ok := in[path[0].Name]
		if !ok {
			return in, false
		}
		if in[path[0].Name], taken = takeOut(e, path[1:]); !taken {
			delete(in, path[0].Name)
		}
		return in, true
	case []any:
		i := path[0].Index
		if i < 0 || i >= len(in) {
			return in, false
		}
		if in[i], taken = takeOut(in[i], path[1:]); !taken {
			in = slices.Delete(in, i, i+1)
		}
		return in, true
	}
	return v, false
}
