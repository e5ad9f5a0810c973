package interpret_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/structuraltest"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

const plenty = 1_000_000

// What is validated beyond a limit of the run has an error that says so, and nothing else is said about it.
func TestObjectsAreValidatedWithinTheLimitsOfARun(t *testing.T) {
	s := structuraltest.ParseSchema(t, "{type: object, properties: {a: {type: string, maxLength: 3}, status: {type: object, properties: {a: {type: string, maxLength: 3}}}}}")
	wrong := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "a": "long", "status": map[string]any{"a": "long"}}
	old := map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "a": "longer", "status": map[string]any{"a": "longer"}}
	for name, validate := range map[string]func(w *interpret.Work) prunert.ErrorList{
		"create": func(w *interpret.Work) prunert.ErrorList { return w.Validate(wrong, s) },
		"update": func(w *interpret.Work) prunert.ErrorList { return w.ValidateUpdate(wrong, old, s) },
		"status": func(w *interpret.Work) prunert.ErrorList { return w.ValidateStatus(wrong, old, s) },
	} {
		w := &interpret.Work{Steps: plenty, Filled: plenty, Texts: plenty}
		want := validate(nil)
		if have := validate(w); fmt.Sprint(have) != fmt.Sprint(want) || len(want) == 0 || w.Exceeded() {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
		steps, texts := plenty-w.Steps, plenty-w.Texts
		if w.Filled != plenty || steps < 2 || texts < len(want[0].Detail) {
			t.Errorf("%s: it took %d steps, and %d bytes of errors", name, steps, texts)
		}
		for limit, w := range map[string]*interpret.Work{"steps": {Steps: 2*steps - 1, Filled: plenty, Texts: plenty}, "bytes": {Steps: plenty, Filled: plenty, Texts: 2*texts - 1}} {
			if have := validate(w); fmt.Sprint(have) != fmt.Sprint(want) || w.Exceeded() {
				t.Errorf("%s with enough %s: %v", name, limit, have)
			}
			const reached = "the run reached a limit before the object was fully validated"
			if have := validate(w); len(have) == 0 || have[len(have)-1].Type != prunert.ErrorTypeOmitted || have[len(have)-1].Detail != reached || !w.Exceeded() {
				t.Errorf("%s with too few %s: %v", name, limit, have)
			}
			if have := validate(w); len(have) != 1 || have[0].Detail != reached {
				t.Errorf("%s with no %s: %v", name, limit, have)
			}
		}
	}
}

// Defaults are filled in up to a limit on their bytes, and the fields that are looked at are steps.
func TestDefaultsAreFilledInWithinTheLimitsOfARun(t *testing.T) {
	s := structuraltest.NewSchema(t, "{type: object, properties: {a: {type: string, default: "+strings.Repeat("x", 36)+"}, b: {type: string}, "+
		"m: {type: object, additionalProperties: {type: string, default: w}}, l: {type: array, items: {type: string, default: z}}}}")
	fill := func(w *interpret.Work) string {
		obj := map[string]any{"m": map[string]any{"k": nil}, "l": []any{nil}}
		w.Default(obj, s)
		return fmt.Sprint(obj["a"] != nil, obj["m"], obj["l"])
	}
	const all = "true map[k:w] [z]"
	w := &interpret.Work{Steps: plenty, Filled: plenty, FilledInObject: plenty}
	if have := fill(w); have != all || w.Exceeded() {
		t.Errorf("%s, want %s", have, all)
	}
	// Each value counts 64 bytes beside its own.
	if filled := plenty - w.Filled; filled != 36+1+1+3*64 {
		t.Errorf("%d bytes are filled in", filled)
	}
	if steps := plenty - w.Steps; steps != 4 {
		t.Errorf("it took %d steps", steps)
	}
	w = &interpret.Work{Steps: 8, Filled: plenty, FilledInObject: plenty}
	if have := fill(w) + fill(w); have != all+all || w.Exceeded() {
		t.Errorf("with enough steps: %s", have)
	}
	if fill(w); !w.Exceeded() {
		t.Error("steps are not counted")
	}
	if have := fill(w); have != "false map[k:<nil>] [<nil>]" {
		t.Errorf("with no steps: %s", have)
	}
	for filled, want := range map[int]string{230: "true", 229: "false", 99: "false"} {
		for _, w := range []*interpret.Work{{Steps: plenty, Filled: filled, FilledInObject: plenty}, {Steps: plenty, Filled: plenty, FilledInObject: filled}} {
			if have := fmt.Sprint(fill(w) == all && !w.Exceeded()); have != want {
				t.Errorf("with %d bytes: %s", filled, have)
			}
		}
	}
	obj := map[string]any{"apiVersion": "v1", "kind": "A"}
	w = &interpret.Work{Filled: 99, FilledInObject: 999, Steps: 99}
	if _, err := w.NormalizePrepared(obj, s, interpret.PruneOptions{Semantics: structural.APIServer}, prunert.NormalizeOptions{}); err != nil || !w.Exceeded() || obj["a"] != nil {
		t.Errorf("%v, %v", obj, err)
	}
}

// A default counts with all values in it. What is beyond the limit is not even counted.
func TestDefaultsCountWithTheirValues(t *testing.T) {
	s := structuraltest.NewSchema(t, "{type: object, properties: {l: {type: array, items: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}, default: [{}, {abc: [{}]}]}}}}")
	w := &interpret.Work{Steps: plenty, Filled: 2 * (6*64 + 3), FilledInObject: plenty}
	obj := map[string]any{"l": []any{nil, nil, nil}}
	if w.Default(obj, s); !w.Exceeded() || obj["l"].([]any)[1] == nil || obj["l"].([]any)[2] != nil {
		t.Errorf("%v, %d bytes are left", obj, w.Filled)
	}
	left := w.Filled
	if w.Default(obj, s); w.Filled != left {
		t.Errorf("%d bytes are left of %d", w.Filled, left)
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
		{"{type: array, enum: [[1]]}", list, 1, 10},
		{"{type: array, enum: [" + strings.ReplaceAll(fmt.Sprint(list), " ", ",") + "]}", list, 500, 700},
		{"{type: string, pattern: a}", "a", 16, 100},
		{"{type: string, pattern: 'a{1000}'}", "a", 16_000, 18_000},
		{"{type: string, pattern: 'a{1000}'}", long, 16_000 + 100_000, 18_000 + 102_000},
	} {
		w := &interpret.Work{Steps: plenty, Texts: plenty}
		s := structuraltest.ParseSchema(t, "{type: object, properties: {v: "+test.schema+"}}")
		validate := func() int {
			before := w.Steps
			w.Validate(map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"}, "v": test.value}, s)
			return before - w.Steps
		}
		if steps := validate(); steps < test.least || steps > test.most+10 {
			t.Errorf("%.80s: %d steps", test.schema, steps)
		}
		if again := validate(); strings.Contains(test.schema, "pattern") && again > max(200, test.most-16_000) {
			t.Errorf("%.80s: %d steps for the next object, which need not compile the pattern", test.schema, again)
		}
	}
}
