package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// Files of a directory that are not about the kinds of the CRDs are skipped by all commands, whatever their size, and whether they are whole
// or broken. A file that is about them is not.
func TestForeignFilesAreSkippedWhateverTheirSize(t *testing.T) {
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(10_000))
	panels := func(n int) string {
		return `{"panels": [` + strings.Repeat(`{"type": "graph", "title": "é"}, `, n) + `{}], "title": "d"}` + "\n"
	}
	lines := func(n int) string { return strings.Repeat(`{"level": "info", "text": "é"}`+"\n", n) }
	list := func(n int, last string) string {
		return `{"kind": "List", "apiVersion": "v1", "items": [` + strings.Repeat(`{"kind": "Pod", "apiVersion": "v1"}, `, n) + last + "]}\n"
	}
	inManifests(t, map[string]string{"dir/a.yaml": untidy, "dir/b.json": panels(50_000)})
	if r := runWith("", "prune", "--crd", "crd.yaml", "dir"); r.stdout != tidy {
		t.Errorf("a dashboard of 1.6 MB is pruned: %d bytes", len(r.stdout))
	}
	for _, n := range []int{2, 1000} { // what is not held is larger than 10,000 bytes
		for name, test := range map[string]struct {
			text    string
			skipped bool
		}{
			"a dashboard":            {panels(n), true},
			"lines":                  {lines(n), true},
			"broken lines":           {lines(n) + `{"a": }`, true},
			"a broken list":          {strings.TrimSuffix(list(n, "{}"), "}\n"), true},
			"pods":                   {list(n, "{}"), true},
			"a broken mention":       {lines(n) + `{"a": "example.com" }}`, false},
			"an object among others": {list(n, untidyJSON), false},
		} {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				inManifests(t, map[string]string{"dir/a.yaml": untidy, "dir/b.json": test.text})
				pruned := runWith("", "prune", "--crd", "crd.yaml", "dir")
				if skipped := pruned.stdout == tidy && pruned.code == exitOK; skipped != test.skipped {
					t.Errorf("prune: exit status %d, %d bytes, %s", pruned.code, len(pruned.stdout), pruned.stderr)
				}
				validated := runWith("", "validate", "--crd", "crd.yaml", "--field-validation", "Ignore", "dir")
				if validated.code == exitOK != (test.skipped || name == "an object among others") || strings.Contains(validated.stdout, "b.json") != (name == "a broken mention") {
					t.Errorf("validate: exit status %d\n%s", validated.code, validated.stdout)
				}
			})
		}
	}
}

// Places are counted in characters, in JSON that is held and in JSON that is not.
func TestColumnsAreCharactersInAllCommands(t *testing.T) {
	const object = `{"metadata": {"name": "é"}, "é": "üüü", "apiVersion": "example.com/v1", "kind": "Thing", "field": "abcdef", "field": 1}`
	inManifests(t, map[string]string{"a.json": object, "bad.json": `{"é": "é", "a": 1,, "b": 2}`, "list.json": "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"é\": 1, \"items\": [\n" + strings.Repeat(object+", ", 9) + object + "]}"})
	for _, limit := range []int{0, 200} {
		func() {
			defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(limit))
			for _, command := range []string{"validate", "prune"} {
				for file, want := range map[string]string{"a.json": "a.json:1:109: ", "list.json": "list.json:2:1198: ", "bad.json": "bad.json:1:19: "} {
					r := runWith("", command, "--crd", "crd.yaml", file)
					if !strings.Contains(r.stdout+r.stderr, want) {
						t.Errorf("%s with the limit %d: no %s in\n%s%s", command, limit, want, r.stdout, r.stderr)
					}
				}
			}
		}()
	}
}

// A file with manifests takes memory for what is in it.
func TestSmallFilesTakeLittleMemory(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("dir/%d.yaml", i)] = tidy
		files[fmt.Sprintf("dir/%d.json", i)] = tidyJSON
	}
	inManifests(t, files)
	for _, args := range []string{"diff crd.yaml crd.yaml dir", "validate --crd crd.yaml dir", "prune --crd crd.yaml dir"} {
		var r result
		if bytes := allocated.By(func() { r = runWith("", strings.Fields(args)...) }); bytes > 64<<20 || r.code != exitOK {
			t.Errorf("%s: exit status %d, %d bytes for 200 files", args, r.code, bytes)
		}
	}
}

// A list that is not held goes through all commands, with the objects and findings of one that is. Findings are bounded.
func TestListsThatAreNotHeld(t *testing.T) {
	item := `{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "%d"}, "field": "abcdef", "é": 1}`
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + "\n" + numbered(item+",\n", 600) + fmt.Sprintf(item, 600) + "]}\n"
	inManifests(t, map[string]string{"list.json": list, "old.yaml": crd("things", goodField)})
	for _, args := range []string{"validate --output json --crd crd.yaml list.json", "diff --output json old.yaml crd.yaml list.json", "prune --output json --crd crd.yaml list.json"} {
		held := runWith("", strings.Fields(args)...)
		func() {
			defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(1000))
			if r := runWith("", strings.Fields(args)...); r != held {
				t.Errorf("%s: exit status %d, want %d\n%.500s\n%.500s\nwant\n%.500s\n%.500s", args, r.code, held.code, r.stdout, r.stderr, held.stdout, held.stderr)
			}
		}()
		if !strings.HasPrefix(args, "prune") && strings.Count(held.stdout, "list.json") < 600 {
			t.Errorf("%s: %.1000s", args, held.stdout)
		}
	}
}

// CRDs are found among manifests in a list of any size, and in memory for the CRDs alone. Before, a list in which the word
// CustomResourceDefinition occurs was read whole to look for them.
func TestCRDsAmongTheObjectsOfALargeList(t *testing.T) {
	testsize.NotShort(t)
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(20_000))
	pod := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%d"}, "values": [` + strings.Repeat("1,", 4000) + "1]}"
	things := `{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "field": 5}`
	crd := jsonStart + `"properties":{"field":{"type":"string"}}` + jsonEnd
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + "\n" + things + ",\n" + numbered(pod+",\n", 250) + crd + "]}\n"
	inManifests(t, map[string]string{"dir/list.json": list})
	for _, name := range []string{"dir", "dir/list.json"} {
		if r := runWith("", "validate", name); r.code != exitInput || !strings.HasPrefix(r.stdout, "dir/list.json:2:78: error: field: Invalid value") {
			t.Errorf("%s: exit status %d\n%.500s%.500s", name, r.code, r.stdout, r.stderr)
		}
	}
	if r := runWith(list, "validate", "-"); r.code != exitInput || !strings.HasPrefix(r.stdout, "<stdin>:2:78: error: field: Invalid value") {
		t.Errorf("standard input: exit status %d\n%.500s%.500s", r.code, r.stdout, r.stderr)
	}
	if !testsize.All() { // it reads as much as the limits allow
		return
	}
	r := runWith(strings.Repeat(list, meter.Bytes/len(list)+1), "validate", "-")
	if want := "with --crd, or in a file, a JSON list can have any size"; r.code != exitInput || !strings.Contains(r.stdout, want) {
		t.Errorf("standard input: exit status %d\n%.500s%.500s", r.code, r.stdout, r.stderr)
	}
}
