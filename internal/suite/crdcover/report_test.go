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
	kinds := r.ByKind()
	if len(kinds) != 6 || kinds["maximum"] != (Count{2, 2, 1}) || kinds["minimum"] != (Count{1, 1, 1}) || kinds[ListType] != (Count{All: 1}) {
		t.Errorf("%+v", kinds)
	}
	minimum := r.CRDs[1].Constraints[2]
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
	for n, want := range map[Count]string{{2, 0, 0}: "none", {2, 1, 0}: "half", {2, 0, 1}: "half", {2, 0, 2}: "full"} {
		if got := n.state(); got != want {
			t.Errorf("%+v is %s, want %s", n, got, want)
		}
	}
}

func TestReportAsHTML(t *testing.T) {
	var out bytes.Buffer
	r := reported(t)
	if err := r.WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	html := out.String()
	for _, want := range []string{
		"<strong>42.8%</strong>3 of 7 constraints",
		`<details open><summary><h2>Job</h2><span class="version">jobs.example.com v1</span><span class="count half">3 of 6 · 50.0%</span>`,
		`<details class="constraint half"><summary><span class="kind">rule</span><span class="text">self.metadata.name != &#39;b&#39; 	 &amp;&amp; self.metadata.name != &#39;&lt;script&gt;&#39;</span>`,
		`<details class="constraint full done"><summary><span class="kind">minimum</span><span class="text">1</span><span class="state">violated and satisfied</span>`,
		`<details class="constraint none"><summary><span class="kind">list type</span><span class="text">set</span><span class="state">never reached</span>`,
		`<p class="place">crd.yaml:19</p><p><b>Violated by</b></p><ul><li>bad low</li></ul><p><b>Satisfied by</b></p><ul><li>ok &lt;i&gt;</li><li>variant</li></ul>`,
		`<details class="field" open><summary><span class="name">&lt;b&gt;</span><span class="count none">0 of 1 · 0.0%</span>`,
		`<b>Applied by</b> no case`,
		`<tr><td>maximum</td><td>2</td><td>2</td><td>1</td><td>50.0%</td></tr>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if n := strings.Count(html, "<script"); n != 1 || strings.Contains(html, "://") || strings.Contains(html, "src=") {
		t.Errorf("%d scripts, or something from elsewhere", n)
	}
	if t.Failed() {
		t.Log(html[strings.Index(html, "<body>"):])
	}
}

// A page lists fields by name and some cases of a constraint, and fields whose constraints are all violated can be hidden.
func TestPageIsShort(t *testing.T) {
	c := Constraint{Kind: "minimum", Path: "a[]", steps: []string{"a", "[]"}, ViolatedBy: []string{"bad"}}
	for i := range 30 {
		c.SatisfiedBy = append(c.SatisfiedBy, "case"+strings.Repeat("x", i))
	}
	var out bytes.Buffer
	first := Constraint{Kind: Required, Path: "Z", steps: []string{"Z"}, ViolatedBy: []string{"bad"}}
	if err := (Report{CRDs: []CRDReport{{Constraints: []Constraint{c, first}}}}).WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<li>and 20 more</li>", `<details class="done"><summary><h2>`, `<details class="field done" open>`, `<span class="kind">each minimum</span>`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if strings.Index(out.String(), `name">Z<`) > strings.Index(out.String(), `name">a<`) {
		t.Error("fields are not sorted")
	}
}

// Fields that are deep in a schema have their own places in the tree.
func TestPageHasDeepFields(t *testing.T) {
	deep := "type: object, properties: {d: {type: string, minLength: 1}, e: {type: string, minLength: 1}, f: {type: string, minLength: 1}}"
	for _, name := range []string{"c", "b", "a"} {
		deep = "type: object, properties: {" + name + ": {" + deep + "}}"
	}
	k, _ := kindOf(t, structuraltest.CRDWith("{"+deep+"}"))
	var out bytes.Buffer
	if err := NewReport(k).WriteHTML(&out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		if n := strings.Count(out.String(), `<span class="name">`+name+`<`); n != 1 {
			t.Errorf("%d fields %s", n, name)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWritingFails(t *testing.T) {
	for name, err := range map[string]error{"text": Report{}.WriteText(brokenWriter{}), "HTML": Report{}.WriteHTML(brokenWriter{})} {
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
