package suiteinit

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// crds returns those of files that the API server accepts.
func crds(t *testing.T, patterns ...string) []*structural.CRD {
	t.Helper()
	var all []*structural.CRD
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, name := range files {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, crd := range crdread.Load(name, f).CRDs {
				origin.SetMeter(crd, nil)
				if _, err := suite.NewVariant(crd).Resources(); err == nil {
					all = append(all, crd)
				}
			}
		}
	}
	return all
}

// A suite that was written passes, and violates every constraint that it does not list as missing.
func TestFirstSuitesPass(t *testing.T) {
	patterns := []string{"../../../golden/crontab/crd.yaml", "../../../golden/subresources/crd.yaml", "../../../examples/operator/config/crd/bases/*.yaml"}
	least := 96
	if testsize.All() { // with constraints that no object violates alone
		patterns[0], least = "../../../golden/*/crd.yaml", 72
	}
	count, differ := crdcover.Count{}, 0
	for _, crd := range crds(t, patterns...) {
		v := suite.NewVariant(crd)
		resources, _ := v.Resources()
		for _, r := range resources {
			s, err := New(crd, r.Version, All)
			if err != nil {
				t.Errorf("%s %s: %v", crd.Name, r.Version, err)
				continue
			}
			kind, err := crdcover.New(crd, r)
			if err != nil {
				t.Fatal(err)
			}
			_, failed, err := run(v, s.Text, func(q suite.Request) { kind.Record(q.Case.Name, q.Sent, q.Old, q.Request, q.Answer) })
			if err != nil || failed > 0 {
				t.Errorf("%s %s: %d cases fail, %v", crd.Name, r.Version, failed, err)
			}
			for i, c := range kind.Constraints() {
				if listed := strings.Contains(string(s.Text), "#   "+c.Title()+": "); s.Missing[i] == nil && len(c.ViolatedBy) == 0 || s.Missing[i] != nil && !listed {
					t.Errorf("%s %s: %s is violated by %q, and missing because %v", crd.Name, r.Version, c.Title(), c.ViolatedBy, s.Missing[i])
				}
				if errors.As(s.Missing[i], new(*suite.Difference)) {
					differ++ // no case can hold for all versions
				}
			}
			n := crdcover.CountOf(s.Constraints)
			count.All += n.All
			count.Violated += n.Violated
		}
	}
	t.Logf("%d of %d, and %d that versions of Kubernetes answer differently", count.Violated, count.All, differ)
	if count.Violated*100 < (count.All-differ)*least {
		t.Errorf("the suites violate %d of %d constraints that all versions of Kubernetes answer alike", count.Violated, count.All-differ)
	}
}

// A first suite passes with every version of Kubernetes: it expects what all of them say, and has no case in which they differ.
func TestFirstSuitesPassWithEveryVersion(t *testing.T) {
	testsize.NotShort(t)
	patterns := []string{"../../../golden/crontab/crd.yaml", "../../../golden/subresources/crd.yaml", "../../../golden/validate/crd.yaml", "../../../golden/formats/crd.yaml"}
	if testsize.All() {
		patterns = []string{"../../../golden/*/crd.yaml"}
	}
	texts := map[string][]byte{}
	for _, crd := range crds(t, patterns...) {
		for _, v := range crd.Versions {
			s, err := New(crd, v.Name, All)
			if err != nil {
				t.Fatalf("%s %s: %v", crd.Name, v.Name, err)
			}
			if bytes.Contains(s.Text, []byte("rules were not checked")) {
				t.Errorf("%s %s expects that rules are not checked", crd.Name, v.Name)
			}
			texts[crd.File+crd.Name+v.Name] = s.Text
		}
	}
	for _, kubernetes := range kubeversion.Known() {
		for _, crd := range crds(t, patterns...) {
			crd.Kubernetes = kubernetes
			variant := suite.NewVariant(crd)
			if _, err := variant.Resources(); err != nil {
				continue // refused by this version
			}
			for _, v := range crd.Versions {
				if text, failed, err := run(variant, texts[crd.File+crd.Name+v.Name], nil); err != nil || failed > 0 {
					t.Errorf("%s %s with Kubernetes %s: %d cases fail, %v; what they get is\n%s", crd.Name, v.Name, kubernetes, failed, err, text)
				}
			}
		}
	}
}

// A text that cannot be read has an error, and cases that expect something else are counted.
func TestRunSaysWhatIsWrong(t *testing.T) {
	crd := crds(t, "testdata/keywords.crd.yaml")[0]
	s, err := New(crd, "v1", All)
	if err != nil {
		t.Fatal(err)
	}
	variant := suite.NewVariant(crd)
	if _, _, err := run(variant, []byte("tests: ["), nil); err == nil || !strings.Contains(err.Error(), "line 1: ") {
		t.Error(err)
	}
	wrong := bytes.Replace(s.Text, []byte("Required value"), []byte("Optional value"), 1)
	if text, failed, err := run(variant, wrong, nil); err != nil || failed != 1 || !bytes.Contains(s.Text, bytes.TrimSpace(text)) {
		t.Errorf("%d cases fail, %v; what they get is\n%s", failed, err, text)
	}
}

// A suite does not change by itself, nor by what else a run does.
func TestSuitesAreTheSameEachTime(t *testing.T) {
	crd := crds(t, "../../../golden/subresources/crd.yaml")[0]
	var first string
	for range 3 {
		origin.SetMeter(crd, meter.New(1))
		origin.Meter(crd).Spend(math.MaxInt32) // there is nothing left of a run
		s, err := New(crd, crd.Versions[0].Name, All)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(s.Text)
		}
		if string(s.Text) != first {
			t.Fatalf("got\n%s\nthe first time\n%s", s.Text, first)
		}
	}
}

// A CRD without constraints has a suite with an object that is accepted.
func TestSuiteWithoutConstraints(t *testing.T) {
	cases := casesOf(t, "type: object\nproperties: {spec: {type: object, properties: {a: {type: string}}}}")
	if _, ok := cases["minimal object"]; !ok || len(cases) != 1 {
		t.Errorf("the cases are %v", cases)
	}
}

// Wherever a default is, a case shows it: elements and values of maps get theirs in place of null.
func TestEveryDefaultHasACase(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(`type: object
properties:
  field: {type: string, default: x}
  list: {type: array, items: {type: string, default: x}}
  map: {type: object, additionalProperties: {type: integer, default: 1}}
  deep: {type: array, items: {type: object, additionalProperties: {type: array, items: {type: boolean, default: true}}}}
`))
	s, err := New(crd, "v1", All)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Constraints {
		if c.Kind != crdcover.Default || len(c.ViolatedBy) == 0 || s.Missing[i] != nil {
			t.Errorf("%s is shown by %q, and missing because %v", c.Title(), c.ViolatedBy, s.Missing[i])
		}
	}
	if len(s.Constraints) != 4 {
		t.Errorf("there are %d constraints", len(s.Constraints))
	}
}

func TestCasesWithOneNameHaveNumbers(t *testing.T) {
	var have []string
	for _, c := range unique([]testCase{{name: "a"}, {name: "b"}, {name: "a"}, {name: "a"}, {name: "b"}}) {
		have = append(have, c.name)
	}
	if want := []string{"a", "b", "a (2)", "a (3)", "b (2)"}; !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

// What has no case says why.
func TestWhyThereIsNoCase(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(`type: object
default: {apiVersion: example.com/v1, kind: Job, a: x, b: 1}
required: [a, b]
properties:
  a: {type: string, default: x, enum: [x, z]}
  b: {type: integer, minimum: 1}
`))
	s, err := New(crd, "v1", All)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, c := range s.Constraints {
		if s.Missing[i] != nil {
			got[c.Title()] = s.Missing[i].Error()
		}
	}
	want := map[string]string{"a: required": "a default fills it in", `.: default {"a":"x","apiVersion":"example.com/v1","b":1,"kind":"Job"}`: "an object always has a value there"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An object is tried as it is when it has been written and read: a rule must not fail because an integer was made as a float.
func TestObjectsAreTriedAsWritten(t *testing.T) {
	got := asWritten(map[string]any{"a": []any{1.0, 1.5, -3.0, 1e18, 1e19, "x"}})
	if want := map[string]any{"a": []any{int64(1), 1.5, int64(-3), int64(1e18), 1e19, "x"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

// A case has what its constraint is about and little else, and does not depend on other constraints.
func TestCasesHaveOnlyWhatTheyNeed(t *testing.T) {
	const schema = `type: object
required: [spec]
properties:
  spec:
    type: object
    required: [a]
    x-kubernetes-validations: [{rule: "!has(self.b) || self.b < self.a"}, {rule: "!has(oldSelf.e) || has(self.e)"}]
    anyOf: [{properties: {e: {maxLength: 2}}}, {required: [f]}]
    properties:
      a: {type: integer, minimum: 1}
      b: {type: integer}
      c: {type: string, maxLength: 3}
      d: {type: array, maxItems: 1, items: {type: string}}
      e: {type: string}
      f: {type: string}
      g: {type: string, default: x}
      h: {type: object, additionalProperties: {type: integer, maximum: 2}}
`
	want := map[string]string{
		"minimal object":    "spec.a",
		"spec: required":    "",
		"spec.a: required":  "spec",
		"spec.a: minimum 1": "spec.a",
		"spec: rule !has(self.b) || self.b < self.a": "spec.a spec.b",
		"spec: rule !has(oldSelf.e) || has(self.e)":  "spec.a spec.e -> spec.a",
		"spec: anyOf 2 schemas":                      "spec.a spec.e",
		"spec.c: maxLength 3":                        "spec.a spec.c",
		"spec.d: maxItems 1":                         "spec.a spec.d[0] spec.d[1]",
		"spec.h[*]: maximum 2":                       "spec.a spec.h.key",
	}
	one := casesOf(t, schema)
	for name, fields := range want {
		if got := one[name]; leaves(got.initial, "")+update(got.updated) != fields {
			t.Errorf("%s: %v -> %v, want %s", name, got.initial, got.updated, fields)
		}
	}
	if len(one) != len(want) {
		t.Errorf("%d cases, want %d: %v", len(one), len(want), one)
	}
	other := casesOf(t, strings.Replace(schema, "b: {type: integer}", "b: {type: integer, maximum: 1000000}", 1))
	for name, c := range one {
		if !reflect.DeepEqual(c, other[name]) {
			t.Errorf("%s: %v, with another constraint in the CRD %v", name, c, other[name])
		}
	}
}

// A value that violates a constraint has its type, and nothing else is wrong with it.
func TestCasesViolateOneConstraint(t *testing.T) {
	for _, tt := range []struct {
		schema, constraint string
		is                 func(v any) bool
	}{
		{"{type: integer, minimum: 1}", "minimum 1", func(v any) bool { return v == int64(0) }},
		{"{type: integer, maximum: 10}", "maximum 10", func(v any) bool { return v == int64(11) }},
		{"{type: integer, format: int32, minimum: 1}", "minimum 1", func(v any) bool { return v == int64(0) }},
		{"{type: number, minimum: 1}", "minimum 1", func(v any) bool { f, ok := v.(float64); return v == int64(0) || ok && f < 1 }},
		{"{type: integer, enum: [1, 2]}", "enum 1, 2", func(v any) bool { _, ok := v.(int64); return ok }},
		{"{type: string, enum: [red, blue]}", `enum "red", "blue"`, func(v any) bool { _, ok := v.(string); return ok }},
		{"{type: boolean, enum: [true]}", "enum true", func(v any) bool { return v == false }},
		{"{x-kubernetes-int-or-string: true, minimum: 1}", "minimum 1", func(v any) bool { return v == int64(0) }},
		{"{type: string, pattern: '^[^/]*$'}", "pattern ^[^/]*$", func(v any) bool { return strings.Contains(v.(string), "/") }},
		{`{type: string, pattern: '^\S+$', minLength: 1}`, `pattern ^\S+$`, func(v any) bool { return strings.ContainsAny(v.(string), " \n") }},
		{"{type: string, pattern: '^[^*]+$', minLength: 1}", "pattern ^[^*]+$", func(v any) bool { return strings.Contains(v.(string), "*") }},
		{`{type: string, pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$'}`, "pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$", func(v any) bool { return v != "\n" }},
		{"{type: array, maxItems: 2, items: {type: string}, x-kubernetes-list-type: set}", "list type set", func(v any) bool { l := v.([]any); return l[0] == l[1] }},
	} {
		cases := casesOf(t, "type: object\nproperties: {a: "+tt.schema+"}")
		c, ok := cases["a: "+tt.constraint]
		if !ok || !tt.is(c.initial["a"]) {
			t.Errorf("%s: %s: %v", tt.schema, tt.constraint, c.initial)
		}
	}
}

// Constraints that Kubernetes defines are left out unless they are asked for. A type is known by its fields, and what the author of the
// CRD adds is kept: CEL rules, and the list that the type is in.
func TestConstraintsOfKubernetesTypesAreLeftOut(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(`type: object
properties:
  conditions:
    type: array
    maxItems: 1
    items:
      type: object
      required: [type]
      x-kubernetes-validations: [{rule: self.type != 'x'}]
      properties: {lastTransitionTime: {type: string, format: date-time}, message: {type: string}, reason: {type: string}, status: {type: string},
        type: {type: string, maxLength: 3}}
  custom:
    type: object
    properties: {message: {type: string}, reason: {type: string}, status: {type: string}, type: {type: string, maxLength: 3}}
`))
	titles := func(of Scope) (string, *Suite) {
		s, err := New(crd, crd.Versions[0].Name, of)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, c := range s.Constraints {
			if len(c.ViolatedBy) > 0 {
				all = append(all, c.Title())
			}
		}
		return strings.Join(all, "; "), s
	}
	const own = "conditions: maxItems 1; conditions[]: rule self.type != 'x'; custom.type: maxLength 3"
	got, s := titles(Own)
	if got != own || s.LeftOut != 3 || !bytes.Contains(s.Text, []byte("--init-all writes cases for them, too:\n#   conditions[]: Condition (3)\n")) {
		t.Errorf("the suite is about %s and leaves out %d:\n%s", got, s.LeftOut, s.Text)
	}
	const all = "conditions: maxItems 1; conditions[]: rule self.type != 'x'; conditions[].type: required; conditions[].lastTransitionTime: format date-time; " +
		"conditions[].type: maxLength 3; custom.type: maxLength 3"
	if got, s := titles(All); got != all || s.LeftOut != 0 || bytes.Contains(s.Text, []byte("--init-all")) {
		t.Errorf("the suite is about %s and leaves out %d:\n%s", got, s.LeftOut, s.Text)
	}
}

// casesOf returns the cases of a suite for a schema, by name.
func casesOf(t *testing.T, schema string) map[string]testCase {
	t.Helper()
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith(schema))
	v := suite.NewVariant(crd)
	s, err := New(crd, crd.Versions[0].Name, All)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]testCase{}
	if _, _, err := run(v, s.Text, func(r suite.Request) {
		c := all[r.Case.Name]
		if r.Old == nil {
			c.initial = r.Sent
		} else {
			c.updated = r.Sent
		}
		all[r.Case.Name] = c
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func update(obj map[string]any) string {
	if obj == nil {
		return ""
	}
	return " -> " + leaves(obj, "")
}

// leaves returns the places of what is not below metadata and has nothing below it.
func leaves(v any, at string) string {
	var all []string
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sorted.Keys(v) {
			if at != "" || !structural.IsMetaField(k) {
				all = append(all, leaves(v[k], strings.TrimPrefix(at+"."+k, ".")))
			}
		}
	case []any:
		for i, e := range v {
			all = append(all, leaves(e, fmt.Sprintf("%s[%d]", at, i)))
		}
	}
	if len(all) == 0 {
		return at
	}
	return strings.Join(all, " ")
}

// Without an object that is accepted there is an error.
func TestSchemasThatNoObjectSatisfies(t *testing.T) {
	v := suite.NewVariant(structuraltest.LoadCRD(t, structuraltest.CRDWith("{type: object, required: [a], properties: {a: {type: string, minLength: 3, maxLength: 2}}}")))
	resources, err := v.Resources()
	if err != nil {
		t.Fatal(err)
	}
	if obj, err := Minimal(v, resources[0]); err == nil || err.Error() != "no accepted object was found" {
		t.Errorf("%v, %v", obj, err)
	}
}
