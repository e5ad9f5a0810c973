package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// manyGroups has two groups, each with a kind in three versions, and a fourth version that only one of them has.
func manyGroups() map[string]string {
	return map[string]string{
		"crds/apps_jobs.yaml":  groupCRD("apps.example.com", "Job", "v1", "v1beta1", "v2"),
		"crds/batch_runs.yaml": groupCRD("batch.example.com", "Run", "v1", "v1beta1", "v2", "v3"),
	}
}

// Several groups in several versions: each package has the kinds of one group in one version, and registers these.
func TestSeveralGroupsInSeveralVersions(t *testing.T) {
	testsize.NotShort(t)
	const apps, batch = "apps.example.com", "batch.example.com"
	const all = "api/apps.example.com/v1/job api/apps.example.com/v1beta1/job api/apps.example.com/v2/job " +
		"api/batch.example.com/v1/run api/batch.example.com/v1beta1/run api/batch.example.com/v2/run api/batch.example.com/v3/run"
	for _, test := range []struct {
		name  string
		files map[string]string
		args  string
		want  string
		err   string
	}{
		{name: "no markers", args: "--layout versions", want: all},
		{name: "no markers, by groups", args: "--layout groups", want: all},
		{name: "no markers, all in one", args: "", err: "the CRDs for api/v1 have 2 groups: apps.example.com, batch.example.com"},
		{name: "no markers, flat", args: "--layout flat --crd-version v2", err: "the CRDs for api have 2 groups"},
		{name: "flat, for a version that one group has", args: "--layout flat --crd-version v3", want: "api/run"},
		{name: "a marker for one of the versions", files: map[string]string{"api/v1/doc.go": marked(apps, "v1")}, args: "--layout versions",
			want: "api/v1/job api/v1beta1/job api/v2/job"},
		{name: "a marker for each version, of different groups", args: "--layout versions --crd-version v1,v1beta1",
			files: map[string]string{"api/v1/doc.go": marked(apps, "v1"), "api/v1beta1/doc.go": marked(batch, "v1beta1")},
			want:  "api/v1/job api/v1beta1/run"},
		{name: "a version without a marker beside others of two groups", args: "--layout versions --crd-version v1,v1beta1,v2",
			files: map[string]string{"api/v1/doc.go": marked(apps, "v1"), "api/v1beta1/doc.go": marked(batch, "v1beta1")},
			err:   "the CRDs for api/v2 have 2 groups: apps.example.com, batch.example.com"},
		{name: "a version that only one group has, beside others of two", args: "--layout versions --crd-version v1,v1beta1,v3",
			files: map[string]string{"api/v1/doc.go": marked(apps, "v1"), "api/v1beta1/doc.go": marked(batch, "v1beta1")},
			want:  "api/v1/job api/v1beta1/run api/v3/run"},
		{name: "a marker above the versions", files: map[string]string{"api/doc.go": marked(batch, "api")}, args: "",
			want: "api/v1/run api/v1beta1/run api/v2/run api/v3/run"},
		{name: "a marker and a version, flat", files: map[string]string{"api/doc.go": marked(batch, "v2")}, args: "--layout flat", want: "api/run"},
		{name: "groups that the flags name, in spite of markers", files: map[string]string{"api/v1/doc.go": marked(apps, "v1")},
			args: "--layout versions --crd-version v1,v2 --group " + batch, want: "api/v1/run api/v2/run"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := manyGroups()
			maps.Copy(files, test.files)
			inModule(t, files)
			args := append(strings.Fields(test.args), "--output-dir", "api", "--register", pruneOnly, "crds")
			if test.err != "" {
				wantRun(t, exitInput, "-", test.err, append([]string{"generate"}, args...)...)
				if have := generated(t); have != "" {
					t.Errorf("there is %s", have)
				}
				return
			}
			wantRun(t, exitOK, "", "-", append([]string{"generate"}, args...)...)
			var kinds []string
			for name, text := range contents(t) {
				dir, file, _ := strings.Cut(name, "/zz_generated.prune")
				switch {
				case file == "_register.go":
					wantRegistered(t, dir, text)
				case file != "":
					kinds = append(kinds, dir+"/"+strings.TrimSuffix(strings.TrimPrefix(file, "."), ".go"))
					wantGroup(t, name, text)
				}
			}
			slices.Sort(kinds)
			if have := strings.Join(kinds, " "); have != test.want {
				t.Errorf("there is %s, want %s", have, test.want)
			}
			wantRun(t, exitOK, "up to date", "-", append([]string{"verify"}, args...)...)
		})
	}
}

// wantRegistered fails unless a package registers the one kind that it has.
func wantRegistered(t *testing.T, dir, text string) {
	t.Helper()
	files := contents(t)
	for kind, file := range map[string]string{"JobResource": "job", "RunResource": "run"} {
		_, has := files[dir+"/zz_generated.prune."+file+".go"]
		if strings.Contains(text, kind) != has {
			t.Errorf("%s has %s: %t, and registers\n%s", dir, kind, has, text)
		}
	}
}

// wantGroup fails unless the file of a kind is for the group that has it, and for the version that the package is for.
func wantGroup(t *testing.T, name, text string) {
	t.Helper()
	group := "apps.example.com"
	if strings.HasSuffix(name, "run.go") {
		group = "batch.example.com"
	}
	if !strings.Contains(text, `"`+group+`"`) {
		t.Errorf("%s is not of group %s:\n%.1500s", name, group, text)
	}
	for _, version := range []string{"v1", "v1beta1", "v2", "v3"} {
		if strings.Contains(name, "/"+version+"/") && !strings.Contains(text, `"`+version+`"`) {
			t.Errorf("%s is not for %s:\n%.1500s", name, version, text)
		}
	}
}
