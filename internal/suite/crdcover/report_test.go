package crdcover

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// reported returns a report about two CRDs. The first has two variants.
func reported(t *testing.T) Report {
	t.Helper()
	const schema = `type: object
x-kubernetes-validations: [{rule: "self.metadata.name != 'b' \t && self.metadata.name != '<script>'\n"}]
required: [a]
properties: {a: {type: integer, minimum: 1, maximum: 9}, l: {type: array, items: {type: object, properties: {"<b>": {type: string, default: "x\x1by"}}}}}
`
	first, r := kindOf(t, structuraltest.CRDWith(schema))
	send(t, first, r, "ok <i>", "{a: 1}")
	send(t, first, r, "bad low", "{a: 0}")
	variant, r := kindOf(t, structuraltest.CRDWith(strings.Replace(schema, "maximum: 9", "maximum: 8", 1)))
	send(t, variant, r, "variant", "{a: 1}")
	send(t, variant, r, "bad none", "{}")
	send(t, variant, r, "bad low", "{a: 0}")
	send(t, variant, r, "bad high", "{a: 9}")
	other, _ := kindOf(t, strings.Replace(structuraltest.CRDWith("type: object\nproperties: {l: {type: array, x-kubernetes-list-type: set, items: {type: string}}}"), "name: jobs", "name: apples", 1))
	return NewReport(first, other, variant)
}

func TestReportCounts(t *testing.T) {
	r := reported(t)
	if got, want := r.Count(), (Count{All: 7, Satisfied: 5, Violated: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := r.Percent(); got != 100*3.0/7 {
		t.Errorf("%v percent", got)
	}
	if got := (Count{}).Percent(); got != 100 {
		t.Errorf("%v percent of nothing", got)
	}
	if got := PercentText(99.99); got != "99.9%" {
		t.Errorf("%s is not all", got)
	}
	minimum := r.CRDs[1].Constraints[3]
	if got := strings.Join(minimum.SatisfiedBy, ",") + " " + strings.Join(minimum.ViolatedBy, ","); got != "ok <i>,variant bad low" {
		t.Errorf("the cases of variants are %s", got)
	}
}

// Versions of a CRD are reported one by one.
func TestReportHasVersions(t *testing.T) {
	crd := structuraltest.LoadCRD(t, structuraltest.CRDWith("type: object\nrequired: [a]")+"  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, required: [b]}}}\n")
	all, err := dynamic.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []*Kind
	for _, r := range slices.Backward(all) {
		k, err := New(crd, r)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, k)
	}
	var got []string
	for _, c := range NewReport(kinds...).CRDs {
		got = append(got, fmt.Sprint(c.CRD, " ", c.Version, " ", c.Kind, " ", c.Constraints[0].Path, " ", len(c.Constraints)))
	}
	if want := []string{"jobs.example.com v1 Job a 1", "jobs.example.com v2 Job b 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReportAsText(t *testing.T) {
	var out bytes.Buffer
	if err := reported(t).WriteText(&out); err != nil {
		t.Fatal(err)
	}
	const want = `apples.example.com v1        0 of 1    0.0%
  crd.yaml:17  l  list type set  never reached
jobs.example.com v1          3 of 6   50.0%
  crd.yaml:17  .        rule self.metadata.name != 'b' && self.metadata.name != '<script>'  only satisfied
  crd.yaml:19  a        maximum 9                                                           only satisfied
  crd.yaml:19  l[].<b>  default "x\u001by"                                                  never reached
total                        3 of 7   42.8%
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Names of CRDs and of fields may hold anything. A terminal gets nothing but printable characters, and long texts are cut.
func TestTextIsPrintable(t *testing.T) {
	hostile := "a\x1b[2J\n" + strings.Repeat("é", 100)
	r := Report{CRDs: []CRDReport{{CRD: hostile, Version: "v1", Constraints: []Constraint{{Kind: Rule, Path: hostile, Text: hostile, File: hostile}}}}}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "\x1b") || strings.Count(out.String(), "\n") != 3 || !strings.Contains(out.String(), "é…") {
		t.Errorf("%q", out.String())
	}
}

func TestStates(t *testing.T) {
	yes := []string{"case"}
	for want, c := range map[string]Constraint{
		"never reached": {}, "only satisfied": {SatisfiedBy: yes}, "only violated": {ViolatedBy: yes}, "violated and satisfied": {SatisfiedBy: yes, ViolatedBy: yes},
		"only overridden": {Kind: Default, SatisfiedBy: yes}, "only applied": {Kind: Default, ViolatedBy: yes}, "applied and overridden": {Kind: Default, SatisfiedBy: yes, ViolatedBy: yes},
	} {
		if got := c.State(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWritingFails(t *testing.T) {
	if err := (Report{}).WriteText(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}
