package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const crontabs = "examples/operator/config/crd/bases/stable.example.com_crontabs.yaml"

func TestExplainPrintsATree(t *testing.T) {
	t.Chdir(repository)
	r := wantRun(t, exitOK, "", "-", "explain", "golden/preserve-properties/crd.yaml")
	const want = `Unknown fields are dropped, except below a place that keeps them.

apiVersion  string      required
kind        string      required
metadata    ObjectMeta  rewritten: drops what ObjectMeta does not have, sets generation, times and identity
spec        object      keeps unknown fields
  again   object             keeps unknown fields
    pruned  object  drops unknown fields again
      a  string
  empty   object             drops everything in it
  list    []object           each drops unknown fields again
    a  string
  map     map[string]object  each drops unknown fields again
    a  string
  pruned  object             drops unknown fields again
    a  string
  string  string
`
	if _, tree, _ := strings.Cut(r.stdout, "\n"); tree != want {
		t.Errorf("got\n%s\nwant\n%s", tree, want)
	}
}

func TestExplainOfAField(t *testing.T) {
	t.Chdir(repository)
	for _, test := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"spec.env", exitOK, "\nspec.env  []object\n", "-"},
		{".spec.env[].name", exitOK, "\nspec.env[].name  string  required\n", "-"},
		{"--depth 1 spec", exitOK, "env             []object           … 2 fields\n", "-"},
		{"--depth 1", exitOK, "more fields are not shown", "-"},
		{"--crd-version v1 crontab status", exitOK, "lastScheduleTime  string    format date-time\n", "-"},
		{"--output json spec.replicas", exitOK, `"text": "default 1"`, "-"},
		{"spec.envs", exitInput, "-", "spec has no field envs; did you mean env?\n"},
		{"spec.image.x", exitInput, "-", "spec.image has no field x: it is of type string\n"},
		{"nothing", exitInput, "-", "the object has no field nothing\n"},
		{"spec.replicsa", exitInput, "-", "spec has no field replicsa; did you mean replicas?\n"},
		{"metadata.labels", exitOK, "\nmetadata.labels  map[string]string  kept: keys are names", "-"},
		{"metadata.labels.app.kubernetes.io/name", exitOK, "\nmetadata.labels[\"app.kubernetes.io/name\"]  string  any key is kept\n", "-"},
		{"metadata.ownerReferences[0].uid", exitOK, "\nmetadata.ownerReferences[].uid  string\n", "-"},
		{"spec.podTemplate.metadata.generation", exitOK, "\nspec.podTemplate.metadata.generation  integer  format int64\n", "-"},
		{"CronTb", exitInput, "-", "the object has no field CronTb; did you mean the kind CronTab?\n"},
		{"Stats", exitInput, "-", "the object has no field Stats; did you mean status?\n"},
		{"CronTab CronTb", exitInput, "-", "the object has no field CronTb\n"},
		{"metadata.lables", exitInput, "-", "metadata has no field lables; did you mean labels?\n"},
		{"spec.nodeSelector.a.b", exitOK, "\nspec.nodeSelector[\"a.b\"]  string  any key is kept\n", "-"},
		{"CronTab", exitOK, "\nspec        object      required\n", "-"},
		{"stable.example.com/crontab spec.env", exitOK, "\nspec.env  []object\n", "-"},
		{"crontabs.stable.example.com spec.env", exitOK, "\nspec.env  []object\n", "-"},
		{"ct spec.env", exitOK, "\nspec.env  []object\n", "-"},
		{"crontb spec", exitInput, "-", "no CRD has kind crontb; did you mean CronTab?\n"},
		{"--crd-version v2", exitInput, "-", "crontabs.stable.example.com has no version v2: it has v1\n"},
		{"--depth 1 --recursive", exitUsage, "-", "--depth cannot be combined with --recursive"},
		{"--depth -1", exitUsage, "-", "--depth must not be negative"},
		{"a b c", exitUsage, "-", "want one CRD, at most one kind and at most one path, got 4 arguments"},
		{"--output html spec", exitUsage, "-", "a page shows the whole schema: leave out the path spec"},
	} {
		t.Run(test.args, func(t *testing.T) {
			wantRun(t, test.code, test.stdout, test.stderr, append([]string{"explain", crontabs}, strings.Fields(test.args)...)...)
		})
	}
	wantRun(t, exitUsage, "-", "no CRD given", "explain")
}

func TestExplainWrapsDescriptions(t *testing.T) {
	long := strings.Repeat("many words ", 30) + "\n- an item\n\nlast \x1b[31m"
	text, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(write(t, map[string]string{"crd.yaml": crd("things", `{type: object, properties: {a: {type: string, description: `+string(text)+`}}, x-kubernetes-validations: [{rule: "self.a\n!= 'x'", message: no x}]}`)}))
	r := wantRun(t, exitOK, "    - an item\n    last \\x1b[31m\n", "-", "explain", "--descriptions", "crd.yaml", "field")
	for line := range strings.Lines(r.stdout) {
		if len(line) > 101 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	if want := "rule self.a != 'x'  (no x)\n"; !strings.Contains(r.stdout, want) {
		t.Errorf("no %q in\n%s", want, r.stdout)
	}
	wantClean(t, "standard output", r.stdout)
	if r := wantRun(t, exitOK, "", "-", "explain", "crd.yaml"); strings.Contains(r.stdout, "many words") {
		t.Errorf("descriptions that nobody asked for:\n%s", r.stdout)
	}
}

func TestExplainCutsLongTextsInTreesOnly(t *testing.T) {
	pattern, rule := strings.Repeat("a", 100), "self != '"+strings.Repeat("b", 100)+"'"
	t.Chdir(write(t, map[string]string{"crd.yaml": crd("things", `{type: string, pattern: `+pattern+`, x-kubernetes-validations: [{rule: "`+rule+`", message: no b}]}`)}))
	r := wantRun(t, exitOK, "What ends in … is longer: name its field to see all of it.\n", "-", "explain", "crd.yaml")
	if strings.Contains(r.stdout, pattern) || strings.Contains(r.stdout, rule) || !strings.Contains(r.stdout, "bbb…  (no b)\n") {
		t.Errorf("%s", r.stdout)
	}
	r = wantRun(t, exitOK, rule+"  (no b)\n", "-", "explain", "crd.yaml", "field")
	if !strings.Contains(r.stdout, pattern) || strings.Contains(r.stdout, "…") {
		t.Errorf("%s", r.stdout)
	}
}

func TestExplainNeedsOneGoodCRD(t *testing.T) {
	t.Chdir(write(t, map[string]string{"two.yaml": kindCRD("A", "v1") + "---\n" + kindCRD("B", "v1", "v2"), "bad.yaml": crd("things", badField), "none.yaml": "a: b"}))
	wantRun(t, exitInput, "-", "there are 2 CRDs: name a kind after them, of A, B\n", "explain", "two.yaml")
	wantRun(t, exitOK, "bs.example.com v1  ", "-", "explain", "two.yaml", "b")
	wantRun(t, exitOK, "bs.example.com v1  ", "-", "explain", "two.yaml", "bs")
	wantRun(t, exitInput, "-", "no CRD has kind spec, only A, B\n", "explain", "two.yaml", "spec")
	t.Chdir(write(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "b.yaml": kindCRD("A", "v1")}))
	wantRun(t, exitInput, "-", "as.example.com is defined at a.yaml:4 and at b.yaml:4: name only one of them\n", "explain", ".", "a")
	t.Chdir(write(t, map[string]string{"groups.yaml": kindCRD("A", "v1") + "---\n" + strings.ReplaceAll(kindCRD("A", "v1"), "example.com", "example.org")}))
	wantRun(t, exitInput, "-", "2 CRDs have kind a: choose one of example.com/A, example.org/A\n", "explain", "groups.yaml", "a")
	wantRun(t, exitOK, "as.example.org v1  ", "-", "explain", "groups.yaml", "example.org/a")
	t.Chdir(write(t, map[string]string{"two.yaml": kindCRD("A", "v1") + "---\n" + kindCRD("B", "v1", "v2")}))
	wantRun(t, exitOK, "bs.example.com v2  ", "-", "explain", "--crd-version", "v2", "two.yaml", "b")
	t.Chdir(write(t, map[string]string{"second.yaml": strings.NewReplacer("storage: true", "storage: false", "storage: false", "storage: true").Replace(kindCRD("B", "v1", "v2")), "bad.yaml": crd("things", badField), "none.yaml": "a: b"}))
	wantRun(t, exitOK, "bs.example.com v2  ", "-", "explain", "second.yaml")
	wantRun(t, exitInput, "-", "must not be empty for specified object fields [structural/type-required]", "explain", "bad.yaml")
	wantRun(t, exitInput, "-", "no CustomResourceDefinition in none.yaml", "explain", "none.yaml")
	wantRun(t, exitInput, "-", "missing.yaml: error: no such file", "explain", "missing.yaml")
}

// A CRD with a pod template has thousands of fields. What is printed fits on a page or two.
func TestExplainStaysReadable(t *testing.T) {
	var props strings.Builder
	for i := range 40 {
		props.WriteString(strings.Repeat(" ", 14) + "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + ": {type: object, properties: {")
		for j := range 40 {
			if j > 0 {
				props.WriteString(", ")
			}
			props.WriteString("g" + string(rune('a'+j%26)) + strings.Repeat("x", j/26) + ": {type: string}")
		}
		props.WriteString("}}\n")
	}
	text := strings.Replace(kindCRD("Big", "v1"), "              field: {type: string}\n", props.String(), 1)
	t.Chdir(write(t, map[string]string{"crd.yaml": text}))
	r := wantRun(t, exitOK, "more fields are not shown", "-", "explain", "crd.yaml")
	if n := strings.Count(r.stdout, "\n"); n > 130 || n < 40 {
		t.Errorf("%d lines", n)
	}
	if r := wantRun(t, exitOK, "", "-", "explain", "--recursive", "crd.yaml"); strings.Count(r.stdout, "\n") < 1600 {
		t.Errorf("%d lines", strings.Count(r.stdout, "\n"))
	}
}
