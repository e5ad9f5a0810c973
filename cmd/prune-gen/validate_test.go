package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// thing returns a manifest of what crd("things", ...) defines.
func thing(name, field string) string {
	return "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: " + name + "\nfield: " + field + "\n"
}

// inManifests goes to a new directory with a CRD, crd.yaml, and other files.
func inManifests(t *testing.T, files map[string]string) {
	t.Helper()
	all := map[string]string{"crd.yaml": crd("things", "{type: string, maxLength: 5}")}
	maps.Copy(all, files)
	t.Chdir(write(t, all))
}

func TestValidateReadsWhatPeopleHave(t *testing.T) {
	const chart = "---\n# Source: chart/templates/empty.yaml\n---\n# Source: chart/templates/thing.yaml\n"
	inManifests(t, map[string]string{
		"good.yaml": thing("good", "abc"), "bad.yaml": thing("bad", "abcdef"),
		"dir/a.yaml": thing("a", "abcdef"), "dir/values.yaml": "a: 1\n", "dir/templates/x.yaml": "{{- if .Values.a }}\na: b\n{{- end }}\n",
		"dir/b.json":    `{"apiVersion": "example.com/v1", "kind": "ThingList", "items": [{"metadata": {"name": "x"}, "field": 5}]}`,
		"dir/notes.txt": "not read",
	})
	for _, test := range []struct {
		name, stdin, args string
		code              int
		want              []string
	}{
		{"a good one", "", "good.yaml", exitOK, []string{"read 1 object in 1 file: no errors, no warnings\n"}},
		{"a bad one", "", "bad.yaml", exitInput, []string{
			"bad.yaml:5:1: error: field: Too long: may not be more than 5 bytes [object/too-long]\n  |\n5 | field: abcdef\n  | ^^^^^\n  = things.example.com v1: Thing bad\n",
			"read 1 object in 1 file: 1 error, no warnings\n"}},
		{"a directory", "", "dir", exitInput, []string{
			"a.yaml:5:1: error: field: Too long", "b.json:1:93: error: field: Invalid value: \"integer\"",
			"read 2 objects in 4 files: 2 errors, no warnings\nskipped 1 document: not a Kubernetes object\nskipped 1 template: render templates first, for example with helm template\n"}},
		{"standard input", thing("a", "abc") + "---\n" + thing("b", "abcdef"), "-", exitInput, []string{"<stdin>:11:1: error: field: Too long", "read 2 objects in 1 file"}},
		{"what helm prints", chart + thing("a", "abcdef") + chart + thing("b", "abc"), "-", exitInput, []string{"<stdin>:9:1: error", "read 2 objects in 1 file: 1 error"}},
		{"CR LF", strings.ReplaceAll(thing("a", "abcdef"), "\n", "\r\n"), "-", exitInput, []string{"<stdin>:5:1: error"}},
		{"a list", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Thing\n  metadata: {name: a}\n  fiel: a\n- {apiVersion: v1, kind: Pod}\n", "-", exitInput,
			[]string{"<stdin>:7:3: error: unknown field \"fiel\" [object/unknown-field]", "hint: did you mean field?", "skipped 1 object of built-in kinds" + noBuiltIn}},
		{"an empty file", "", "/dev/null", exitOK, []string{"read no objects in 1 file: no errors, no warnings\n"}},
		{"no file", "", "missing.yaml", exitInput, []string{"missing.yaml: error: no such file or directory [text/unreadable]"}},
		{"no YAML", "a: [\n", "-", exitInput, []string{"[text/syntax]"}},
		{"excluded", "", "--exclude a.yaml --exclude b.json dir", exitOK, []string{"read no objects in 2 files"}},
		{"disabled", "", "--disable object/too-long bad.yaml", exitOK, []string{"1 ignored"}},
		{"ignored", strings.Replace(thing("a", "abcdef"), "field:", "# prune-gen:ignore object/too-long it is fine\nfield:", 1), "-", exitOK, []string{"1 ignored"}},
		{"quiet", "", "--quiet good.yaml", exitOK, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runWith(test.stdin, append([]string{"validate", "--crd", "crd.yaml"}, strings.Fields(test.args)...)...)
			if r.code != test.code || r.stderr != "" || test.want == nil && r.stdout != "" {
				t.Errorf("exit status %d, want %d\n%s%s", r.code, test.code, r.stdout, r.stderr)
			}
			for _, part := range test.want {
				if !strings.Contains(filepath.ToSlash(r.stdout), part) {
					t.Errorf("no %q in\n%s", part, r.stdout)
				}
			}
		})
	}
}

// noBuiltIn ends the line that counts objects of built-in kinds if nothing answers for them.
const noBuiltIn = ": prune-gen-builtin validates them, see https://github.com/prune-gen/prune-gen/blob/main/docs/builtin.md\n"

func TestValidateFailsForWarningsAndKindsIfAsked(t *testing.T) {
	unknown := thing("a", "abc") + "x: 1\n"
	const pods = "---\napiVersion: o.io/v1\nkind: A\n---\napiVersion: o.io/v1\nkind: A\n---\napiVersion: o.io/v1\nkind: B\n---\napiVersion: v1\nkind: Pod\n"
	inManifests(t, map[string]string{"unknown.yaml": unknown, "pods.yaml": thing("a", "abc") + pods, "kind.yaml": strings.Replace(thing("a", "b"), "Thing", "thing", 1)})
	wantRun(t, exitInput, "unknown.yaml:6:1: error: unknown field", "-", "validate", "--crd", "crd.yaml", "unknown.yaml")
	wantRun(t, exitOK, "unknown.yaml:6:1: warning: unknown field", "-", "validate", "--crd", "crd.yaml", "--field-validation", "Warn", "unknown.yaml")
	wantRun(t, exitInput, "unknown.yaml:6:1: warning: unknown field", "-", "validate", "--crd", "crd.yaml", "--field-validation=warn", "--strict", "unknown.yaml")
	wantRun(t, exitOK, "no errors, no warnings\n", "-", "validate", "--crd", "crd.yaml", "--field-validation", "Ignore", "unknown.yaml")
	wantRun(t, exitUsage, "-", "want Strict, Warn or Ignore; did you mean Strict?", "validate", "--crd", "crd.yaml", "--field-validation", "strickt", "unknown.yaml")
	wantRun(t, exitOK, "no errors, no warnings\nno CRD was given for 3 objects: o.io/v1 A (2), o.io/v1 B (1)\nskipped 1 object of built-in kinds"+noBuiltIn, "-", "validate", "--crd", "crd.yaml", "pods.yaml")
	r := wantRun(t, exitInput, `pods.yaml:7:1: error: no CRD was given for kind "A" in version "o.io/v1" [manifest/unknown-kind]`, "-", "validate", "--crd", "crd.yaml", "--strict-kinds", "pods.yaml")
	if n := strings.Count(r.stdout, "[manifest/unknown-kind]"); n != 3 { // A, B and Pod
		t.Errorf("nothing answers for %d kinds, want 3\n%s", n, r.stdout)
	}
	wantRun(t, exitInput, "kind.yaml:2:1: error: no matches for kind \"thing\" in version \"example.com/v1\" [manifest/unknown-kind]\n  |\n2 | kind: thing\n  | ^^^^\n  = thing a\n  = hint: did you mean Thing?", "-",
		"validate", "--crd", "crd.yaml", "kind.yaml")
}

func TestValidateSuggestsBuiltInKinds(t *testing.T) {
	inManifests(t, map[string]string{
		"near.yaml": "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: d}\n",
		"far.yaml":  "apiVersion: v1\nkind: Config\n---\napiVersion: apps/v1\nkind: Else\n",
	})
	wantRun(t, exitInput, "near.yaml:2:1: error: no matches for kind \"Deploymnt\" in version \"apps/v1\" [manifest/unknown-kind]", "-", "validate", "--crd", "crd.yaml", "near.yaml")
	wantRun(t, exitInput, "= hint: did you mean Deployment?", "-", "validate", "--crd", "crd.yaml", "near.yaml")
	wantRun(t, exitInput, "far.yaml:5:1: error: no matches for kind \"Else\" in version \"apps/v1\" [manifest/unknown-kind]", "-", "validate", "--crd", "crd.yaml", "far.yaml")
	wantRun(t, exitInput, "1 error, no warnings\nno CRD was given for 1 object: v1 Config (1)", "-", "validate", "--crd", "crd.yaml", "far.yaml") // a kubeconfig
}

// A kind of the CRDs in a wrong group is found: an error in a group that is known to lack it, a warning in another one.
func TestValidateFindsWrongGroups(t *testing.T) {
	inGroup := func(apiVersion string) string {
		return strings.Replace(thing("a", "abc"), "example.com/v1", apiVersion, 1)
	}
	service := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(crd("things", goodField), "Thing", "Service"), "example.com", "serving.knative.dev"), "things", "services")
	inManifests(t, map[string]string{
		"own.yaml": inGroup("v1"), "apps.yaml": inGroup("apps/v1"), "other.yaml": inGroup("example.org/v1") + "---\n" + inGroup("example.org/v1"),
		"crds/services.yaml": service, "service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n", "wrong.yaml": "apiVersion: serving.knative.dev/v1\nkind: Thing\nmetadata: {name: s}\n",
	})
	const hint = "  = hint: did you mean example.com/v1 Thing?\n"
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"own.yaml", exitInput, "own.yaml:1:1: error: no matches for kind \"Thing\" in version \"v1\" [manifest/unknown-kind]\n  |\n1 | apiVersion: v1\n  | ^^^^^^^^^^\n  = Thing a\n" + hint},
		{"apps.yaml", exitInput, "apps.yaml:1:1: error: no matches for kind \"Thing\" in version \"apps/v1\" [manifest/unknown-kind]\n  |\n1 | apiVersion: apps/v1\n  | ^^^^^^^^^^\n  = Thing a\n" + hint},
		{"other.yaml", exitOK, "other.yaml:1:1: warning: no CRD was given for kind \"Thing\" in version \"example.org/v1\" [manifest/unknown-kind]\n  |\n1 | apiVersion: example.org/v1\n  | ^^^^^^^^^^\n  = Thing a\n" + hint +
			"\nread no objects in 1 file: no errors, 1 warning\nno CRD was given for 2 objects: example.org/v1 Thing (2)\n"},
		{"--strict-kinds other.yaml", exitInput, "other.yaml:1:1: error: no CRD was given for kind \"Thing\" in version \"example.org/v1\" [manifest/unknown-kind]\n  |\n1 | apiVersion: example.org/v1\n  | ^^^^^^^^^^\n  = Thing a\n" + hint},
		{"--crd crds --strict service.yaml", exitOK, "no errors, no warnings\nskipped 1 object of built-in kinds" + noBuiltIn},
		{"--crd crds --strict-kinds service.yaml", exitInput, "service.yaml:1:1: error: kind \"Service\" is built-in, and there is no prune-gen-builtin to ask [manifest/unknown-kind]\n"},
		{"--crd crds wrong.yaml", exitInput, "hint: did you mean example.com/v1 Thing?"},
	} {
		wantRun(t, test.code, test.want, "-", append(strings.Fields("validate --crd crd.yaml"), strings.Fields(test.args)...)...)
	}
}

func TestValidateSkipsAndRejectsKinds(t *testing.T) {
	inManifests(t, map[string]string{
		"dir/m.yaml": thing("a", "abcdef") + "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: ns}\n---\na: 1\n---\napiVersion: o.io/v1\nkind: A\n",
		"dir/t.yaml": "{{ a }\n",
	})
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"--skip Thing", exitOK, "read no objects in 2 files: no errors, no warnings\nno CRD was given for 1 object: o.io/v1 A (1)\nskipped 1 object of built-in kinds" + noBuiltIn + "skipped 1 object of kinds that --skip names\n"},
		{"--skip Other,example.com/Thing", exitOK, "no errors"},
		{"--skip example.com/v1/Thing", exitOK, "no errors"},
		{"--skip example.com/v2/Thing", exitInput, "1 error"},
		{"--skip thing", exitOK, "no errors"},
		{"--skip Thing --reject APPS/deployment", exitInput, "m.yaml:7:1: error: kind Deployment is rejected [manifest/rejected]"},
		{"--skip Thing --reject A", exitInput, "m.yaml:13:1: error: kind A is rejected [manifest/rejected]"},
		{"--skip Thing --reject apps/v1/Deployment", exitInput, "m.yaml:7:1: error: kind Deployment is rejected [manifest/rejected]"},
		{"--skip A,Thing --strict-kinds", exitInput, "m.yaml:7:1: error: kind \"Deployment\" is built-in, and there is no prune-gen-builtin to ask [manifest/unknown-kind]"},
		{"--skip A,Thing,Deployment --reject A --strict-kinds", exitOK, "no errors"},
		{"-v --skip Thing", exitOK, `skipped dir/m.yaml:1: Thing a: --skip names its kind
skipped dir/m.yaml:7: Deployment ns/d: a built-in kind
skipped dir/m.yaml:11: not a Kubernetes object
skipped dir/m.yaml:13: A: no CRD was given for its kind
skipped dir/t.yaml: a template
read no objects`},
	} {
		r := wantRun(t, test.code, "", "-", append(strings.Fields("validate --crd crd.yaml dir"), strings.Fields(test.args)...)...)
		if !strings.Contains(filepath.ToSlash(r.stdout), test.want) {
			t.Errorf("%s: no %q in\n%s", test.args, test.want, r.stdout)
		}
	}
	r := wantRun(t, exitInput, "", "-", "validate", "--crd", "crd.yaml", "--output", "json", "dir")
	var report struct {
		Skipped []struct {
			File   string
			Line   int
			Object string
			Reason string
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil || len(report.Skipped) != 4 || report.Skipped[0].Object != "Deployment ns/d" || report.Skipped[3].Line != 0 {
		t.Errorf("%v: %+v", err, report)
	}
}

// A file of a directory that can be read is never skipped, so that an error about it counts, whatever its group.
func TestValidateReportsErrorsOfOtherGroupsInDirectories(t *testing.T) {
	const other = "apiVersion: o.io/v1\nkind: A\nmetadata: {name: a}\n"
	inManifests(t, map[string]string{"dir/a.yaml": other, "kinds/a.yaml": "apiVersion: o.io/v1\nmetadata: {name: a}\n", "dir/no.yaml": "a: [\n"})
	for _, test := range []struct{ args, want string }{
		{"--strict-kinds dir", "a.yaml:1:1: error: no CRD was given for kind \"A\" in version \"o.io/v1\" [manifest/unknown-kind]"},
		{"--reject A dir", "a.yaml:1:1: error: kind A is rejected [manifest/rejected]"},
		{"kinds", "a.yaml:1:1: error: kind not set [manifest/not-an-object]"},
	} {
		wantRun(t, exitInput, test.want, "-", append(strings.Fields("validate --crd crd.yaml"), strings.Fields(test.args)...)...)
	}
	wantRun(t, exitOK, "no CRD was given for 1 object: o.io/v1 A (1)\nskipped 1 file: no object of a known group\n", "-", "validate", "--crd", "crd.yaml", "dir")
}

// One rule for templates and links in directories and charts: they are skipped and counted, and -v names them. A template that is named is an
// error, and so is a manifest that contains templates as text and cannot be parsed.
func TestTemplatesAndLinksAreSkippedAndCounted(t *testing.T) {
	template := "{{- if .Values.a }}\n" + thing("{{ .Values.n }}", "{{ .Values.f }}") + "{{- end }}\n---\n" + thing("{{ .Values.n }}", "a")
	files := map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: c\n", "chart/crds/crd.yaml": crd("things", "{type: string, maxLength: 5}"),
		"chart/templates/t.yaml": template, "chart/templates/u.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.n }}\n",
		"chart/templates/crd.yaml": "{{- if .Values.crds }}\n" + crd("things", goodField) + "{{- end }}\n", "chart/a.yaml": thing("a", "abcdef"),
	}
	inManifests(t, files)
	if err := os.Symlink(".", "chart/link"); err != nil {
		t.Fatal(err)
	}
	const counted = "skipped 3 templates: render templates first, for example with helm template\n"
	const link = "skipped 1 link to a directory\n"
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"validate --crd crd.yaml chart", exitInput, []string{"chart/a.yaml:5:1: error: field: Too long", "in 6 files: 1 error,", counted, link}},
		{"validate chart", exitInput, []string{"chart/a.yaml:5:1: error: field: Too long", counted, link}},
		{"validate -v --crd chart chart", exitInput, []string{"skipped chart/link: a link to a directory\n", "skipped chart/templates/t.yaml: a template\n", "skipped chart/templates/u.yaml: a template\n"}},
		{"validate --crd crd.yaml chart/templates/t.yaml", exitInput, []string{"t.yaml:1:1: error: invalid YAML: a template action [text/template]", "hint: this looks like a template"}},
		{"lint chart", exitOK, []string{"ok  things.example.com", counted, link}},
		{"diff crd.yaml crd.yaml chart", exitOK, []string{counted, link}},
		{"prune --crd crd.yaml chart", exitOK, []string{thing("a", "abcdef"), counted, link}},
		{"lint chart/templates", exitInput, []string{"no CustomResourceDefinition in chart/templates: looked at 3 files with no other documents, and skipped 3 templates, to be rendered first"}},
	} {
		r := runWith("", strings.Fields(test.args)...)
		if r.code != test.code {
			t.Errorf("%s: exit status %d, want %d", test.args, r.code, test.code)
		}
		for _, part := range test.want {
			if out := filepath.ToSlash(r.stdout + r.stderr); strings.Count(out, part) != 1 {
				t.Errorf("%s: %q is not there once in\n%s", test.args, part, out)
			}
		}
	}
}

// A template in one document of a file hides none of the others. A file that is a template in part cannot be pruned.
func TestATemplateHidesNoOtherDocument(t *testing.T) {
	const template = "---\na: {{ x }}\n"
	inManifests(t, map[string]string{
		"dir/a.yaml": template + "---\napiVersion: example.com/v1\nkind: Other\nmetadata: {name: o}\n" + template + "---\n" + thing("a", "abcdef"),
		"foo/a.yaml": "apiVersion: o.io/v1\nkind: Foo\nmetadata: {name: f}\n" + template, "values/a.yaml": "a: 1\n" + template,
		"old/crd.yaml": crd("things", "{type: string}") + template, "new/crd.yaml": crd("things", "{type: string, maxLength: 5}") + template,
		"bad/crd.yaml": template + "---\n" + crd("things", badField), "good/a.yaml": template + "---\n" + thing("a", "abc"),
	})
	const counted = "skipped 1 template: render templates first, for example with helm template\n"
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"validate --crd new dir", exitInput, []string{"a.yaml:14:1: error: field: Too long", `no matches for kind "Other"`, counted}},
		{"validate --crd new good", exitOK, []string{"read 1 object in", counted}},
		{"validate -v --crd new good", exitOK, []string{"skipped good/a.yaml:2: a template\n"}},
		{"validate --crd new --reject Foo foo", exitInput, []string{"a.yaml:1:1: error: kind Foo is rejected", counted}},
		{"validate --crd new --strict-kinds foo", exitInput, []string{"a.yaml:1:1: error: no CRD was given", counted}},
		{"validate --crd new values", exitOK, []string{"read no objects", counted}},
		{"validate dir new", exitInput, []string{"a.yaml:14:1: error: field: Too long"}},
		{"lint old", exitOK, []string{"ok  things.example.com", counted}},
		{"lint bad", exitInput, []string{"bad/crd.yaml:", counted}},
		{"diff old new", exitInput, []string{"maxLength", "skipped 2 templates"}},
		{"diff old/crd.yaml new", exitInput, []string{"old/crd.yaml:21:4: error: invalid YAML: a template action"}},
		{"diff old new dir", exitInput, []string{"a.yaml:14:1: error: field: Too long", "skipped 3 templates"}},
		{"prune --crd new dir", exitInput, []string{"a.yaml:2:4: error: invalid YAML: a template action"}},
		{"prune --normalize --crd new dir", exitInput, []string{"a.yaml:2:4: error: invalid YAML: a template action"}},
		{"prune --crd new foo", exitOK, []string{counted}},
	} {
		r := runWith("", strings.Fields(test.args)...)
		if r.code != test.code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", test.args, r.code, test.code, r.stdout, r.stderr)
		}
		for _, part := range test.want {
			if out := filepath.ToSlash(r.stdout + r.stderr); !strings.Contains(out, part) {
				t.Errorf("%s: %q is not in\n%s", test.args, part, out)
			}
		}
	}
}

func TestValidateFindsCRDsAmongManifests(t *testing.T) {
	const builtIn = "---\napiVersion: v1\nkind: Pod\n---\n"
	things, bad := crd("things", "{type: string, maxLength: 5}"), thing("bad", "abcdef")
	inManifests(t, map[string]string{
		"dir/z.yaml": things, "dir/a.yaml": bad, "dir/t.yaml": "{{ a }\n", "refused.yaml": crd("things", badField) + "---\n" + bad,
		"list.json": `{"apiVersion": "v1", "kind": "List", "items": [` + jsonOf(t, bad) + "," + jsonOf(t, things) + "]}",
	})
	for _, test := range []struct{ name, stdin, args, want string }{
		{"before", things + builtIn + bad, "-", "error: field: Too long"},
		{"after", bad + builtIn + things, "-", "<stdin>:5:1: error: field: Too long"},
		{"both named", bad + builtIn + things, "--crd - -", "<stdin>:5:1: error: field: Too long"},
		{"a directory", "", "dir", "a.yaml:5:1: error: field: Too long"},
		{"a list", "", "list.json", "error: field: Too long"},
		{"a CRD that is refused", "", "refused.yaml", "[structural/type-required]"},
		{"a file that is missing", "", "missing.yaml", "missing.yaml: error: no such file"},
		{"a file that is not YAML", "a: [\n", "-", "[text/syntax]"},
		{"nothing", "", "-", "<stdin>: error: standard input is empty"},
	} {
		r := runWith(test.stdin, append([]string{"validate"}, strings.Fields(test.args)...)...)
		if r.code != exitInput || r.stderr != "" || strings.Count(r.stdout, "error: ") != 1 || !strings.Contains(r.stdout, test.want) {
			t.Errorf("%s: exit status %d, no %q in\n%s%s", test.name, r.code, test.want, r.stdout, r.stderr)
		}
	}
	if r := runWith(things+"---\n"+thing("good", "abc"), "validate", "-"); r.code != exitOK || !strings.Contains(r.stdout, "read 1 object in 1 file") {
		t.Errorf("%+v", r)
	}
}

// jsonOf returns a YAML document as JSON.
func jsonOf(t *testing.T, text string) string {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestValidateAnswersForUpdates(t *testing.T) {
	inManifests(t, map[string]string{
		"old/a.yaml": thing("a", "abcdef"), "new.yaml": thing("a", "abcdef") + "---\n" + thing("b", "abcdef"), "changed.yaml": thing("a", "abcdefg"), "broken.yaml": "a: [\n",
	})
	for _, flag := range []string{"--old=old/a.yaml", "--old=old"} {
		r := wantRun(t, exitInput, "new.yaml:11:1: error: field: Too long", "-", "validate", "--crd", "crd.yaml", flag, "new.yaml")
		if strings.Contains(r.stdout, "new.yaml:5:1") {
			t.Errorf("the fault of the old object is not tolerated\n%s", r.stdout)
		}
		wantRun(t, exitInput, "changed.yaml:5:1: error: field: Too long", "-", "validate", "--crd", "crd.yaml", flag, "changed.yaml")
	}
	wantRun(t, exitInput, "broken.yaml:", "-", "validate", "--crd", "crd.yaml", "--old=broken.yaml", "new.yaml")
}

func TestValidateSaysWhatIsWrongWithItsArguments(t *testing.T) {
	inManifests(t, map[string]string{
		"a.yaml": thing("a", "abc"), "bad.yaml": crd("things", badField), "other.yaml": crd("things", "{type: integer}"), "empty/x.txt": "",
	})
	wantRun(t, exitInput, "", "no CRD given: name files or directories with --crd, or manifests with CRDs among them", "validate", "a.yaml")
	wantRun(t, exitUsage, "-", "no CRD given: name files or directories with --crd", "prune", "a.yaml")
	wantRun(t, exitUsage, "-", "no manifest given: name a file, a directory, or - for standard input", "validate", "--crd", "crd.yaml")
	wantRun(t, exitUsage, "-", "standard input can be read only once", "prune", "--crd", "-", "-")
	wantRun(t, exitUsage, "-", "standard input can be read only once", "validate", "--old", "-", "--crd", "-", "a.yaml")
	wantRun(t, exitUsage, "-", "standard input can be read only once", "validate", "--crd", "crd.yaml", "--old", "-", "-")
	wantRun(t, exitInput, "[structural/type-required]", "-", "validate", "--crd", "bad.yaml", "a.yaml")
	wantRun(t, exitInput, "", "things.example.com is defined at crd.yaml:4 and at other.yaml:4: name only one of them", "validate", "--crd", "crd.yaml", "--crd", "other.yaml", "a.yaml")
	wantRun(t, exitInput, "", "no CustomResourceDefinition in a.yaml", "validate", "--crd", "a.yaml", "a.yaml")
	wantRun(t, exitInput, "", "no manifest in empty: there is no *.yaml, *.yml or *.json file", "validate", "--crd", "crd.yaml", "empty")
	wantRun(t, exitOK, "read 1 object in 1 file: no errors", "-", "validate", "--crd", "crd.yaml,crd.yaml", "a.yaml")
}

func TestValidateTellsMachinesTheSame(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	inManifests(t, map[string]string{"m.yaml": thing("a", "abc") + "---\n" + thing("b", "abcdef") + "x: <&>\n---\napiVersion: v1\nkind: Pod\n---\napiVersion: o.io/v1\nkind: Pod\n"})
	args := []string{"validate", "--crd", "crd.yaml", "--field-validation", "Warn", "m.yaml", "--output"}
	r := wantRun(t, exitInput, "", "-", append(args, "json")...)
	var report struct {
		Objects struct {
			Read, Refused int
			BuiltIn       int
			UnknownKinds  []struct {
				APIVersion, Kind string
				Objects          int
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if o := report.Objects; o.Read != 2 || o.Refused != 1 || o.BuiltIn != 1 || len(o.UnknownKinds) != 1 || o.UnknownKinds[0].Kind != "Pod" || o.UnknownKinds[0].Objects != 1 {
		t.Errorf("%+v", o)
	}
	found := readFindings(t, r.stdout)
	if len(found) != 2 || found[0].Object != "Thing b" || found[0].Path != "field" || found[0].Line != 11 || found[0].CRD != "things.example.com" {
		t.Errorf("%+v", found)
	}
	wantRun(t, exitInput, `"object": "Thing b"`, "-", append(args, "sarif")...)
	wantRun(t, exitInput, "::error file=m.yaml,line=11,col=1,title=Thing b%3A object/too-long::field: Too long", "-", append(args, "github")...)
}

// A program of another version than --kubernetes names answers for nothing, and an object that nothing answers for does not pass.
func TestValidateNeedsTheProgramOfTheVersion(t *testing.T) {
	inManifests(t, map[string]string{"m.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "a.yaml": thing("a", "abc"),
		"bin/prune-gen-builtin": "#!/bin/sh\nread q; id=${q#*id*:}; echo '{\"id\": '${id%%[,\\}]*}', \"kubernetes\": \"v1.37.0\", \"kinds\": [{\"apiVersion\": \"v1\", \"kind\": \"Node\"}]}'; cat >/dev/null\n"})
	if err := os.Chmod("bin/prune-gen-builtin", 0o777); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRUNE_GEN_BUILTIN", "")
	t.Setenv("PATH", filepath.Join(here, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	wantRun(t, exitInput, "", "/prune-gen-builtin is of Kubernetes v1.37.0, want 1.34: get prune-gen-builtin-1.34; --builtin names another program, or none",
		"validate", "--crd", "crd.yaml", "--kubernetes", "1.34", "m.yaml", "a.yaml")
	wantRun(t, exitOK, "no errors", "-", "validate", "--crd", "crd.yaml", "--kubernetes", "1.34", "a.yaml")
	wantRun(t, exitOK, "skipped 1 object of built-in kinds: prune-gen-builtin-1.34 validates them", "-",
		"validate", "--crd", "crd.yaml", "--kubernetes", "1.34", "--builtin", "none", "m.yaml")
}

// A variable that is empty is not a manifest.
func TestValidateWantsSomething(t *testing.T) {
	inManifests(t, nil)
	for _, text := range []string{"", "\n", " \n\n"} {
		if r := runWith(text, "validate", "--crd", "crd.yaml", "-"); r.code != exitInput || !strings.Contains(r.stdout, "standard input is empty") {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
