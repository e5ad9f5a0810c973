package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// gitRepository makes the working directory a git repository with one commit of all files.
func gitRepository(t *testing.T) {
	t.Helper()
	for _, args := range []string{"init -q -b main", "add -A", "-c user.name=a -c user.email=a@example.com commit -q -m a", "tag v1"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}

func TestDiffAgainstGit(t *testing.T) {
	files := diffFiles()
	t.Chdir(write(t, map[string]string{"config/crd.yaml": files["old.yaml"], "config/notes.txt": "x", "other.yaml": kindCRD("Other", "v1")}))
	wantRun(t, exitInput, "git:main:config: error: git: ", "-", "diff", "git:main", "config")
	gitRepository(t)
	if err := os.WriteFile("config/crd.yaml", []byte(files["new.yaml"]), 0o666); err != nil {
		t.Fatal(err)
	}
	const gone = "hint: it was at git:%:config/crd.yaml:24:15"
	for _, ref := range []string{"main", "v1", "HEAD"} {
		for _, args := range []string{"git:% config", "git:% config/crd.yaml", "git:%:config config", "git:%:config/crd.yaml config/crd.yaml", "git:% ./config/"} {
			wantRun(t, exitInput, strings.ReplaceAll(gone, "%", ref), "-", append([]string{"diff"}, strings.Fields(strings.ReplaceAll(args, "%", ref))...)...)
		}
	}
	absolute, err := filepath.Abs("config/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, "compared 1 CRD: ", "-", "diff", "git:main", absolute)
	wantRun(t, exitOK, "no errors", "-", "diff", "git:main:config", "git:v1")
	wantRun(t, exitInput, "git:other:config: error: git knows no revision other here: in a shallow clone, run git fetch --depth 1 origin other, and write git:FETCH_HEAD", "-", "diff", "git:other", "config")
	wantRun(t, exitInput, `error: "--help" is not a revision`, "-", "diff", "git:--help", "config")
	wantRun(t, exitInput, `error: "" is not a revision`, "-", "diff", "git:", "config")
	wantRun(t, exitInput, "error: no manifest in else at the revision main", "-", "diff", "git:main:else", "config")
	wantRun(t, exitOK, "no errors", "-", "lint", "git:main:config")
	t.Chdir("config")
	wantRun(t, exitInput, "it was at git:main:crd.yaml:24:15", "-", "diff", "git:main", ".")
	wantRun(t, exitInput, "it was at git:main:crd.yaml:24:15", "-", "diff", "git:main:..", ".")
	t.Setenv("PATH", "")
	wantRun(t, exitInput, "error: the git command is not installed", "-", "diff", "git:main", ".")
}

// A path that a revision does not have is new if it exists here: the gate lets the first commit of a directory pass, and says so, because
// the directory may have been moved. A path that does not exist here is a mistake.
func TestDiffOfANewPath(t *testing.T) {
	t.Chdir(write(t, map[string]string{"config/crd.yaml": kindCRD("Other", "v1"), "crds/kustomization.yaml": "kind: Kustomization\n"}))
	gitRepository(t)
	for _, name := range []string{"new/crd.yaml", "crds/crd.yaml"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(kindCRD("Other", "v1", "v2")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	absolute, err := filepath.Abs("new")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"new", "new/crd.yaml", "new/*.yaml", "crds", absolute} {
		said := "no CRD in git:main:" + path + ": those in " + path + " count as new; write git:REF:PATH if they were elsewhere\n"
		wantRun(t, exitOK, "crd.yaml:4:3: note: the CRD others.example.com is new", said, "diff", "git:main", path)
		wantRun(t, exitOK, "compared 1 CRD: no errors", said, "diff", "--breaking", "git:main", path)
		wantRun(t, exitOK, "is new", "-", "diff", "--quiet", "git:main", path)
		wantRun(t, exitOK, "version v2 is new", "-", "diff", "git:main:config", path)
	}
	for _, path := range []string{"nwe", "nwe/*.yaml"} {
		wantRun(t, exitInput, "git:main:"+path+": error: no manifest in "+path+" at the revision main", "-", "diff", "git:main", path)
	}
	wantRun(t, exitInput, "git:main:new: error: no manifest in new at the revision main", "-", "diff", "git:main:new", "new")
	wantRun(t, exitInput, "git:main:new: error: no manifest in new at the revision main", "-", "diff", "git:main:config", "git:main:new")
}

// A clone can lack an object: a partial one that has no network, or a damaged one. Such a file is not empty.
func TestDiffAgainstGitWithoutAnObject(t *testing.T) {
	files := diffFiles()
	t.Chdir(write(t, map[string]string{"crds/a.yaml": files["old.yaml"], "objects/b.yaml": "kind: A\n"}))
	gitRepository(t)
	wantRun(t, exitOK, "no changes", "-", "diff", "crds", "crds", "git:main:objects")
	object, err := exec.Command("git", "rev-parse", "main:crds/a.yaml").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(fmt.Sprintf(".git/objects/%s/%s", object[:2], strings.TrimSpace(string(object[2:])))); err != nil {
		t.Fatal(err)
	}
	const missing = "git:main:crds/a.yaml:1:1: error: cannot read the file: git: "
	r := wantRun(t, exitInput, missing+"fatal: ", "-", "diff", "git:main", "crds")
	if !strings.Contains(r.stdout, "; in a partial clone, fetch the file first") {
		t.Error(r.stdout)
	}
	// Nothing is fetched, as the repository could say by which command.
	const hostile = "[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n[protocol \"ext\"]\nallow = always\n" +
		"[remote \"origin\"]\npromisor = true\nurl = ext::touch fetched\n"
	if err := os.WriteFile(".git/config", []byte(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, missing, "-", "diff", "git:main", "crds")
	if _, err := os.Stat("fetched"); err == nil {
		t.Error("a command of the repository was run")
	}
}

// A path that git has no manifest for is named as it was written.
func TestDiffOfWhatARevisionLacks(t *testing.T) {
	t.Chdir(write(t, diffFiles()))
	gitRepository(t)
	wantRun(t, exitInput, "git:main:crds-2: error: no manifest in crds-2 at the revision main: write git:main:PATH for another path", "-", "diff", "git:main", "crds-2")
	wantRun(t, exitInput, "error: no manifest in example.com/a@v1.0.0/crds at the revision main: write git:main:PATH for another path", "-", "diff", "git:main", "example.com/a@v1.0.0/crds")
}

// Objects that lose fields, of which no update is accepted, and that are refused as new ones are counted apart. A large list is read object by
// object, and says the same.
func TestDiffOfStoredObjects(t *testing.T) {
	testsize.NotShort(t)
	old := strings.Replace(kindCRD("App", "v1"), "field: {type: string}", "field: {type: string}\n              size: {type: integer}", 1)
	lost := strings.Replace(old, "size: {type: integer}", "other: {type: string}", 1)
	tight := strings.Replace(old, "size: {type: integer}", "size: {type: integer, maximum: 5}", 1)
	stuck := strings.Replace(old, "size: {type: integer}", "size: {type: integer, x-kubernetes-validations: [{rule: oldSelf < 5}]}", 1)
	item := `{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"name": "%", "namespace": "b", "uid": "1", "resourceVersion": "7"}, "spec": {"size": 7, "field": "#"}}`
	list := func(n int, size int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.NewReplacer("%", fmt.Sprint("a", i), "#", strings.Repeat("x", size)).Replace(item)
		}
		return `{"apiVersion": "v1", "items": [` + strings.Join(items, ",\n") + `], "kind": "List"}`
	}
	t.Chdir(write(t, map[string]string{"old.yaml": old, "lost.yaml": lost, "tight.yaml": tight, "stuck.yaml": stuck,
		"small.json": list(3, 1), "large.json": list(100, 100_000), "broken.json": list(100, 100_000)[:9<<20],
		"two.json": list(100, 100_000) + "\n" + list(1, 1), "object.json": list(100, 100_000) + item}))
	for new, want := range map[string]string{
		"lost":  "lose fields",
		"tight": "would be rejected on create",
		"stuck": "cannot be updated",
	} {
		wantRun(t, exitInput, "3 of your 3 objects are affected: 3 "+want+"\n", "-", "diff", "old.yaml", new+".yaml", "small.json")
	}
	// What is stored need not be what the old CRD would accept.
	wantRun(t, exitInput, "3 of your 3 objects are affected: 3 lose fields; 3 would already be rejected on create by the old CRDs\n", "-", "diff", "tight.yaml", "lost.yaml", "small.json")
	wantRun(t, exitOK, "none of your 3 objects breaks; 3 would already be rejected on create by the old CRDs\n", "-", "diff", "tight.yaml", "old.yaml", "small.json")
	wantRun(t, exitInput, "100 of your 100 objects are affected: 100 lose fields\n", "-", "diff", "old.yaml", "lost.yaml", "large.json")
	wantRun(t, exitInput, "101 of your 101 objects are affected: 101 lose fields\n", "-", "diff", "old.yaml", "lost.yaml", "two.json")
	wantRun(t, exitInput, "101 of your 101 objects are affected: 101 lose fields; 1 would already be rejected on create by the old CRDs\n", "-", "diff", "old.yaml", "lost.yaml", "object.json")
	wantRun(t, exitInput, "small.json:1:32: error: no update is accepted any more: App.example.com \"a0\" is invalid: spec.size: Invalid value:", "-", "diff", "old.yaml", "stuck.yaml", "small.json")
	wantRun(t, exitInput, "broken.json:95:161: error: invalid JSON: unexpected end of JSON input [text/syntax]", "-", "diff", "old.yaml", "stuck.yaml", "broken.json")

	wantRun(t, exitOK, "none of your 3 objects breaks: 3 would be rejected on create\n", "-", "diff", "--level", "stored", "old.yaml", "tight.yaml", "small.json")
	wantRun(t, exitInput, "note: spec.size: maximum is new: 5; ", "-", "diff", "--fail-on", "affected", "old.yaml", "tight.yaml", "small.json")
	wantRun(t, exitOK, "none of your 3 objects breaks\n", "-", "diff", "--fail-on", "affected", "old.yaml", "old.yaml", "small.json")
	wantRun(t, exitOK, "maximum is new: 5", "-", "diff", "--fail-on", "affected", "--level", "stored", "old.yaml", "tight.yaml", "small.json")
	wantRun(t, exitUsage, "-", "--fail-on affected is about objects", "diff", "--fail-on", "affected", "old.yaml", "tight.yaml")
	wantRun(t, exitUsage, "-", `want breaking or affected`, "diff", "--fail-on", "x", "old.yaml", "tight.yaml")
}
