package pruneimpl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The writer orders what is below each step by itself. What comes out is in the order of the whole paths, also where one name
// begins with another, has dots or brackets in it, or is a number of more digits.
func TestPathsAreSortedWhateverTheNames(t *testing.T) {
	names := []string{"", "a", "a-b", "a.b", "a[0]", "aB", "ab", "a b", "[", ".", "spec", "specification", "spec.a", "é", "a\x00", "a\x00b", "abcdefg", "abcdefg.",
		"abcdefg[1]", "abcdefgh", "abcdefgh.", "abcdefgh.i", "abcdefghi", "abcdefgh-", "abcdefgh\x00"}
	indices := []int{0, 1, 2, 3, 4, 5, 9, 10, 11, 19, 20, 99, 100, 199, 999_999, 1_000_000, 1_000_001, 1_999_999, 10_000_000, 123_456_789, math.MaxInt}
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		var r Recorder
		var below func(depth int) int
		below = func(depth int) (n int) {
			if random.IntN(3) == 0 {
				for _, i := range random.Perm(len(indices))[:random.IntN(random.IntN(len(indices))+1)] {
					if depth > 0 {
						n += r.Index(indices[i], below(depth-1))
					}
				}
				return n
			}
			for _, i := range random.Perm(len(names))[:random.IntN(random.IntN(len(names))+1)] {
				switch random.IntN(5) {
				case 0:
					n += r.Field(names[i], below(max(0, depth-1)))
				case 1:
					if depth > 0 {
						n += r.Key(names[i], below(depth-1))
					}
				case 2:
					if depth > 0 {
						n += r.Key(names[i], r.metadata(r.Drop(names[i])))
					}
				default:
					n += r.Drop(names[i])
				}
			}
			return n
		}
		below(4)
		var want []string
		r.leaves(func(steps []event, _ int, leaf event) { want = append(want, render(steps, leaf.name)) })
		slices.Sort(want)
		if got := r.Dropped(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: have %q, want %q", seed, got, want)
		}
	}
}

// Names without dots, brackets and the like are put in order while the paths are written. What is sorted at the end would hide
// mistakes in that; it is not needed for such names, also where one begins another and a list or an object is below it.
func TestPlainPathsAreWrittenInOrder(t *testing.T) {
	names := []string{"env", "envFrom", "envfrom", "en", "e", "envFromX", "spec", "specs", "Env", "env0", "envZ"}
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		var r Recorder
		var below func(depth int) int
		below = func(depth int) (n int) {
			if depth > 0 && random.IntN(2) == 0 {
				for _, i := range random.Perm(25)[:1+random.IntN(12)] {
					n += r.Index(i, r.Field(names[random.IntN(len(names))], r.Drop("x")))
				}
				return n
			}
			for _, i := range random.Perm(len(names))[:1+random.IntN(len(names)-1)] {
				if depth > 0 && random.IntN(2) == 0 {
					n += r.Field(names[i], below(depth-1))
				} else {
					n += r.Drop(names[i])
				}
			}
			return n
		}
		n := 0
		for _, i := range random.Perm(len(names)) {
			n += r.Field(names[i], below(2))
		}
		var want []string
		r.leaves(func(steps []event, _ int, leaf event) { want = append(want, render(steps, leaf.name)) })
		slices.Sort(want)
		w := pathWriter{events: r.events}
		w.below(0, len(r.events))
		begin := 0
		var got []string
		for _, end := range w.ends {
			got = append(got, w.text.String()[begin:end])
			begin = end
		}
		if w.deceived || !slices.Equal(got, want) {
			t.Fatalf("seed %d, deceived %t: have %q, want %q", seed, w.deceived, got, want)
		}
	}
}

// Paths share one piece of memory: many more of them take some more allocations, in which buffers grow.
func TestAllocationsOfAReportDoNotGrowWithIt(t *testing.T) {
	if underRace {
		t.Skip("under -race, pools lose logs that have grown")
	}
	report := func(paths int) float64 {
		names := make([]string, paths)
		for i := range names {
			names[i] = fmt.Sprintf("field%d", i)
		}
		return testing.AllocsPerRun(10, func() {
			var r Recorder
			n := 0
			for i, name := range names {
				n += r.Index(i, r.Field("some", r.Drop(name)))
			}
			r.Field("list", n)
			if got := r.Dropped(); len(got) != paths {
				t.Errorf("%d paths, want %d", len(got), paths)
			}
		})
	}
	if few, many := report(8), report(2000); many > few+8 { // the log is one that has grown before
		t.Errorf("%v allocations for 8 paths, %v for 2000", few, many)
	}
}

// What a log said is gone when others get it, also what was taken back.
func TestLogsAreGivenBackEmpty(t *testing.T) {
	var r Recorder
	r.forget(r.Field("a", r.Drop("b")+r.Drop("c")))
	r.Drop("d")
	log := r.events[:cap(r.events)]
	if paths := r.Dropped(); !slices.Equal(paths, []string{"d"}) || r.events != nil {
		t.Errorf("%q, and %d events", paths, len(r.events))
	}
	for i, e := range log {
		if e != (event{}) {
			t.Errorf("event %d is still %v", i, e)
		}
	}
}
