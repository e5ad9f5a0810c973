package crdcases

import (
	"slices"
	"strings"
	"testing"
)

const example = `spec:
  scope: Namespaced
  versions: [{name: v1}]
---
first: spec/versions/0
---
# One
# group.
{}
> taken
{first/name: v2,
 first/schema/a: [b*3, 1.0]}
> one
> two

# Another.
{-spec/scope: '', spec/versions/1: {name: v2}}
> "a\nb"
`

func TestCasesAreEdits(t *testing.T) {
	f, err := Parse("x", example)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name, group, crd string
		errors           []string
	}{
		{"x:9", "One group.", `{"spec":{"scope":"Namespaced","versions":[{"name":"v1"}]}}`, nil},
		{"x:11", "One group.", `{"spec":{"scope":"Namespaced","versions":[{"name":"v2","schema":{"a":["bbb",1]}}]}}`, []string{"one", "two"}},
		{"x:17", "Another.", `{"spec":{"versions":[{"name":"v1"},{"name":"v2"}]}}`, []string{Line("a\nb")}},
	} {
		c := f.Cases[i]
		if c.Name != want.name || c.Group != want.group || string(c.CRD) != want.crd || !slices.Equal(c.Errors, want.errors) {
			t.Errorf("got %+v: %s", c, c.CRD)
		}
	}
	if got := f.Format(); got != example {
		t.Errorf("got %s", got)
	}
	f.Cases[0].Errors, f.Cases[1].Errors = []string{"three"}, nil
	want := strings.NewReplacer("> taken", "> three", "> one\n> two", "> taken").Replace(example)
	if got := f.Format(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestFilesStayAsTheyAreWritten(t *testing.T) {
	files, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if got := f.Format(); got != strings.Join(f.lines, "\n") {
			t.Errorf("%s: got %s", f.Name, got)
		}
	}
	if len(files) < 8 {
		t.Errorf("only %d files", len(files))
	}
}

func TestMistakesInFilesAreFound(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"---\n# One", "# One", "separated by lines"},
		{"{}\n", "", "line 9: no case"},
		{"> one", ">one", `line 13: ">one"`},
		{"-spec/scope", "-spec/scop", "nothing to remove at scop"},
		{"spec/versions/1", "spec/versions/2", "no element 2"},
		{"first/name", "spec/scope/a", "no object above a"},
		{"first: spec", "first: [spec", "places"},
		{"first/name: v2,", "first/name: v2", "line 11"},
	} {
		_, err := Parse("x", strings.Replace(example, test.old, test.new, 1))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.new, err, test.want)
		}
	}
}
