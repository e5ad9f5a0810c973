package interpret_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// within returns the work of a run that may take a number of units.
func within(units int) *interpret.Work {
	w := &interpret.Work{Meter: meter.New(1)}
	w.Meter.Spend(meter.Work - units)
	return w
}

// An object that exceeds a limit of the run has an error that says so, and no other one.
func TestObjectsAreValidatedWithinTheLimitsOfARun(t *testing.T) {
	s := structuraltest.ParseSchema(t, "{type: object, properties: {a: {type: string, maxLength: 3}, status: {type: object, properties: {a: {type: string, maxLength: 3}}}}}")
	wrong := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "a": "long", "status": map[string]any{"a": "long"}}
	old := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "a": "longer", "status": map[string]any{"a": "longer"}}
	for name, validate := range map[string]func(w *interpret.Work) prunert.ErrorList{
		"create": func(w *interpret.Work) prunert.ErrorList { return w.Validate(wrong, s) },
		"update": func(w *interpret.Work) prunert.ErrorList { return w.ValidateUpdate(wrong, old, s) },
		"status": func(w *interpret.Work) prunert.ErrorList { return w.ValidateStatus(wrong, old, s) },
	} {
		w := within(1000)
		want := validate(new(interpret.Work))
		if have := validate(w); fmt.Sprint(have) != fmt.Sprint(want) || len(want) == 0 || w.Meter.Spent() {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
		units := 1000 - int(w.Meter.Left())
		if units < 2+len(want[0].Detail)/meter.UnitBytes {
			t.Errorf("%s: it took %d units", name, units)
		}
		w = within(2*units - 1)
		if have := validate(w); fmt.Sprint(have) != fmt.Sprint(want) || w.Meter.Spent() {
			t.Errorf("%s within the limit: %v", name, have)
		}
		const reached = "the object is too large for its schema to be fully validated"
		if have := validate(w); len(have) == 0 || have[len(have)-1].Type != prunert.ErrorTypeOmitted || have[len(have)-1].Detail != reached || !w.Meter.Spent() {
			t.Errorf("%s beyond the limit: %v", name, have)
		}
		if have := validate(w); len(have) != 1 || have[0].Detail != reached {
			t.Errorf("%s after that: %v", name, have)
		}
	}
}

// Defaults are filled in until the meter is spent. Their bytes count, and the fields that are looked at.
func TestDefaultsAreFilledInWithinTheLimitsOfARun(t *testing.T) {
	s := structuraltest.NewSchema(t, "{type: object, properties: {a: {type: string, default: "+strings.Repeat("x", 36)+"}, b: {type: string}, "+
		"m: {type: object, additionalProperties: {type: string, default: w}}, l: {type: array, items: {type: string, default: z}}}}")
	fill := func(w *interpret.Work) string {
		obj := map[string]any{"m": map[string]any{"k": nil}, "l": []any{nil}}
		w.Default(obj, s)
		return fmt.Sprint(obj["a"] != nil, obj["m"], obj["l"])
	}
	const all = "true map[k:w] [z]"
	w := within(1000)
	if have := fill(w); have != all || w.Meter.Spent() {
		t.Errorf("%s, want %s", have, all)
	}
	// Each value counts 64 bytes beside its own.
	units := 1000 - int(w.Meter.Left())
	if units < (36+1+1+3*64)/meter.UnitBytes {
		t.Errorf("it took %d units", units)
	}
	for left, want := range map[int]string{units: "true", units - 1: "false", 5: "false"} {
		if w := within(left); fmt.Sprint(fill(w) == all && !w.Meter.Spent()) != want {
			t.Errorf("with %d units: spent is %t", left, w.Meter.Spent())
		}
	}
	w = within(5)
	fill(w)
	if have := fill(w); have != "false map[k:<nil>] [<nil>]" {
		t.Errorf("with nothing left: %s", have)
	}
	obj := map[string]any{"apiVersion": "v1", "kind": "A"}
	w = within(5)
	if _, err := w.Normalize(obj, s, interpret.PruneOptions{Semantics: structural.APIServer}, prunert.NormalizeOptions{}); err != nil || !w.Meter.Spent() || obj["a"] != nil {
		t.Errorf("%v, %v", obj, err)
	}
}

// A default counts with all values in it.
func TestDefaultsCountWithTheirValues(t *testing.T) {
	s := structuraltest.NewSchema(t, "{type: object, properties: {l: {type: array, items: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}, default: [{}, {abc: [{}]}]}}}}")
	w := within(2*2*(6*64+3)/meter.UnitBytes + 10)
	obj := map[string]any{"l": []any{nil, nil, nil}}
	if w.Default(obj, s); !w.Meter.Spent() || obj["l"].([]any)[1] == nil || obj["l"].([]any)[2] != nil {
		t.Errorf("%v", obj)
	}
}

// Work on long strings, wide objects, large members of enums and large patterns counts.
func TestStepsAreWorkThatGrowsWithValues(t *testing.T) {
	wide := map[string]any{}
	var list []any
	for i := range 1000 {
		wide[fmt.Sprint(i)] = "x"
		list = append(list, int64(i))
	}
	long := strings.Repeat("a", 6400)
	for _, test := range []struct {
		schema      string
		value       any
		least, most int
	}{
		{"{type: string}", long, 1, 10},
		{"{type: string, maxLength: 10000}", long, 100, 110},
		{"{type: string, minLength: 1}", long, 100, 110},
		{"{type: object, minProperties: 1}", wide, 1, 10},
		{"{type: object, properties: {a: {type: string}}}", wide, 1000, 1010},
		{"{type: array, enum: [[1]]}", list, 1, 600}, // the error has the list in it
		{"{type: array, enum: [" + strings.ReplaceAll(fmt.Sprint(list), " ", ",") + "]}", list, 500, 700},
		{"{type: string, pattern: a}", "a", 16, 100},
		{"{type: string, pattern: 'a{1000}'}", "a", 16_000, 18_000},
		{"{type: string, pattern: 'a{1000}'}", long, 16_000 + 100_000, 18_000 + 102_000},
	} {
		w := within(1_000_000)
		s := structuraltest.ParseSchema(t, "{type: object, properties: {v: "+test.schema+"}}")
		validate := func() int {
			before := w.Meter.Left()
			w.Validate(map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "v": test.value}, s)
			return int(before - w.Meter.Left())
		}
		if steps := validate(); steps < test.least || steps > test.most+10 {
			t.Errorf("%.80s: %d steps", test.schema, steps)
		}
		if again := validate(); strings.Contains(test.schema, "pattern") && again > max(200, test.most-16_000) {
			t.Errorf("%.80s: %d steps for the next object, which need not compile the pattern", test.schema, again)
		}
	}
}

// Objects share the patterns of a Work.
func TestPatternsAreCompiledOnce(t *testing.T) {
	s := structuraltest.ParseSchema(t, "{type: object, properties: {v: {type: string, pattern: '^(a|b|cd*){3,9}$'}}}")
	allocs := func(work func() *interpret.Work) float64 {
		return testing.AllocsPerRun(10, func() {
			work().Validate(map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "v": "abcd"}, s)
		})
	}
	work := new(interpret.Work)
	alone, shared := allocs(func() *interpret.Work { return new(interpret.Work) }), allocs(func() *interpret.Work { return work })
	if shared*2 > alone {
		t.Errorf("%v allocations, and %v with a Work for each object", shared, alone)
	}
}
