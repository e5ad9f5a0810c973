package pruneimpl

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// model prunes a value of which the schema says that it has the named fields, or, with keys, that all of them stay, and
// nothing about what is in them: the functions below as one straightforward walk.
func model(v any, at string, names []string, keys bool) (dropped []string) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			below := k
			if at != "" {
				below = at + "." + k
			}
			if keys || slices.Contains(names, k) {
				dropped = append(dropped, model(e, below, nil, false)...)
			} else {
				delete(v, k)
				dropped = append(dropped, below)
			}
		}
	case []any:
		for i, e := range v {
			dropped = append(dropped, model(e, fmt.Sprintf("%s[%d]", at, i), nil, false)...)
		}
	}
	slices.Sort(dropped)
	return dropped
}

// maker makes random values from few names, so that some are known and some are not.
type maker struct{ *rand.Rand }

func (m maker) value(depth int) any {
	switch n := m.IntN(6); {
	case n < 2 && depth < 4:
		return m.object(m.IntN(6), depth)
	case n == 2 && depth < 4:
		list := make([]any, m.IntN(4))
		for i := range list {
			list[i] = m.value(depth + 1)
		}
		return list
	}
	return []any{nil, "x", int64(1), 1.5, true}[m.IntN(5)]
}

func (m maker) object(size, depth int) map[string]any {
	obj := map[string]any{}
	for range size {
		obj[fieldName(m.IntN(30))] = m.value(depth + 1)
	}
	return obj
}

func fieldName(i int) string { return fmt.Sprintf("f%02d", i) }

func TestTheFunctionsForLeavesDoWhatTheModelDoes(t *testing.T) {
	random := maker{rand.New(rand.NewPCG(1, 2))}
	for i := range 2000 {
		var names []string
		for i := range 30 {
			if random.IntN(30) < i%31 {
				names = append(names, fieldName(i))
			}
		}
		var v any = random.object(random.IntN(30), 0)
		if i%10 == 0 {
			v = random.value(0)
		}
		for name, f := range map[string]func(v any, rec *Recorder) int{
			"PruneLeaf":           PruneLeaf,
			"PruneLeafMap":        PruneLeafMap,
			"PruneLeafObject":     func(v any, rec *Recorder) int { return PruneLeafObject(v, rec, names...) },
			"NormalizeLeafMap":    NormalizeLeafMap,
			"NormalizeLeafObject": func(v any, rec *Recorder) int { return NormalizeLeafObject(v, rec, names...) },
			"PruneObject and DropUnknown": func(v any, rec *Recorder) int {
				obj, left, n := PruneLeaves(v, rec, names...)
				return n + DropUnknown(obj, rec, left, names...)
			},
			"NormalizeObject and DropOthers": func(v any, rec *Recorder) int {
				obj, left, n := NormalizeLeaves(v, rec, names[:len(names)/2]...)
				for _, name := range names[len(names)/2:] {
					if v := obj[name]; v != nil && rec.Last(name, PruneLeaf(v, rec), &n, &left) {
						return n
					}
				}
				return n + DropOthers(obj, rec, left, names...)
			},
		} {
			want, silent, have := clone(v), clone(v), clone(v)
			var dropped []string
			if obj, ok := want.(map[string]any); ok && strings.HasPrefix(name, "Normalize") { // a null that is known goes, and is not reported
				maps.DeleteFunc(obj, func(k string, v any) bool {
					return v == nil && (name == "NormalizeLeafMap" || slices.Contains(names, k))
				})
			}
			switch name {
			case "PruneLeaf":
				dropped = model(want, "", nil, false)
			case "PruneLeafMap", "NormalizeLeafMap":
				dropped = model(want, "", nil, true)
			default:
				dropped = model(want, "", names, false)
			}
			var rec Recorder
			if n := f(have, &rec); (n == 0) != (len(dropped) == 0) || n != len(rec.events) {
				t.Fatalf("%s: %d events for %d drops, %d recorded", name, n, len(dropped), len(rec.events))
			}
			if paths := rec.Dropped(); !reflect.DeepEqual(have, want) || !slices.Equal(paths, dropped) {
				t.Fatalf("%s(%q) of %v: have %v, dropped %q, want %v, %q", name, names, v, have, paths, want, dropped)
			}
			if n := f(silent, nil); n != 0 || !reflect.DeepEqual(silent, want) {
				t.Fatalf("%s without a recorder: %d events, have %v, want %v", name, n, silent, want)
			}
		}
	}
}

// Of the named fields, those that are null go, and others that are null stay.
func TestNullsAreDroppedByName(t *testing.T) {
	obj := map[string]any{"a": nil, "b": nil, "c": "x", "d": map[string]any{"y": nil}, "e": nil}
	DropNulls(obj, "a", "c", "d", "missing")
	if want := map[string]any{"b": nil, "c": "x", "d": map[string]any{"y": nil}, "e": nil}; !reflect.DeepEqual(obj, want) {
		t.Errorf("%v, want %v", obj, want)
	}
	var rec Recorder
	_, left, n := NormalizeLeaves(obj, &rec, "b", "c", "d", "missing")
	if want := map[string]any{"c": "x", "d": map[string]any{}, "e": nil}; left != 1 || n != 2 || !reflect.DeepEqual(obj, want) {
		t.Errorf("%d are left, %d events, %v, want %v", left, n, obj, want)
	}
	if paths := rec.Dropped(); !slices.Equal(paths, []string{"d.y"}) {
		t.Errorf("dropped %q", paths)
	}
	for names, want := range map[string]int{"": 0, "c": 1, "e": 1, "c e": 2, "c d e": 3, "x": 0, "x c y": 1} {
		if have := Count(obj, strings.Fields(names)...); have != want {
			t.Errorf("%q: %d, want %d", names, have, want)
		}
	}
}

func TestPruneLeavesCountsThoseThatAreThere(t *testing.T) {
	obj := map[string]any{"a": nil, "b": map[string]any{"x": int64(1)}, "other": int64(1)}
	var rec Recorder
	_, left, n := PruneLeaves(obj, &rec, "a", "b", "c")
	if paths := rec.Dropped(); left != 1 || n != 2 || !slices.Equal(paths, []string{"b.x"}) {
		t.Errorf("%d left, %d events, dropped %q", left, n, paths)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(obj)), []string{"a", "b", "other"}) {
		t.Errorf("the object has become %v", obj)
	}
}

func TestLeavingAloneAndDroppingCostNoAllocation(t *testing.T) {
	names := []string{"a", "b", "c"}
	clean := map[string]any{"a": "x", "b": []any{"y", map[string]any{}}, "c": map[string]any{}}
	allocs := testing.AllocsPerRun(100, func() {
		var rec Recorder
		if PruneLeafObject(clean, &rec, names...)+PruneLeafMap(clean, &rec)+DropUnknown(clean, &rec, 1, names...) != 0 {
			t.Error("something was dropped")
		}
	})
	if allocs != 0 {
		t.Errorf("clean: %v allocations", allocs)
	}
	dirty := map[string]any{"a": map[string]any{}}
	inner := dirty["a"].(map[string]any)
	allocs = testing.AllocsPerRun(100, func() {
		dirty["x"], inner["y"] = true, true
		PruneLeafObject(dirty, nil, names...)
		if len(dirty) != 1 || len(inner) != 0 {
			t.Error("something was left")
		}
	})
	if allocs != 0 {
		t.Errorf("dirty: %v allocations", allocs)
	}
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	}
	return v
}
