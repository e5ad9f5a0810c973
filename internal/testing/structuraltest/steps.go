package structuraltest

import (
	"regexp"
	"testing"

	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// inBrackets is a key of a map in a text of a path.
var inBrackets = regexp.MustCompile(`\[([^\]]*[^\]0-9][^\]]*)\]`)

// CheckSteps checks the steps of a finding: they have the text of its path, and lead to its place in one of some documents, or to the nearest
// place above it that is written.
func CheckSteps(t testing.TB, f structural.Finding, documents ...*yamltext.Node) {
	t.Helper()
	steps := f.Steps()
	if f.Path == "" || f.Path == "<nil>" {
		if steps != nil {
			t.Errorf("%+v: no path, and the steps %v", f, steps)
		}
		return
	}
	if want := inBrackets.ReplaceAllString(f.Path, ".$1"); steps.String() != want {
		t.Errorf("the steps are %s, the path %s", steps, want)
	}
	for _, n := range documents {
		if _, at, _ := yamltext.NewFinder(n).Find(steps); at == (yamltext.Pos{Line: f.Line, Column: f.Column}) {
			return
		}
	}
	t.Errorf("%d:%d is not the place of %s (%s)", f.Line, f.Column, steps, f.ID)
}

// Documents returns the documents of a text, and the elements of those that are lists.
func Documents(text string) []*yamltext.Node {
	var all []*yamltext.Node
	yamltext.Parse([]byte(text), func(d *yamltext.Document) { all = append(append(all, d.Root), d.Root.Child("items").Elements()...) }, func(*yamltext.Problem) {})
	return all
}
