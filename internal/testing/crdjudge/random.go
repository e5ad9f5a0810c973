package crdjudge

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/workers"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
)

var (
	shrinks = flag.Bool("shrink", false, "make CRDs smaller that show a level that is too low")
	first   = flag.Int("first", 0, "the number of the first pair of CRDs, instead of what the test says")
	count   = flag.Int("pairs", 0, "how many pairs of CRDs are looked at, instead of what the size of the tests says")
)

// Versions returns those of the given ones, each with the fields schema and subresources, that the API server accepts: with numbers as it
// decodes them.
func Versions(t testing.TB, all []object) (accepted []object) {
	t.Helper()
	for _, v := range all {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if v, err = numbers.Decode(data); err != nil {
			t.Fatal(err)
		}
		if _, err := New(v); err == nil {
			accepted = append(accepted, v)
		}
	}
	return accepted
}

// evidence is what the objects of pairs of CRDs have shown, by the keyword that has changed.
type evidence struct {
	pairs, objects int
	// reports break somebody, shown has those that an object shows, and could those that one could show: an object that was accepted has a value there.
	reports, shown, could int
}

func (e evidence) plus(o evidence) evidence {
	return evidence{e.pairs + o.pairs, e.objects + o.objects, e.reports + o.reports, e.shown + o.shown, e.could + o.could}
}

// pair is two versions that differ in a random change.
type pair struct {
	seed      int
	keyword   string // that has changed
	path      []string
	versions  [2]object
	crds      [2]*Side
	evidences [2]evidence // one for each direction
}

// randomPair changes a random one of the versions. It returns nil if the change is none, or one that the API server refuses.
func randomPair(versions []object, seed int) *pair {
	r := rand.New(rand.NewPCG(uint64(seed), 51))
	base := versions[r.IntN(len(versions))]
	changed, keyword, path, ok := mutate(r, base)
	if ok && r.IntN(4) == 0 {
		if again, _, otherPath, ok := mutate(r, changed); ok {
			changed, keyword = again, "two at once"
			if r.IntN(2) == 0 {
				path = otherPath
			}
		}
	}
	if !ok || reflect.DeepEqual(base, changed) {
		return nil
	}
	a, errA := New(base)
	b, errB := New(changed)
	if errA != nil || errB != nil {
		return nil
	}
	return &pair{seed: seed, keyword: keyword, path: path, versions: [2]object{base, changed}, crds: [2]*Side{a, b}}
}

// judge compares what is said about a direction of the change with what objects show.
func (p *pair) judge(t *testing.T, from, to int) evidence {
	defer func() {
		if failed := recover(); failed != nil {
			panic(fmt.Sprintf("seed %d: %v\n%s", p.seed, failed, debug.Stack()))
		}
	}()
	old, new := p.crds[from], p.crds[to]
	level, changes := Said(t, old, new)
	provable := crddiff.None
	if canBeShown(level, changes) {
		provable = level
	}
	worst, n, reached := search(old, new, p.path, uint64(p.seed), provable)
	e := evidence{pairs: 1, objects: n}
	if level > crddiff.None {
		e.reports = 1
		if worst.Level >= level {
			e.shown, e.could = 1, 1
		} else if reached && provable > crddiff.None {
			e.could = 1
		}
	}
	versions := [2]object{p.versions[from], p.versions[to]}
	if worst.Level > level {
		t.Errorf("seed %d, %s: is said to break %s, and breaks %s: %v\n%s\n%s", p.seed, p.keyword, level, worst.Level, changes, worst.How, shrink(versions, worst, p.path))
	} else if worst.Level < provable && reached {
		t.Logf("not shown (%s): seed %d, %s at %v: %v\n%.300s\n%.300s", worst.Level, p.seed, p.keyword, p.path, changes, textAt(versions[0], p.path), textAt(versions[1], p.path))
	}
	return e
}

// NeverTooLow changes random ones of the versions, in both directions, and fails where the level of a change is less than what an object
// shows: one that is stored and loses data, or of which no update is accepted; one that is refused or answered otherwise; or one that
// readers did not meet before. The objects are random, too. The pairs are those from a number on.
func NeverTooLow(t *testing.T, versions []object, from, pairs int) {
	if *first > 0 {
		from = *first
	}
	if *count > 0 {
		pairs = *count
	}
	table := map[string]evidence{}
	judged := make([]*pair, 4*pairs) // half of the changes make a pair, which has two directions
	for i := range workers.InOrder(len(judged), runtime.GOMAXPROCS(0), func(i int) {
		p := randomPair(versions, from+i)
		if p != nil {
			p.evidences = [2]evidence{p.judge(t, 0, 1), p.judge(t, 1, 0)}
		}
		judged[i] = p
	}) {
		p := judged[i]
		judged[i] = nil // it is large
		if p == nil {
			continue
		}
		for _, e := range p.evidences {
			table[p.keyword] = table[p.keyword].plus(e)
		}
		if pairs -= 2; pairs <= 0 {
			break
		}
	}
	if pairs > 0 {
		t.Errorf("%d pairs are missing", pairs)
	}
	t.Log(tableOf(table))
}

// textAt returns the schema of a version at a path, as far as the path leads.
func textAt(version object, path []string) string {
	s, _ := version["schema"].(object)
	for _, step := range path {
		below, _ := s["properties"].(object)
		name := step
		switch step {
		case stepItems:
			below, name = s, "items"
		case stepValues:
			below, name = s, "additionalProperties"
		}
		next, ok := below[name].(object)
		if !ok {
			break
		}
		s = next
	}
	return jsonvalue.Text(s)
}

// shrink returns a case for testdata/levels.txt in which a change is still said to break fewer than it does.
func shrink(versions [2]object, worst Shown, path []string) string {
	text := func(v any) string { return jsonvalue.Text(v) }
	if !*shrinks {
		return fmt.Sprintf("old: %s\nnew: %s", text(versions[0]), text(versions[1]))
	}
	unsound := func(both object) (found Shown, ok bool) {
		o, _ := both["old"].(object)
		n, _ := both["new"].(object)
		if o == nil || n == nil || o["schema"] == nil || n["schema"] == nil {
			return Shown{}, false
		}
		old, errOld := New(o)
		new, errNew := New(n)
		if errOld != nil || errNew != nil {
			return Shown{}, false
		}
		changes, err := crddiff.Compare(old.crd, new.crd)
		if err != nil || slices.ContainsFunc(changes, func(c crddiff.Change) bool { return c.Level >= worst.Level }) {
			return Shown{}, false
		}
		for seed := range uint64(4) {
			if found, _, _ = search(old, new, path, seed, worst.Level); found.Level >= worst.Level {
				return found, true
			}
		}
		return Shown{}, false
	}
	both := object{"old": versions[0], "new": versions[1]}
	small := specimen.Shrink(both, 250, func(both object) bool { _, ok := unsound(both); return ok })
	found, _ := unsound(small)
	return fmt.Sprintf("old: %s\nnew: %s\n%s", text(small["old"]), text(small["new"]), found.How)
}

// tableOf returns what was shown, by keyword.
func tableOf(table map[string]evidence) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "keyword\tpairs\tobjects\treports\tcould be shown\tare shown\tnot shown\t")
	var sum evidence
	row := func(k string, e evidence) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d %%\t\n", k, e.pairs, e.objects, e.reports, e.could, e.shown, 100*(e.could-e.shown)/max(e.could, 1))
	}
	for _, k := range slices.Sorted(maps.Keys(table)) {
		row(k, table[k])
		sum = sum.plus(table[k])
	}
	row("all", sum)
	w.Flush()
	return "\n" + b.String()
}
