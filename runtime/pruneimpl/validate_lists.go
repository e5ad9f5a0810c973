package pruneimpl

import (
	"encoding/json"
	"slices"
)

// compoundKey stands for an object or a list in a table.
type compoundKey string

// ListSet checks that the elements of a set are unique. Objects and lists are compared by their JSON.
func ListSet(list []any, rec *Recorder) (n int) {
	if len(list) <= 1 || allDiffer(list, nil) {
		return 0
	}
	return rec.repeated(list, nil)
}

// repeated records the duplicate elements of a list, with the names of their keys if they have any.
func (r *Recorder) repeated(list []any, names []string) (n int) {
	times := make(map[any]int, len(list))
	for i, e := range list {
		key := e
		switch e.(type) {
		case nil, bool, int64, float64, string, unspecified:
		case map[string]any, []any:
			text, err := json.Marshal(e)
			if err != nil {
				continue // no JSON value
			}
			key = compoundKey(text)
		default:
			continue // what no decoder makes is equal to nothing, and may not be comparable
		}
		if times[key]++; times[key] != 2 {
			continue
		}
		switch {
		case key == any(unspecified{}):
			e = map[string]any{}
		case len(names) == 1:
			e = map[string]any{names[0]: e}
		}
		n += r.Index(i, r.listFault(fault{kind: faultDuplicate, value: e}))
	}
	return n
}

func (r *Recorder) listFault(f fault) int {
	if r == nil {
		return 1
	}
	r.listFaults++
	return r.keep(f)
}

// unspecified is the key of an element that has none.
type unspecified struct{}

// ListMap checks that the elements of a list map are objects, or null, and that no two of them have the same keys.
func ListMap(list []any, rec *Recorder, keys ...string) int {
	if len(list) > 1 && len(keys) > 0 && allDiffer(list, keys) {
		return 0 // all of them are objects, or null
	}
	for i, e := range list {
		if _, ok := e.(map[string]any); !ok && e != nil {
			return rec.Index(i, rec.listFault(fault{kind: faultNoObject, value: e}))
		}
	}
	if len(list) <= 1 {
		return 0
	}
	return rec.repeatedKeys(list, slices.Clone(keys))
}

func (r *Recorder) repeatedKeys(list []any, names []string) int {
	keys := make([]any, len(list))
	for i, e := range list {
		obj, _ := e.(map[string]any)
		if len(names) != 1 {
			key := map[string]any{}
			for _, k := range names {
				if v, ok := obj[k]; ok {
					key[k] = v
				}
			}
			keys[i] = key
			continue
		}
		keys[i] = unspecified{}
		if v, ok := obj[names[0]]; ok {
			keys[i] = v
		}
	}
	return r.repeated(keys, names)
}
