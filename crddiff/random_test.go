package crddiff_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/numbers"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

var (
	shrinks = flag.Bool("shrink", false, "make CRDs smaller that show a level that is too low")
	first   = flag.Int("first", 0, "the number of the first pair of CRDs")
	count   = flag.Int("pairs", 0, "how many pairs of CRDs are looked at, instead of what the size of the tests says")
)

// versionsOf returns the versions that are changed at random: of golden CRDs, of the cases in testdata, and random ones.
func versionsOf(t *testing.T) []object {
	t.Helper()
	var all []object
	add := func(v object) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if v, err = numbers.Decode(data); err != nil {
			t.Fatal(err)
		}
		if _, err := newSide(v); err == nil {
			all = append(all, v)
		}
	}
	files, err := filepath.Glob("../golden/*/crd.yaml")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../examples/operator/config/crd/bases/stable.example.com_crontabs.yaml", "../examples/upgrade/old.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		spec, _ := structuraltest.ParseObject(t, string(data))["spec"].(object)
		versions, _ := spec["versions"].([]any)
		for _, v := range versions {
			v, _ := v.(object)
			if schema, _ := v["schema"].(object); schema["openAPIV3Schema"] != nil && len(data) < 20_000 {
				add(object{"schema": schema["openAPIV3Schema"], "subresources": v["subresources"]})
			}
		}
	}
	data, err := os.ReadFile("testdata/levels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Split("\n"+string(data), "\n# ")[1:] {
		_, fields, _ := strings.Cut(text, "\n")
		c := structuraltest.ParseObject(t, fields)
		for _, which := range []string{"old", "new"} {
			v := c[which].(object)
			if v["schema"] == nil {
				v = object{"schema": object{"type": "object", "properties": object{"spec": v}}}
			}
			add(v)
		}
	}
	for seed := range uint64(100) {
		add(randomVersion(seed))
	}
	return all
}

// evidence is what the objects of pairs of CRDs have shown, by the keyword that has changed.
type evidence struct {
	pairs, objects int
	// reports break somebody, shown has those that an object shows, and could those that one could show: an object that was accepted has a value there.
	reports, shown, could int
}

// The level of a change is at least that of every object: one that is stored and loses data, or of which no update is accepted; one that is
// refused or answered otherwise; or one that readers did not meet before. Pairs of CRDs are random, and so are the objects.
func TestLevelsAreNeverTooLow(t *testing.T) {
	pairs := 300
	switch {
	case *count > 0:
		pairs = *count
	case testing.Short():
		pairs = 60
	case testsize.All():
		pairs = 100_000
	}
	versions := versionsOf(t)
	table := map[string]*evidence{}
	for seed := *first; pairs > 0; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 51))
		base := versions[r.IntN(len(versions))]
		changed, keyword, path, ok := mutate(r, base)
		single := true
		if ok && r.IntN(4) == 0 {
			if again, other, otherPath, ok := mutate(r, changed); ok {
				changed, single = again, false
				if keyword += "+" + other; r.IntN(2) == 0 {
					path = otherPath
				}
			}
		}
		if !ok || reflect.DeepEqual(base, changed) {
			continue
		}
		a, errA := newSide(base)
		b, errB := newSide(changed)
		if errA != nil || errB != nil {
			continue
		}
		if !single {
			keyword = "two at once"
		}
		row := table[keyword]
		if row == nil {
			row = &evidence{}
			table[keyword] = row
		}
		for _, way := range [][2]*side{{a, b}, {b, a}} {
			pairs--
			row.pairs++
			old, new := way[0], way[1]
			level, changes := said(t, old, new)
			worst, n, reached := search(old, new, path, uint64(seed))
			row.objects += n
			if level > crddiff.None {
				row.reports++
				if worst.level >= level {
					row.shown++
				}
				if worst.level >= level || reached && canBeShown(level, changes) {
					row.could++
				}
			}
			if worst.level > level {
				versions := [2]object{base, changed}
				if old == b {
					versions = [2]object{changed, base}
				}
				t.Errorf("seed %d, %s: is said to break %s, and breaks %s: %v\n%s\n%s", seed, keyword, level, worst.level, changes, worst.how, shrink(versions, worst, path))
			} else if worst.level < level && reached && canBeShown(level, changes) {
				t.Logf("not shown (%s): seed %d, %s at %v: %v", worst.level, seed, keyword, path, changes)
			}
		}
	}
	t.Log(tableOf(table))
}

// search returns the worst that objects show about a change at a path of the schema, and how many objects it has tried.
func search(old, new *side, path []string, seed uint64) (worst shown, n int, reached bool) {
	level := func(s shown) {
		if s.level > worst.level {
			worst = s
		}
	}
	var last object // that was accepted
	for _, obj := range objectsFor(old, new, path, seed) {
		if n++; worst.level == crddiff.Stored {
			break
		}
		named(obj)
		for range 4 { // what is wrong with it otherwise is taken out
			_, refused := old.create(obj, old.resource.Status)
			if refused == nil {
				break
			}
			level(judge(old, new, obj))
			changed := false
			for _, e := range refused.Errors {
				if len(e.Path) > 0 && e.Path[0].Name != "metadata" && e.Path[0].Name != "kind" && e.Path[0].Name != "apiVersion" {
					changed = takeOut(obj, e.Path) || changed
				}
			}
			if !changed {
				break
			}
		}
		level(judge(old, new, obj))
		if _, refused := old.create(obj, old.resource.Status); refused == nil {
			reached = reached || hasAt(obj, path)
			if metadata, _ := obj["metadata"].(object); metadata["name"] == "a" {
				if last != nil && worst.level < crddiff.Requests {
					level(judgeUpdate(old, new, last, obj))
				}
				last = obj
			}
		}
		if worst.level < crddiff.Requests {
			level(judgeUpdate(old, new, obj, specimen.Change{Seed: seed + uint64(n), OneIn: 3}.Of(obj)))
		}
	}
	return worst, n, reached
}

// canBeShown reports whether an object can show that changes break at a level: none shows what server-side apply does, nor what becomes of
// requests to subresources.
func canBeShown(level crddiff.Level, changes []crddiff.Change) bool {
	return slices.ContainsFunc(changes, func(c crddiff.Change) bool {
		return c.Level == level && c.Rule != "diff/map-type" && !strings.HasPrefix(c.Why, "server-side apply") && !(c.Rule == "diff/subresource" && level < crddiff.Stored) &&
			!strings.Contains(c.Why, "may cost more") // as no object does that is small
	})
}

// hasAt reports whether a value is at a path.
func hasAt(v any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch v := v.(type) {
	case object:
		if path[0] == stepValues {
			for _, e := range v {
				if hasAt(e, path[1:]) {
					return true
				}
			}
			return false
		}
		e, ok := v[path[0]]
		return ok && hasAt(e, path[1:])
	case []any:
		return path[0] == stepItems && slices.ContainsFunc(v, func(e any) bool { return hasAt(e, path[1:]) })
	}
	return false
}

// objectsFor returns objects for the sake of the schema at a path: with values around the bounds of keywords there, with many fields and
// with flaws.
func objectsFor(old, new *side, path []string, seed uint64) []object {
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 52))}
	all := []object{{}, {"spec": object{}, "status": object{}}}
	for _, s := range []*side{old, new} {
		below := schemasAt(s.schema, path)
		values := m.near(below[len(below)-1], 3)
		for range 14 {
			if obj, ok := m.with(s.schema, path[:len(below)-1], choose(m, values...)).(object); ok {
				all = append(all, obj)
			}
		}
		if len(below) > 1 { // what is beside it
			values = m.near(below[len(below)-2], 4)
			for range 4 {
				if obj, ok := m.with(s.schema, path[:len(below)-2], choose(m, values...)).(object); ok {
					all = append(all, obj)
				}
			}
		}
		aim := &specimen.Aim{Path: below, Fields: map[string]bool{}, Integers: []int64{0, 1, 2, 3}, Texts: []string{"a", "ab", "abc", "x", "", "50%", "1h"}}
		for _, s := range aim.Path {
			for k := range s.Properties {
				aim.Fields[k] = true
			}
		}
		for k, flaws := range []specimentest.Flaw{specimentest.None, specimentest.Null | specimentest.Unknown, specimentest.WrongType | specimentest.Null} {
			all = append(all, specimentest.Make(s.schema, m.Uint64(), specimentest.Options{Size: 200, Aim: aim, Flaws: flaws, Rate: 0.1 * float64(k)}))
		}
		v := specimen.NewViolations(s.schema)
		for range min(v.Keywords(), 3) {
			all = append(all, v.Make(m.IntN(v.Keywords()), m.Uint64()))
		}
	}
	return all
}

// schemasAt returns the schemas that a path leads through, as far as it does.
func schemasAt(s *structural.Schema, path []string) []*structural.Schema {
	all := []*structural.Schema{s}
	for _, step := range path {
		switch step {
		case stepItems:
			s = s.Items
		case stepValues:
			if s.AdditionalProperties == nil {
				return all
			}
			s = s.AdditionalProperties.Schema
		default:
			s = s.Properties[step]
		}
		if s == nil {
			return all
		}
		all = append(all, s)
	}
	return all
}

// shrink returns a case for testdata/levels.txt in which a change is still said to break fewer than it does.
func shrink(versions [2]object, worst shown, path []string) string {
	text := func(v any) string { return jsonvalue.Text(v) }
	if !*shrinks {
		return fmt.Sprintf("old: %s\nnew: %s", text(versions[0]), text(versions[1]))
	}
	unsound := func(both object) (found shown, ok bool) {
		o, _ := both["old"].(object)
		n, _ := both["new"].(object)
		if o == nil || n == nil || o["schema"] == nil || n["schema"] == nil {
			return shown{}, false
		}
		old, errOld := newSide(o)
		new, errNew := newSide(n)
		if errOld != nil || errNew != nil {
			return shown{}, false
		}
		changes, err := crddiff.Compare(old.crd, new.crd)
		if err != nil || slices.ContainsFunc(changes, func(c crddiff.Change) bool { return c.Level >= worst.level }) {
			return shown{}, false
		}
		for seed := range uint64(4) {
			if found, _, _ = search(old, new, path, seed); found.level >= worst.level {
				return found, true
			}
		}
		return shown{}, false
	}
	both := object{"old": versions[0], "new": versions[1]}
	small := specimen.Shrink(both, 250, func(both object) bool { _, ok := unsound(both); return ok })
	found, _ := unsound(small)
	return fmt.Sprintf("old: %s\nnew: %s\n%s", text(small["old"]), text(small["new"]), found.how)
}

// tableOf returns what was shown, by keyword.
func tableOf(table map[string]*evidence) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "keyword\tpairs\tobjects\treports\tcould be shown\tare shown\tnot shown\t")
	var sum evidence
	row := func(k string, e evidence) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d %%\t\n", k, e.pairs, e.objects, e.reports, e.could, e.shown, 100*(e.could-e.shown)/max(e.could, 1))
	}
	for _, k := range slices.Sorted(maps.Keys(table)) {
		e := table[k]
		row(k, *e)
		sum = evidence{sum.pairs + e.pairs, sum.objects + e.objects, sum.reports + e.reports, sum.shown + e.shown, sum.could + e.could}
	}
	row("all", sum)
	w.Flush()
	return "\n" + b.String()
}
