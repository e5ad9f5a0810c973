package pruneimpl

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// below records n events below a key.
func below(key string, n int, leaf func(r *Recorder) int) *Recorder {
	var r Recorder
	events := 0
	for i := range n {
		events += r.Field(fmt.Sprintf("f%d", i), leaf(&r))
	}
	r.Field("spec", r.Key(key, events))
	return &r
}

// dropped drops n fields below a key.
func dropped(key string, n int) []string {
	return below(key, n, func(r *Recorder) int { return r.Drop("x") }).Dropped()
}

// wrong says that n values below a key are wrong.
func wrong(key string, n int) prunert.ErrorList {
	return below(key, n, func(r *Recorder) int { return CheckType(int64(1), r, TypeString) }).Errors()
}

func TestReportsAreBoundedInNumber(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 10}))
	if paths := dropped("k", 25); len(paths) != 11 || paths[10] != "... and 15 more" || !strings.HasPrefix(paths[0], "spec.k.f") {
		t.Errorf("%q", paths)
	}
	errs := wrong("k", 25)
	if len(errs) != 11 || errs[10].Error() != "<nil>: Too many: 15 more errors are not listed" || errs[10].Type != prunert.ErrorTypeOmitted {
		t.Errorf("%v", errs)
	}
	if len(dropped("k", 10)) != 10 || len(wrong("k", 10)) != 10 {
		t.Errorf("what is within the limit is not listed: %q, %v", dropped("k", 10), wrong("k", 10))
	}
}

func TestOneThatIsLeftOutIsMentioned(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 10}))
	if paths := dropped("k", 11); len(paths) != 11 || paths[10] != "... and 1 more" {
		t.Errorf("%q", paths)
	}
	if errs := wrong("k", 11); len(errs) != 11 || errs[10].Detail != "1 more errors are not listed" {
		t.Errorf("%v", errs)
	}
}

// Dropped fields do not take the room of errors, nor the other way round.
func TestDropsAndFaultsHaveLimitsOfTheirOwn(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 3}))
	for _, c := range []struct{ drops, faults int }{{5, 2}, {2, 5}, {5, 5}, {3, 3}, {0, 4}, {4, 0}} {
		var r Recorder
		for i := range max(c.drops, c.faults) {
			if i < c.drops {
				r.Field(fmt.Sprintf("f%d", i), r.Drop("x"))
			}
			if i < c.faults {
				r.Field(fmt.Sprintf("f%d", i), CheckType(int64(1), &r, TypeString))
			}
		}
		wantCount := func(n int) count { return count{listed: min(n, 3), more: max(0, n-3)} }
		if r.drops != wantCount(c.drops) || r.faults != wantCount(c.faults) {
			t.Errorf("%+v: counts %+v and %+v", c, r.drops, r.faults)
		}
		errs := r.Errors()
		if want := min(c.faults, 4); len(errs) != want || want == 4 && errs[3].Detail != fmt.Sprintf("%d more errors are not listed", c.faults-3) {
			t.Errorf("%+v: %v", c, errs)
		}
	}
}

// A limit of zero or less is none.
func TestLimitsBelowOneAreNone(t *testing.T) {
	defer prunelimits.Set(prunelimits.Current())
	for _, limits := range []prunelimits.Limits{{}, {Entries: -1}, {Bytes: -1}, {Entries: -1, Bytes: -1}, {Entries: -1 << 63, Bytes: -1 << 63}, {Entries: 30}, {Bytes: 10_000}} {
		prunelimits.Set(limits)
		if paths, errs := dropped("k", 30), wrong("k", 30); len(paths) != 30 || len(errs) != 30 {
			t.Errorf("%+v: %d paths and %d errors of 30", limits, len(paths), len(errs))
		}
	}
}

func TestForgottenEventsLeaveRoom(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 1}))
	var r Recorder
	r.forget(r.Field("a", r.Drop("b")))
	r.Drop("c")
	if paths := r.Dropped(); !slices.Equal(paths, []string{"c"}) {
		t.Errorf("%q", paths)
	}
	r = Recorder{}
	r.forget(r.Field("a", CheckType(int64(1), &r, TypeString)))
	r.Field("c", CheckType(int64(1), &r, TypeString))
	if errs := r.Errors(); len(errs) != 1 || errs[0].Field != "c" {
		t.Errorf("%v", errs)
	}
}

func TestReportsAreBoundedInBytes(t *testing.T) {
	long := strings.Repeat("k", 1000)
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Bytes: 10_000}))
	if paths := dropped(long, 100); len(paths) < 8 || len(paths) > 12 || paths[len(paths)-1] != fmt.Sprintf("... and %d more", 101-len(paths)) {
		t.Errorf("%d paths, the last is %s", len(paths), paths[len(paths)-1])
	}
	many := below(long, 100, func(r *Recorder) int { return CheckType(int64(1), r, TypeString) })
	for name, errs := range map[string]prunert.ErrorList{"Errors": wrong(long, 100), "Invalid": many.Errors()} {
		last := errs[len(errs)-1].Detail
		if len(errs) < 4 || len(errs) > 12 || last != fmt.Sprintf("%d more errors are not listed", 101-len(errs)) {
			t.Errorf("%s: %d errors, the last is %s", name, len(errs), last)
		}
	}
}

// The values that errors show count, whether they are texts or something else.
func TestValuesInErrorsCount(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Bytes: 10_000}))
	long := strings.Repeat("v", 1000)
	for name, value := range map[string]any{"a text": long, "a list": []any{long}, "an object": map[string]any{"k": long}} {
		errs := below("k", 100, func(r *Recorder) int { return r.TooShort(value, 2000) }).Errors()
		if len(errs) < 8 || len(errs) > 12 || errs[len(errs)-1].Type != prunert.ErrorTypeOmitted {
			t.Errorf("%s: %d errors", name, len(errs))
		}
	}
	if errs := below("k", 100, func(r *Recorder) int { return r.TooShort("", 2000) }).Errors(); len(errs) != 100 {
		t.Errorf("an empty text: %d errors", len(errs))
	}
}

func TestWithoutLimitsEverythingIsListed(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{}))
	n := prunelimits.Entries + 1
	if paths, errs := dropped("k", n), wrong("k", n); len(paths) != n || len(errs) != n {
		t.Errorf("%d paths and %d errors of %d", len(paths), len(errs), n)
	}
}

// A key of 100 kB above 10,000 wrong values used to take gigabytes.
func TestReportsTakeLittleMemoryByDefault(t *testing.T) {
	long := strings.Repeat("k", 100_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	paths, errs := dropped(long, 10_000), wrong(long, 10_000)
	runtime.ReadMemStats(&after)
	if paths[len(paths)-1][:4] != "... " || errs[len(errs)-1].Type != prunert.ErrorTypeOmitted {
		t.Fatalf("%d paths and %d errors", len(paths), len(errs))
	}
	const most = 64 << 20
	if used := after.TotalAlloc - before.TotalAlloc; used > most {
		t.Errorf("%d bytes, want at most %d", used, most)
	}
}

func TestAListThatContainsItselfEnds(t *testing.T) {
	list := []any{map[string]any{"x": true}, nil}
	list[1] = list
	var r Recorder
	PruneLeaf(list, &r)
	if len(list[0].(map[string]any)) != 0 {
		t.Error("it is not pruned")
	}
}

// Malformed metadata is noticed even if there is no room to report it.
func TestMalformedMetadataIsNoticedBeyondTheLimits(t *testing.T) {
	defer prunelimits.Set(prunelimits.Set(prunelimits.Limits{Entries: 1}))
	object := func() map[string]any {
		return map[string]any{"unknown": true, "metadata": map[string]any{
			"a": true, "b": true, "name": int64(1), "labels": map[string]any{"a": int64(1)}, "ownerReferences": []any{"x", map[string]any{"uid": "u", "name": int64(1)}},
			"uid": "u",
		}}
	}
	for range 20 { // maps are gone through in random order
		stored := object()
		rec := Recorder{mode: prunert.FromStorage}
		NormalizeRoot(stored, &rec)
		if got := fmt.Sprint(stored["metadata"]); got != "map[generation:1 uid:u]" {
			t.Fatalf("from storage: %s", got)
		}
		if unknown, err := rec.normalized(); err != nil || len(unknown) != 2 || unknown[1] != "... and 1 more" {
			t.Fatalf("from storage: %q, %v", unknown, err)
		}
		sent := object()
		rec = Recorder{silent: true}
		NormalizeRoot(sent, &rec)
		meta := sent["metadata"].(map[string]any)
		if _, err := rec.normalized(); err == nil || meta["name"] != int64(1) || fmt.Sprint(meta["ownerReferences"]) != "[x map[name:1 uid:u]]" {
			t.Fatalf("from a request: %v, %v", meta, err)
		}
	}
}
