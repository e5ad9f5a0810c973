package projection

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/keeplist"
	"github.com/prune-gen/prune-gen/internal/suite/specimen"
	"github.com/prune-gen/prune-gen/internal/testing/crdtest"
	"github.com/prune-gen/prune-gen/internal/testing/gocmd"
	"github.com/prune-gen/prune-gen/internal/testing/restrict"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

// TestProjectionsOfSchemasAreRestrictions compiles projections for random lists of the golden CRDs, and compares them with what
// following the paths of the lists gives.
func TestProjectionsOfSchemasAreRestrictions(t *testing.T) {
	testsize.NotShort(t)
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("testdata/main.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"main.go": string(program),
		"go.mod": "module github.com/prune-gen/prune-gen/projected\n\ngo 1.26\n\nrequire github.com/prune-gen/prune-gen v0.0.0\n\nreplace github.com/prune-gen/prune-gen => " +
			root + "\n",
	}
	var table strings.Builder
	rnd := rand.New(rand.NewPCG(58, 3))
	cases, err := filepath.Glob("../../../golden/*/crd.yaml")
	if err != nil || len(cases) < 20 {
		t.Fatal(cases, err)
	}
	n, lists := 0, 1
	switch {
	case testsize.Soaking():
		lists = 40
	case testsize.All():
		lists = 10
	}
	for _, name := range cases {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, crd := range crdtest.Load(t, string(text)) {
			for _, v := range crd.Versions {
				b := structural.NewBehavior(crd, v, structural.APIServer)
				isLeaf, isMap := map[string]bool{}, map[string]bool{}
				list(b.Schema.Resource(), "", isLeaf, nil)
				var paths []string
				for p := range isLeaf {
					paths = append(paths, p)
					if m, ok := strings.CutSuffix(p, "[*]"); ok {
						isMap[m] = true
					}
				}
				slices.Sort(paths)
				if slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(p, `"`) }) {
					continue // the reference writes no names in quotes
				}
				for range lists {
					l, text := randomList(rnd, paths)
					l.IsMap = isMap
					function := fmt.Sprintf("Project%d", n)
					n++
					parsed := keeplist.Parse("list.keep", []byte(text))
					cut, err := Cut(generator.Input{CRD: crd, Version: v}, parsed)
					if err != nil && strings.Contains(err.Error(), "cannot be taken away") {
						continue
					} else if err != nil {
						t.Fatalf("%s: %v\n%s", name, err, text)
					}
					made, err := generator.Project(generator.Input{CRD: crd, Version: v}, cut, function, generator.Options{Package: "main"})
					if err != nil {
						t.Fatal(err)
					}
					files[made.Name] = string(made.Content)
					var objects []map[string]any
					for seed := range uint64(10) {
						objects = append(objects, specimen.Make(b.Schema, seed+uint64(n), specimen.Options{Size: 2000, APIVersion: crd.Group + "/" + v.Name, Kind: crd.Names.Kind}))
					}
					in, err := json.Marshal(map[string]any{"List": l, "Objects": objects})
					if err != nil {
						t.Fatal(err)
					}
					files[function+".json"] = string(in)
					fmt.Fprintf(&table, "\tcheck(%q, %s)\n", name, function)
				}
			}
		}
	}
	files["table.go"] = "package main\n\nfunc all() {\n" + table.String() + "}\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "../../../golden/", "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := gocmd.Command(t, dir, []string{"./runtime/...", "./internal/testing/restrict"}, "run", "-mod=mod", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out[:min(len(out), 8000)])
	}
	t.Logf("%s", out)
}

var update = flag.Bool("update", false, "write the golden file")

func TestProjectionOfASchemaLooksLikeThis(t *testing.T) {
	crd := crontab(t)
	l, err := keeplist.Read("testdata/crontab.keep")
	if err != nil {
		t.Fatal(err)
	}
	cut, err := Cut(generator.Input{CRD: crd, Version: crd.Versions[0]}, l)
	if err != nil {
		t.Fatal(err)
	}
	made, err := generator.Project(generator.Input{CRD: crd, Version: crd.Versions[0]}, cut, "ProjectCronTab", generator.Options{Package: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/crontab.go.txt"
	if *update {
		if err := os.WriteFile(golden, made.Content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != string(made.Content) {
		t.Errorf("%v: %s is now\n%s\nto accept it: go test ./internal/generate/projection -run LooksLike -update", err, golden, made.Content)
	}
}

func TestCutOfOddSchemas(t *testing.T) {
	crd := crdtest.Load(t, crdtest.Manifest("Odd", `
type: object
properties:
  spec:
    type: object
    properties:
      a.b: {type: object, properties: {"#x y": {type: string}, "": {type: string}}}
      open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {x: {type: string}, q: {type: object, properties: {z: {type: string}, w: {type: string}}}}}
      pod: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`))[0]
	for text, want := range map[string]string{
		`spec["a.b"]["\x23x y"]`:        "",
		`spec["a.b"][""]`:               "",
		"spec.pod.metadata.annotations": "",
		"spec.open\n-spec.open.q.z":     "",
		"spec.open\n-spec.open.x":       "l:2: spec.open.x cannot be taken away, because the object around it may have fields that the schema does not specify: list what is kept",
		"spec.pod.spec.x":               "l:1: spec.pod.spec is kept or dropped whole: it has no x to choose",
		"spec.opne.x":                   "l:1: there is no field spec.opne.x: did you mean spec.open.x?",
	} {
		if _, err := Cut(generator.Input{CRD: crd, Version: crd.Versions[0]}, keeplist.Parse("l", []byte(text))); fmt.Sprint(err) != cmp.Or(want, "<nil>") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func crontab(t *testing.T) *structural.CRD {
	t.Helper()
	text, err := os.ReadFile("../../../golden/crontab/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return crdtest.Load(t, string(text))[0]
}

// randomList returns a list with some of the paths, and its text.
func randomList(rnd *rand.Rand, paths []string) (l restrict.List, text string) {
	for range 1 + rnd.IntN(6) {
		p := paths[rnd.IntN(len(paths))]
		if rnd.IntN(3) == 0 {
			p = p[:strings.LastIndexAny(p+".", ".[")]
		}
		if !slices.Contains(paths, p) || p == "" && rnd.IntN(8) > 0 {
			continue
		}
		l.Keep = append(l.Keep, p)
		if text += p + "\n"; p == "" {
			text = strings.TrimSuffix(text, "\n") + "*\n"
		}
	}
	for range rnd.IntN(4) {
		p := paths[rnd.IntN(len(paths))]
		if strings.HasSuffix(p, "]") {
			continue // elements cannot be taken away
		}
		if p != "" && !strings.HasPrefix(p, "metadata") && p != "kind" && p != "apiVersion" || p == "metadata.labels" || p == "metadata.annotations" {
			l.Away = append(l.Away, p)
			text += "-" + p + "\n"
		}
	}
	if slices.Contains(l.Keep, "") {
		l.Away = append(l.Away, "metadata.managedFields")
		text += "-metadata.managedFields\n"
	}
	return l, text
}

// A name stands in the paths of all that is below it.
func TestCutLimitsPaths(t *testing.T) {
	var leaves strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&leaves, "p%d: {type: string}, ", i)
	}
	const depth = 200
	open, end := "{type: object, properties: {"+strings.Repeat("n", 900)+": ", "}}"
	crd := crdtest.Load(t, crdtest.Manifest("Long", "{type: object, properties: {spec: "+strings.Repeat(open, depth)+"{type: object, properties: {"+leaves.String()+"}}"+
		strings.Repeat(end, depth)+"}}"))[0]
	_, err := Cut(generator.Input{CRD: crd, Version: crd.Versions[0]}, keeplist.Parse("l", []byte("spec\n-metadata.managedFields")))
	if err == nil || !strings.Contains(err.Error(), "limit") {
		t.Error(err)
	}
}
