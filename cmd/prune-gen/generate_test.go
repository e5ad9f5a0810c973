package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

func TestGenerateChoosesFilesAndDirectories(t *testing.T) {
	const pre = "zz_generated.prune"
	tests := []struct {
		name   string
		args   string
		files  string
		stdout string // a part of it
	}{
		{"all versions", "crds", "v1/a v1/b v1beta1/b", "v1: 2 kinds, "},
		{"an output directory", "--output-dir api/gen crds", "api/gen/v1/a api/gen/v1/b api/gen/v1beta1/b", "v1beta1: 1 kind, "},
		{"one version", "--crd-version v1 crds", "a b", "v1: 2 kinds, "},
		{"one version that few have", "--crd-version v1beta1 crds", "b", "v1beta1: 1 kind, "},
		{"two versions", "--crd-version v1 --crd-version v1beta1 crds", "v1/a v1/b v1beta1/b", "v1: "},
		{"two versions with a comma", "--crd-version v1,v1beta1 crds", "v1/a v1/b v1beta1/b", "v1: "},
		{"one kind, which has one version", "--kind A crds", "a", "v1: 1 kind, "},
		{"one kind, which has two", "--kind B crds", "v1/b v1beta1/b", "v1beta1: 1 kind, "},
		{"one kind in one version", "--kind B --crd-version v1beta1 crds", "b", "v1beta1: 1 kind, "},
		{"one file", "crds/a.yaml", "a", "v1: 1 kind, "},
		{"register", "--register crds/a.yaml", "a _register", "2 files written"},
		{"flags after files", "crds/a.yaml --output-dir x", "x/a", "1 file written"},
		{"dry run", "--dry-run crds", "", "would create v1/zz_generated.prune.a.go\nwould create v1/zz_generated.prune.b.go\nv1: 2 kinds, "},
		{"plan", "--dump-plan crds", "", "A example.com/v1\n  prune A\n"},
		{"plan of one", "--dump-plan --kind B --crd-version v1beta1 crds", "", "B example.com/v1beta1\n  prune B\n"},
		{"quiet", "--quiet --kind A crds", "a", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(write(t, map[string]string{"crds/a.yaml": kindCRD("A", "v1"), "crds/b.yaml": kindCRD("B", "v1beta1", "v1")}))
			r := wantRun(t, exitOK, test.stdout, "", append([]string{"generate", pruneOnly}, strings.Fields(test.args)...)...)
			if test.name == "quiet" && r.stdout != "" {
				t.Errorf("standard output has %q", r.stdout)
			}
			var want []string
			for _, name := range strings.Fields(test.files) {
				dir, base := filepath.Split(name)
				if !strings.HasPrefix(base, "_") {
					base = "." + base
				}
				want = append(want, dir+pre+base+".go")
			}
			if have := generated(t); have != strings.Join(want, " ") {
				t.Errorf("have %s, want %s", have, want)
			}
		})
	}
}

func TestGenerateReadsStandardInput(t *testing.T) {
	inModule(t, nil)
	r := runWith(kindCRD("Thing", "v1"), "generate", pruneOnly, "-")
	if r.code != exitOK || generated(t) != "zz_generated.prune.thing.go" {
		t.Errorf("exit status %d\n%s", r.code, r.stderr)
	}
}

// Every function is in the file of its pass and in no other. The file of the resource is always there.
func TestGenerateEmitsWhatIsAskedFor(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")})
	const prune, check = "zz_generated.prune.thing.go", "zz_generated.prune_check.thing.go"
	homes := map[string]string{
		"var ThingResource = ": prune, "func PruneThing(": prune, "func PruneThingReport(": prune, "func CheckThing(": check,
	}
	for emit, want := range map[string]struct{ functions, files string }{
		"prune":              {"PruneThing", prune},
		"report":             {"PruneThingReport", prune},
		"prune,report":       {"PruneThing PruneThingReport", prune},
		"check":              {"CheckThing", prune + " " + check},
		"check,prune":        {"PruneThing CheckThing", prune + " " + check},
		"prune,report,check": {"PruneThing PruneThingReport CheckThing", prune + " " + check},
	} {
		wantRun(t, exitOK, "v1: 1 kind", "-", "generate", "--emit-only", emit, "crd.yaml")
		if have := generated(t); have != want.files {
			t.Errorf("--emit-only %s: there is %s, want %s", emit, have, want.files)
		}
		for file, text := range contents(t) {
			for declaration, home := range homes {
				name := strings.Trim(strings.Fields(declaration)[1], "(")
				wanted := file == home && (name == "ThingResource" || slices.Contains(strings.Fields(want.functions), name))
				if strings.Contains(text, "\n"+declaration) != wanted {
					t.Errorf("--emit-only %s: %s in %s: %t, want %t", emit, name, file, !wanted, wanted)
				}
			}
		}
	}
}

// Names given with --emit add to the default, and --emit-only replaces it.
func TestEmitAddsToTheDefault(t *testing.T) {
	testsize.NotShort(t)
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")})
	const standard = "Fields Normalize Prune PruneReport Validate ValidateMetadata ValidateUpdate"
	for args, want := range map[string]string{
		"":                             standard,
		"--emit check":                 "Check " + standard,
		"--emit prune":                 standard,
		"--emit json-decode":           "DecodeJSON " + standard,
		"--emit json":                  "DecodeJSON Fields Normalize Prune PruneJSON PruneJSONReport PruneReport PruneStream Validate ValidateMetadata ValidateUpdate",
		"--emit default --emit fields": "Default " + standard,
		"--emit all":                   "Check DecodeJSON Default Fields Normalize Prune PruneJSON PruneJSONReport PruneReport PruneStream Validate ValidateMetadata ValidateUpdate",
		"--emit-only prune":            "Prune",
		"--emit-only update":           "Validate ValidateUpdate",
		"--emit-only json":             "DecodeJSON PruneJSON PruneJSONReport PruneStream",
	} {
		wantRun(t, exitOK, "v1: 1 kind", "-", append(append([]string{"generate"}, strings.Fields(args)...), "crd.yaml")...)
		var have []string
		for _, f := range generator.DescribeFeatures() {
			if regexp.MustCompile(`(?m)^\t` + f.Field + `: +` + strings.ReplaceAll(f.Function, "<Kind>", "Thing") + `,$`).MatchString(contents(t)["zz_generated.prune.thing.go"]) {
				have = append(have, f.Field)
			}
		}
		slices.Sort(have)
		if have := strings.Join(have, " "); have != want {
			t.Errorf("%s: the resource holds %s, want %s", args, have, want)
		}
	}
}

func TestFilesOfPassesThatAreNotChosenAreRemoved(t *testing.T) {
	testsize.NotShort(t)
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")})
	const prune, check = "zz_generated.prune.thing.go", "zz_generated.prune_check.thing.go"
	wantRun(t, exitOK, "2 files written\n", "-", "generate", "--emit-only", "check", "crd.yaml")
	wantRun(t, exitInput, check+": no longer wanted, ", "2 of 2 files not up to date", "verify", "--emit-only", "prune", "crd.yaml")
	wantRun(t, exitOK, "would remove "+check+"\n", "-", "generate", "--dry-run", "--emit-only", "prune", "crd.yaml")
	if have := generated(t); have != prune+" "+check {
		t.Errorf("before: there is %s", have)
	}
	wantRun(t, exitOK, "1 file written, 1 removed\n", "-", "generate", "--emit-only", "prune", "crd.yaml")
	if have := generated(t); have != prune {
		t.Errorf("after: there is %s", have)
	}
	wantRun(t, exitOK, "1 file up to date\n", "-", "verify", "--emit-only", "prune", "crd.yaml")

	wantRun(t, exitOK, "2 files written\n", "-", "generate", "--emit-only", "check", "crd.yaml")
	wantRun(t, exitOK, "1 file written\n", "-", "generate", "--keep-stale", "--emit-only", "prune", "crd.yaml")
	if have := generated(t); have != prune+" "+check {
		t.Errorf("with --keep-stale: there is %s", have)
	}
}

func TestGenerateSemantics(t *testing.T) {
	preserving := strings.Replace(kindCRD("Thing", "v1"), "              field: {type: string}",
		"              field: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {inner: {type: object}}}", 1)
	inModule(t, map[string]string{"crd.yaml": preserving})
	wantRun(t, exitOK, "  inner  leaf, listed\n", "-", "generate", pruneOnly, "--dump-plan", "crd.yaml")
	r := wantRun(t, exitOK, "  field  keep\n", "-", "generate", pruneOnly, "--dump-plan", "--semantics", "kep-2332", "crd.yaml")
	if strings.Contains(r.stdout, "prune ThingSpecField") {
		t.Errorf("the inner object is pruned:\n%s", r.stdout)
	}
}

func TestPackageName(t *testing.T) {
	inOurs := func(pkg string) string { return generator.GeneratedBy + "\n\npackage " + pkg + "\n" }
	tests := []struct {
		name      string
		files     map[string]string
		gopackage string
		args      string
		want      string
	}{
		{name: "the version", want: "v1"},
		{name: "the package there", files: map[string]string{"doc.go": "package api"}, want: "api"},
		{name: "the package there comes first", files: map[string]string{"doc.go": "package api"}, gopackage: "other", want: "api"},
		{name: "a program", files: map[string]string{"main.go": "package main\n\nfunc main() {}\n"}, want: "main"},
		{name: "the package that its tests are for", files: map[string]string{"doc_test.go": "package api_test"}, want: "api"},
		{name: "what go generate says", gopackage: "api", want: "api"},
		{name: "what go generate says elsewhere", gopackage: "api", args: "--output-dir sub", want: "v1"},
		{name: "what go generate says of a program", gopackage: "main", want: "v1"},
		{name: "what go generate says, with the directory named", gopackage: "api", args: "--output-dir ../" + "here", want: "api"},
		{name: "nonsense from go generate", gopackage: "a b", want: "v1"},
		{name: "the name that was chosen before", files: map[string]string{"zz_generated.prune.old.go": inOurs("api")}, want: "api"},
		{name: "the package there, not what was chosen before", files: map[string]string{
			"doc.go": "package api", "zz_generated.prune.old.go": inOurs("other")}, want: "api"},
		{name: "no agreement", files: map[string]string{
			"zz_generated.prune.a.go": inOurs("a"), "zz_generated.prune.b.go": inOurs("b")}, want: "v1"},
		{name: "a flag", args: "--package api", gopackage: "other", want: "api"},
		{name: "a flag that agrees", files: map[string]string{"doc.go": "package api"}, args: "--package api", want: "api"},
		{name: "a flag against what was chosen before", files: map[string]string{"zz_generated.prune.thing.go": inOurs("old")}, args: "--package api", want: "api"},
		{name: "a package that is not built", files: map[string]string{"doc.go": "//go:build ignore\n\npackage api"}, want: "v1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("GOPACKAGE", test.gopackage)
			files := map[string]string{"crd.yaml": kindCRD("Thing", "v1")}
			for name, text := range test.files {
				files["here/"+name] = text
			}
			files["here/keep"] = ""
			t.Chdir(write(t, files))
			t.Chdir("here")
			wantRun(t, exitOK, "v1: 1 kind", "", append([]string{"generate", "../crd.yaml"}, strings.Fields(test.args)...)...)
			text := contents(t)["zz_generated.prune.thing.go"] + contents(t)["sub/zz_generated.prune.thing.go"]
			if !strings.Contains(text, "\npackage "+test.want+"\n") {
				t.Errorf("want package %s:\n%.100s", test.want, text)
			}
		})
	}
}

func TestUnchangedFilesAreNotTouched(t *testing.T) {
	inModule(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "b.yaml": kindCRD("B", "v1")})
	wantRun(t, exitOK, "2 files written", "-", "generate", pruneOnly, "a.yaml", "b.yaml")
	const a, b = "zz_generated.prune.a.go", "zz_generated.prune.b.go"
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, name := range []string{a, b} {
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(b, 0o600); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(kindCRD("B", "v1"), "field:", "other:", 1)
	if err := os.WriteFile("b.yaml", []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitOK, "1 file written, 1 unchanged\n", "-", "generate", pruneOnly, "a.yaml", "b.yaml")
	for name, unchanged := range map[string]bool{a: true, b: false} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.ModTime().Equal(then) != unchanged {
			t.Errorf("%s was written at %v", name, info.ModTime())
		}
		if name == b && info.Mode().Perm() != 0o600 {
			t.Errorf("the mode of %s is now %v", name, info.Mode())
		}
	}
	wantRun(t, exitOK, " 2 unchanged\n", "-", "generate", pruneOnly, "a.yaml", "b.yaml")
}

// git on Windows changes the ends of lines. A file is not written again because of that.
func TestLineEndsOfWindowsAreNoChange(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1")})
	wantRun(t, exitOK, "1 file written", "-", "generate", pruneOnly, "crd.yaml")
	const name = "zz_generated.prune.thing.go"
	text := strings.ReplaceAll(contents(t)[name], "\n", "\r\n")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitOK, "1 file up to date", "-", "verify", pruneOnly, "crd.yaml")
	wantRun(t, exitOK, "1 unchanged", "-", "generate", pruneOnly, "crd.yaml")
	if contents(t)[name] != text {
		t.Error("the file was written again")
	}
}

func TestStaleFilesAreRemoved(t *testing.T) {
	files := map[string]string{
		"a.yaml":                       kindCRD("A", "v1"),
		"zz_generated.prune.b.go":      generator.GeneratedBy + "\n\npackage other\n\nfunc PruneA() {}\n",
		"zz_generated.prune_old.a.go":  generator.GeneratedBy + "\n\npackage v1\n\nfunc PruneA() {}\n",
		"zz_generated.prune.mine.go":   "package v1\n",
		"zz_generated.deepcopy.go":     "// Code generated by controller-gen. DO NOT EDIT.\n\npackage v1\n",
		"ours.go":                      generator.GeneratedBy + "\n\npackage v1\n",
		"zz_generated.prune.b.go.orig": generator.GeneratedBy,
		"sub/zz_generated.prune.b.go":  generator.GeneratedBy + "\n\npackage sub\n",
	}
	inModule(t, files)
	wantRun(t, exitOK, "1 file written, 2 removed\n", "-", "generate", pruneOnly, "a.yaml")
	have := contents(t)
	for name, text := range files {
		if removed := name == "zz_generated.prune.b.go" || name == "zz_generated.prune_old.a.go"; removed != (have[name] == "") || !removed && have[name] != text {
			t.Errorf("%s is %q", name, have[name])
		}
	}
}

func TestStaleFilesAreKeptOnRequest(t *testing.T) {
	inModule(t, map[string]string{"a.yaml": kindCRD("A", "v1"), "b.yaml": kindCRD("B", "v1")})
	wantRun(t, exitOK, "1 file written\n", "-", "generate", pruneOnly, "--package", "api", "a.yaml")
	wantRun(t, exitOK, "1 file written\n", "-", "generate", pruneOnly, "--keep-stale", "b.yaml")
	wantRun(t, exitOK, "1 file up to date\n", "-", "verify", pruneOnly, "--keep-stale", "b.yaml")
	if have := generated(t); have != "zz_generated.prune.a.go zz_generated.prune.b.go" {
		t.Errorf("there is %s", have)
	}
	// What stays is part of the package, with all that can be wrong with it.
	clash := generator.GeneratedBy + "\n\npackage api\n\nfunc PruneB() {}\n"
	if err := os.WriteFile("zz_generated.prune.c.go", []byte(clash), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, "-", "zz_generated.prune.c.go:5:6: error: PruneB is declared here", "generate", "--keep-stale", "--emit-only", "prune", "b.yaml")
}

func TestLeftoversAreTold(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": kindCRD("A", "v1", "v1beta1")})
	wantRun(t, exitOK, "v1beta1: ", "-", "generate", pruneOnly, "crd.yaml")
	const told = "warning: this file was generated, but not by this call"
	r := wantRun(t, exitOK, "v1: ", "v1/zz_generated.prune.a.go: "+told, "generate", pruneOnly, "--crd-version", "v1", "crd.yaml")
	if !strings.Contains(r.stderr, "v1beta1/zz_generated.prune.a.go: "+told) {
		t.Errorf("only one is told:\n%s", r.stderr)
	}
	wantRun(t, exitOK, "2 files up to date", "zz_generated.prune.a.go: "+told, "verify", pruneOnly, "crd.yaml")
	wantRun(t, exitOK, "2 files up to date", "-", "verify", pruneOnly, "--keep-stale", "crd.yaml")
	wantRun(t, exitInput, "", told, "verify", pruneOnly, "--strict", "crd.yaml")
}

// The same input gives the same bytes, whatever the order of the arguments.
func TestOrderOfArgumentsDoesNotMatter(t *testing.T) {
	testsize.NotShort(t)
	files := map[string]string{}
	var args []string
	for i := range 6 {
		name := fmt.Sprintf("crd%d.yaml", i)
		files[name] = kindCRD(fmt.Sprintf("Kind%c", 'A'+i), "v1", "v1beta1")
		args = append(args, name)
	}
	var first map[string]string
	for i := range 20 {
		t.Chdir(write(t, files))
		rand.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
		r := runWith("", append([]string{"generate", "--register"}, args...)...)
		if r.code != exitOK {
			t.Fatalf("exit status %d\n%s", r.code, r.stderr)
		}
		have := contents(t)
		if i == 0 {
			first = have
			continue
		}
		for name, text := range first {
			if have[name] != text {
				t.Fatalf("%q: %s differs\n%s\nfirst\n%s", args, name, have[name], text)
			}
		}
		if len(have) != len(first) {
			t.Fatalf("%q: %d files, not %d", args, len(have), len(first))
		}
	}
}

func TestOutputThatCannotBeWrittenIsTold(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": kindCRD("Thing", "v1", "v1beta1"), "api/v1beta1": "a file"})
	r := wantRun(t, exitInput, "-", "api/v1beta1", "generate", "--output-dir", "api", "crd.yaml")
	if generated(t) != "" {
		t.Errorf("there is %s\n%s", generated(t), r.stderr)
	}
}

// If one CRD is bad, no plans are printed, and the error is reported.
func TestDumpPlanWithOneBadCRD(t *testing.T) {
	inModule(t, map[string]string{"good.yaml": kindCRD("Good", "v1"), "other.yaml": kindCRD("Other", "v2"), "bad.yaml": crd("bads", badField), "broken.yaml": "a: [\n"})
	wantRun(t, exitInput, "-", "broken.yaml:", "generate", "--dump-plan", "good.yaml", "broken.yaml")
	r := wantRun(t, exitInput, "Other example.com/v2\n", "bad.yaml:19:11: error: ", "generate", "--dump-plan", "good.yaml", "other.yaml", "bad.yaml")
	if strings.Contains(r.stdout, "Good") || strings.HasPrefix(r.stdout, "\n") || !strings.Contains(r.stderr, "1 error") {
		t.Errorf("standard output:\n%s\nstandard error:\n%s", r.stdout, r.stderr)
	}
	if generated(t) != "" {
		t.Error("something was written")
	}
}
