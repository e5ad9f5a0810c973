package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/structural"
)

// The tests in this file take values with their schemas from Kubernetes' tests of values, make them fields of an object, and compare
// what rules about them say.

// notedValue is a value with its schema.
type notedValue struct {
	Value  any             `json:"value"`
	Schema json.RawMessage `json:"schema"`
}

// fieldsOf returns the schema and the object of values, each in a list, because a field that is null does not exist.
func fieldsOf(values map[string]notedValue) (schema, obj map[string]any) {
	properties := map[string]any{}
	schema, obj = map[string]any{"type": "object", "properties": properties}, map[string]any{}
	for name, v := range values {
		var s map[string]any
		if err := json.Unmarshal(v.Schema, &s); err != nil || s == nil {
			s = map[string]any{"x-kubernetes-preserve-unknown-fields": true}
		}
		if v.Value == nil {
			s["nullable"] = true
		}
		properties[name] = map[string]any{"type": "array", "items": s}
		obj[name] = []any{v.Value}
	}
	return schema, obj
}

// about returns a rule in which variables have the names of values and any type.
func about(values map[string]notedValue, text string) string {
	for _, name := range slices.Backward(sortedKeys(values)) {
		text = fmt.Sprintf("[dyn(self.%s[0])].all(%s, %s)", name, name, text)
	}
	return text
}

// tested compares rules about an object.
type tested struct {
	rules, evaluated, differ int
}

func (n *tested) compare(t *testing.T, name string, schema, obj, old map[string]any, all ...apiextensionsv1.ValidationRule) {
	t.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		s, err := structuralOf(data, apiextensionsv1.ValidationRules{r})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		subject, err := NewSubject(name+": "+r.Rule, kube.Convert[*structural.Schema](s), s)
		if err != nil {
			t.Fatal(err)
		}
		n.add(t, Case{subject, obj, old})
	}
}

func (n *tested) add(t *testing.T, c Case) {
	t.Helper()
	n.rules++
	if out := c.Compare(); out.Differs {
		if n.differ++; n.differ <= 10 {
			t.Error(out)
		}
	}
	if slices.ContainsFunc(c.Subject.Targets, func(target *Target) bool { return target.Rule.Problem == "" && target.wasSeen(c) }) {
		n.evaluated++
	}
}

// log says what was compared, and fails if fewer rules than least were evaluated.
func (n *tested) log(t *testing.T, cases, least int) {
	t.Helper()
	t.Logf("%d cases, %d rules, %d are evaluated, %d differences", cases, n.rules, n.evaluated, n.differ)
	if n.evaluated < least {
		t.Errorf("%d evaluated rules only", n.evaluated)
	}
}

func decodeLines[T any](t *testing.T, lines [][]byte) []T {
	t.Helper()
	all := make([]T, len(lines))
	for i, line := range lines {
		if err := utiljson.Unmarshal(line, &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// The expressions about values in the tests of k8s.io/apiserver.
func TestValuesOfKubernetesTestsSayTheSame(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	lines := scratch.Foreign{
		Package: "k8s.io/apiserver/pkg/cel/common",
		Files:   []string{"values_test.go"},
		Alone:   true,
		Edits: map[string][][2]string{"values_test.go": {{
			"	a, err := unstructuredToValActivation(tt.activation)\n", "	noteValues(tt)\n	a, err := unstructuredToValActivation(tt.activation)\n",
		}}},
		Added: map[string]string{"zz_note_test.go": noteValues},
		Run:   "^(TestToValue|TestListAdd)$",
	}.Answers(t)
	var n tested
	cases := decodeLines[struct {
		Name       string                `json:"name"`
		Expression string                `json:"expression"`
		Values     map[string]notedValue `json:"values"`
	}](t, lines)
	for _, c := range cases {
		schema, obj := fieldsOf(c.Values)
		n.compare(t, c.Name, schema, obj, nil, apiextensionsv1.ValidationRule{Rule: about(c.Values, c.Expression)})
	}
	n.log(t, len(cases), 180)
}

const noteValues = `package common_test

import (
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
)

func noteValues(tt testCase) {
	values := map[string]any{}
	for name, v := range tt.activation {
		u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&wrap{Value: &v.value})
		if err != nil {
			panic(err)
		}
		values[name] = map[string]any{"value": u["value"], "schema": v.schema}
	}
	answer(map[string]any{"name": tt.name, "expression": tt.expression, "values": values})
}
` + scratch.Answer

// The pairs of values that the tests of k8s.io/apiextensions-apiserver compare, and lists that they look up elements in.
func TestEqualValuesOfKubernetesTestsAreEqual(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	lines := scratch.Foreign{
		Package: "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel",
		Files:   []string{"values_test.go"},
		Edits:   map[string][][2]string{"values_test.go": {{"UnstructuredToVal(", "notedVal("}, {"BenchmarknotedVal(", "BenchmarkValues("}}},
		Added:   map[string]string{"zz_note_test.go": notedVal},
		Run:     "^(TestEquality|TestLister|TestMapper)$",
	}.Answers(t)
	var n tested
	all := decodeLines[notedValue](t, lines)
	for i := range len(all) - 1 {
		values := map[string]notedValue{"a": all[i], "b": all[i+1]}
		schema, obj := fieldsOf(values)
		rules := []apiextensionsv1.ValidationRule{{Rule: "false", MessageExpression: "'%s'.format([dyn(self.a[0]) + dyn(self.b[0])])"}}
		for _, text := range []string{"a == b", "b == a", "a != b", "a in [b]", "a in b", "size(a) == size(b)", "a.all(x, x in b)", "(a + b) == (b + a)", "a[0] == b[0]"} {
			rules = append(rules, apiextensionsv1.ValidationRule{Rule: about(values, text)})
		}
		n.compare(t, fmt.Sprintf("value %d", i), schema, obj, nil, rules...)
	}
	n.log(t, len(all)-1, 770)
}

const notedVal = `package cel

import (
	"encoding/json"
	"os"

	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

func notedVal(v any, s *schema.Structural) ref.Val {
	answer(map[string]any{"value": v, "schema": s.ToKubeOpenAPI()})
	return UnstructuredToVal(v, s)
}
` + scratch.Answer

// The lists in which Kubernetes' test looks up the element with the keys of another one.
func TestElementsOfKubernetesTestsCorrelate(t *testing.T) {
	prunelimits.Set(prunelimits.Limits{})
	lines := scratch.Foreign{
		Package: "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel",
		Files:   []string{"maplist_test.go", "values_test.go"},
		Edits:   map[string][][2]string{"maplist_test.go": {{"makeMapList(&tc.sts, tc.items)", "notedList(&tc.sts, tc.items, tc.query)"}}},
		Added:   map[string]string{"zz_note_test.go": notedList},
		Run:     "^TestMapList$",
	}.Answers(t)
	var n tested
	all := decodeLines[struct {
		Schema map[string]any `json:"schema"`
		Items  any            `json:"items"`
		Query  any            `json:"query"`
	}](t, lines)
	for i, c := range all {
		c.Schema["type"] = "array"
		c.Schema["items"] = map[string]any{
			"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": map[string]any{"v1": map[string]any{"type": "string"}},
			"x-kubernetes-validations": []any{
				map[string]any{"rule": "!oldSelf.hasValue()", "optionalOldSelf": true, "messageExpression": "'was ' + oldSelf.value().v1"},
				map[string]any{"rule": "self == oldSelf"},
			},
		}
		schema := map[string]any{"type": "object", "properties": map[string]any{"list": c.Schema}}
		n.compare(t, fmt.Sprintf("list %d", i), schema, map[string]any{"list": []any{c.Query}}, map[string]any{"list": c.Items}, apiextensionsv1.ValidationRule{Rule: "true"})
	}
	n.log(t, len(all), 11)
}

const notedList = `package cel

import (
	"encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiserver/pkg/cel/common"
)

func notedList(s *schema.Structural, items []any, query any) common.MapList {
	answer(map[string]any{"schema": s.ToKubeOpenAPI(), "items": items, "query": query})
	return makeMapList(s, items)
}
` + scratch.Answer
