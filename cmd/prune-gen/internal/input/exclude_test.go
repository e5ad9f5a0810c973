package input

import (
	"fmt"
	"testing"
)

func TestExclude(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"charts", "charts/app/templates/crd.yaml", true},
		{"charts", "deploy/charts/crd.yaml", true},
		{"charts", "charts2/crd.yaml", false},
		{"*.json", "a/b/c.json", true},
		{"*.json", "a/b.json/c.yaml", true},
		{"charts/*/templates", "../charts/app/templates/crd.yaml", true},
		{"charts/*/templates", "charts/templates/crd.yaml", false},
		{"charts/**/templates", "charts/templates/crd.yaml", true},
		{"charts/**/templates", "charts/a/b/templates/crd.yaml", true},
		{"**/templates/*.yaml", "templates/crd.yaml", true},
		{"**/templates/*.yaml", "a/templates/sub/crd.yaml", false},
		{"templates/**", "a/templates/sub/crd.yaml", true},
		{"./charts/", "charts/crd.yaml", true},
		{"/tmp/x", "/tmp/x/crd.yaml", true},
		{"?.yaml", "a.yaml", true},
		{"?.yaml", "ab.yaml", false},
		{"**", "a", true},
		{"a/**/b/**/c", "x/a/b/c", true},
		{"a/**/b/**/c", "a/1/b/2/3/c/d.yaml", true},
		{"a/**/b/**/c", "a/1/2/c", false},
		{"a/b", "b/a", false},
		{"a/b", "a", false},
		{"a/b", "a/b", true},
		{"a/*", "a", false},
		{"a/**", "b/a", true},
		{"b", "a/../b/c.yaml", true},
		{"a", "a/../b/c.yaml", false},
		{".", "a/b.yaml", false},
		{"[ab].yaml", "c/b.yaml", true},
	} {
		if have := (Args{Exclude: []string{"nothing", test.pattern}}).Excludes(test.path); have != test.want {
			t.Errorf("%s excludes %s: %t", test.pattern, test.path, have)
		}
	}
	for pattern, want := range map[string]string{"": "the pattern is empty", "/": "the pattern is empty", "//": "the pattern is empty", "[a": "syntax error in pattern", "a": "<nil>", "**/a": "<nil>", "/a/": "<nil>", ".": "<nil>"} {
		if have := fmt.Sprint(CheckPattern(pattern)); have != want {
			t.Errorf("%q: %s, want %s", pattern, have, want)
		}
	}
}
