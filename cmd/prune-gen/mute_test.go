package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// lossy is a schema with a warning with the id loss/object, and one of loss/elements.
const lossy = "{type: object, properties: {a: {type: object}, b: {type: array, items: {type: object}}}}"

func TestDisableLeavesOutRules(t *testing.T) {
	inModule(t, map[string]string{
		"lossy.yaml": crd("things", lossy), "bad.yaml": crd("things", badField),
		"name.yaml": strings.Replace(crd("things", goodField), "name: things.", "name: others.", 1),
	})
	for _, test := range []struct {
		args string
		code int
		want string // the ids that are left
	}{
		{"lint lossy.yaml", exitOK, "loss/elements loss/object"},
		{"lint --disable loss/object lossy.yaml", exitOK, "loss/elements"},
		{"lint --disable loss/object --disable loss/elements --strict lossy.yaml", exitOK, ""},
		{"lint --disable loss/object,loss/elements --strict lossy.yaml", exitOK, ""},
		{"lint --disable loss/* --strict lossy.yaml", exitOK, ""},
		{"lint --disable structural/type-required bad.yaml", exitOK, ""},
		{"lint --disable crd/name-mismatch name.yaml", exitOK, ""},
		// What is left out of a report must not be left out of the generated code.
		{"generate --disable structural/type-required bad.yaml", exitInput, "structural/type-required"},
		{"verify --disable structural/* bad.yaml", exitInput, "structural/type-required"},
		{"generate --dry-run name.yaml", exitOK, "crd/name-mismatch"},
		{"generate --dry-run --strict name.yaml", exitInput, "crd/name-mismatch"},
		{"generate --dry-run --strict --disable crd/name-mismatch name.yaml", exitOK, ""},
	} {
		r := runWith("", append(strings.Fields(test.args), "--output=json")...)
		if have := idsIn(t, r.stdout); r.code != test.code || have != test.want {
			t.Errorf("%s: exit status %d, rules %q, want %d, %q", test.args, r.code, have, test.code, test.want)
		}
	}
	wantRun(t, exitOK, "no errors, 1 warning, 1 ignored (disabled ids and comments)\n", "-", "lint", "--disable", "loss/object", "lossy.yaml")
	wantRun(t, exitUsage, "-", "unknown id loss/objects; did you mean loss/object?", "lint", "--disable", "loss/objects", "lossy.yaml")
	wantRun(t, exitUsage, "-", "unknown id x/*", "lint", "--disable", "x/*", "lossy.yaml")
}

// Findings with an id can be made errors everywhere, and warnings where they can be left out.
func TestSeverityOfRules(t *testing.T) {
	inModule(t, map[string]string{
		"lossy.yaml": crd("things", lossy), "bad.yaml": crd("things", badField), "good.yaml": crd("things", "{type: string, maxLength: 9}"), "short.yaml": crd("things", "{type: string, maxLength: 8}"),
		"name.yaml": strings.Replace(crd("things", goodField), "name: things.", "name: others.", 1),
	})
	for _, test := range []struct {
		args string
		code int
		want string // the severities
	}{
		{"lint lossy.yaml", exitOK, "warning warning"},
		{"lint --severity loss/object=error lossy.yaml", exitInput, "error warning"},
		{"lint --severity loss/*=error lossy.yaml", exitInput, "error error"},
		{"lint --severity loss/*=error,loss/object=warning lossy.yaml", exitInput, "warning error"},
		{"lint --severity loss/object=warning --severity loss/*=error lossy.yaml", exitInput, "error error"},
		{"lint --severity loss/*=error --disable loss/* lossy.yaml", exitOK, ""},
		{"lint --severity structural/*=warning bad.yaml", exitOK, "warning"},
		{"lint --severity structural/*=warning --strict bad.yaml", exitInput, "warning"},
		{"generate --severity structural/*=warning bad.yaml", exitInput, "error"},
		{"generate --dry-run --severity crd/name-mismatch=error name.yaml", exitInput, "error"},
		{"diff good.yaml short.yaml", exitInput, "error"},
		{"diff --severity diff/bound=warning good.yaml short.yaml", exitOK, "warning"},
		{"diff --severity diff/bound=error short.yaml good.yaml", exitOK, "note"},
	} {
		r := runWith("", append(strings.Fields(test.args), "--output=json")...)
		var have []string
		for _, f := range readFindings(t, r.stdout) {
			have = append(have, string(f.Severity))
		}
		if have := strings.Join(have, " "); r.code != test.code || have != test.want {
			t.Errorf("%s: exit status %d, severities %q, want %d, %q", test.args, r.code, have, test.code, test.want)
		}
	}
	for severity, ok := range map[string]bool{"error": false, "warning": true} {
		if r := runWith("", "lint", "--severity=*/*="+severity, "lossy.yaml"); strings.Contains(r.stdout, "ok  things") != ok {
			t.Errorf("%s:\n%s", severity, r.stdout)
		}
	}
	wantRun(t, exitUsage, "-", "unknown id loss/objects; did you mean loss/object?", "lint", "--severity", "loss/objects=error", "lossy.yaml")
	for _, wrong := range []string{"loss/object", "loss/object=off", "loss/object=note"} {
		wantRun(t, exitUsage, "-", "the severity of loss/object is error or warning", "lint", "--severity", wrong, "lossy.yaml")
	}
}

// idsIn returns the ids of the findings in a JSON report, sorted, each once.
func idsIn(t *testing.T, report string) string {
	t.Helper()
	rules := map[structural.ID]bool{}
	for _, f := range readFindings(t, report) {
		rules[f.ID] = true
	}
	var names []string
	for _, r := range slices.Sorted(maps.Keys(rules)) {
		names = append(names, string(r))
	}
	return strings.Join(names, " ")
}

func TestCommentsIgnoreFindings(t *testing.T) {
	const field = "          field: {minLength: 1}\n"
	bad := crd("things", badField)
	for _, test := range []struct {
		name, with string // in place of the field
		ignored    bool
	}{
		{"none", field, false},
		{"on the line", "          field: {minLength: 1} # prune-gen:ignore structural/type-required\n", true},
		{"above", "          # prune-gen:ignore structural/type-required\n" + field, true},
		{"above, with more of a comment", "# prune-gen:ignore structural/type-required for good\n  # reasons\n" + field, true},
		{"several rules", "          #prune-gen:ignore loss/object,structural/type-required\n" + field, true},
		{"all of a kind", "          # prune-gen:ignore structural/*\n" + field, true},
		{"another rule", "          # prune-gen:ignore loss/object\n" + field, false},
		{"no rule", "          # prune-gen:ignore\n" + field, false},
		{"further above", "          # prune-gen:ignore structural/type-required\n          other: {type: string}\n" + field, false},
		{"below", field + "          # prune-gen:ignore structural/type-required\n", false},
		{"a longer word", "          # prune-gen:ignored structural/type-required\n" + field, false},
		{"no comment", "          field: {minLength: 1, description: 'x# prune-gen:ignore structural/type-required or so'}\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(bad, field, test.with, 1)
			if text == bad && test.name != "none" {
				t.Fatal("nothing is replaced")
			}
			for _, end := range []string{"\n", "\r\n"} {
				r := runWith(strings.ReplaceAll(text, "\n", end), "lint", "--output=json", "-")
				if rules := idsIn(t, r.stdout); (rules == "") != test.ignored || (r.code == exitOK) != test.ignored {
					t.Errorf("exit status %d, rules %q\n%s", r.code, rules, text)
				}
			}
		})
	}
	// As docs/output.md has it: what follows the id is for people.
	lossyField := `
          field: {type: object} # prune-gen:ignore loss/object the controller fills it in
`
	wantRun(t, exitOK, "no warnings, 1 ignored", "-", "lint", write(t, map[string]string{"crd.yaml": strings.Replace(bad, field, lossyField, 1)}))
	old := strings.Replace(bad, "apiextensions.k8s.io/v1\n", "apiextensions.k8s.io/v1beta1\n", 1)
	for first, ignored := range map[string]bool{"# prune-gen:ignore crd/removed-api-version\n": true, "# prune-gen:ignore loss/object\n": false} {
		rules := idsIn(t, runWith(first+old, "lint", "--output=json", "-").stdout)
		if strings.Contains(rules, "crd/removed-api-version") == ignored {
			t.Errorf("after %s: %s", first, rules)
		}
	}
	// generate stops at errors even if they are muted.
	inModule(t, map[string]string{"bad.yaml": strings.Replace(bad, field, "          field: {minLength: 1} # prune-gen:ignore structural/type-required\n", 1)})
	wantRun(t, exitInput, "-", "[structural/type-required]", "generate", "bad.yaml")
}

// A Helm chart in a directory of CRDs can be excluded.
func TestExcludeKeepsFilesFromBeingRead(t *testing.T) {
	const chart = "{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n"
	inModule(t, map[string]string{
		"config/crd.yaml": crd("things", goodField), "config/charts/app/templates/crd.yaml": chart, "config/other.yaml": chart,
	})
	wantRun(t, exitOK, "in 3 files: no errors, no warnings\nskipped 2 templates", "-", "lint", "config")
	wantRun(t, exitOK, "in 2 files: no errors, no warnings\nskipped 1 template:", "-", "lint", "--exclude", "charts", "config")
	wantRun(t, exitOK, "in 1 file: no errors", "-", "lint", "--exclude", "charts/*/templates", "--exclude=other.yaml", "config")
	wantRun(t, exitOK, "in 1 file: no errors", "-", "lint", "--exclude", "other.yaml", "config/*.yaml")
	wantRun(t, exitOK, "1 kind", "skipped 2 templates: render templates first", "generate", "--dry-run", "config")
	wantRun(t, exitOK, "1 kind", "-", "generate", "--dry-run", "--exclude=charts", "--exclude=other.yaml", "config")
	wantRun(t, exitOK, "  field:", "-", "skeleton", "--exclude=charts", "--exclude=other.yaml", "config")
	wantRun(t, exitInput, "", "no CustomResourceDefinition in config: there is no *.yaml, *.yml or *.json file, apart from what is excluded", "lint", "--exclude", "*.yaml", "config")
	wantRun(t, exitUsage, "-", "syntax error in pattern", "lint", "--exclude", "[a", "config")
}
