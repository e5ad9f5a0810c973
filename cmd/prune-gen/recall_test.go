package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
)

// ownCache gives a test a cache for itself and returns its folder, which need not exist.
func ownCache(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv(outcomes.Variable, folder)
	return filepath.Join(folder, outcomes.Below)
}

// keys returns the keys of the outcomes in a cache.
func keys(t *testing.T, folder string) []outcomes.Key {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []outcomes.Key
	for _, e := range entries {
		if k, err := hex.DecodeString(e.Name()); err == nil {
			all = append(all, outcomes.Key(k))
		}
	}
	return all
}

// recalled is what all outcomes in a cache print after mark, so that no run prints it that does the work.
const recalled = "recalled\n"

// mark makes all outcomes in a cache print recalled.
func mark(t *testing.T, folder string) {
	t.Helper()
	for _, k := range keys(t, folder) {
		outcomes.Open().Put(k, outcomes.Outcome{Stdout: []byte(recalled)})
	}
}

// change makes a change to a file and returns the function that undoes it.
func change(t *testing.T, file string, make func()) (undo func()) {
	t.Helper()
	before, err := os.ReadFile(file)
	was := err == nil
	make()
	return func() {
		os.RemoveAll(file)
		if was {
			put(t, file, string(before))
		}
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// recallFiles are CRDs, a package for them and one for another version, in a module that is not there yet.
func recallFiles() map[string]string {
	return map[string]string{
		"crds/thing.yaml": strings.Replace(crd("things", goodField), "name: things.", "name: others.", 1), // with a warning
		"api/doc.go":      "package api\n",
		"api/v1/types.go": "package v1\n",
		"licence.txt":     "A licence.\n",
	}
}

var recallArgs = []string{"--layout=versions", "--output-dir=api", "--header-file=licence.txt", "--emit-only=prune", "crds"}

func TestARunIsRecalledUnlessSomethingHasChanged(t *testing.T) {
	const ours = "api/v1/zz_generated.prune.thing.go"
	edit := func(file, text string) func(*testing.T) func() {
		return func(t *testing.T) func() { return change(t, file, func() { put(t, file, text) }) }
	}
	add := func(file, text string) func(*testing.T) func() {
		return func(t *testing.T) func() {
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			return edit(file, string(before)+text)(t)
		}
	}
	env := func(name, value string) func(*testing.T) func() {
		return func(t *testing.T) func() {
			before, was := os.LookupEnv(name)
			os.Setenv(name, value)
			return func() {
				if os.Unsetenv(name); was {
					os.Setenv(name, before)
				}
			}
		}
	}
	link := func(to, file string) func(*testing.T) func() {
		return func(t *testing.T) func() {
			return change(t, file, func() {
				os.Remove(file)
				if err := os.Symlink(to, file); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	changes := []struct {
		name string
		make func(t *testing.T) (undo func())
		args []string
	}{
		{name: "an option", args: []string{"--quiet"}},
		{name: "a byte of a CRD", make: add("crds/thing.yaml", "#\n")},
		{name: "one more file with CRDs", make: edit("crds/other.yaml", "a: 1\n")},
		{name: "the name of a file with CRDs", make: func(t *testing.T) func() {
			os.Rename("crds/thing.yaml", "crds/renamed.yaml")
			return func() { os.Rename("crds/renamed.yaml", "crds/thing.yaml") }
		}},
		{name: "the header", make: add("licence.txt", "It is another one.\n")},
		{name: "a generated file", make: add(ours, "\n")},
		{name: "no generated file", make: func(t *testing.T) func() { return change(t, ours, func() { os.Remove(ours) }) }},
		{name: "a generated file that nobody wants", make: edit("api/v1/zz_generated.prune.other.go", emptiedText+"v1\n")},
		{name: "a file in the place of a generated one", make: edit(ours, "package v1\n")},
		{name: "a link in the place of a generated file", make: func(t *testing.T) func() {
			text, err := os.ReadFile(ours)
			if err != nil {
				t.Fatal(err)
			}
			put(t, "copy.go", string(text))
			return link("../../copy.go", ours)(t)
		}},
		{name: "a Go file", make: add("api/v1/types.go", "// +groupName=example.com\n")},
		{name: "one more Go file", make: edit("api/v1/more.go", "package v1\n")},
		{name: "one more Go file of another package", make: edit("api/more.go", "package api\n")},
		{name: "one more version", make: edit("api/v2/types.go", "package v2\n")},
		{name: "what a link to a Go file leads to", make: func(t *testing.T) func() {
			put(t, "linked.go", "package v1\n")
			undo := link("../../linked.go", "api/v1/linked.go")(t)
			runWith("", append([]string{"generate"}, recallArgs...)...)
			put(t, "linked.go", "package v1 // and more\n")
			return undo
		}},
		{name: "a link to a directory", make: link("v1", "api/v3")},
		{name: "what a killed run has left", make: edit("api/v1/.zz_generated.prune.thing.go.12345678.new", "")},
		{name: "the root of the module", make: edit("go.mod", "module example.com/m\n")},
		{name: "the build tags", make: env("GOFLAGS", "-tags=some")},
		{name: "the platform", make: env("CGO_ENABLED", "0")},
		{name: "the colours", make: env("NO_COLOR", "1")},
		{name: "the workspace", make: env("GITHUB_WORKSPACE", "/elsewhere")},
	}
	for _, command := range []string{"generate", "verify"} {
		t.Run(command, func(t *testing.T) {
			folder := ownCache(t)
			t.Chdir(write(t, recallFiles()))
			args := append([]string{command}, recallArgs...)
			settle := func() {
				for range 2 { // the first one has something to say about what it writes
					wantRun(t, exitOK, "", "", append([]string{"generate"}, recallArgs...)...)
				}
				wantRun(t, exitOK, "", "", args...)
				mark(t, folder)
				if r := wantRun(t, exitOK, recalled, "-", args...); r.stdout != recalled {
					t.Fatalf("the run was not recalled, but printed %q", r.stdout)
				}
			}
			settle()
			if command == "generate" {
				if r := wantRun(t, exitOK, "up to date", "", append([]string{"verify"}, recallArgs...)...); r.stdout == recalled {
					t.Error("generate is recalled by verify")
				}
			}
			for _, c := range changes {
				undo := func() {}
				if c.make != nil {
					undo = c.make(t)
					mark(t, folder)
				}
				if r := runWith("", append(args, c.args...)...); strings.Contains(r.stdout, recalled) {
					t.Errorf("with a change in %s, the run is recalled", c.name)
				}
				undo()
				settle()
			}
			// The same files elsewhere: what is printed can depend on where they are.
			if err := os.CopyFS("elsewhere/crds", os.DirFS("crds")); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS("elsewhere/api", os.DirFS("api")); err != nil {
				t.Fatal(err)
			}
			put(t, "elsewhere/licence.txt", "A licence.\n")
			t.Chdir("elsewhere")
			if r := wantRun(t, exitOK, "", "", args...); r.stdout == recalled {
				t.Error("the run is recalled in another directory")
			}
		})
	}
}

// What was written and needs no word is recalled at once; what needed one is when that is said.
func TestWhatWasWrittenIsRecalled(t *testing.T) {
	folder := ownCache(t)
	t.Chdir(write(t, recallFiles()))
	generate := append([]string{"generate"}, recallArgs...)
	wantRun(t, exitOK, "1 file written", "there is no go.mod here or above", generate...)
	if n := len(keys(t, folder)); n != 0 {
		t.Errorf("%d outcomes are kept of a run with warnings about what it wrote", n)
	}
	inModule(t, recallFiles())
	wantRun(t, exitOK, "1 file written", "others.example.com", generate...)
	if n := len(keys(t, folder)); n != 1 {
		t.Errorf("%d outcomes are kept, want 1", n)
	}
	want := func() result {
		t.Setenv(outcomes.Variable, outcomes.Off)
		defer t.Setenv(outcomes.Variable, filepath.Dir(folder))
		return wantRun(t, exitOK, "1 unchanged", "others.example.com", generate...)
	}()
	if got := runWith("", generate...); got != want {
		t.Errorf("recalled: %+v, want %+v", got, want)
	}
	mark(t, folder)
	wantRun(t, exitOK, recalled, "-", generate...)
}

// A recalled run prints what the first one did, in every format.
func TestARecalledRunPrintsItsWarningsAgain(t *testing.T) {
	folder := ownCache(t)
	t.Chdir(write(t, recallFiles()))
	put(t, "crds/thing.yaml", crd("things", "{type: string, x-kubernetes-validations: [{rule: self == 'a'}]}")+
		"---\n"+strings.ReplaceAll(strings.ReplaceAll(crd("others", goodField), "name: others.", "name: more."), "Thing", "Other"))
	base := []string{"--layout=versions", "--output-dir=api", "--emit-only=validate", "crds"}
	wantRun(t, exitOK, "", "", append([]string{"generate"}, base...)...)
	for _, command := range []string{"generate", "verify"} {
		for _, format := range []string{"text", "json", "sarif", "github"} {
			args := append([]string{command, "--output=" + format}, base...)
			first := wantRun(t, exitOK, "", "more.example.com", args...)
			if command == "generate" && !strings.Contains(first.stderr, "CEL rules") {
				t.Errorf("%q: no warning of rules:\n%s", args, first.stderr)
			}
			before := len(keys(t, folder))
			if second := runWith("", args...); second != first {
				t.Errorf("%q: recalled\n%+v\nwant\n%+v", args, second, first)
			}
			if n := len(keys(t, folder)); n != before || n == 0 {
				t.Errorf("%q: the second run was not recalled", args)
			}
		}
	}
}

// Standard input is read once, hashed and passed on.
func TestStandardInputIsRecalledByItsContent(t *testing.T) {
	folder := ownCache(t)
	t.Chdir(write(t, nil))
	args := []string{"generate", "--emit-only=prune", "-"}
	text := crd("things", goodField)
	for i := range 2 {
		if r := runWith(text, args...); r.code != exitOK || !strings.Contains(r.stdout, "v1: 1 kind, ") {
			t.Fatalf("run %d: %+v", i, r)
		}
	}
	mark(t, folder)
	if r := runWith(text, args...); r.stdout != recalled {
		t.Errorf("not recalled: %+v", r)
	}
	if r := runWith(text+"\n", args...); r.code != exitOK || r.stdout == recalled {
		t.Errorf("recalled with another byte in standard input: %+v", r)
	}
}

func TestFailuresAreNotKept(t *testing.T) {
	folder := ownCache(t)
	t.Chdir(write(t, recallFiles()))
	for _, args := range [][]string{
		{"verify", "--output-dir=api/v1", "crds"},
		{"verify", "--output=json", "--output-dir=api/v1", "crds"},
		{"generate", "--strict", "--output-dir=api/v1", "crds"},
		{"generate", "--output-dir=api/v1", "nowhere"},
	} {
		for range 2 {
			wantRun(t, exitInput, "", "", args...)
		}
	}
	wantRun(t, exitOK, "would create", "", "generate", "--dry-run", "--output-dir=api/v1", "crds")
	wantRun(t, exitOK, "", "", "generate", "--dump-plan", "--output-dir=api/v1", "crds")
	if n := len(keys(t, folder)); n != 0 {
		t.Errorf("%d outcomes are kept", n)
	}
}

// Without a cache, and with one that is of no use, the command works as ever, and says nothing about it.
func TestACacheThatIsOfNoUseIsNoError(t *testing.T) {
	t.Chdir(write(t, recallFiles()))
	generate := append([]string{"generate"}, recallArgs...)
	for range 2 {
		wantRun(t, exitOK, "", "", generate...)
	}
	t.Setenv(outcomes.Variable, outcomes.Off)
	want := wantRun(t, exitOK, "1 unchanged", "others.example.com", generate...)
	before := contents(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{filepath.Join(here, "licence.txt"), filepath.Join(here, "licence.txt", "below"), "relative", "/dev/null"} {
		t.Setenv(outcomes.Variable, folder)
		for range 2 {
			if got := runWith("", generate...); got != want {
				t.Errorf("%s: %+v, want %+v", folder, got, want)
			}
		}
	}
	if after := contents(t); len(after) != len(before) {
		t.Errorf("there are files now that were not there: %v", after)
	}
}

// What is wrong with an entry, it is as if there were none.
func TestABadEntryCountsAsNone(t *testing.T) {
	folder := ownCache(t)
	t.Chdir(write(t, recallFiles()))
	generate := append([]string{"generate"}, recallArgs...)
	for range 2 {
		wantRun(t, exitOK, "", "", generate...)
	}
	all := keys(t, folder)
	if len(all) != 1 {
		t.Fatalf("%d outcomes, want 1", len(all))
	}
	mark(t, folder)
	entry := filepath.Join(folder, all[0].String())
	good, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	other := outcomes.NewSum().Key()
	outcomes.Open().Put(other, outcomes.Outcome{Stdout: []byte(recalled)})
	foreign, err := os.ReadFile(filepath.Join(folder, other.String()))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-10] ^= 1
	for name, data := range map[string][]byte{
		"empty": {}, "cut": good[:len(good)-1], "longer": append(bytes.Clone(good), '\n'), "flipped": flipped,
		"no hash": good[65:], "that of another key": foreign,
	} {
		if err := os.WriteFile(entry, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if r := wantRun(t, exitOK, "1 unchanged", "others.example.com", generate...); strings.Contains(r.stdout, recalled) {
			t.Errorf("%s: it is recalled", name)
		}
	}
	os.Remove(entry)
	if err := os.Mkdir(entry, 0o777); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitOK, "1 unchanged", "others.example.com", generate...)
}

// Two builds of the program do not share outcomes, be they as alike as can be.
func TestOutcomesAreThoseOfThisExecutable(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "prune-gen.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	program, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "prune-gen.exe")
	if err := os.WriteFile(other, append(program, 0), 0o777); err != nil { // what follows a program is not run
		t.Fatal(err)
	}
	folder := ownCache(t)
	t.Chdir(write(t, recallFiles()))
	run := func(bin string) string {
		out, err := exec.Command(bin, append([]string{"generate"}, recallArgs...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	run(bin)
	run(bin)
	mark(t, folder)
	if out := run(bin); out != recalled {
		t.Errorf("not recalled: %q", out)
	}
	if out := run(other); out == recalled {
		t.Error("recalled by another program")
	}
}

// A recalled run does none of the work: it takes little more memory than the hashes do.
func TestARecalledRunDoesNotReadTheCRD(t *testing.T) {
	ownCache(t)
	text := crd("things", "{type: object, properties: {"+manyFields(4000)+"}}")
	t.Chdir(write(t, map[string]string{"crd.yaml": text}))
	allocated := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wantRun(t, exitOK, "v1: 1 kind", "", "generate", "--emit-only=prune", "crd.yaml")
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated()
	worked, recalled := allocated(), allocated()
	if recalled > 2<<20 || recalled*10 > worked {
		t.Errorf("the run takes %d bytes of memory where one that works takes %d", recalled, worked)
	}
}

// A variable that the program reads is part of the question.
func TestEnvironmentVariablesAreDecisive(t *testing.T) {
	read := regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\("([^"]+)"\)`)
	found := 0
	for _, dir := range []string{"cmd", "generator", "structural", "internal"} {
		err := filepath.WalkDir(filepath.Join(repository, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range read.FindAllSubmatch(text, -1) {
				found++
				if len(decisive([]string{string(m[1]) + "=1"})) == 0 {
					t.Errorf("%s reads %s, and outcomes do not depend on it", path, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 5 {
		t.Errorf("only %d are found", found)
	}
}
