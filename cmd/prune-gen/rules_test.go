package main

import (
	"strings"
	"testing"
)

// Whoever generates validation learns once that it leaves out CEL rules.
func TestGenerateWarnsOfRulesOnce(t *testing.T) {
	const warning = "warning: Validate does not evaluate the CEL rules (x-kubernetes-validations) of Thing\n"
	ruled := crd("things", `{type: string, x-kubernetes-validations: [{rule: "true"}]}`)
	for _, test := range []struct {
		name, crd, args string
		want            int
	}{
		{"rules", ruled, "", 1},
		{"updates", ruled, "--emit-only update", 1},
		{"a dry run", ruled, "--dry-run", 1},
		{"no validation", ruled, "--emit-only prune", 0},
		{"quiet", ruled, "--quiet", 0},
		{"no rules", crd("things", "{type: string}"), "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(write(t, map[string]string{"go.mod": "module example.com/m\n", "crd.yaml": test.crd}))
			r := runWith("", append([]string{"generate"}, append(strings.Fields(test.args), "crd.yaml")...)...)
			if r.code != exitOK || strings.Count(r.stderr, warning) != test.want || strings.Count(r.stderr, "CEL") != test.want {
				t.Errorf("%d, %s%s", r.code, r.stdout, r.stderr)
			}
		})
	}
}
