package specimentest

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
)

// Change says how an object becomes another: one that it may be an update of, for example. Whether a place changes follows from its
// path and the seed alone, so that an object that becomes smaller changes in the same places.
type Change struct {
	Seed uint64
	// OneIn says that about one in this many places changes.
	OneIn uint64
	// Types lets values get other types.
	Types bool
	// Aim has texts and integers that others become; nil for any.
	Aim *specimen.Aim
}

// Of returns a copy of obj that is changed.
func (c Change) Of(obj map[string]any) map[string]any {
	changed, _ := c.value(jsonvalue.Copy(obj), "").(map[string]any)
	return changed
}

// roll returns a number below n that follows from a path.
func (c Change) roll(at string, n uint64) uint64 {
	h := fnv.New64a()
	binary.Write(h, binary.LittleEndian, []uint64{c.Seed, c.OneIn, n})
	h.Write([]byte(at))
	sum := h.Sum64()
	sum ^= sum >> 29
	return sum * 0x9e3779b97f4a7c15 >> 33 % n
}

// pickAt returns one of all values, chosen by a path.
func pickAt[T any](c Change, at string, all ...T) T { return all[c.roll(at+"!", uint64(len(all)))] }

// value returns what v becomes, which is changed in place. The path of the root is empty.
func (c Change) value(v any, at string) any {
	if c.Types && at != "" && c.roll(at+"?", 4*c.OneIn) == 0 {
		return pickAt[any](c, at, nil, "x", int64(1), 1.5, true, map[string]any{"a": "b"}, []any{"x"}, []any{}, map[string]any{})
	}
	differs := at != "" && c.roll(at, c.OneIn) == 0
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			below := at + "." + k
			switch {
			case below == ".metadata" && !c.Types:
			case c.roll(below, 3*c.OneIn) == 1:
				delete(v, k)
			default:
				v[k] = c.value(e, below)
			}
		}
		if differs && c.Types {
			v["was"] = "there"
		}
	case []any:
		for i, e := range v {
			v[i] = c.value(e, at+"["+strconv.Itoa(i)+"]")
		}
		if !differs || len(v) == 0 {
			return v
		}
		switch c.roll(at+"!", 4) {
		case 0:
			slices.Reverse(v)
		case 1:
			return v[1:]
		case 2:
			return append(v, jsonvalue.Copy(v[0]))
		case 3:
			if c.Types {
				return append(v, "new")
			}
		}
	case int64:
		switch {
		case differs && c.Types:
			return pickAt[any](c, at, float64(v), v+1, "1", nil)
		case differs && c.Aim != nil && len(c.Aim.Integers) > 0:
			return pickAt(c, at, c.Aim.Integers...) + int64(c.roll(at+"+", 3)) - 1
		case differs:
			return v + 1
		}
	case string:
		switch {
		case differs && c.Types:
			return pickAt[any](c, at, v+"x", "", int64(1), nil)
		case differs && c.Aim != nil:
			return pickAt(c, at, append(slices.Clone(c.Aim.Texts), pickAt(c, at+"+", specimen.Samples...), v+"x", "")...)
		case differs:
			return v + "x"
		}
	case bool:
		return v != differs
	default:
		if differs && c.Types {
			return pickAt[any](c, at, "x", nil, 1.5, true)
		}
	}
	return v
}
