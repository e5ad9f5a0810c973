package pruneimpl

import (
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// PruneLeaf prunes a value of which the schema specifies nothing. The walk follows the value, not the
// type in the schema: an object is emptied, also where a string is wanted; the objects in a list are emptied; scalars stay.
func PruneLeaf(v any, rec *Recorder) int {
	switch v.(type) {
	case map[string]any, []any:
		return pruneBelow(v, rec)
	}
	return 0
}

// PruneObject returns v if it is an object, with the number of its fields. It prunes any other value as a leaf, and returns no object and the
// number of events.
func PruneObject(v any, rec *Recorder) (obj map[string]any, left, n int) {
	if obj, ok := v.(map[string]any); ok {
		return obj, len(obj), 0
	}
	return nil, 0, pruneBelow(v, rec)
}

// PruneLeaves is PruneObject, and calls PruneLeaf for each of the named fields. It returns how many other fields there are, and stops when there
// are none.
func PruneLeaves(v any, rec *Recorder, names ...string) (obj map[string]any, left, n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, 0, PruneLeaf(v, rec)
	}
	left = len(obj)
	for _, name := range names {
		if v, ok := obj[name]; ok {
			n += rec.Field(name, PruneLeaf(v, rec))
			if left--; left == 0 {
				break
			}
		}
	}
	return obj, left, n
}

// PruneEach calls prune for each element of a list. It prunes any other value as a leaf.
func PruneEach(v any, rec *Recorder, prune func(any, *Recorder) int) int {
	list, n := PruneList(v, rec)
	for i, v := range list {
		n += rec.Index(i, prune(v, rec))
	}
	return n
}

// PruneList returns v if it is a list. It prunes any other value as a leaf, and returns no list and the number of events.
func PruneList(v any, rec *Recorder) (list []any, n int) {
	if list, ok := v.([]any); ok {
		return list, 0
	}
	return nil, pruneNested(v, rec, 0)
}

// pruneBelow is kept out of its callers so that they are small enough to be inlined: nearly all leaves are scalars, and nearly all values in the
// place of objects are objects.
//
//go:noinline
func pruneBelow(v any, rec *Recorder) int {
	return pruneNested(v, rec, 0)
}

// pruneNested is the only function that follows a value to any depth. In a list that contains itself, which no decoder makes, it stops at
// the depth that decoders refuse.
func pruneNested(v any, rec *Recorder, depth int) (n int) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return 0 // clearing it would be a write, to the race detector at least
		}
		if rec != nil {
			for k := range v {
				n += rec.Drop(k)
			}
		}
		clear(v)
	case []any:
		if depth > prunert.MaxDepth {
			return 0
		}
		for i, e := range v {
			switch e.(type) {
			case map[string]any, []any: // nearly all elements are scalars
				n += rec.Index(i, pruneNested(e, rec, depth+1))
			}
		}
	}
	return n
}

// PruneLeafObject prunes an object that has only leaves: the named fields, which are sorted, stay, and others are dropped.
func PruneLeafObject(v any, rec *Recorder, names ...string) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return PruneLeaf(v, rec)
	}
	left := len(obj)
	spare := len(names) - left // the number of names that can be missing before a field must be unknown
	if left == 0 {
		return 0
	}
	for _, name := range names {
		if spare < 0 {
			break
		}
		v, ok := obj[name]
		if !ok {
			spare--
			continue
		}
		n += rec.Field(name, PruneLeaf(v, rec))
		if left--; left == 0 {
			return n
		}
	}
	return n + pruneLeavesInRange(obj, rec, names)
}

// pruneLeavesInRange does the same by ranging over the fields of the object. Pruning a leaf again is harmless: there is nothing left in it
// to drop.
func pruneLeavesInRange(obj map[string]any, rec *Recorder, names []string) (n int) {
	left := len(obj)
	for k, v := range obj {
		if contains(names, k) {
			n += rec.Field(k, PruneLeaf(v, rec))
		} else {
			n += rec.DropField(obj, k)
		}
		if left--; left == 0 {
			break
		}
	}
	return n
}

// PruneLeafMap prunes a map: its keys stay, and its values are leaves.
func PruneLeafMap(v any, rec *Recorder) (n int) {
	obj, ok := v.(map[string]any)
	if !ok {
		return PruneLeaf(v, rec)
	}
	left := len(obj)
	for k, v := range obj {
		n += rec.Key(k, PruneLeaf(v, rec))
		if left--; left == 0 {
			break
		}
	}
	return n
}

// DropUnknown drops every field of obj that is not in known, which is sorted. There is none if no field is left.
func DropUnknown(obj map[string]any, rec *Recorder, left int, known ...string) (n int) {
	if left == 0 {
		return 0
	}
	for k := range obj {
		if !contains(known, k) {
			n += rec.DropField(obj, k)
		}
	}
	return n
}

// contains reports whether name is one of names, which are sorted. Of a few names, most differ in length already.
func contains(names []string, name string) bool {
	if len(names) <= 16 {
		return slices.Contains(names, name)
	}
	_, ok := slices.BinarySearch(names, name)
	return ok
}

// Count returns how many of the named fields an object has.
func Count(obj map[string]any, names ...string) (n int) {
	for _, name := range names {
		if _, ok := obj[name]; ok {
			n++
		}
	}
	return n
}
