package main

import (
	"strings"
	"testing"
)

// What the API server refuses about a CRD apart from its schemas is an error for lint, and a warning for those who generate:
// pruning does not depend on it.
func TestDoubtsAreWarningsForThoseWhoGenerate(t *testing.T) {
	good := crd("things", "{type: string}")
	t.Chdir(write(t, map[string]string{
		"go.mod":      "module example.com/m\n",
		"name.yaml":   strings.Replace(good, "name: things.", "name: others.", 1),
		"schema.yaml": strings.Replace(good, "{type: string}", "{type: string, default: 1}", 1),
	}))
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"lint name.yaml", exitInput, `error: metadata.name: Invalid value: "others.example.com": must be spec.names.plural`},
		{"generate --dry-run name.yaml", exitOK, `warning: metadata.name: Invalid value: "others.example.com": must be spec.names.plural`},
		{"generate --dry-run --strict name.yaml", exitInput, `warning: metadata.name: Invalid value`},
		{"lint schema.yaml", exitInput, `default: Invalid value: "integer":  in body must be of type string: "integer"`},
		{"generate --dry-run schema.yaml", exitInput, `default: Invalid value: "integer":  in body must be of type string: "integer"`},
	} {
		r := runWith("", strings.Fields(test.args)...)
		if r.code != test.code || !strings.Contains(r.stdout+r.stderr, test.want) {
			t.Errorf("%s: exit status %d\n%s%s", test.args, r.code, r.stdout, r.stderr)
		}
	}
}

func TestLintCompilesCELRules(t *testing.T) {
	t.Chdir(write(t, map[string]string{
		"good.yaml": crd("things", "{type: string, x-kubernetes-validations: [{rule: self == 'a'}, {rule: self.size() > 0}]}"),
		"bad.yaml":  crd("things", "{type: string, x-kubernetes-validations: [{rule: self == 'a'}, {rule: this is no CEL}]}"),
	}))
	if r := runWith("", "lint", "good.yaml"); r.code != exitOK || !strings.Contains(r.stdout, "2 CEL rules") {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
	r := runWith("", "lint", "bad.yaml")
	// The lines of cel-go, each below the other, so that the caret is where it belongs.
	const want = "   | this is no CEL\n   | .....^\n"
	if r.code != exitInput || !strings.Contains(r.stdout, want) || !strings.Contains(r.stdout, "[schema/rule-expression]") {
		t.Errorf("exit status %d\n%s", r.code, r.stdout)
	}
}
