package compare

import (
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
)

// pasts is how many objects before returns.
const pasts = 5

// before returns an object that an update could have led from to obj: the same one for 0, one that differs in many places for 1
// and in fewer for the numbers after it, and an empty one for the last.
func before(obj map[string]any, salt, seed uint64) map[string]any {
	switch salt {
	case 0:
		return jsonvalue.Copy(obj)
	case pasts - 1:
		return map[string]any{}
	}
	return specimen.Change{Seed: seed, OneIn: 3 << (2 * (salt - 1)), Types: true}.Of(obj)
}
