package output

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/findings"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/structural"
)

const ours = generator.GeneratedBy + "\n\npackage v1\n"

// A kind has a file for each pass. Those of a kind that is gone and those of a pass that is not chosen are stale.
func TestStaleFilesOfAKindAndOfAPassAreRemoved(t *testing.T) {
	tr := openTestTree(t, map[string]string{
		"out/zz_generated.prune.a.go":        ours,
		"out/zz_generated.prune.b.go":        ours,
		"out/zz_generated.prune_check.a.go":  ours,
		"out/zz_generated.prune_register.go": ours,
		"out/zz_generated.prune_mine.go":     "package v1\n",
		"out/a.go":                           ours,
	})
	have, err := tr.List(".")
	if err != nil {
		t.Fatal(err)
	}
	want := []generator.File{{Name: "zz_generated.prune.a.go", Content: []byte(ours)}, {Name: "zz_generated.prune_json.a.go", Content: []byte(ours)}}
	for stale, wanted := range map[Stale]string{
		RemoveStale: "keep prune.a, remove prune.b, remove prune_check.a, create prune_json.a, remove prune_register",
		KeepStale:   "keep prune.a, create prune_json.a",
		EmptyStale:  "keep prune.a, update prune.b, update prune_check.a, create prune_json.a, update prune_register",
	} {
		files, found := tr.Compare(".", "v1", have, want, stale)
		var got []string
		for _, f := range files {
			name := strings.TrimSuffix(strings.TrimPrefix(f.Name, "zz_generated."), ".go")
			got = append(got, fmt.Sprint(f.Change(), " ", name))
		}
		if text := strings.Join(got, ", "); text != wanted || len(found) > 0 {
			t.Errorf("stale files %d: %s, %v; want %s", stale, text, found, wanted)
		}
	}
}

// Files that are no longer wanted are emptied under go generate, and stay as they are if they are empty already.
func TestFilesThatAreWantedEmpty(t *testing.T) {
	empty := emptiedText + "old\n"
	tr := openTestTree(t, map[string]string{
		"out/zz_generated.prune.made.go": ours, "out/zz_generated.prune.stale.go": ours, "out/zz_generated.prune.empty.go": empty,
		"out/zz_generated.prune.windows.go": strings.ReplaceAll(empty, "\n", "\r\n"), "out/zz_generated.prune.madeempty.go": empty,
	})
	have, err := tr.List(".")
	if err != nil {
		t.Fatal(err)
	}
	want := []generator.File{{Name: "zz_generated.prune.made.go", Content: []byte(ours)}, {Name: "zz_generated.prune.madeempty.go", Content: []byte(ours)}}
	for stale, wanted := range map[Stale]string{
		EmptyStale: "keep empty:old, update stale:p, keep windows:old", RemoveStale: "keep empty:old, keep windows:old", KeepStale: "",
	} {
		files, _ := tr.Compare(".", "p", have, want, stale)
		var got []string
		for _, f := range files {
			if f.Empties() {
				name := strings.TrimSuffix(strings.TrimPrefix(f.Name, "zz_generated.prune."), ".go")
				got = append(got, fmt.Sprintf("%s %s:%s", f.Change(), name, bytes.TrimSpace(f.new[len(emptiedText):])))
			}
		}
		if text := strings.Join(got, ", "); text != wanted {
			t.Errorf("stale files %d: %s, want %s", stale, text, wanted)
		}
	}
}

// Files that prune-gen made in the directory of a version that is gone are reported, and no others.
func TestLeftoversAreOurs(t *testing.T) {
	tr := openTestTree(t, map[string]string{
		"out/v1alpha1/zz_generated.prune.a.go": ours,
		"out/v1alpha1/zz_generated.prune.b.go": "package v1alpha1\n",
		"out/v1alpha1/c.go":                    ours,
		"out/v1beta1/zz_generated.prune.a.go":  "package v1beta1\n",
		"out/v1/zz_generated.prune.a.go":       ours,
		"out/other/zz_generated.prune.a.go":    ours,
	})
	if err := os.Symlink("zz_generated.prune.a.go", "out/v1alpha1/zz_generated.prune.l.go"); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range tr.Leftovers([]string{"v1"}) {
		have = append(have, f.File)
	}
	if want := []string{"out/v1alpha1/zz_generated.prune.a.go"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// A file that is larger than any of ours is not read.
func TestHugeFilesAreForeign(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/zz_generated.prune.a.go": ours})
	if err := os.Truncate("out/zz_generated.prune.a.go", 1<<40); err != nil {
		t.Fatal(err)
	}
	have, err := tr.List(".")
	if f := have["zz_generated.prune.a.go"]; err != nil || !f.Foreign() || f.Data != nil {
		t.Errorf("%+v, %v", f, err)
	}
}

// Every finding has a rule that the table of rules has.
func TestFindingsHaveRules(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/v1/zz_generated.prune.a.go": ours, "out/zz_generated.prune.b.go": "package v1\n"})
	have, err := tr.List(".")
	if err != nil {
		t.Fatal(err)
	}
	found := tr.Leftovers(nil)
	_, inTheWay := tr.Compare(".", "v1", have, []generator.File{{Name: "zz_generated.prune.b.go"}}, RemoveStale)
	found = append(found, inTheWay...)
	found = append(found, (&File{}).Finding())
	if len(found) != 3 {
		t.Errorf("%d findings: %v", len(found), found)
	}
	known := map[string]bool{}
	for _, r := range findings.IDs() {
		known[string(r.ID)] = true
	}
	for _, o := range []*obstacle{foreign, link, irregular} {
		if !known[string(o.id)] {
			t.Errorf("%q has the rule %q", o.message, o.id)
		}
	}
	for _, f := range found {
		if !known[string(f.ID)] {
			t.Errorf("%q has the rule %q", f.Message, f.ID)
		}
	}
}

// Leftovers are in the directory itself, and below it in those of versions and of versions of groups.
func TestLeftoversAreInDirectoriesOfVersions(t *testing.T) {
	files := map[string]string{}
	for _, dir := range []string{"", "v1/", "v1beta2/", "v1/v1/", "a.com/", "a.com/v1/", "a.com/v2/", "a.com/x/", "a.com/b.com/v1/", "x/v1/", "v1.x/v3/"} {
		files["out/"+dir+"zz_generated.prune.b.go"] = ours
		files["out/"+dir+"zz_generated.prune.a.go"] = ours
	}
	tr := openTestTree(t, files)
	for subs, want := range map[string]string{
		"":            "out out/a.com/v1 out/a.com/v2 out/v1 out/v1.x/v3 out/v1beta2",
		".":           "out/a.com/v1 out/a.com/v2 out/v1 out/v1.x/v3 out/v1beta2",
		"a.com/v1 v1": "out out/a.com/v2 out/v1.x/v3 out/v1beta2",
	} {
		var have []string
		for i, f := range tr.Leftovers(strings.Fields(subs)) {
			dir, name := filepath.Split(filepath.ToSlash(f.File))
			if name != []string{"zz_generated.prune.a.go", "zz_generated.prune.b.go"}[i%2] || f.Severity != structural.SeverityWarning {
				t.Errorf("%d: %+v", i, f)
			}
			if i%2 == 0 {
				have = append(have, strings.TrimSuffix(dir, "/"))
			}
		}
		if have := strings.Join(have, " "); have != want {
			t.Errorf("apart from %q: %s, want %s", subs, have, want)
		}
	}
}

// The error names the file that is in the way, and the reason.
func TestWhatIsInTheWayIsNotReplaced(t *testing.T) {
	tr := openTestTree(t, map[string]string{"out/zz_generated.prune.a.go": ours, "out/zz_generated.prune.b.go": "package b\n", "out/zz_generated.prune.c.go/x": ""})
	if err := os.Symlink("zz_generated.prune.a.go", "out/zz_generated.prune.d.go"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("out/zz_generated.prune.a.go", 0o600); err != nil {
		t.Fatal(err)
	}
	have, err := tr.List(".")
	if err != nil {
		t.Fatal(err)
	}
	var want []generator.File
	for _, kind := range []string{"e", "d", "c", "b", "a"} {
		want = append(want, generator.File{Name: "zz_generated.prune." + kind + ".go", Content: []byte("new")})
	}
	files, found := tr.Compare(".", "v1", have, want, KeepStale)
	var texts []string
	for _, f := range files {
		finding := f.Finding()
		texts = append(texts, fmt.Sprintf("%s %s %o %s", f.Name, f.Change(), f.perm, finding.Message))
		if finding.File != "out/"+f.Name || finding.Hint != "run prune-gen generate with the same flags" {
			t.Errorf("%+v", finding)
		}
	}
	for _, f := range found {
		texts = append(texts, fmt.Sprintf("%s %s %s %s", f.File, f.Severity, f.Message, f.Hint))
	}
	const hint = " move it away, or generate into another directory"
	for i, want := range []string{
		"zz_generated.prune.a.go update 600 the generated file is not up to date",
		"zz_generated.prune.e.go create 0 the generated file is missing",
		"out/zz_generated.prune.d.go error this is a symbolic link, and links are not followed" + hint,
		"out/zz_generated.prune.c.go error this is not a regular file" + hint,
		"out/zz_generated.prune.b.go error this file was not made by prune-gen and is not overwritten" + hint,
	} {
		if i >= len(texts) || texts[i] != want {
			t.Errorf("%d: %q, want %s", i, texts, want)
		}
	}
}
