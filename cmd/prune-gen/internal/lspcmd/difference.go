package lspcmd

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// difference is a place at which two values differ: a field that only one of them has, or a scalar or list that is another one.
type difference struct {
	path     prunert.Path
	was, is  any
	had, has bool
}

// differences returns where values differ: the documents of a text before and after an edit.
func differences(was, is any) (all []difference) {
	var walk func(path prunert.Path, was, is any)
	below := func(path prunert.Path, step prunert.Step) prunert.Path {
		return append(path[:len(path):len(path)], step)
	}
	walk = func(path prunert.Path, was, is any) {
		before, isMap := was.(map[string]any)
		after, stays := is.(map[string]any)
		if isMap && stays {
			keys := slices.Collect(maps.Keys(before))
			for k := range after {
				if _, ok := before[k]; !ok {
					keys = append(keys, k)
				}
			}
			for _, k := range slices.Sorted(slices.Values(keys)) {
				w, had := before[k]
				i, has := after[k]
				if at := below(path, prunert.Step{Name: k, Index: -1}); had && has {
					walk(at, w, i)
				} else {
					all = append(all, difference{at, w, i, had, has})
				}
			}
			return
		}
		old, isList := was.([]any)
		new, stays := is.([]any)
		if isList && stays && len(old) == len(new) {
			for n := range old {
				walk(below(path, prunert.Step{Index: n}), old[n], new[n])
			}
			return
		}
		if !reflect.DeepEqual(was, is) {
			all = append(all, difference{path, was, is, true, true})
		}
	}
	walk(nil, was, is)
	return all
}

// endsIn reports whether the path of a difference ends in that of a field of an object.
func (d difference) endsIn(path prunert.Path) bool {
	return len(d.path) >= len(path) && slices.Equal(d.path[len(d.path)-len(path):], path)
}

// isRemoval reports whether only the field at a path is gone.
func isRemoval(all []difference, path prunert.Path) bool {
	return len(all) == 1 && all[0].had && !all[0].has && all[0].endsIn(path)
}

// isAddition reports whether only the field at a path is new.
func isAddition(all []difference, path prunert.Path) bool {
	return len(all) == 1 && !all[0].had && all[0].has && all[0].endsIn(path)
}

// isChange reports whether only a scalar has the value of a fix now, or only a key has it for a name.
func isChange(all []difference, fix structural.Fix) bool {
	switch len(all) {
	case 1:
		d := all[0]
		return d.had && d.has && (d.is == fix.Value || fix.AsIs && fmt.Sprint(d.is) == fix.Value)
	case 2:
		if all[0].has { // the one that is gone comes first
			all[0], all[1] = all[1], all[0]
		}
		gone, new := all[0], all[1]
		last := len(new.path) - 1
		return !gone.has && !new.had && last >= 0 && new.path[last].Name == fix.Value && len(gone.path) == len(new.path) &&
			slices.Equal(gone.path[:last], new.path[:last]) && reflect.DeepEqual(gone.was, new.is)
	}
	return false
}
