package tests

import (
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/traits"

	"github.com/prune-gen/prune-gen/runtime/prunecel"
)

// args returns arguments of some types. Many have to do with one before them: they are equal to it, or just not, a part of it, a place
// in it, or just too much for it. Arguments that are drawn each by itself seldom are.
func (g callMaker) args(argTypes []*types.Type, of func(i int) pair) []pair {
	args := make([]pair, len(argTypes))
	for i, t := range argTypes {
		args[i] = of(i)
		if i == 0 || g.IntN(2) == 0 {
			continue
		}
		if p, ok := g.related(args[g.IntN(i)], t); ok {
			args[i] = p
		}
	}
	return args
}

// related returns a value of a type that has to do with another value, if there is one.
func (g callMaker) related(to pair, t *types.Type) (p pair, ok bool) {
	switch v := to.ours.(type) {
	case string:
		p = plain(g.partOf(v))
		if kindIs(t, types.IntKind) && g.IntN(2) == 0 {
			p = plain(g.placeIn(utf8.RuneCountInString(v)))
		}
	case []byte:
		p = plain([]byte(g.partOf(string(v))))
	case int64:
		p = plain(g.besideInt(v))
	case uint64:
		p = plain(g.besideUint(v))
	case float64:
		p = plain(pick(g, []float64{v, -v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)), math.Trunc(v), 1 / v}))
	case time.Duration:
		p = plain(time.Duration(g.besideInt(int64(v))))
		if t.Kind() == types.TimestampKind { // the first or the last time to which it can be added
			ends := []time.Time{time.Unix(253402300799, 999999999), time.Unix(-62135596800, 0)}
			p = plain(pick(g, ends).UTC().Add(-v).Add(pick(g, []time.Duration{-1, 0, 1})))
		}
	case time.Time:
		p = plain(v.Add(pick(g, []time.Duration{0, 1, -1, time.Second, math.MaxInt64, math.MinInt64})))
		if t.Kind() == types.DurationKind {
			p = plain(pick(g, []time.Time{time.Unix(253402300799, 999999999), time.Unix(-62135596800, 0)}).Sub(v) + pick(g, []time.Duration{-1, 0, 1}))
		}
	case []any:
		p = g.fromList(to, t)
	}
	if isNumber(p.ours) && isDyn(t) && g.IntN(2) == 0 {
		p = otherNumber(g, p.ours)
	}
	if p.theirs == nil || !isDyn(t) && t.Kind() != types.ListKind && p.theirs.Type().TypeName() != t.TypeName() {
		return pair{}, false
	}
	_, isList := p.ours.([]any)
	return p, isDyn(t) || isList == (t.Kind() == types.ListKind)
}

func kindIs(t *types.Type, kind types.Kind) bool { return t.Kind() == kind || isDyn(t) }

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float64:
		return true
	}
	return false
}

// otherNumber returns a number as one of another type, where it is about the same.
func otherNumber(g callMaker, v any) pair {
	switch v := v.(type) {
	case int64:
		if v >= 0 && g.IntN(2) == 0 {
			return plain(uint64(v))
		}
		return plain(float64(v))
	case uint64:
		if v <= math.MaxInt64 && g.IntN(2) == 0 {
			return plain(int64(v))
		}
		return plain(float64(v))
	case float64:
		if v >= 0 && v < 1<<63 && g.IntN(2) == 0 {
			return plain(uint64(v))
		}
		if v >= -(1<<63) && v < 1<<63 {
			return plain(int64(v))
		}
	}
	return plain(v)
}

// partOf returns a text, a part of it, or a little more than it. A part may end inside of a character.
func (g callMaker) partOf(s string) string {
	i := g.IntN(len(s) + 1)
	j := i + g.IntN(len(s)-i+1)
	return pick(g, []string{s, s[:i], s[i:], s[i:j], s + "x", s + s[:i]})
}

// placeIn returns an index of n elements: the first and the last, and those beside them.
func (g callMaker) placeIn(n int) int64 {
	return pick(g, []int64{-1, 0, 1, int64(n) - 1, int64(n), int64(n) + 1, int64(g.IntN(n + 1))})
}

// besideInt returns a number for which a number is just not too large, or just too large.
func (g callMaker) besideInt(v int64) int64 {
	end := pick(g, []int64{math.MaxInt64, math.MinInt64, 0})
	if v != 0 && v != -1 && g.IntN(2) == 0 {
		return end/v + pick(g, []int64{-1, 0, 1})
	}
	return pick(g, []int64{end - v, end + v, v}) + pick(g, []int64{-1, 0, 1})
}

func (g callMaker) besideUint(v uint64) uint64 {
	if v != 0 && g.IntN(2) == 0 {
		return math.MaxUint64/v + pick(g, []uint64{0, 1})
	}
	return pick(g, []uint64{math.MaxUint64 - v, v}) + pick(g, []uint64{math.MaxUint64, 0, 1})
}

// fromList returns an element of a list, a place in it, or a list with elements of it.
func (g callMaker) fromList(list pair, t *types.Type) pair {
	items := elements(list)
	if t.Kind() == types.IntKind {
		return plain(g.placeIn(len(items)))
	}
	if isDyn(t) && len(items) > 0 && g.IntN(2) == 0 {
		return pick(g, items)
	}
	switch g.IntN(5) {
	case 0:
		items = append(items, g.of(types.DynType))
	case 1:
		items = items[:g.IntN(len(items)+1)]
	case 2:
		g.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	case 3:
		if len(items) > 0 {
			items = append(items, pick(g, items))
		}
	}
	if t.Kind() == types.ListKind && t.Parameters()[0].Kind() != types.DynKind {
		return listOf(slices.DeleteFunc(items, func(p pair) bool { return p.theirs.Type().TypeName() != t.Parameters()[0].TypeName() }))
	}
	return listOf(items)
}

// elements returns the elements of a list. Those that change when they are used are left out.
func elements(list pair) []pair {
	var items []pair
	ours := list.ours.([]any)
	theirs := list.theirs.(traits.Lister)
	for i, v := range ours {
		if _, ok := v.(*prunecel.Quantity); !ok {
			items = append(items, pair{v, theirs.Get(types.Int(i))})
		}
	}
	return items
}
