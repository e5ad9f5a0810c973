package gotypes

import (
	"go/types"
	"math"
	"slices"

	"github.com/prune-gen/prune-gen/structural"
)

// integerLimits returns the least and the greatest integer of a type that the server has, too. An int has 64 bits.
func integerLimits(t types.Type) (least, greatest int64) {
	switch t.Underlying().(*types.Basic).Kind() {
	case types.Int8:
		return math.MinInt8, math.MaxInt8
	case types.Int16:
		return math.MinInt16, math.MaxInt16
	case types.Int32:
		return math.MinInt32, math.MaxInt32
	case types.Uint8:
		return 0, math.MaxUint8
	case types.Uint16:
		return 0, math.MaxUint16
	case types.Uint32:
		return 0, math.MaxUint32
	case types.Uint, types.Uint64, types.Uintptr:
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}

// width compares the integers of a type with those of a schema. It looks for one that the schema takes and the type cannot hold: next to the
// limits of the type and to the bounds of the schema, and in its enum. Nobody but its authors can change a field of another module.
func (w *walker) width(t types.Type, s *structural.Schema, at place) {
	if !w.isOwn(at.field.v) {
		return
	}
	least, greatest := integerLimits(t)
	var candidates []int64
	if least > math.MinInt64 {
		candidates = append(candidates, least-1)
	}
	if greatest < math.MaxInt64 {
		candidates = append([]int64{greatest + 1}, candidates...)
	}
	for _, bound := range []*float64{s.ValueValidation.Minimum, s.ValueValidation.Maximum} {
		if bound != nil {
			candidates = append(candidates, int64(*bound), int64(*bound)+1, int64(*bound)-1)
		}
	}
	for _, v := range s.ValueValidation.Enum {
		if v, ok := v.(int64); ok {
			candidates = append(candidates, v)
		}
	}
	takes := func(v int64) bool { return len(w.refusals(v, s, at.field)) == 0 }
	if i := slices.IndexFunc(candidates, func(v int64) bool { return (v < least || v > greatest) && takes(v) }); i >= 0 {
		w.find(IDNarrow, at, "use another type, or set minimum and maximum in the schema: reading such an object into the Go type fails",
			"%s takes %d, which %s cannot hold", objectPath(at), candidates[i], w.pkg.name(t))
	} else if least == 0 && greatest == math.MaxInt64 && takes(greatest) {
		w.find(IDWide, at, "use int64, or set a maximum in the schema: the API server refuses larger integers",
			"%s can hold more than %d, the largest integer that %s takes", w.pkg.name(t), greatest, objectPath(at))
	}
}
