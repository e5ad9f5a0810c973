package compare

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/jsonvalue"
)

// pasts is how many objects before returns.
const pasts = 5

// before returns an object that an update could have led from to obj: the same one for 0, one that differs in many places for 1
// and in fewer for the numbers after it, and an empty one for the last. Whether it differs in a place follows from the path, the number and the seed alone, so that an object that
// becomes smaller has the same past.
func before(obj map[string]any, salt, seed uint64) map[string]any {
	switch salt {
	case 0:
		return jsonvalue.Copy(obj)
	case pasts - 1:
		return map[string]any{}
	}
	old, _ := past{salt, seed}.value(jsonvalue.Copy(obj), "").(map[string]any)
	return old
}

type past struct {
	salt, seed uint64
}

// roll returns a number below n that follows from a path.
func (p past) roll(at string, n uint64) uint64 {
	h := fnv.New64a()
	binary.Write(h, binary.LittleEndian, []uint64{p.salt, p.seed, n})
	h.Write([]byte(at))
	sum := h.Sum64()
	sum ^= sum >> 29
	return sum * 0x9e3779b97f4a7c15 >> 33 % n
}

// often is one in how many places something is different.
func (p past) often() uint64 { return 3 << (2 * (p.salt - 1)) }

// value returns what v was, which is changed in place.
func (p past) value(v any, at string) any {
	differs := at != "" && p.roll(at, p.often()) == 0
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			below := at + "." + k
			if p.roll(below, 3*p.often()) == 1 {
				delete(v, k)
				continue
			}
			v[k] = p.value(e, below)
		}
		if differs {
			v["was"] = "there"
		}
	case []any:
		for i, e := range v {
			v[i] = p.value(e, at+"["+strconv.Itoa(i)+"]")
		}
		if !differs || len(v) == 0 {
			return v
		}
		switch p.roll(at+"!", 4) {
		case 0:
			slices.Reverse(v)
		case 1:
			return v[1:]
		case 2:
			return append(v, jsonvalue.Copy(v[0]))
		case 3:
			return append(v, "new")
		}
	case int64:
		if differs {
			return []any{float64(v), v + 1, "1", nil}[p.roll(at+"!", 4)]
		}
	case string:
		if differs {
			return []any{v + "x", "", int64(1), nil}[p.roll(at+"!", 4)]
		}
	default:
		if differs {
			return []any{"x", nil, 1.5, true}[p.roll(at+"!", 4)]
		}
	}
	return v
}
