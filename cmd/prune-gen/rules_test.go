package main

import (
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Whoever generates validation learns, once for each CRD, that it leaves out CEL rules. It is a finding like others.
func TestGenerateWarnsOfRulesOnce(t *testing.T) {
	testsize.NotShort(t)
	const warning = "crd.yaml:19:33: warning: …operties[field].x-kubernetes-validations: Validate does not evaluate CEL rules, and the CRD has 1 rule [generate/rules-not-evaluated]\n"
	ruled := crd("things", `{type: string, x-kubernetes-validations: [{rule: "true"}]}`)
	two := strings.ReplaceAll(kindCRD("Thing", "v1", "v2"), "field: {type: string}", `field: {type: string, x-kubernetes-validations: [{rule: "true"}]}`)
	for _, test := range []struct {
		name, crd, args string
		code            int
		warnings        int
		text            string
	}{
		{"rules", ruled, "", exitOK, 0, ""},
		{"no code for rules", ruled, "--emit-only validate", exitOK, 1, warning},
		{"updates", ruled, "--emit-only update", exitOK, 1, warning},
		{"a dry run", ruled, "--emit-only validate --dry-run", exitOK, 1, warning},
		{"two versions", two, "--emit-only validate", exitOK, 1, "and the CRD has 2 rules"},
		{"no validation", ruled, "--emit-only prune", exitOK, 0, ""},
		{"quiet", ruled, "--emit-only validate --quiet", exitOK, 1, warning},
		{"disabled", ruled, "--emit-only validate --disable generate/rules-not-evaluated", exitOK, 0, ""},
		{"strict", ruled, "--emit-only validate --strict", exitInput, 1, "nothing was written\n"},
		{"no rules", crd("things", "{type: string}"), "", exitOK, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, map[string]string{"crd.yaml": test.crd})
			r := runWith("", append([]string{"generate"}, append(strings.Fields(test.args), "crd.yaml")...)...)
			if r.code != test.code || strings.Count(r.stderr, "[generate/rules-not-evaluated]") != test.warnings || !strings.Contains(r.stderr, test.text) {
				t.Errorf("%d, %s%s", r.code, r.stdout, r.stderr)
			}
		})
	}
}
