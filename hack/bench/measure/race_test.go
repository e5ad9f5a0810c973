package measure

import (
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestRowsHaveNamesOfTheirOwn(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Rows {
		if ids[r.ID] {
			t.Errorf("two rows are called %s", r.ID)
		}
		ids[r.ID] = true
		if r.Ours == r.Theirs {
			t.Errorf("%s: one contestant would be measured once and compared with itself", r.ID)
		}
	}
}

func TestContestantsTakePartOnce(t *testing.T) {
	got := contestants([]string{"prune-clean", "prune-walk", "prune-dirty"}, Clean, prunert.Resource{})
	if want := []*Contestant{generatedPrune, kubePrune, bareWalk}; !slices.Equal(got, want) {
		t.Errorf("got %d contestants, want %d", len(got), len(want))
	}
}

func TestDirtyObjectsAreFreshInEveryRun(t *testing.T) {
	runs, stale := 0, 0
	s := &Subject{
		Object: map[string]any{"a": int64(1)},
		Generated: prunert.Resource{Prune: func(obj map[string]any) {
			runs++
			if len(obj) == 0 {
				stale++
			}
			clear(obj)
		}},
	}
	l := &lane{op: generatedPrune.Prepare(s), batch: newBatch([]map[string]any{s.Object}, Dirty, 3), now: Wall.now()}
	l.calibrate(time.Microsecond)
	l.turn()
	if runs == 0 || stale > 0 {
		t.Errorf("%d of %d runs had an object that another run had changed", stale, runs)
	}
	if len(s.Object) == 0 {
		t.Error("the original was changed")
	}
}

// A batch has every manifest equally often: no part of them counts more than another.
func TestBatchesHaveEveryManifestEquallyOften(t *testing.T) {
	b := newBatch([]map[string]any{{"a": "1"}, {"b": "1"}, {"c": "1"}}, Real, 4)
	seen := map[string]int{}
	for _, obj := range b.objects() {
		for k := range obj {
			seen[k]++
		}
	}
	if len(seen) != 3 || seen["a"] != 4 || seen["b"] != 4 || seen["c"] != 4 {
		t.Errorf("the batch has %v", seen)
	}
	if first := b.objects()[0]; reflect.ValueOf(first).Pointer() != reflect.ValueOf(b.objects()[0]).Pointer() {
		t.Error("objects that nothing changes are copied again")
	}
}

func TestTurnCountsAllocations(t *testing.T) {
	for _, want := range []int{0, 3} {
		l := &lane{
			op: func(map[string]any) {
				for range want {
					sink = new([64]byte)
				}
			},
			batch: newBatch([]map[string]any{{}}, Clean, 100),
			now:   Wall.now(),
		}
		l.calibrate(time.Microsecond)
		l.turn()
		if got := newStat(l.result); int(got.Allocs) != want || int(got.Bytes) < want*64 {
			t.Errorf("%v allocations of %v bytes, want %d", got.Allocs, got.Bytes, want)
		}
	}
}

var sink *[64]byte

func TestClocksRun(t *testing.T) {
	runtime.LockOSThread() // the time of one thread says nothing about another
	defer runtime.UnlockOSThread()
	for _, c := range []Clock{Wall, CPU} {
		now := c.now()
		start := now()
		for deadline := time.Now().Add(20 * time.Millisecond); time.Now().Before(deadline); {
		}
		if now() <= start {
			t.Errorf("the %s clock stands still", c)
		}
	}
}
