package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// diffFiles are two CRDs, and a manifest for the old one.
func diffFiles() map[string]string {
	old := strings.Replace(kindCRD("App", "v1"), "field: {type: string}", `field: {type: string}
              size: {type: integer, maximum: 9, default: 1}
              mode: {type: object, properties: {a: {type: string}, b: {type: string}}}`, 1)
	new := strings.NewReplacer("field: {type: string}", "field: {type: string, description: x}", "maximum: 9, default: 1", "maximum: 5, default: 2",
		"mode: {type: object, properties: {a: {type: string}, b: {type: string}}}", "extra: {type: string}").Replace(old)
	return map[string]string{"old.yaml": old, "new.yaml": new, "app.yaml": `apiVersion: example.com/v1
kind: App
metadata: {name: a, namespace: b}
spec:
  size: 7
  mode:
    a: x
---
apiVersion: example.com/v1
kind: App
metadata: {name: b, namespace: b}
spec: {}
---
apiVersion: v1
kind: Pod
`}
}

// An object that follows another one is not part of it, even if an alias of that one comes later.
func TestDiffKnowsTheObjectOfALine(t *testing.T) {
	files := diffFiles()
	item := "- %s{apiVersion: example.com/v1, kind: App, metadata: {name: %s, namespace: b}, spec: {%s}}\n"
	files["list.yaml"] = "apiVersion: v1\nkind: List\nitems:\n" + fmt.Sprintf(item, "&a ", "a", "size: 10") + fmt.Sprintf(item, "", "b", "") + "- *a\n"
	t.Chdir(write(t, files))
	const note = "list.yaml:5:78: note: spec.size is filled in: size: 2 [diff/manifest-changed]"
	wantRun(t, exitInput, note, "-", "diff", "old.yaml", "new.yaml", "list.yaml")
}

func TestDiffPrintsChanges(t *testing.T) {
	t.Chdir(write(t, diffFiles()))
	r := wantRun(t, exitInput, "", "-", "diff", "old.yaml", "new.yaml")
	const want = `new.yaml:21:13: error: spec.mode: the field is gone; objects that have it lose it (stored) [diff/field-removed]
   |
21 |             properties:
   |             ^^^^^^^^^^
   = apps.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[mode]
   = hint: it was at old.yaml:24:15

new.yaml:23:37: error: spec.size: maximum was 9 and is 5; values that were accepted can be refused (requests) [diff/bound]
   |
23 |               size: {type: integer, maximum: 5, default: 2}
   |                                     ^^^^^^^
   = apps.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].maximum

new.yaml:23:49: error: spec.size: the default was 1 and is 2; objects without the field get the new one (requests) [diff/default]
   |
23 |               size: {type: integer, maximum: 5, default: 2}
   |                                                 ^^^^^^^
   = apps.example.com v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].default

new.yaml:24:15: note: spec.extra: the field is new; objects that have it keep it [diff/field-added]
compared 1 CRD: 3 errors, no warnings, 1 note
`
	if r.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", r.stdout, want)
	}
}

// What is an error depends on the level.
func TestDiffFailsAtItsLevel(t *testing.T) {
	files := diffFiles()
	for name, replace := range map[string][2]string{"stored": {"field: {type: string}", "other: {type: string}"}, "requests": {"maximum: 9", "maximum: 8"},
		"readers": {"size: {type: integer,", "size: {type: number,"}, "none": {"maximum: 9", "maximum: 10"}} {
		files[name+".yaml"] = strings.Replace(files["old.yaml"], replace[0], replace[1], 1)
	}
	t.Chdir(write(t, files))
	levels := []string{"stored", "requests", "readers", "none"}
	for i, change := range levels {
		for j, level := range levels[:3] {
			status, severity := exitInput, "error"
			if i > j {
				status, severity = exitOK, "note"
			}
			wantRun(t, status, severity+": spec.", "-", "diff", "--level", level, "old.yaml", change+".yaml")
			if severity == "note" {
				wantRun(t, status, "no errors", "-", "diff", "--breaking", "--level", level, "old.yaml", change+".yaml")
			}
		}
	}
	wantRun(t, exitUsage, "-", `want readers, requests or stored`, "diff", "--level", "all", "old.yaml", "new.yaml")
}

func TestDiffOfManifestsNamesWhatTheyLose(t *testing.T) {
	t.Chdir(write(t, diffFiles()))
	r := wantRun(t, exitInput, `"compared": {`, "-", "diff", "--output=json", "--disable=diff/f*,diff/bound,diff/default", "old.yaml", "new.yaml", "app.yaml")
	var got []string
	for _, f := range readFindings(t, r.stdout) {
		got = append(got, strings.Join([]string{f.File, string(rune('0' + f.Line/10)), string(rune('0' + f.Line%10)), string(f.Severity), string(f.ID), f.Message}, " "))
	}
	want := []string{
		`app.yaml 0 5 error diff/manifest-refused spec.size: Invalid value: 7: spec.size in body should be less than or equal to 5`,
		`app.yaml 0 6 error diff/manifest-loses spec.mode: dropped: unknown field "spec.mode"`,
		`app.yaml 1 2 note diff/manifest-changed spec.size is filled in: size: 2`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDiffExitsByWhatBreaks(t *testing.T) {
	files := diffFiles()
	files["more.yaml"] = strings.Replace(files["old.yaml"], "maximum: 9", "maximum: 10", 1)
	files["two.yaml"] = files["old.yaml"] + "---\n" + crd("things", goodField)
	files["bad.yaml"] = strings.Replace(files["old.yaml"], "type: integer", "type: integr", 1)
	files["cluster.yaml"] = strings.Replace(files["old.yaml"], "Namespaced", "Cluster", 1)
	files["v2.yaml"] = strings.Replace(files["old.yaml"], "name: v1", "name: v2", 1)
	files["unserved.yaml"] = strings.Replace(files["old.yaml"], "served: true", "served: false", 1)
	t.Chdir(write(t, files))
	for _, test := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"old.yaml old.yaml", exitOK, "compared 1 CRD: no changes\n", "-"},
		{"old.yaml more.yaml", exitOK, "note: spec.size: maximum was 9 and is 10; more values are accepted [diff/bound]", "-"},
		{"--breaking --quiet old.yaml more.yaml", exitOK, "-", "-"},
		{"--strict old.yaml more.yaml", exitOK, "1 note\n", "-"},
		{"old.yaml new.yaml", exitInput, "3 errors", "-"},
		{"--disable diff/field-removed,diff/default,diff/bound old.yaml new.yaml", exitOK, "3 ignored", "-"},
		{"old.yaml two.yaml", exitOK, "note: the CRD things.example.com is new; no object is affected [diff/crd-added]", "-"},
		{"two.yaml old.yaml", exitInput, "two.yaml:29:3: error: the CRD things.example.com is gone; its objects are deleted with it (stored) [diff/crd-removed]", "-"},
		{"old.yaml cluster.yaml", exitInput, "error: the scope was Namespaced and is Cluster; ", "-"},
		{"old.yaml v2.yaml app.yaml", exitInput, "2 of your 2 objects are affected: 2 would be rejected on create; skipped 1 object of kinds or versions that the old CRDs do not serve", "-"},
		{"old.yaml unserved.yaml app.yaml", exitInput, "app.yaml:9:1: error: example.com/v1 App is not served any more [diff/manifest-refused]", "-"},
		{"old.yaml missing.yaml", exitInput, "missing.yaml: error: no such file", "-"},
		{"old.yaml old.yaml missing.yaml", exitInput, "missing.yaml: error: no such file", "-"},
		{"old.yaml bad.yaml app.yaml", exitInput, "bad.yaml:23:22: error: ", "2 objects cannot be compared: the API server refuses the CRD apps.example.com in bad.yaml\n"},
		{"old.yaml app.yaml", exitInput, "", "no CustomResourceDefinition in app.yaml"},
		{"old.yaml", exitUsage, "-", "want two CRDs: the old one and the new one"},
		{"- - app.yaml", exitUsage, "-", "standard input can be read only once: - is given 2 times"},
	} {
		t.Run(test.args, func(t *testing.T) {
			wantRun(t, test.code, test.stdout, test.stderr, append([]string{"diff"}, strings.Fields(test.args)...)...)
		})
	}
}

// Every format is whole, on standard output, and has the severity in its own words.
func TestDiffForMachines(t *testing.T) {
	t.Chdir(write(t, diffFiles()))
	for format, want := range map[string]string{"json": `"severity": "note"`, "sarif": `"level": "note"`, "github": "::notice file=new.yaml,line=24"} {
		r := wantRun(t, exitInput, want, "", "diff", "--output", format, "old.yaml", "new.yaml", "app.yaml")
		if format != "github" && !json.Valid([]byte(r.stdout)) {
			t.Errorf("%s is not JSON:\n%s", format, r.stdout)
		}
	}
}

// CRDs and manifests that somebody else wrote do not reach the terminal as they are.
func TestDiffEscapes(t *testing.T) {
	files := diffFiles()
	files["new.yaml"] = strings.Replace(files["new.yaml"], "extra:", `"ex\e[31m\nra":`, 1)
	files["app.yaml"] = strings.Replace(files["app.yaml"], "    a: x", `    "\e[2J": x`, 1)
	t.Chdir(write(t, files))
	r := wantRun(t, exitInput, `ex\x1b[31m\nra: the field is new`, "", "diff", "old.yaml", "new.yaml", "app.yaml")
	wantClean(t, "standard output", r.stdout)
}

// The CRDs of both sides are one run for the limits on what is read.
func TestDiffReadsBothSidesWithinTheLimits(t *testing.T) {
	testsize.Large(t, "reads files as large as the limits")
	padding := strings.Repeat("#", 33<<20) + "\n"
	t.Chdir(write(t, map[string]string{"old.yaml": crd("things", goodField) + padding, "new.yaml": crd("things", goodField) + padding}))
	wantRun(t, exitInput, "too large: the run exceeds the limit of 64 MiB; raise it with --limit 2", "", "diff", "old.yaml", "new.yaml")
}

// What a file with manifests loses is listed up to a limit, as other findings are.
func TestDiffOfManifestsListsTheFirstFindings(t *testing.T) {
	files := diffFiles()
	files["app.yaml"] = strings.Repeat(files["app.yaml"]+"\n---\n", 600)
	t.Chdir(write(t, files))
	r := wantRun(t, exitInput, "", "", "diff", "--output=json", "--disable=diff/f*,diff/bound,diff/default", "old.yaml", "new.yaml", "app.yaml")
	found := readFindings(t, r.stdout)
	if len(found) != 1001 || found[1000].Message != "only the first 1000 findings about this file are shown" || found[1000].Severity != "error" {
		t.Errorf("%d findings, the last is %+v", len(found), found[len(found)-1])
	}
}

// The changes of all CRDs share the meter, and nothing is compared after it is spent.
func TestDiffHasALimit(t *testing.T) {
	testsize.Large(t, "reads files as large as the limits")
	fields := func(prefix string) string {
		var b strings.Builder
		for i := range 900 {
			fmt.Fprintf(&b, "%s%s%d: {type: string}, ", prefix, strings.Repeat("n", 900), i)
		}
		return "{type: object, properties: {" + b.String() + "}}"
	}
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("old/%d.yaml", i)] = strings.ReplaceAll(crd("things", fields("a")), "things", fmt.Sprintf("things%d", i))
		files[fmt.Sprintf("new/%d.yaml", i)] = strings.ReplaceAll(crd("things", fields("b")), "things", fmt.Sprintf("things%d", i))
	}
	t.Chdir(write(t, files))
	r := wantRun(t, exitInput, "", "", "diff", "--output=json", "old", "new")
	said := ""
	of := map[string]int{}
	for _, f := range readFindings(t, r.stdout) {
		if of[f.File]++; f.ID == "text/too-large" {
			said += f.Message
		}
	}
	if said != "too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 2" || len(of) < 2 || len(of) > 39 {
		t.Errorf("%q, findings in %d files", said, len(of))
	}
}

// If a manifest has more findings than are listed, only that is reported: incomplete lists cannot be compared.
func TestDiffOfManifestsThatHaveTooMuchToSay(t *testing.T) {
	testsize.Large(t, "reads files as large as the limits")
	name := strings.Repeat("n", 100_000)
	with := func(fields int) string {
		var b strings.Builder
		for i := range fields {
			fmt.Fprintf(&b, `,"f%d":{"type":"string","default":"x"}`, i)
		}
		return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Cluster",` +
			`"names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"` + name +
			`":{"type":"object","properties":{"f":{"type":"string"}` + b.String() + `}}}}}}]}}`
	}
	t.Chdir(write(t, map[string]string{
		"few.json": with(0), "many.json": with(4000),
		"thing.json": `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"` + name + `":{}}`,
	}))
	for _, args := range [][]string{{"few.json", "many.json"}, {"many.json", "few.json"}} {
		r := wantRun(t, exitInput, "too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 5", "", append([]string{"diff", "--output=json"}, append(args, "thing.json")...)...)
		for _, f := range readFindings(t, r.stdout) {
			if f.File == "thing.json" && f.ID != "text/too-large" {
				t.Errorf("%s: %.200s", args[0], f.Message)
			}
		}
	}
}

// A CRD that is defined twice on one side is an error, unless both say the same.
func TestDiffRefusesTwoCRDsOfAName(t *testing.T) {
	files := diffFiles()
	files["two/a.yaml"], files["two/b.yaml"] = files["old.yaml"], files["new.yaml"]
	files["same/a.yaml"], files["same/b.yaml"] = files["old.yaml"], strings.Replace(files["old.yaml"], "kind: App", "kind: App # the same", 1)
	t.Chdir(write(t, files))
	const twice = "prune-gen diff: apps.example.com is defined at two/a.yaml:4 and at two/b.yaml:4: name only one of them\n"
	wantRun(t, exitInput, "", twice, "diff", "two", "old.yaml")
	wantRun(t, exitInput, "", twice, "diff", "old.yaml", "two", "app.yaml")
	wantRun(t, exitOK, "compared 1 CRD: no changes\n", "-", "diff", "same", "old.yaml")
}

// A new CRD that the API server would refuse is an error, with and without manifests.
func TestDiffRefusesWhatTheServerRefuses(t *testing.T) {
	files := diffFiles()
	files["bad.yaml"] = strings.Replace(files["old.yaml"], "maximum: 9, default: 1", "maximum: 9, default: 1, x-kubernetes-validations: [{rule: self > 1}]", 1)
	t.Chdir(write(t, files))
	const refused = `bad.yaml:23:49: error: …properties[size].default: Invalid value: 1: failed rule: self > 1 [schema/default-invalid]`
	const hint = "hint: change the default or the schema: objects without a value here get the default; prune-gen lint reports all that the API server refuses\n"
	for _, args := range [][]string{{"old.yaml", "bad.yaml"}, {"old.yaml", "bad.yaml", "app.yaml"}, {"--breaking", "old.yaml", "bad.yaml", "app.yaml"}} {
		r := wantRun(t, exitInput, refused, "", append([]string{"diff"}, args...)...)
		if !strings.Contains(r.stdout, hint) || strings.Contains(r.stdout, "not served") {
			t.Errorf("%q:\n%s", args, r.stdout)
		}
	}
	wantRun(t, exitOK, "no errors", "", "diff", "--level", "stored", "bad.yaml", "old.yaml")
	wantRun(t, exitInput, refused, "", "diff", "--level", "stored", "bad.yaml", "old.yaml", "app.yaml")
	// An object that was refused before is not a change.
	wantRun(t, exitOK, strings.Replace(refused, "error", "warning", 1), "-", "diff", "bad.yaml", "bad.yaml")
	// Objects that cannot be compared are an error, whatever becomes of the reason.
	for _, args := range [][]string{{"--disable=schema/*", "old.yaml", "bad.yaml"}, {"--severity=schema/default-invalid=warning", "old.yaml", "bad.yaml"}, {"--disable=schema/*", "bad.yaml", "old.yaml"}} {
		r := wantRun(t, exitInput, "", "2 objects cannot be compared: the API server refuses the CRD apps.example.com in bad.yaml\n", append([]string{"diff", "--fail-on=affected"}, append(args, "app.yaml")...)...)
		if strings.Contains(r.stdout, "skipped 3 objects") {
			t.Errorf("%q:\n%s", args, r.stdout)
		}
	}
}

// A CRD that the old ones do not have is judged by itself.
func TestDiffReportsANewCRDThatIsRefused(t *testing.T) {
	files := diffFiles()
	files["new.yaml"] = files["old.yaml"] + "---\n" + crd("bads", badField)
	t.Chdir(write(t, files))
	r := wantRun(t, exitInput, "", "-", "diff", "old.yaml", "new.yaml")
	if !strings.Contains(r.stdout, "error: ") || !strings.Contains(r.stdout, "bads.example.com") {
		t.Errorf("the new CRD is not refused:\n%s", r.stdout)
	}
}
