package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The hooks of pre-commit run commands and flags that exist, for YAML and for JSON, and each also with the program that is installed. They
// work as they are in a repository with prune-gen.yaml.
func TestHooksRun(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Name, Description, Language, Entry string
		PassFilenames                          *bool    `json:"pass_filenames"`
		TypesOr                                []string `json:"types_or"`
	}
	if err := yaml.UnmarshalStrict(text, &hooks); err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	const suite = "crdName: things.example.com\ntests: {onCreate: [{name: a, initial: '{apiVersion: example.com/v1, kind: Thing}', expected: '{apiVersion: example.com/v1, kind: Thing}'}]}\n"
	inManifests(t, map[string]string{"prune-gen.yaml": "crds: [crd.yaml]\n", "config/a.yaml": thing("a", "abc"), "tests/a.yaml": suite})
	gitRepository(t)
	args := map[string]string{"prune-gen-validate": "config", "prune-gen-update": "config", "prune-gen-test": "tests"}
	system := map[string]string{}
	for _, h := range hooks {
		if h.Name == "" || h.Description == "" || h.PassFilenames == nil || *h.PassFilenames || !slices.Equal(h.TypesOr, []string{"yaml", "json"}) {
			t.Errorf("%+v", h)
		}
		if id, ok := strings.CutSuffix(h.ID, "-system"); ok {
			system[id] = h.Entry
			continue
		}
		entry := strings.Fields(h.Entry)
		if r := runWith("", append(entry[1:], strings.Fields(args[h.ID])...)...); entry[0] != "prune-gen" || r.code != exitOK {
			t.Errorf("%s: %+v", h.Entry, r)
		}
		if !strings.Contains(string(manual), "| `"+h.ID+"` | `"+strings.TrimPrefix(h.Entry, "prune-gen ")+"`") {
			t.Errorf("install.md does not have %s", h.ID)
		}
		system[h.ID] += ""
	}
	for _, h := range hooks {
		if entry, ok := system[h.ID]; ok && entry != h.Entry {
			t.Errorf("%s-system runs %q", h.ID, entry)
		}
	}
}

// Before the first commit, everything is new, and no hook keeps anybody from making it.
func TestHooksBeforeTheFirstCommit(t *testing.T) {
	inManifests(t, map[string]string{"prune-gen.yaml": "crds: [crd.yaml]\n", "config/a.yaml": thing("a", "abc")})
	if out, err := exec.Command("git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	wantRun(t, exitOK, "read 1 object (1 new) in 1 file: no errors", "-", "validate", "--old", "git:HEAD", "config")
	wantRun(t, exitOK, "is new; no object is affected", "", "diff", "git:HEAD")
	wantRun(t, exitInput, "there is no commit yet", "", "diff", "git:HEAD:crd.yaml", "crd.yaml")
}

// A change of an immutable field is refused: an object is compared with what its own file was.
func TestValidateUpdatesOfARevision(t *testing.T) {
	immutable := strings.Replace(crd("things", "{type: string}"), "{type: string}", "{type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: field is immutable}]}", 1)
	inManifests(t, map[string]string{"crd.yaml": immutable, "config/a.yaml": thing("a", "abc"), "other/a.yaml": thing("a", "xyz"), "other/t.yaml": "{{ a }}\n"})
	gitRepository(t)
	args := []string{"validate", "--crd", "crd.yaml", "--old", "git:HEAD"}
	wantRun(t, exitOK, "no errors", "-", append(args, "config")...)
	wantRun(t, exitInput, "hint: did you mean git:HEAD?", "-", "validate", "--crd", "crd.yaml", "--old", "HEAD", "config")
	wantRun(t, exitOK, "no changes", "git:HEAD is the commit that is checked out: only what is not committed was compared\n", "diff", "git:HEAD", "crd.yaml")
	for name, text := range map[string]string{"config/a.yaml": thing("a", "xyz"), "config/new.yaml": thing("fresh", "abc")} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const refused = `config/a.yaml:5:1: error: field: Invalid value: "xyz": field is immutable`
	wantRun(t, exitInput, refused, "-", append(args, "config")...)
	wantRun(t, exitInput, refused, "-", append(args, "config/new.yaml", "config/a.yaml")...)
	for _, both := range [][]string{{"config", "other"}, {"other", "config"}, {"."}} { // which have an object of the same name
		wantRun(t, exitInput, refused, "-", append(args, both...)...)
	}
	t.Run("paths from elsewhere", func(t *testing.T) {
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []string{".", "config", "other"} {
			t.Chdir(filepath.Join(here, in))
			up, err := filepath.Rel(filepath.Join(here, in), here)
			if err != nil {
				t.Fatal(err)
			}
			for _, root := range []string{here, up} {
				args := []string{"validate", "--crd", filepath.Join(root, "crd.yaml"), "--old", "git:HEAD"}
				for _, paths := range [][]string{{filepath.Join(root, "config"), filepath.Join(root, "other")}, {root}} {
					r := wantRun(t, exitInput, "/a.yaml:5:1: error: field: Invalid value: \"xyz\": field is immutable", "-", append(args, paths...)...)
					if !strings.Contains(r.stdout, "1 error") || strings.Contains(r.stdout, "other/a.yaml:") {
						t.Errorf("%q in %s:\n%s", paths, in, r.stdout)
					}
				}
			}
		}
	})
	wantRun(t, exitOK, "read 1 object (1 new) in 1 file: no errors", "-", append(args, "config/new.yaml")...)
	// An object that was moved to a file that is new is still an update.
	for _, name := range []string{"config/moved.yaml", "fresh/moved.yaml"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename("config/a.yaml", name); err != nil {
			t.Fatal(err)
		}
		wantRun(t, exitInput, name+`:5:1: error: field: Invalid value: "xyz": field is immutable`, "-", append(args, "config", filepath.Dir(name))...)
		if err := os.Rename(name, "config/a.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	wantRun(t, exitInput, "no manifest in nowhere at the revision HEAD", "-", append(args[:4:4], "git:HEAD:nowhere", "config")...)
	wantRun(t, exitInput, "git knows no revision none here", "-", append(args[:4:4], "git:none", "config")...)
}

// Commands that need CRDs take those of prune-gen.yaml.
func TestCRDsOfTheConfiguration(t *testing.T) {
	inManifests(t, map[string]string{"prune-gen.yaml": "crds: [crds]\n", "crds/crd.yaml": crd("things", "{type: string}"), "Thing/crd.yaml": crd("things", "{type: integer}")})
	gitRepository(t)
	wantRun(t, exitOK, "Thing  things.example.com v1", "-", "explain")
	wantRun(t, exitOK, "field       string", "-", "explain", "things")
	wantRun(t, exitOK, "field  string", "-", "explain", "example.com/Thing", "field")
	wantRun(t, exitOK, "field       integer", "-", "explain", "Thing") // a directory
	wantRun(t, exitOK, "field       integer", "-", "explain", "--crd", "Thing", "things")
	wantRun(t, exitInput, "-", "missing.yaml: error: no such file or directory", "explain", "missing.yaml")
	wantRun(t, exitUsage, "-", "no CRD given", "explain", "--config", "none")
	wantRun(t, exitOK, "compared 1 CRD: no changes", "git:HEAD is the commit that is checked out", "diff", "git:HEAD")
	if err := os.WriteFile("crds/crd.yaml", []byte(crd("things", "{type: integer}")), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRun(t, exitInput, "crds/crd.yaml:19:19: error: field: the type was string and is integer", "-", "diff", "git:HEAD")
	wantRun(t, exitInput, "the type was string and is integer", "-", "diff", "--config", "none", "--crd", "crds", "git:HEAD")
	wantRun(t, exitUsage, "-", "want two CRDs", "diff", "--config", "none", "git:HEAD")
	wantRun(t, exitUsage, "-", "want two CRDs", "diff", "crds")
}

// With git:REF alone, CRDs that the revision does not have are new, and patterns stand for the files that it has.
func TestNewCRDsOfTheConfiguration(t *testing.T) {
	inManifests(t, map[string]string{"prune-gen.yaml": "crds: [crds/*.yaml, more.yaml]\n", "crds/a.yaml": crd("things", "{type: string}"), "crds/gone.yaml": crd("others", "{type: string}")})
	gitRepository(t)
	for name, text := range map[string]string{"crds/a.yaml": crd("things", "{type: integer}"), "crds/b.yaml": crd("gadgets", "{type: string}"), "more.yaml": crd("widgets", "{type: string}")} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove("crds/gone.yaml"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"compared 4 CRDs", "crds/a.yaml:19:19: error: field: the type was string and is integer", "git:HEAD:crds/gone.yaml:4:3: error: the CRD others.example.com is gone",
		"more.yaml:4:3: note: the CRD widgets.example.com is new"} {
		wantRun(t, exitInput, want, "-", "diff", "git:HEAD")
	}
	alone := []string{"diff", "--config", "none", "git:HEAD", "--crd", "more.yaml"} // as the hook has arguments
	wantRun(t, exitOK, "compared 1 CRD: no errors, no warnings, 1 note", "-", alone...)
	wantRun(t, exitInput, "the type was string and is integer", "-", append(alone, "--crd", "crds/a.yaml")...)
	t.Chdir("crds")
	wantRun(t, exitInput, "a.yaml:19:19: error: field: the type was string and is integer", "-", "diff", "git:HEAD")
}
