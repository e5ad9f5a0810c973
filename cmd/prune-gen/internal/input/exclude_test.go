package input

import "testing"

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
	} {
		if have := (Args{Exclude: []string{"nothing", test.pattern}}).excludes(test.path); have != test.want {
			t.Errorf("%s excludes %s: %t", test.pattern, test.path, have)
		}
	}
	for _, pattern := range []string{"", "/", "[a"} {
		if CheckPattern(pattern) == nil {
			t.Errorf("%q is a pattern", pattern)
		}
	}
}
