package golden

import (
	"flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/generate/typecheck"
	"github.com/prune-gen/prune-gen/internal/testing/cases"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func TestMain(m *testing.M) {
	flag.Parse()
	if *update && os.Getenv("CI") != "" {
		println("-update is for people who look at what it changes, not for CI")
		os.Exit(2)
	}
	os.Exit(m.Run())
}

func allCases(t *testing.T) []*cases.Case {
	t.Helper()
	all, err := cases.All(".")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestGoldenCodeIsCurrent(t *testing.T) {
	testsize.NotShort(t)
	for _, c := range allCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			want := map[string]string{}
			for _, p := range c.Packages() {
				files, err := c.Generate(p)
				if err != nil {
					t.Fatal(err)
				}
				if *update {
					if _, err := typecheck.Check(files); err != nil {
						t.Fatalf("nothing is written, because it does not compile: %v", err)
					}
				}
				for _, f := range files {
					want[filepath.Join(filepath.FromSlash(p.Dir), f.Name)] = string(f.Content)
				}
			}
			compareFiles(t, want, generatedFiles(t, c.Dir))
		})
	}
}

// generatedFiles returns the generated files that a case has.
func generatedFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	have := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), generator.FilePrefix) {
			return err
		}
		data, err := os.ReadFile(name)
		have[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}

// A case that has a file plan.txt shows what --dump-plan prints for its CRDs.
func TestGoldenPlansAreCurrent(t *testing.T) {
	shown := 0
	for _, c := range allCases(t) {
		name := filepath.Join(c.Dir, "plan.txt")
		have, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		shown++
		t.Run(c.Name, func(t *testing.T) {
			var want strings.Builder
			for i, p := range c.Packages() {
				lowered, err := generator.Lower(p.Inputs, c.Options)
				if err != nil {
					t.Fatal(err)
				}
				if i > 0 {
					want.WriteByte('\n')
				}
				want.WriteString(lowered.String())
			}
			compareFiles(t, map[string]string{name: want.String()}, map[string]string{name: string(have)})
		})
	}
	if shown == 0 {
		t.Error("no case has a plan")
	}
}

func TestGoldenObjectsAreCurrent(t *testing.T) {
	for _, c := range allCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			objects, err := c.Objects()
			if err != nil {
				t.Fatal(err)
			}
			if len(objects) == 0 {
				t.Error("the case has no object")
			}
			want, have := map[string]string{}, map[string]string{}
			for _, o := range objects {
				outcome := o.Outcome()
				for suffix, text := range outcome.Files() {
					if *text != "" {
						want[o.Path+suffix] = *text
					}
				}
			}
			names, err := filepath.Glob(filepath.Join(c.Dir, "objects", "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if strings.HasSuffix(name, ".in.json") || strings.HasSuffix(name, cases.OldSuffix) {
					continue
				}
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				have[name] = string(data)
			}
			compareFiles(t, want, have)
		})
	}
}

// compareFiles compares files by name and text, or writes those that differ and removes those that are not wanted.
func compareFiles(t *testing.T, want, have map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		old, exists := have[name]
		switch {
		case exists && old == want[name]:
		case *update:
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(want[name]), 0o666); err != nil {
				t.Fatal(err)
			}
		case !exists:
			t.Errorf("%s is missing; to write it: go test ./golden -update", name)
		default:
			t.Errorf("%s is not current; to write it again: go test ./golden -update\n%s", name, diff(old, want[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s is not wanted any more; to remove it: go test ./golden -update", name)
		} else if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// What cannot be turned into code is refused with an error that says where and why.
func TestGoldenRefusalsAreCurrent(t *testing.T) {
	archives, err := filepath.Glob("refused/*.txt")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := refusal(t, archive)
			last := len(archive.Files) - 1
			if archive.Files[last].Name != "error" {
				if !*update {
					t.Fatal("the last file of the archive is not the error; to write it: go test ./golden -update")
				}
				archive.Files = append(archive.Files, txtar.File{Name: "error"})
				last++
			}
			old := string(txtar.Format(archive))
			archive.Files[last].Data = []byte(got)
			compareFiles(t, map[string]string{name: string(txtar.Format(archive))}, map[string]string{name: old})
		})
	}
}

func TestTheSameCRDsGiveTheSameCode(t *testing.T) {
	testsize.NotShort(t)
	random := rand.New(rand.NewPCG(1, 2))
	first := map[string]string{}
	times := testsize.Pick(2, 20)
	for range times {
		for _, c := range allCases(t) { // anew, so that maps are in another order
			if c.IsAimed() {
				continue
			}
			random.Shuffle(len(c.CRDs), func(i, j int) { c.CRDs[i], c.CRDs[j] = c.CRDs[j], c.CRDs[i] })
			for _, p := range c.Packages() {
				files, err := c.Generate(p)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					name := p.Dir + "/" + f.Name
					if old, ok := first[name]; ok && old != string(f.Content) {
						t.Fatalf("%s is not the same each time\n%s", name, diff(old, string(f.Content)))
					}
					first[name] = string(f.Content)
				}
			}
		}
	}
}
