package celrules_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Every operator and guard of integers, with values at their bounds: no rule fails of which it is said that it does not, and few are said
// to fail for which no value shows it.
func TestReasoningAboutOverflows(t *testing.T) {
	const schema = `{type: object, required: [any, small, pos, neg, half, list, few, ones, minus, up, down], properties: {
  any: {type: integer}, half: {type: integer, format: int32}, small: {type: integer, minimum: -2, maximum: 2},
  pos: {type: integer, minimum: 0, exclusiveMinimum: true}, neg: {type: integer, maximum: 0, exclusiveMaximum: true},
  list: {type: array, maxItems: 3, items: {type: integer}}, few: {type: array, maxItems: 3, minItems: 1, items: {type: integer, minimum: -2, maximum: 2}},
  ones: {type: array, maxItems: 3, items: {type: integer, minimum: 1, maximum: 2}}, minus: {type: array, maxItems: 3, items: {type: integer, minimum: -2, maximum: -1}},
  up: {type: array, maxItems: 3, items: {type: integer, minimum: 0}}, down: {type: array, maxItems: 3, items: {type: integer, maximum: 0}}}%s}`
	values := map[string][]int64{
		"any": {math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}, "half": {math.MinInt32, -1, 0, 1, math.MaxInt32},
		"small": {-2, -1, 0, 1, 2}, "pos": {1, 2, math.MaxInt64}, "neg": {-1, -2, math.MinInt64},
	}
	names := []string{"any", "half", "small", "pos", "neg"}
	constants := []string{"-9223372036854775808", "-9223372036854775807", "-1", "0", "1", "9223372036854775806", "9223372036854775807"}
	guards := []string{"<", "<=", ">", ">=", "==", "!="}
	var rules []string
	for _, x := range names {
		rules = append(rules, "-self."+x+" > 0 ? true : true")
		for _, op := range []string{"+", "-", "*", "/", "%"} {
			for _, y := range append([]string{"self.small", "self.pos", "self.neg"}, constants...) {
				rules = append(rules, "self."+x+" "+op+" "+y+" > 0 ? true : true", y+" "+op+" self."+x+" > 0 ? true : true")
			}
		}
	}
	for i, guard := range guards {
		for j, k := range constants {
			for _, then := range []string{"self.any + 1", "self.any - 1", "1 / self.any", "-self.any"} {
				rules = append(rules, "self.any "+guard+" "+k+" ? "+then+" != 5 : true", k+" "+guard+" self.any ? true : "+then+" != 5")
			}
			x := "self." + names[(i+j)%len(names)]
			rules = append(rules, x+" "+guard+" "+k+" ? "+x+" - 1 != 5 : true", k+" "+guard+" "+x+" ? true : 1 / "+x+" != 5")
		}
	}
	for _, k := range []string{"- 1", "- 2", "- 3", "- 6", "- 2147483647", "+ 1", "+ 2", "+ 3", "+ 6", "+ 2147483648"} { // what may be 0
		for _, x := range []string{"half", "small", "pos", "neg", "ones.sum()", "minus.sum()", "few.sum()", "few.max()", "few.min()"} {
			rules = append(rules, "1 / (self."+x+" "+k+") > 0 ? true : true")
		}
	}
	for _, of := range []string{"sum", "max", "min"} {
		rules = append(rules, "self.list."+of+"() > 0 ? true : true", "self.few."+of+"() > 0 ? true : true", "self.few."+of+"() * 1000000000000000000 > 0 ? true : true", "self.few."+of+"() * 2000000000000000000 > 0 ? true : true")
	}
	rules = append(rules, "self.up.sum() > 0 ? true : true", "self.down.sum() > 0 ? true : true")
	var objects []map[string]any
	for i := range 7 {
		obj := map[string]any{}
		for _, name := range names {
			obj[name] = values[name][i%len(values[name])]
		}
		objects = append(objects, obj)
		for j := range 5 { // each value with each small one
			other := map[string]any{"small": int64(j - 2), "pos": values["pos"][(i+j)%3], "neg": values["neg"][(i+2*j)%3]}
			for name, v := range obj {
				if other[name] == nil {
					other[name] = v
				}
			}
			objects = append(objects, other)
		}
	}
	for i, obj := range objects {
		lists := [][]any{{}, {int64(math.MaxInt64)}, {int64(math.MaxInt64), int64(1)}, {int64(math.MinInt64), int64(-1)}}
		obj["list"] = lists[i%len(lists)]
		few := [][]any{{int64(2), int64(2), int64(2)}, {int64(-2), int64(-2), int64(-2)}, {int64(-1)}, {int64(1)}, {int64(2), int64(1)}, {int64(-2), int64(-1)}}
		obj["few"] = few[i%len(few)]
		obj["up"], obj["down"] = []any{int64(math.MaxInt64), int64(1)}, []any{int64(math.MinInt64), int64(-1)}
		n := int64(1 + i%2)
		obj["ones"], obj["minus"] = []any{n, n, n}[:i%4], []any{-n, -n, -n}[:i%4]
	}

	// Each rule is on a value of its own, so that an error names it.
	var all strings.Builder
	for i, rule := range rules {
		fmt.Fprintf(&all, "  r%d: "+schema+"\n", i, fmt.Sprintf(", x-kubernetes-validations: [{rule: %q}]", rule))
	}
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object\nproperties:\n"+all.String()))
	resources, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	for _, obj := range objects {
		whole := map[string]any{}
		for i := range rules {
			whole[fmt.Sprint("r", i)] = obj
		}
		errs, _ := resources[0].ValidateRules(whole, nil)
		for _, e := range errs {
			failed[e.Field] = fmt.Sprintf("%v: %s", obj, e.Detail)
		}
	}
	s := structuraltest.NewSchema(t, fmt.Sprintf(schema, ""))
	reasoner := celrules.NewReasoner(celrules.NewMet(s, s, false), celrules.Stored(kubeversion.Newest), nil)
	defer reasoner.Release()
	loud := 0
	for i, rule := range rules {
		out := reasoner.Rule(structural.ValidationRule{Rule: rule}, nil, false)
		why := failed[fmt.Sprint("r", i)]
		switch {
		case out.Err != "":
			t.Errorf("%s: %s", rule, out.Err)
		case out.Failure == nil && why != "":
			t.Errorf("%s is said not to fail: %s", rule, why)
		case out.Failure != nil && why == "":
			loud++
		}
	}
	if len(failed) < 400 || loud > 40 {
		t.Errorf("of %d rules, %d fail, and %d are said to and do not", len(rules), len(failed), loud)
	}
}
