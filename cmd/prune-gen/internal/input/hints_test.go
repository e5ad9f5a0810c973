package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/structural"
)

// A path with the wrong number of steps up gets a hint with the right number, up to seven.
func TestHintsForMissingPaths(t *testing.T) {
	root := write(t, map[string]string{"config/crd/a.yaml": "", "top.yaml": "", "a/b/c/d/e/f/g/h/deep.yaml": "", "a/near.yaml": ""})
	for _, test := range []struct{ dir, name, want string }{
		{"a/b", "../config/crd", "../../config/crd"},
		{"a/b", "config/crd/a.yaml", "../../config/crd/a.yaml"},
		{"a/b", "../../../config/crd", "../../config/crd"},
		{"a/b", "./x/../../config/crd/", "../../config/crd"},
		{"a/b", "top.yaml", "../../top.yaml"},
		{"a", "../near.yaml", "near.yaml"},
		{".", "../../../top.yaml", "top.yaml"},
		{"a/b/c/d/e/f/g", "top.yaml", "../../../../../../../top.yaml"},
		{"a/b/c/d/e/f/g/h", "top.yaml", ""},
		{"a/b", "missing.yaml", ""},
		{"a/b", "", ""},
		{"a/b", "..", ""},
		{"a/b", "../../..", ""},
		{"a/b", filepath.Join(root, "x", "top.yaml"), ""},
	} {
		t.Chdir(filepath.Join(root, test.dir))
		want := test.want
		if want != "" {
			want = "did you mean " + filepath.FromSlash(want) + "?"
		}
		if have := hintForMissing(test.name); have != want {
			t.Errorf("%s in %s: %q, want %q", test.name, test.dir, have, want)
		}
	}
	t.Chdir(root)
	for name, want := range map[string]bool{"config/crd/bases": true, "../config/crd/bases": true, "my/config/crd/bases": true, "config/crd/base": false, "crd/bases": false, "config/crd/bases/a.yaml": false} {
		if have := hintForMissing(name); (have == "controller-gen writes it: run make manifests first") != want || !want && have != "" {
			t.Errorf("%s: %q", name, have)
		}
	}
}

func TestWhatCannotBeReadIsNamed(t *testing.T) {
	missing := &os.PathError{Op: "open", Path: "x", Err: os.ErrNotExist}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a.yaml", errors.New("why"), "a.yaml: why|"},
		{"a.yaml", &os.PathError{Op: "open", Path: "x", Err: errors.New("why")}, "a.yaml: why|"},
		{"a.yaml", fmt.Errorf("open: %w", missing), "a.yaml: file does not exist|"},
		{"", missing, `"": file does not exist|`},
		{"*.yaml", errors.New("why"), "*.yaml: why|"},
		{"a?", missing, "a?: the pattern matches no file|* matches a part of a name, not directories in between; name a directory to read all files below it"},
		{"config/crd/bases", missing, "config/crd/bases: file does not exist|controller-gen writes it: run make manifests first"},
	} {
		f := unreadable(test.name, test.err)
		if have := f.File + ": " + f.Message + "|" + f.Hint; have != test.want || f.Severity != structural.SeverityError || f.ID != structural.IDUnreadable {
			t.Errorf("%s: %+v, want %s", test.name, f, test.want)
		}
	}
}

func TestFilesWithoutACRDAreCounted(t *testing.T) {
	t.Chdir(write(t, map[string]string{"none/x.txt": "", "one/a.yaml": "a: 1\n", "two/a.yaml": "a: 1\n---\nb: 1\n", "two/b.yaml": "", "two/c.yaml": "c: 1\n", "broken.yaml": "a: [\n"}))
	for _, test := range []struct{ names, exclude, want string }{
		{"none", "", "no CustomResourceDefinition in none: there is no *.yaml, *.yml or *.json file"},
		{"one", "", "no CustomResourceDefinition in one: looked at 1 file with 1 other document"},
		{"two", "", "no CustomResourceDefinition in two: looked at 3 files with 3 other documents"},
		{"two/b.yaml", "", "no CustomResourceDefinition in two/b.yaml: looked at 1 file with no other documents"},
		{"none one -", "", "no CustomResourceDefinition in none, one, standard input: looked at 2 files with 2 other documents"},
		{"two", "c.yaml", "no CustomResourceDefinition in two: looked at 2 files with 2 other documents, apart from what is excluded"},
		{"two", "two", "no CustomResourceDefinition in two: there is no *.yaml, *.yml or *.json file, apart from what is excluded"},
		{"one broken.yaml", "", "<nil>"},
		{"missing.yaml", "", "<nil>"},
	} {
		args := Args{Names: strings.Fields(test.names), Exclude: strings.Fields(test.exclude)}
		var steps []string
		err := Each(args, strings.NewReader("d: 1\n"), func(_ *Source, done, total int) { steps = append(steps, fmt.Sprintf("%d/%d", done, total)) })
		if have := fmt.Sprint(err); have != test.want {
			t.Errorf("%s: %s, want %s", test.names, have, test.want)
		}
		for i, step := range steps {
			if want := fmt.Sprintf("%d/%d", i+1, len(steps)); step != want {
				t.Errorf("%s: step %s, want %s", test.names, step, want)
			}
		}
	}
	for _, test := range []struct{ names, exclude, want string }{
		{"none", "", "no manifest in none: there is no *.yaml, *.yml or *.json file"},
		{"none one", "one", "no manifest in none, one: there is no *.yaml, *.yml or *.json file, apart from what is excluded"},
		{"one", "", "<nil>"},
	} {
		err := EachText(Args{Names: strings.Fields(test.names), Exclude: strings.Fields(test.exclude)}, nil, func(*Text, int, int) {})
		if have := fmt.Sprint(err); have != test.want {
			t.Errorf("%s: %s, want %s", test.names, have, test.want)
		}
	}
}

// A file says by what name it goes, where it is, and whether somebody named it.
func TestTextsAreDescribed(t *testing.T) {
	t.Chdir(write(t, map[string]string{"d/a.yaml": "a: 1\n", "b.txt": ""}))
	var have []string
	err := EachText(Args{Names: []string{"d", "b.txt", "-", "gone.yaml"}}, strings.NewReader("stream"), func(text *Text, _, _ int) {
		wrong := ""
		if text.Wrong != nil {
			wrong = text.Wrong.Message
		}
		have = append(have, filepath.ToSlash(fmt.Sprintf("%s %q %t %q %s", text.Name, text.Path, text.Listed, text.Data, wrong)))
	})
	want := []string{`d/a.yaml "d/a.yaml" true "a: 1\n" `, `b.txt "b.txt" false "" `, `<stdin> "" false "stream" `, `gone.yaml "gone.yaml" false "" no such file or directory`}
	if err != nil || strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s\nwant\n%s", err, strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func TestLinesOfAText(t *testing.T) {
	line := Lines([]byte("one\r\ntwo\n\nfour\r"))
	for n, want := range []string{"one", "two", "", "four", "", ""} {
		if have := string(line(n + 1)); have != want {
			t.Errorf("line %d is %q, want %q", n+1, have, want)
		}
	}
}

// A run reads a file that is named again once more only if it was found in a directory before, and is named now.
func TestARunReadsAFileOnce(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": "{{ a }}\n"})
	t.Chdir(dir)
	run := Run{}
	read := func(name string) (all []*Source) {
		Each(Args{Names: []string{name}, Run: run}, nil, func(src *Source, _, _ int) { all = append(all, src) })
		return all
	}
	named, again, listed, listedAgain := read("a.yaml"), read("a.yaml"), read("."), read("./")
	if named[0] != again[0] || listed[0] != listedAgain[0] {
		t.Error("a file is read twice")
	}
	if named[0] == listed[0] || len(named[0].Findings) != 1 || len(listed[0].Findings) != 0 || listed[0].Tally().Templates != 1 || named[0].Tally().Templates != 0 {
		t.Errorf("%+v, %+v", named[0], listed[0])
	}
	stdin := func() *Source {
		return Args{Run: run}.read(file{name: stdinArg}, io.LimitReader(strings.NewReader("a: 1\n"), 5))
	}
	if first := stdin(); first != stdin() || first.Passed != 1 || first.Name != "<stdin>" {
		t.Errorf("%+v", first)
	}
}
