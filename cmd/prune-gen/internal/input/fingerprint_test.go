package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/outcomes"
)

const warned = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: 5\n"

// asked returns the fingerprint of what args name.
func asked(t *testing.T, args []string, stdin string) outcomes.Key {
	t.Helper()
	sum := outcomes.NewSum()
	if err := Fingerprint(sum, args, []byte(stdin)); err != nil {
		t.Fatal(err)
	}
	return sum.Key()
}

// keyOf returns the fingerprint of sources.
func keyOf(sources []*Source) outcomes.Key {
	sum := outcomes.NewSum()
	for _, src := range sources {
		src.Fingerprint(sum)
	}
	return sum.Key()
}

// readAll returns the sources that args name.
func readAll(args []string, stdin string) []*Source {
	var all []*Source
	Each(args, strings.NewReader(stdin), func(src *Source) *Source { return src }, func(src *Source, _, _ int) { all = append(all, src) })
	return all
}

// What was read has the fingerprint that was taken before, unless it has changed: a name, a byte, or one more file.
func TestSourcesHaveTheFingerprintOfWhatWasRead(t *testing.T) {
	const stdin = "a: 1\n"
	dir := write(t, map[string]string{"a.yaml": warned, "b.json": "{", "c.yaml": "c: 1\n", "sub/d.yml": "d: 1\n", "other.txt": ""})
	args := []string{filepath.Join(dir, "c.yaml"), "-", dir}
	before := asked(t, args, stdin)
	if got := keyOf(readAll(args, stdin)); got != before {
		t.Error("what was read has another fingerprint than what is there")
	}
	if got := keyOf(readAll(args, stdin+"b: 1\n")); got == before {
		t.Error("more of standard input has the same fingerprint")
	}
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	put := func(name, text string) {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, was := range map[string]string{"a.yaml": warned, "b.json": "{", "c.yaml": "c: 1\n", "sub/d.yml": "d: 1\n"} {
		put(name, was+"\n")
		if got := keyOf(readAll(args, stdin)); got == before {
			t.Errorf("%s has changed, and has the same fingerprint", name)
		}
		put(name, was)
	}
	if err := os.Rename(path("a.yaml"), path("aa.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := keyOf(readAll(args, stdin)); got == before {
		t.Error("a file of another name has the same fingerprint")
	}
	if err := os.Rename(path("aa.yaml"), path("a.yaml")); err != nil {
		t.Fatal(err)
	}
	put("e.yaml", "")
	if got := keyOf(readAll(args, stdin)); got == before {
		t.Error("one more file makes no difference")
	}
	if err := os.Rename(path("e.yaml"), path("f.txt")); err != nil {
		t.Fatal(err)
	}
	if got := keyOf(readAll(args, stdin)); got != before {
		t.Error("a file that is not read makes a difference")
	}
}

// A file that is read again for a line of it, and has changed, is not what was read.
func TestAFileThatHasChangedHasNoLines(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": warned})
	file := filepath.Join(dir, "a.yaml")
	src := readAll([]string{file}, "")[0]
	before := keyOf([]*Source{src})
	show := func() string {
		for _, s := range src.Snippets(src.Findings) {
			if text, _, _ := s.Show(); strings.Contains(text, "group") {
				return text
			}
		}
		return ""
	}
	if show() != "  group: 5" || keyOf([]*Source{src}) != before {
		t.Fatalf("the line is %q", show())
	}
	if err := os.WriteFile(file, []byte(strings.Replace(warned, "5", "6", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if text := show(); text != "" {
		t.Errorf("the line is %q", text)
	}
	if err := os.WriteFile(file, []byte(warned), 0o666); err != nil {
		t.Fatal(err)
	}
	if keyOf([]*Source{src}) == before {
		t.Error("a line was looked for in another text, and the fingerprint is the same")
	}
}
