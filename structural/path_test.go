package structural_test

import (
	"testing"

	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

func TestPathsAreWrittenInThreeNotations(t *testing.T) {
	var root *structural.Path
	for _, tt := range []struct {
		path                   *structural.Path
		brackets, dots, inBody string
	}{
		{root, "<nil>", "", ""},
		{root.Child("spec", "list").Index(3).Child("name"), "spec.list[3].name", "spec.list[3].name", "spec.list[3].name"},
		{root.Child("spec", "labels").Key("a.b/c"), "spec.labels[a.b/c]", "spec.labels.a.b/c", "spec.labels.a.b/c"},
		{root.Key("k"), "[k]", "k", ".k"},
		{root.Child("").Child("a"), "[].a", ".a", "a"},
		{root.Child("a").Child(""), "a[]", "a.", "a."},
		{root.Child("spec").Key("web").Metadata().Child("labels").Key("app"),
			"spec[web].metadata.labels[app]", "spec[web].metadata.labels.app", "spec[web].metadata.labels.app"},
		{root.Metadata().Child("name"), "metadata.name", "metadata.name", "metadata.name"},
	} {
		if got := tt.path.String(); got != tt.brackets {
			t.Errorf("String: %s, want %s", got, tt.brackets)
		}
		if got := tt.path.Dotted(); got != tt.dots {
			t.Errorf("Dotted: %s, want %s", got, tt.dots)
		}
		if got := tt.path.InBody(); got != tt.inBody {
			t.Errorf("InBody: %s, want %s", got, tt.inBody)
		}
		if tt.path != nil && tt.path.TextSize() < len(tt.brackets)-4 {
			t.Errorf("%s: size %d", tt.brackets, tt.path.TextSize())
		}
	}
}

// A path that the API server has written leads back to the place that it names, in whichever notation.
func TestPathsLeadBackToTheirPlaces(t *testing.T) {
	const document = `
spec:
  labels:
    a.b/c: x
    "3": y
    plain: z
  list:
  - name: one
  - {env: {"x[y].z": 1}}
  lists: {k: [1,
    2, {"a]b": 3,
    "c][d": 4}]}
  templates:
    web:
      metadata:
        labels:
          app.kubernetes.io/name: n
`
	var root *yamltext.Node
	yamltext.Parse([]byte(document), func(d *yamltext.Document) { root = d.Root }, func(p *yamltext.Problem) { t.Fatal(p.Message) })
	for path, want := range map[string]int{
		"spec":                     2,
		"spec.labels[a.b/c]":       4,
		"spec.labels.a.b/c":        4,
		"spec.labels[3]":           5,
		"spec.labels.plain":        6,
		"spec.list[0].name":        8,
		"spec.list[1].env":         9,
		"spec.list[1].env[x[y].z]": 9,
		"spec.templates[web].metadata.labels.app.kubernetes.io/name": 17,
		"spec.templates.web.metadata.labels.app.kubernetes.io/name":  17,
		"spec.lists[k][1]":       11,
		"spec.lists.k[1]":        11,
		"spec.lists[k][2][a]b]":  11,
		"spec.lists[k][2][c][d]": 11, // which is not found: a bracket ends before another
		"spec.lists[k][-1]":      10,
		"spec.list[7].name":      7, // the nearest place above
		"spec.labels.missing":    3,
		"spec.labels[a.b":        3,
		"<nil>":                  2,
		"":                       2,
	} {
		if _, at, _ := structural.NewFinder(root).Find(structural.ParsePath(path)); at.Line != want {
			t.Errorf("%s: line %d, want %d", path, at.Line, want)
		}
	}
}

// Where a path can be read in several ways, it is read in one of them.
func TestPathsAreParsedStepByStep(t *testing.T) {
	for text, want := range map[string]string{
		"<nil>": "<nil>", "": "<nil>", "a": "a", ".a": "a", "a.b": "a.b", "a..b": "a[].b", "a.": "a[]", "[k].a": "[k].a", "[k]a": "[k]a",
		"a[3]": "a[3]", "a[-3]": "a[-3]", "a[3][k]": "a[3][k]", "a[]b].c": "a[]b].c", "a[b]c][d]": "a[b]c][d]", "a[b": "a.[b", "[": "[",
		"a[b][": "a[b].[", "a[]": "a[]", "a[0": "a.[0", "a[+3]": "a[3]",
	} {
		if have := structural.ParsePath(text).String(); have != want {
			t.Errorf("%s is read as %s, want %s", text, have, want)
		}
	}
	if p := structural.ParsePath("a[3]"); p.Name() != "" {
		t.Errorf("an element is called %q", p.Name())
	}
	if p := structural.ParsePath("a[b]c][d]"); p.Name() != "d" {
		t.Errorf("the last key is %q", p.Name())
	}
	if p := structural.ParsePath("a[b]c]"); p.Name() != "b]c" {
		t.Errorf("the last key is %q", p.Name())
	}
}
