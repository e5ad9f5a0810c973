package pruneimpl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// nested is the generated code for the given number of nested alternatives. The innermost wants a string.
func nested(v any, rec *Recorder, levels int, asked *int) int {
	*asked++
	rec.Count(v, 0, "")
	if levels == 0 {
		return MatchType(v, rec, TypeString)
	}
	if !rec.Choosing() && (nested(v, nil, levels-1, asked) == 0) {
		return 0
	}
	if rec == nil {
		return 1
	}
	c := rec.Choose()
	c.Try(nested(v, rec, levels-1, asked))
	return c.AnyOf()
}

// However deeply alternatives are nested, each is tried twice.
func TestAlternativesInAlternativesAreAskedTwice(t *testing.T) {
	const levels = 500
	asked := 0
	var rec Recorder
	if nested(int64(1), &rec, levels, &asked) == 0 || asked > 2*levels+2 {
		t.Errorf("asked %d times", asked)
	}
	errs := rec.Errors()
	if len(errs) != 2 || !strings.Contains(errs[0].Detail, "anyOf") || errs[1].Type != prunert.ErrorTypeTypeInvalid {
		t.Errorf("%v", errs) // the levels say the same, which is said once
	}
	asked = 0
	if n := testing.AllocsPerRun(10, func() { nested("x", &rec, levels, &asked) }); n != 0 {
		t.Errorf("a valid value costs %v allocations", n)
	}
}

// Events of alternatives that are not chosen do not count, even if the limits are reached.
func TestLimitsDoNotDecideBetweenAlternatives(t *testing.T) {
	for _, entries := range []int{0, 1, 2, 3, 100} {
		previous := prunelimits.Set(prunelimits.Limits{Entries: entries})
		defer prunelimits.Set(previous)
		faults := func(rec *Recorder, n int) (sum int) {
			for i := range n {
				sum += rec.Missing(fmt.Sprint("f", i))
			}
			return sum
		}
		var rec Recorder
		before := rec.Missing("before")
		c := rec.Choose()
		c.Try(faults(&rec, 5))
		c.Try(faults(&rec, 0))
		c.Try(faults(&rec, 5))
		if n := c.AnyOf(); n != 0 || len(rec.Errors()) != before {
			t.Errorf("with %d entries: %d events, %v", entries, n, rec.Errors())
		}
		// The second matches most.
		c = rec.Choose()
		c.Try(faults(&rec, 5))
		rec.matches = 10
		c.Try(faults(&rec, 2))
		c.Try(faults(&rec, 3))
		c.AnyOf()
		if all := rec.faults.listed + rec.faults.more; all != 1+2+1 {
			t.Errorf("with %d entries: %d faults", entries, all)
		}
		rec = Recorder{}
		c = rec.Choose()
		c.Try(faults(&rec, 5))
		c.Try(0)
		c.Try(0)
		if n := c.OneOf(); n == 0 || len(rec.Errors()) != 1 || !strings.Contains(rec.Errors()[0].Detail, "Found 2 valid") {
			t.Errorf("with %d entries: %v", entries, rec.Errors())
		}
	}
}

// manyElements returns a list of n different objects, each with a key.
func manyElements(n int) (objects, texts []any) {
	for i := range n {
		key := fmt.Sprint("key", i)
		objects = append(objects, map[string]any{"name": key, "port": int64(i)})
		texts = append(texts, key)
	}
	return objects, texts
}

// Many elements are compared with the work that it takes to look at each of them.
func TestLongListsAreComparedWithLinearWork(t *testing.T) {
	const n = 20_000
	objects, texts := manyElements(n)
	var rec Recorder
	bytes := allocated.By(func() {
		if ListMap(objects, &rec, "name")+ListMap(objects, &rec, "name", "port")+ListSet(texts, &rec) != 0 {
			t.Errorf("all differ, and %v", rec.Errors())
		}
		objects[n-1], texts[n-1] = objects[0], texts[0]
		if ListMap(objects, &rec, "name") != 2 || ListMap(objects, &rec, "name", "port") != 2 || ListSet(texts, &rec) != 2 {
			t.Error("the last is the first, and nobody notices")
		}
	})
	if bytes > 2000*n {
		t.Errorf("allocates %d bytes for %d elements", bytes, n)
	}
}

// All elements of a long list can be wrong: the number of recorded errors is bounded.
func TestManyFaultsTakeLittleMemory(t *testing.T) {
	list := make([]any, 200_000)
	for i := range list {
		list[i] = map[string]any{}
	}
	var rec Recorder
	n := 0
	for i := range list {
		n += rec.Index(i, Required(list[i].(map[string]any), &rec, "a", "b"))
	}
	errs := rec.Errors()
	if len(errs) > prunelimits.Entries+1 || errs[len(errs)-1].Type != prunert.ErrorTypeOmitted || len(rec.events) > 3*prunelimits.Entries {
		t.Errorf("%d errors, %d events", len(errs), len(rec.events))
	}
}

// Small lists, and lists of any length after the first, cost no allocation.
func TestListsCostNoAllocation(t *testing.T) {
	for _, n := range []int{0, 1, 5, 16, 17, 500} {
		objects, texts := manyElements(n)
		for name, check := range map[string]func(rec *Recorder) int{
			"map":        func(rec *Recorder) int { return ListMap(objects, rec, "name") },
			"map by two": func(rec *Recorder) int { return ListMap(objects, rec, "name", "port") },
			"set":        func(rec *Recorder) int { return ListSet(texts, rec) },
		} {
			var rec Recorder
			check(&rec)
			if got := testing.AllocsPerRun(20, func() { check(&rec) }); got > 0 {
				t.Errorf("%s of %d: %v allocations", name, n, got)
			}
		}
	}
}

// Equal hashes are looked at more closely: 1 and 1.0 are two elements, and one key where there are several.
func TestNumbersInLists(t *testing.T) {
	one, other := map[string]any{"a": int64(1), "b": "x"}, map[string]any{"a": 1.0, "b": "x"}
	for name, test := range map[string]struct {
		have func(rec *Recorder) int
		want int
	}{
		"set":       {func(rec *Recorder) int { return ListSet([]any{int64(1), 1.0, "1", true, nil}, rec) }, 0},
		"one key":   {func(rec *Recorder) int { return ListMap([]any{one, other}, rec, "a") }, 0},
		"two keys":  {func(rec *Recorder) int { return ListMap([]any{one, other}, rec, "a", "b") }, 1},
		"no keys":   {func(rec *Recorder) int { return ListMap([]any{nil, map[string]any{}, one}, rec, "a") }, 1},
		"compounds": {func(rec *Recorder) int { return ListSet([]any{[]any{int64(1)}, []any{1.0}}, rec) }, 1},
		"zeros":     {func(rec *Recorder) int { return ListSet([]any{0.0, minusZero()}, rec) }, 1},
		"none":      {func(rec *Recorder) int { return ListMap([]any{"x", "y"}, rec) }, 1},
		"a scalar":  {func(rec *Recorder) int { return ListMap([]any{one, "x", "y"}, rec, "a") }, 1},
	} {
		var rec Recorder
		test.have(&rec)
		if errs := rec.Errors(); len(errs) != test.want {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// An object that contains itself, which no decoder makes, is validated to an end.
func TestObjectsThatContainThemselves(t *testing.T) {
	obj := map[string]any{}
	obj["self"] = obj
	var rec Recorder
	n := EnumStrings(obj, &rec, "x") + Enum(obj, &rec, int64(1)) + ListSet([]any{obj, obj}, &rec)
	if errs := rec.Errors(); n == 0 || len(errs) == 0 || !strings.Contains(errs[0].Error(), "map[string]") {
		t.Errorf("%d events, %v", n, errs)
	}
}

// Lengths are counted in characters. A byte that is not part of a character counts as one.
func TestLengthsAreCountedInCharacters(t *testing.T) {
	for _, s := range []string{"", "a", "ab", "é", "éa", "😀", "😀😀", "\xff", "a\xffé", "abcdefgh"} {
		length := int64(len([]rune(s)))
		for limit := int64(-2); limit < 10; limit++ {
			if Longer(s, limit) != (length > limit) || limit > 0 && Shorter(s, limit) != (length < limit) {
				t.Errorf("%q and %d: longer %t, shorter %t", s, limit, Longer(s, limit), Shorter(s, limit))
			}
		}
		if Longer(s, 1<<62) || !Shorter(s, 1<<62) {
			t.Errorf("%q has many characters", s)
		}
	}
}

func minusZero() float64 {
	zero := 0.0
	return -zero
}
