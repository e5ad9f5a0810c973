package main

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// groupCRD is kindCRD for another group.
func groupCRD(group, kind string, versions ...string) string {
	return strings.ReplaceAll(kindCRD(kind, versions...), "example.com", group)
}

// twoGroups is what controller-gen makes of a repository with two groups: all CRDs in one directory. Both have a Job.
func twoGroups() map[string]string {
	return map[string]string{
		"crds/apps_jobs.yaml":  groupCRD("apps.example.com", "Job", "v1", "v1beta1"),
		"crds/apps_webs.yaml":  groupCRD("apps.example.com", "Web", "v1"),
		"crds/batch_jobs.yaml": groupCRD("batch.example.com", "Job", "v1"),
		"crds/batch_runs.yaml": groupCRD("batch.example.com", "Run", "v1alpha1"),
	}
}

func marked(group, pkg string) string { return "// +groupName=" + group + "\npackage " + pkg + "\n" }

func TestGroupAndVersionOfThePackage(t *testing.T) {
	testsize.NotShort(t)
	const apps, batch = "apps.example.com", "batch.example.com"
	tests := []struct {
		name  string
		files map[string]string
		args  string
		want  string // the files, without what all names have in common
		err   string
	}{
		{name: "marker and name", files: map[string]string{"api/doc.go": marked(apps, "v1")}, args: "--output-dir api", want: "api/job api/web"},
		{name: "the same kind in another package", files: map[string]string{"api/doc.go": marked(batch, "v1")}, args: "--output-dir api", want: "api/job"},
		{name: "a marker in kubebuilder's file", files: map[string]string{"api/job_types.go": "package v1beta1\n", "api/groupversion_info.go": marked(apps, "v1beta1")},
			args: "--output-dir api", want: "api/job"},
		{name: "a version by marker", files: map[string]string{"api/doc.go": "// +versionName=v1\n" + marked(apps, "apps")}, args: "--output-dir api", want: "api/job api/web"},
		{name: "a package that is not called like a version", files: map[string]string{"api/doc.go": marked(apps, "apps")}, args: "--output-dir api",
			want: "api/v1/job api/v1/web api/v1beta1/job"},
		{name: "a version flag wins", files: map[string]string{"api/doc.go": marked(apps, "v1")}, args: "--output-dir api --crd-version v1beta1", want: "api/job"},
		{name: "a group flag wins", files: map[string]string{"api/doc.go": marked(apps, "v1")}, args: "--output-dir api --group " + batch, want: "api/job"},
		{name: "a kind with a group wins", files: map[string]string{"api/doc.go": marked(apps, "v1")}, args: "--output-dir api --kind " + batch + "/Job", want: "api/job"},
		{name: "a kind of the group", files: map[string]string{"api/doc.go": marked(apps, "v1")}, args: "--output-dir api --kind Job", want: "api/job"},
		{name: "a group that no CRD has", files: map[string]string{"api/doc.go": marked("web.example.com", "v1")}, args: "--output-dir api",
			err: "the package in api has group web.example.com, by its marker +groupName, but no CRD has it: there are apps.example.com, batch.example.com; choose with --group"},
		{name: "a version that no CRD has", files: map[string]string{"api/doc.go": marked(apps, "v2")}, args: "--output-dir api",
			err: "the package in api is for version v2, but no CRD has it: there are v1, v1beta1; choose with --crd-version"},
		{name: "a version that only the other group has", files: map[string]string{"api/doc.go": marked(apps, "v1alpha1")}, args: "--output-dir api",
			err: "the package in api is for version v1alpha1, but no CRD has it"},
		{name: "markers that disagree", files: map[string]string{"api/a.go": marked(apps, "v1"), "api/b.go": marked(batch, "v1")}, args: "--output-dir api",
			err: "api/a.go has +groupName=apps.example.com, and api/b.go has +groupName=batch.example.com"},
		{name: "neither flag nor marker", args: "--crd-version v1 --output-dir api",
			err: "the CRDs for api have 2 groups: apps.example.com, batch.example.com; choose with --group or --kind GROUP/KIND, " +
				"put the comment // +groupName=GROUP into the package, or give each group a directory with --layout groups"},
		{name: "a package without a marker", files: map[string]string{"api/doc.go": "package v1\n"}, args: "--output-dir api", err: "the CRDs for api have 2 groups"},
		{name: "a kind of two groups", args: "--kind Job --crd-version v1", err: "have 2 groups: "},
		{name: "a group", args: "--group " + batch, want: "v1/job v1alpha1/run"},
		{name: "a kind of one group", args: "--kind Run", want: "run"},
		{name: "two groups on request", args: "--crd-version v1,v1alpha1 --kind Web,Run --group " + apps + " --group " + batch, want: "v1/web v1alpha1/run"},
		{name: "two groups on request, by kinds", args: "--crd-version v1 --kind " + apps + "/Web --kind " + batch + "/Job", want: "job web"},
		{name: "the same kind twice in a package", args: "--crd-version v1 --group " + apps + "," + batch, err: "Job"},
		{name: "an unknown group", args: "--group app.example.com", err: `no CRD has group "app.example.com": did you mean apps.example.com?`},
		{name: "an unknown kind in a group", args: "--kind " + apps + "/Run", err: `no CRD has kind "apps.example.com/Run": there are apps.example.com/Job, apps.example.com/Web, batch`},
		{name: "an unknown kind", args: "--kind Wbe", err: `no CRD has kind "Wbe": did you mean Web?`},
		{name: "a kind that the group does not have", args: "--kind Run --group " + apps, err: `no CRD has kind "Run"`},
		{name: "subdirectories with markers", files: map[string]string{"api/v1/doc.go": marked(apps, "v1"), "api/v1beta1/doc.go": marked(apps, "v1beta1")},
			args: "--output-dir api", want: "api/v1/job api/v1/web api/v1beta1/job"},
		{name: "a subdirectory with a marker", files: map[string]string{"api/v1/doc.go": marked(apps, "v1")},
			args: "--output-dir api", want: "api/v1/job api/v1/web api/v1beta1/job"},
		{name: "subdirectories of a third group", files: map[string]string{"api/v1/doc.go": marked("web.example.com", "v1")}, args: "--output-dir api",
			err: "the packages below api have group web.example.com, by their markers +groupName, but no CRD has it: there are apps.example.com, batch.example.com"},
		{name: "layout versions in a package", files: map[string]string{"api/doc.go": marked(apps, "v1"), "api/v1/doc.go": marked(batch, "v1")},
			args: "--output-dir api --layout versions --crd-version v1", want: "api/v1/job"},
		{name: "layout versions with two groups", args: "--output-dir api --layout versions",
			want: "api/apps.example.com/v1/job api/apps.example.com/v1/web api/apps.example.com/v1beta1/job api/batch.example.com/v1/job api/batch.example.com/v1alpha1/run"},
		{name: "layout versions with one group", args: "--output-dir api --layout versions --group " + batch, want: "api/v1/job api/v1alpha1/run"},
		{name: "layout groups with one group", args: "--output-dir api --layout groups --group " + batch,
			want: "api/batch.example.com/v1/job api/batch.example.com/v1alpha1/run"},
		{name: "layout groups with two groups by name", args: "--output-dir api --layout groups --crd-version v1 --group " + batch + "," + apps,
			want: "api/apps.example.com/v1/job api/apps.example.com/v1/web api/batch.example.com/v1/job"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := twoGroups()
			maps.Copy(files, test.files)
			inModule(t, files)
			args := append(strings.Fields(test.args), pruneOnly, "crds")
			if test.err != "" {
				for _, command := range [][]string{{"generate"}, {"generate", "--dump-plan"}, {"verify"}} {
					wantRun(t, exitInput, "-", test.err, append(command, args...)...)
				}
				if have := generated(t); have != "" {
					t.Errorf("there is %s", have)
				}
				return
			}
			wantRun(t, exitOK, "", "-", append([]string{"generate"}, args...)...)
			have := strings.NewReplacer("zz_generated.prune.", "", ".go", "").Replace(generated(t))
			if have != test.want {
				t.Errorf("there is %s, want %s", have, test.want)
			}
			wantRun(t, exitOK, "up to date", "-", append([]string{"verify"}, args...)...)
		})
	}
}

// The functions are those of the group that the marker names.
func TestPackageHasTheResourcesOfItsGroup(t *testing.T) {
	files := twoGroups()
	files["apps/doc.go"], files["batch/doc.go"] = marked("apps.example.com", "v1"), marked("batch.example.com", "v1")
	inModule(t, files)
	for _, group := range []string{"apps", "batch"} {
		wantRun(t, exitOK, " in "+group+", ", "-", "generate", "--output-dir", group, "crds")
		if text := contents(t)[group+"/zz_generated.prune.job.go"]; !strings.Contains(text, `"`+group+`.example.com"`) {
			t.Errorf("%s has\n%.2000s", group, text)
		}
	}
}

func TestLayout(t *testing.T) {
	const told = "warning: this file was generated, but not by this call"
	one, two := kindCRD("A", "v1"), kindCRD("A", "v1", "v2")
	inModule(t, map[string]string{"crd.yaml": one})
	replace := func(text string) {
		t.Helper()
		if err := os.WriteFile("crd.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	generate := []string{"generate", pruneOnly, "--output-dir", "api", "crd.yaml"}
	wantRun(t, exitOK, "1 file written\n", "-", append(generate, "--layout", "versions")...)
	if have := generated(t); have != "api/v1/zz_generated.prune.a.go" {
		t.Fatalf("there is %s", have)
	}
	// A version that is added leaves the first where it was.
	replace(two)
	r := wantRun(t, exitOK, "v1: ", "-", append(generate, "--layout", "versions")...)
	if !strings.Contains(r.stdout, "1 unchanged\nv2: ") {
		t.Errorf("the first version was written again:\n%s", r.stdout)
	}
	wantRun(t, exitInput, "-", "--layout flat takes one version: choose one with --crd-version: there are v1, v2", append(generate, "--layout", "flat")...)
	// What the other layout made is reported by name, with what to do, by both commands.
	flat := append(generate, "--layout", "flat", "--crd-version", "v1")
	for _, args := range [][]string{flat, append([]string{"verify"}, flat[1:]...)} {
		r := wantRun(t, exitOK, "", "api/v1/zz_generated.prune.a.go: "+told, args...)
		for _, part := range []string{"api/v2/zz_generated.prune.a.go: " + told, "hint: remove it if it is no longer wanted"} {
			if !strings.Contains(r.stderr, part) {
				t.Errorf("%q: no %q in\n%s", args, part, r.stderr)
			}
		}
	}
	wantRun(t, exitOK, "", "api/zz_generated.prune.a.go: "+told, append(generate, "--layout", "versions")...)
	wantRun(t, exitUsage, "-", "did you mean flat?", append(generate, "--layout", "flatt")...)
	// With another group, files move, and the old ones are reported.
	replace(one + "---\n" + groupCRD("other.org", "B", "v1"))
	wantRun(t, exitOK, "in api/other.org/v1, 1 file written\n", "api/v1/zz_generated.prune.a.go: "+told, append(generate, "--layout", "versions")...)
	wantRun(t, exitOK, "in api, 1 unchanged\n", "api/other.org/v1/zz_generated.prune.b.go: "+told, append(generate, "--layout", "flat", "--kind", "A")...)
}

func TestShareAcrossKinds(t *testing.T) {
	const field, template = "              field: {type: string}", `              template: {type: object, properties: {
                a: {type: object, properties: {b: {type: string}, c: {type: array, items: {type: object, properties: {d: {type: string}}}}}}}}`
	kind := func(name string) string { return strings.Replace(kindCRD(name, "v1"), field, template, 1) }
	inModule(t, map[string]string{"a.yaml": kind("A"), "b.yaml": kind("B")})
	args := []string{pruneOnly, "a.yaml", "b.yaml"}
	wantRun(t, exitOK, "2 files written\n", "-", append([]string{"generate"}, args...)...)
	apart := len(contents(t)["zz_generated.prune.a.go"])
	share := append([]string{"--share-across-kinds"}, args...)
	wantRun(t, exitInput, "zz_generated.prune_shared.go: missing, ", "3 of 3 files not up to date", append([]string{"verify"}, share...)...)
	wantRun(t, exitOK, "3 files written\n", "-", append([]string{"generate"}, share...)...)
	wantRun(t, exitOK, "3 files up to date\n", "-", append([]string{"verify"}, share...)...)
	if together := len(contents(t)["zz_generated.prune.a.go"]); together >= apart {
		t.Errorf("the file of a kind has %d bytes, %d without sharing", together, apart)
	}
	wantRun(t, exitUsage, "-", "--share-across-kinds and --keep-stale cannot be combined", append([]string{"generate", "--keep-stale"}, share...)...)
}
