package crddiff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// Versions with too many changes before them are not compared.
func TestManyVersionsAreComparedInAShortTime(t *testing.T) {
	fields := func(prefix string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d: {type: string}, ", prefix, i)
		}
		return "{type: object, properties: {" + b.String() + "}}"
	}
	shared := func(schema string) *structural.CRD {
		var b strings.Builder
		b.WriteString("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: apps.example.com}\nspec:\n  group: example.com\n" +
			"  scope: Namespaced\n  names: {kind: App, plural: apps}\n  preserveUnknownFields: false\n  validation: {openAPIV3Schema: " + schema + "}\n  versions:\n")
		for i := range 100 {
			fmt.Fprintf(&b, "  - {name: v%d, served: true, storage: %t}\n", i+1, i == 0)
		}
		return parse(t, b.String())
	}
	each := func(schema string) *structural.CRD {
		var b strings.Builder
		b.WriteString("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: apps.example.com}\nspec:\n  group: example.com\n" +
			"  scope: Namespaced\n  names: {kind: App, plural: apps}\n  versions:\n")
		for i := range 100 {
			fmt.Fprintf(&b, "  - {name: v%d, served: true, storage: %t, schema: {openAPIV3Schema: %s}}\n", i+1, i == 0, schema)
		}
		return parse(t, b.String())
	}
	old := shared(fields("a", 1000))
	for name, test := range map[string]struct {
		new     *structural.CRD
		changes int // of each version
	}{
		"shared": {shared(fields("b", 1000)), 2000},
		"each":   {each("{type: object}"), 1000},
	} {
		origin.SetMeter(test.new, meter.New(1))
		origin.Meter(test.new).Spend(meter.Work - 1_500_000)
		changes, err := crddiff.Compare(old, test.new)
		of := map[string]int{}
		for _, c := range changes {
			of[c.Version]++
		}
		if err == nil || len(of) < 5 || len(of) > 30 || of["v1"] != test.changes || of["v5"] != test.changes {
			t.Errorf("%s: %d versions have changes, %v, %v", name, len(of), of, err)
		}
	}
	// What is shared is looked at once.
	deprecated := shared(fields("a", 1000))
	deprecated.Versions[7].Deprecated = true
	if changes := changesOf(t, old, deprecated); len(changes) != 1 {
		t.Errorf("%v", changes)
	}
	if n := testing.AllocsPerRun(1, func() { changesOf(t, old, deprecated) }); n > 100_000 {
		t.Errorf("%.0f allocations", n)
	}
}

// The work is limited, and places repeat the names above them.
func TestWorkHasALimit(t *testing.T) {
	name := strings.Repeat("n", 8192)
	crd := func(typ string, n int) *structural.CRD {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "f%d: {type: %s}, ", i, typ)
		}
		return parse(t, strings.Replace(before, "{a: {type: object, properties: {b: {type: string}}}}", "{? "+name+"\n                : {type: object, properties: {"+b.String()+"}}}", 1))
	}
	for n, full := range map[int]bool{100: false, 2000: true} {
		for kind, new := range map[string]*structural.CRD{"types": crd("integer", n), "fields": crd("string", 0)} {
			origin.SetMeter(new, meter.New(1))
			origin.Meter(new).Spend(meter.Work - 2_000_000)
			changes, err := crddiff.Compare(crd("string", n), new)
			if (err != nil) != full || !full && len(changes) < 100 || len(changes) > 1000 {
				t.Errorf("%d %s: %d changes, %v", n, kind, len(changes), err)
			}
		}
	}
}

// The values of long lists are not compared with each other: that would not end before the tests have to. Equal values cost little but
// such a comparison.
func TestLongListsAreNotSearched(t *testing.T) {
	testsize.NotShort(t)
	crd := func(change func(spec *structural.JSONSchema)) *structural.CRD {
		c := parse(t, before)
		change(c.Versions[0].Schema.Properties["spec"])
		return c
	}
	value := func(n int) any { return map[string]any{"a": int64(n)} }
	enum := func(n, first, second int) *structural.CRD {
		return crd(func(spec *structural.JSONSchema) {
			spec.Properties["mode"].Enum = append(slices.Repeat([]any{value(first)}, n), value(second))
		})
	}
	required := func(n int, first, second string) *structural.CRD {
		return crd(func(spec *structural.JSONSchema) {
			spec.Required = append(slices.Repeat([]string{first}, n), second)
		})
	}
	rules := func(n int, last string) *structural.CRD {
		return crd(func(spec *structural.JSONSchema) {
			spec.XValidations = append(slices.Repeat([]structural.ValidationRule{{Rule: "true"}}, n), structural.ValidationRule{Rule: last, Message: last})
		})
	}
	for name, test := range map[string]struct {
		old, new *structural.CRD
		changes  int
	}{
		"enum":     {enum(50_000, 0, 1), enum(50_000, 1, 2), 2},
		"required": {required(300_000, "a", "b"), required(300_000, "b", "c"), 1}, // a is not specified
		"rules":    {rules(200_000, "1 == 1"), rules(200_000, "2 == 2"), 2},
	} {
		if changes := changesOf(t, test.old, test.new); len(changes) != test.changes {
			t.Errorf("%s: %d changes: %.500v", name, len(changes), changes)
		}
	}
}
