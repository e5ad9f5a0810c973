// Package run calls the generated functions of the golden cases. It is a separate package so that golden files that do not compile can be
// written again.
package run

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

func allCases(t *testing.T) []*cases.Case {
	t.Helper()
	all, err := cases.All("..")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// eachResource calls test for every kind of every case, with the functions that were generated for it.
func eachResource(t *testing.T, test func(t *testing.T, r *cases.Resource, generated prunert.Resource)) {
	for _, c := range allCases(t) {
		for _, r := range c.Resources() {
			t.Run(r.Key(), func(t *testing.T) {
				generated, ok := resources[r.Key()]
				if !ok {
					t.Fatal("it is not in the table of generated functions")
				}
				test(t, r, generated)
			})
		}
	}
}

// randomOf returns random numbers for a resource, others for each purpose and the same in each run.
func randomOf(r *cases.Resource, purpose uint64) *rand.Rand {
	seed := fnv.New64()
	seed.Write([]byte(r.Key()))
	return rand.New(rand.NewPCG(seed.Sum64(), purpose))
}

// eachObject calls test for every object of every case, with the functions that were generated for its kind.
func eachObject(t *testing.T, test func(t *testing.T, o *cases.Object, generated prunert.Resource)) {
	for _, c := range allCases(t) {
		objects, err := c.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			t.Run(c.Name+"/"+o.Name, func(t *testing.T) {
				generated, ok := resources[o.Resource.Key()]
				if !ok {
					t.Fatalf("%s is not in the table of generated functions", o.Resource.Key())
				}
				test(t, o, generated)
			})
		}
	}
}

func TestTheTableHasEveryCaseAndNoOther(t *testing.T) {
	known := map[string]bool{}
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		known[r.Key()] = true
		want := [4]string{r.CRD.Group, r.Version.Name, r.CRD.Names.Kind, r.CRD.Names.Plural}
		have := [4]string{generated.Group, generated.Version, generated.Kind, generated.Plural}
		if have != want || generated.APIVersion() != r.APIVersion() {
			t.Errorf("it is %v, want %v", have, want)
		}
		features := r.Case.Features()
		for _, f := range generator.DescribeFeatures() {
			function := reflect.ValueOf(generated).FieldByName(f.Field)
			want := features.Has(f.Name) && (f.Name != generator.FeatureStatus || generated.Status) && (f.Name != generator.FeatureRules || generated.HasRules)
			if function.IsNil() == want {
				t.Errorf("%s: the resource has a function: %t, want %t", f.Name, !function.IsNil(), want)
			}
		}
		if want := r.Case.Validates() && structural.HasRules(r.Version.Schema); generated.HasRules != want {
			t.Errorf("HasRules is %t, want %t", generated.HasRules, want)
		}
	})
	for _, key := range slices.Sorted(maps.Keys(resources)) {
		if !known[key] {
			t.Errorf("%s is in the table, but in no case", key)
		}
	}
}

func TestObjectsBecomeWhatIsRecorded(t *testing.T) {
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		want, err := o.Recorded()
		if err != nil {
			t.Fatal(err)
		}
		if generated.Prune != nil {
			obj := o.New()
			generated.Prune(obj)
			compare(t, "Prune", cases.Encode(obj), want.Want)
		}
		if generated.PruneReport != nil {
			obj := o.New()
			dropped := generated.PruneReport(obj)
			compare(t, "PruneReport", cases.Encode(obj), want.Want)
			compare(t, "the report", cases.Lines(dropped), want.Dropped)
		}
		if generated.Check != nil {
			compare(t, "Check", cases.Lines(texts(generated.Check(o.New()))), want.Check)
		}
		if generated.Normalize != nil {
			compare(t, "Normalize", o.Normalized(prunert.FromRequest, generated.Normalize), want.Normal)
			compare(t, "Normalize", o.Normalized(prunert.FromStorage, generated.Normalize), want.Stored)
		}
		if generated.Validate != nil {
			compare(t, "Validate", cases.Lines(texts(generated.Validate(o.New()))), want.Validate)
		}
		if generated.ValidateMetadata != nil {
			compare(t, "ValidateMetadata", cases.Lines(texts(generated.ValidateMetadata(o.New(), o.Old()))), want.Metadata)
		}
		if old := o.Old(); generated.ValidateUpdate != nil && old != nil {
			compare(t, "ValidateUpdate", cases.Lines(texts(generated.ValidateUpdate(o.New(), old))), want.Update)
		}
		if generated.ValidateRules != nil {
			compare(t, "ValidateRules", cases.Said(generated.ValidateRules(o.New(), o.Old())), want.Rules)
		}
		agree(t, o.Resource, generated, o.New())
	})
}

func compare(t *testing.T, what, have, want string) {
	t.Helper()
	if have != want {
		t.Errorf("%s: have\n%s\nwant\n%s", what, have, want)
	}
}

func texts(errs prunert.ErrorList) []string { return cases.Texts(errs) }

// agree fails unless the generated functions do to an object what the reference pruner and the reference checker do, with
// all that is promised about them.
func agree(t *testing.T, r *cases.Resource, generated prunert.Resource, obj map[string]any) {
	t.Helper()
	want := jsonvalue.Copy(obj)
	dropped := r.PruneReport(want)
	show := func(format string, args ...any) {
		t.Helper()
		t.Errorf(format+"\nfor\n%s", append(args, cases.Encode(obj))...)
	}
	if generated.Prune != nil {
		have := jsonvalue.Copy(obj)
		generated.Prune(have)
		if !reflect.DeepEqual(have, want) {
			show("Prune: have\n%s\nwant\n%s", cases.Encode(have), cases.Encode(want))
		}
		generated.Prune(have)
		if !reflect.DeepEqual(have, want) {
			show("Prune changes what it has pruned already: have\n%s\nwant\n%s", cases.Encode(have), cases.Encode(want))
		}
	}
	if generated.PruneReport != nil {
		have := jsonvalue.Copy(obj)
		report := generated.PruneReport(have)
		if !reflect.DeepEqual(have, want) {
			show("PruneReport: have\n%s\nwant\n%s", cases.Encode(have), cases.Encode(want))
		}
		if !slices.Equal(report, dropped) {
			show("PruneReport: have\n%q\nwant\n%q", report, dropped)
		}
		if changed := !reflect.DeepEqual(have, obj); changed == (len(report) == 0) {
			show("the object changed: %t, and the report is %q", changed, report)
		}
		if again := generated.PruneReport(have); again != nil {
			show("what is pruned already is reported again: %q", again)
		}
	}
	if generated.Normalize != nil {
		for _, opts := range []prunert.NormalizeOptions{
			{}, {ReportUnknown: true}, {Source: prunert.FromStorage}, {Source: prunert.FromStorage, ReportUnknown: true},
		} {
			have, want := jsonvalue.Copy(obj), jsonvalue.Copy(obj)
			unknown, err := generated.Normalize(have, opts)
			wantUnknown, wantErr := r.Normalize(want, opts)
			// Also after an error: obj is normalized except for what the error names.
			if !reflect.DeepEqual(have, want) {
				show("Normalize with %+v: have\n%s\nwant\n%s", opts, cases.Encode(have), cases.Encode(want))
			}
			if !slices.Equal(unknown, wantUnknown) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				show("Normalize with %+v: have\n%q, %v\nwant\n%q, %v", opts, unknown, err, wantUnknown, wantErr)
			}
		}
	}
	if generated.Default != nil {
		have, want := jsonvalue.Copy(obj), jsonvalue.Copy(obj)
		generated.Default(have)
		r.Default(want)
		if !reflect.DeepEqual(have, want) {
			show("Default: have\n%s\nwant\n%s", cases.Encode(have), cases.Encode(want))
		}
	}
	if generated.Check != nil {
		have := jsonvalue.Copy(obj)
		errs := generated.Check(have)
		if !reflect.DeepEqual(have, obj) {
			show("Check changes the object: have\n%s", cases.Encode(have))
		}
		if want := r.Check(obj); !reflect.DeepEqual(errs, want) {
			show("Check: have\n%s\nwant\n%s", cases.Lines(texts(errs)), cases.Lines(texts(want)))
		}
	}
	if generated.ValidateMetadata != nil {
		for _, old := range []map[string]any{nil, {"metadata": map[string]any{"name": "old"}}} {
			if errs, want := generated.ValidateMetadata(obj, old), r.ValidateMetadata(obj, old); !slices.EqualFunc(errs, want, sameCause) {
				show("ValidateMetadata: have\n%s\nwant\n%s", cases.Lines(texts(errs)), cases.Lines(texts(want)))
			}
		}
	}
	if generated.ValidateRules != nil {
		for _, old := range []map[string]any{nil, jsonvalue.Copy(obj), {"spec": obj["spec"]}} {
			have := jsonvalue.Copy(obj)
			said := cases.Said(generated.ValidateRules(have, old))
			if !reflect.DeepEqual(have, obj) {
				show("ValidateRules changes the object: have\n%s", cases.Encode(have))
			}
			if want := cases.Said(r.ValidateRules(obj, old)); said != want {
				show("ValidateRules: have\n%s\nwant\n%s\nwhere old is\n%s", said, want, cases.Encode(old))
			}
		}
	}
	if generated.Validate != nil {
		have := jsonvalue.Copy(obj)
		errs := generated.Validate(have)
		if !reflect.DeepEqual(have, obj) {
			show("Validate changes the object: have\n%s", cases.Encode(have))
		}
		if want := r.Validate(obj); !reflect.DeepEqual(errs, want) {
			show("Validate: have\n%s\nwant\n%s", cases.Lines(texts(errs)), cases.Lines(texts(want)))
		}
	}
}

// The apiVersion and the kind of an object can be anything that somebody sends, also where the schema specifies them.
func TestGeneratedCodeAgreesWithTheReferenceOnObjectsOfNoKind(t *testing.T) {
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		for _, k := range []string{"apiVersion", "kind"} {
			for _, v := range []any{nil, "", "a/b/c", int64(1), true, []any{map[string]any{"a": nil}}, map[string]any{"a": nil}} {
				agree(t, r, generated, map[string]any{k: v, "metadata": nil})
			}
		}
	})
}

func TestGeneratedCodeAgreesWithTheReferenceOnRandomObjects(t *testing.T) {
	testsize.NotShort(t)
	rounds := testsize.Pick(8, 100)
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		random := randomOf(r, 1)
		for _, opts := range []specimentest.Options{
			{},
			{Flaws: specimentest.Unknown | specimentest.Keys, Rate: 0.3},
			{Flaws: specimentest.WrongType | specimentest.Values, Rate: 0.2},
			{Flaws: specimentest.All &^ specimentest.MetadataMalformed, Rate: 0.3},
			{Flaws: specimentest.All, Rate: 0.05},
			{Flaws: specimentest.Unknown | specimentest.Null, Rate: 1},
		} {
			for range rounds {
				opts.Size = pick(random, 150, 400, 1500) // generated code goes through small objects in another way than through large ones
				agree(t, r, generated, r.Make(random.Uint64(), opts))
				if t.Failed() {
					return
				}
			}
		}
	})
}

func pick[T any](random *rand.Rand, all ...T) T { return all[random.IntN(len(all))] }

// allocatingFormats is the object with the formats that packages of the standard library parse, or that are compared after the
// digits are picked out: to validate these allocates.
var allocatingFormats = filepath.Join("..", "formats", "objects", "parsed")

// allocatingRules are the objects on which rules make lists or parse values, or are evaluated by their programs.
var allocatingRules = []string{filepath.Join("..", "rules", "objects", "numbers"), filepath.Join("..", "rules", "objects", "sluice"),
	filepath.Join("..", "rules", "objects", "valid"),
}

func TestACleanObjectCostsNoAllocation(t *testing.T) {
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		obj := o.New()
		wellTyped := len(o.Resource.Check(obj)) == 0
		o.Resource.PruneReport(obj)
		none := func(what string, f func()) {
			t.Helper()
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("%s: %v allocations", what, n)
			}
		}
		if generated.Prune != nil {
			none("Prune", func() { generated.Prune(obj) })
		}
		if generated.PruneReport != nil {
			none("PruneReport", func() { generated.PruneReport(obj) })
		}
		if generated.Check != nil && wellTyped {
			none("Check", func() { generated.Check(obj) })
		}
		if generated.ValidateRules != nil && !slices.Contains(allocatingRules, o.Path) {
			if errs, _ := generated.ValidateRules(obj, nil); len(errs) == 0 {
				none("ValidateRules", func() { generated.ValidateRules(obj, nil) })
				old := o.New()
				none("ValidateRules, update", func() { generated.ValidateRules(obj, old) })
			}
		}
		if o.Path == allocatingFormats {
			return
		}
		if generated.Validate != nil && len(o.Resource.Validate(obj)) == 0 {
			none("Validate", func() { generated.Validate(obj) })
		}
		if generated.ValidateUpdate != nil && len(o.Resource.Validate(obj)) == 0 {
			old := o.New()
			none("ValidateUpdate", func() { generated.ValidateUpdate(obj, old) })
		}
		if generated.Normalize != nil {
			obj := o.New()
			if _, err := generated.Normalize(obj, prunert.NormalizeOptions{}); err != nil {
				return
			}
			generated.Normalize(obj, prunert.NormalizeOptions{}) // a zero time is null at first, and then gone
			none("Normalize", func() { generated.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true}) })
			if generated.Default != nil {
				none("Default", func() { generated.Default(obj) })
			}
		}
	})
}

// Two objects never share a default value: changing one object does not change the other.
func TestDefaultedObjectsShareNothing(t *testing.T) {
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		for name, fill := range map[string]func(map[string]any){
			"Normalize": func(obj map[string]any) {
				if generated.Normalize != nil {
					generated.Normalize(obj, prunert.NormalizeOptions{})
				}
			},
			"Default": func(obj map[string]any) {
				if generated.Default != nil {
					generated.Default(obj)
				}
			},
			"interpret.Default": o.Resource.Default,
		} {
			one, other := o.New(), o.New()
			fill(one)
			fill(other)
			before := cases.Encode(other)
			spoil(one)
			third := o.New()
			fill(third)
			if cases.Encode(other) != before || cases.Encode(third) != before {
				t.Errorf("%s: changing one object changed another", name)
			}
		}
	})
}

// spoil changes everything in an object.
func spoil(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			spoil(e)
		}
		v["spoilt"] = true
	case []any:
		for i, e := range v {
			spoil(e)
			if _, scalar := e.(string); scalar {
				v[i] = "spoilt"
			}
		}
	}
}

func TestDroppingCostsNoAllocation(t *testing.T) {
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		if generated.Prune == nil {
			return
		}
		const runs = 5
		var objects []map[string]any
		for range runs + 1 { // AllocsPerRun calls once more to warm up
			objects = append(objects, o.New())
		}
		n := testing.AllocsPerRun(runs, func() {
			generated.Prune(objects[0])
			objects = objects[1:]
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// Nothing is written to an object without anything to drop: programs prune objects that others read at the same time. The race detector
// would notice a write.
func TestACleanObjectIsOnlyRead(t *testing.T) {
	eachObject(t, func(t *testing.T, o *cases.Object, generated prunert.Resource) {
		obj := o.New()
		o.Resource.PruneReport(obj)
		before := cases.Encode(obj)
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() {
				if generated.Prune != nil {
					generated.Prune(obj)
				}
				if generated.PruneReport != nil {
					generated.PruneReport(obj)
				}
				if generated.Check != nil {
					generated.Check(obj)
				}
				if generated.Validate != nil {
					generated.Validate(obj)
				}
			})
		}
		wait.Wait()
		compare(t, "the object", cases.Encode(obj), before)
	})
}

func TestOnlyPackagesMadeToRegisterDo(t *testing.T) {
	want := map[string]string{}
	eachResource(t, func(t *testing.T, r *cases.Resource, generated prunert.Resource) {
		if !r.Case.Options.Register {
			return
		}
		want[r.APIVersion()+" "+r.CRD.Names.Kind] = generated.SchemaHash
		found, ok := prunert.Lookup(r.CRD.Group, r.Version.Name, r.CRD.Names.Kind)
		if !ok || found.SchemaHash != generated.SchemaHash || found.Prune == nil {
			t.Errorf("Lookup finds %+v, %t", found, ok)
		}
	})
	have := map[string]string{}
	for _, r := range prunert.Registered() {
		have[r.APIVersion()+" "+r.Kind] = r.SchemaHash
	}
	if len(want) == 0 || !maps.Equal(have, want) {
		t.Errorf("registered are %v, want %v", have, want)
	}
}

// sameCause reports whether two errors are the same cause of a Status. Bad values that print alike may have different types: the
// parts of metadata have types of their own on both sides.
func sameCause(a, b *prunert.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && slices.Equal(a.Path, b.Path) && a.Body() == b.Body()
}
