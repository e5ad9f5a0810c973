package prunetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const bases = "../../examples/operator/config/crd/bases"

func fromFiles(t testing.TB) *CRDs {
	t.Helper()
	crds, err := FromFiles(bases)
	if err != nil {
		t.Fatal(err)
	}
	return crds
}

func TestFixtures(t *testing.T) { Suite(t, fromFiles(t), "testdata/fixtures") }

// write writes the files of a text archive-like map below a directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const fine = `apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: a
spec:
  cronSpec: "* * * * *"
  image: i
`

func TestFixturesThatDifferFail(t *testing.T) {
	misspelled := fine + "  replica: 1\n"
	for _, test := range []struct {
		name, file, text, want string
	}{
		{"valid", "valid/a.yaml", fine, ""},
		{"unknown field in a valid one", "valid/a.yaml", misspelled, `valid/a.yaml:1: refused: CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.replica"`},
		{"invalid value in a valid one", "valid/a.yaml", fine + "  replicas: 50\n", `valid/a.yaml:8: refused: CronTab.stable.example.com "a" is invalid: spec.replicas: Invalid value: 50`},
		{"invalid", "invalid/a.yaml", "# should be less\n" + fine + "  replicas: 50\n", ""},
		{"invalid, with another refusal", "invalid/a.yaml", "# should be more\n" + fine + "  replicas: 50\n", "want: should be more"},
		{"valid where it should be invalid", "invalid/a.yaml", "\n# should be less\n" + fine, "invalid/a.yaml:3: accepted\nwant a refusal: should be less"},
		{"a key twice", "valid/a.yaml", fine + "  image: j\n", `strict decoding error: duplicate field "spec.image"`},
		{"a kind without a CRD", "valid/a.yaml", strings.Replace(fine, "CronTab", "Other", 1), `valid/a.yaml:1: there is no CRD for kind "Other" in version "stable.example.com/v1", only for CronTab`},
	} {
		dir := write(t, map[string]string{test.file: test.text})
		names, failures, err := fixtureResults(fromFiles(t), dir)
		if err != nil || len(names) != 1 || !strings.HasPrefix(names[0], test.file) {
			t.Errorf("%s: %v, %v", test.name, names, err)
			continue
		}
		if (failures[0] == "") != (test.want == "") || !strings.Contains(failures[0], test.want) {
			t.Errorf("%s: %v\nwant %s", test.name, failures[0], test.want)
		}
	}
}

// fixtureResults returns the names of the fixtures below a directory, and how each fails.
func fixtureResults(crds *CRDs, dir string) (names, failures []string, err error) {
	suites, err := crds.suites(dir)
	for _, s := range suites {
		s.File, _ = filepath.Rel(dir, s.File)
		for _, r := range crds.variants.Runs(s) {
			r.Do(nil)
			names = append(names, filepath.ToSlash(s.File)+"/"+r.Case.Name)
			failure := ""
			for _, f := range r.Failures {
				failure += fmt.Sprintf("%s:%d: %s", filepath.ToSlash(s.File), f.Line, f.Message)
			}
			failures = append(failures, failure)
		}
	}
	return names, failures, err
}

func TestFixturesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no comment":       {map[string]string{"invalid/a.yaml": fine}, "a comment that quotes the refusal"},
		"an empty comment": {map[string]string{"invalid/a.yaml": "#\n# why\n" + fine}, "a comment that quotes the refusal"},
		"no object":        {map[string]string{"valid/a.yaml": "# nothing\n"}, "a.yaml:1: no object"},
	} {
		if names, _, err := fixtureResults(fromFiles(t), write(t, test.files)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v; want %s", name, names, err, test.want)
		}
	}
	if suites, err := fromFiles(t).suites(write(t, map[string]string{"README.md": "x", "other.yaml": "{{ .Values }}"})); len(suites) > 0 || err != nil {
		t.Errorf("%v, %v", suites, err)
	}
	if _, err := fromFiles(t).suites("nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere: no such file or directory") {
		t.Errorf("a directory that does not exist: %v", err)
	}
}

func TestFromFilesRefuses(t *testing.T) {
	for name, test := range map[string]struct{ file, text, want string }{
		"no CRD":       {"a.yaml", fine, "no CustomResourceDefinition"},
		"a broken CRD": {"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: 1\n", "a.yaml:3"},
	} {
		if _, err := FromFiles(write(t, map[string]string{test.file: test.text})); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	if _, err := FromFiles("nowhere"); err == nil {
		t.Error("a directory that does not exist is read")
	}
	if _, err := FromFiles(bases, bases); err == nil || !strings.Contains(err.Error(), "already registered") {
		t.Errorf("the same CRD twice: %v", err)
	}
}

func TestFromFilesLeavesOutWhatIsNotServed(t *testing.T) {
	data, err := os.ReadFile(bases + "/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	at := strings.Index(text, "  - name: v1")
	old := strings.Replace(strings.Replace(text[at:], "name: v1", "name: v0", 1), "served: true\n    storage: true", "served: false\n    storage: false", 1)
	crds, err := FromFiles(write(t, map[string]string{"crd.yaml": text + old, "values.tpl.yaml": "{{ .Values }}"}))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := crds.variants.All[0].Served(); err != nil || len(all) != 1 || all[0].Version != "v1" {
		t.Errorf("%d resources, %v", len(all), err)
	}
}

// Errors of several objects of a file have the lines of their own.
func TestFixturesOfOneFile(t *testing.T) {
	dir := write(t, map[string]string{
		"valid/deep/er/many.yaml": fine + "---\n" + fine + "  replicas: 50\n---\n" + fine,
		"valid/one.yml":           "# any comment\n" + fine,
		"valid/notes.txt":         "no manifest",
		"invalid/many.yaml":       "---\n\n   # should be less\n" + fine + "  replicas: 50\n---\n" + fine,
	})
	names, failures, err := fixtureResults(fromFiles(t), dir)
	if err != nil {
		t.Fatal(err)
	}
	const ok = ""
	wantNames := []string{
		"invalid/many.yaml/CronTab a", "invalid/many.yaml/CronTab a",
		"valid/deep/er/many.yaml/CronTab a", "valid/deep/er/many.yaml/CronTab a", "valid/deep/er/many.yaml/CronTab a", "valid/one.yml/CronTab a",
	}
	wantFailures := []string{
		ok, "invalid/many.yaml:13: accepted\nwant a refusal: should be less",
		ok, `valid/deep/er/many.yaml:16: refused: CronTab.stable.example.com "a" is invalid: spec.replicas: Invalid value: 50: spec.replicas in body should be less than or equal to 10`, ok, ok,
	}
	if !slices.Equal(names, wantNames) || !slices.Equal(failures, wantFailures) {
		t.Errorf("have %q, %q", names, failures)
	}
}

const clusterCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zones.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Zone, plural: zones, singular: zone, listKind: ZoneList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 3}}}}}}
`

// A file that is passed by name is read whatever its extension is. In a directory only manifests are read, and they need not contain CRDs.
func TestFilesThatAreRead(t *testing.T) {
	dir := write(t, map[string]string{"crd.txt": clusterCRD, "sub/crd.yml": clusterCRD, "sub/other.yaml": fine, "sub/template.yaml": "{{ .Values }}"})
	for _, path := range []string{"crd.txt", "sub/crd.yml", "sub", "."} {
		crds, err := FromFiles(filepath.Join(dir, path))
		if err != nil || len(crds.variants.All) != 1 || crds.variants.All[0].Name != "zones.example.com" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := FromFiles(filepath.Join(dir, "sub/template.yaml")); err == nil || !strings.Contains(err.Error(), "template.yaml") {
		t.Errorf("a template that is named: %v", err)
	}
	if _, err := FromFiles(); err == nil || err.Error() != "no CustomResourceDefinition in []" {
		t.Errorf("no files: %v", err)
	}
}

// Servers before Kubernetes 1.35 do not know the format k8s-short-name.
func TestForKubernetes(t *testing.T) {
	const ledger = "apiVersion: example.com/v1\nkind: Ledger\nmetadata: {name: a}\nspec: {owner: Upper}\n"
	dir := write(t, map[string]string{"valid/a.yaml": ledger})
	for version, want := range map[string]string{"1.33": "", "1.35": "spec.owner in body must be of type k8s-short-name", "": "spec.owner in body must be of type k8s-short-name"} {
		crds, err := ForKubernetes(version, "../../golden/older/crd.yaml")
		if err != nil {
			t.Fatal(err)
		}
		_, failures, err := fixtureResults(crds, dir)
		if err != nil || len(failures) != 1 || (failures[0] == "") != (want == "") || !strings.Contains(failures[0], want) {
			t.Errorf("%s: %q, %v; want %s", version, failures, err, want)
		}
	}
	if _, err := ForKubernetes("2.0", bases); err == nil {
		t.Error("Kubernetes 2.0 is known")
	}
}
