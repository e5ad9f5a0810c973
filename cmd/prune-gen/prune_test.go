package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

// untidy is a manifest of what crd("things", ...) defines, with an unknown field and comments. tidy is the same without it.
const (
	untidy = "# about a\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, nam: b}\n# unknown\nx:\n- 1 # more\n\nfield: 'abc' # known\n"
	tidy   = "# about a\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n\nfield: 'abc' # known\n"

	untidyJSON = `{"apiVersion": "example.com/v1", "kind": "Thing", "x": 1, "metadata": {"name": "a"}}`
	tidyJSON   = `{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}`

	stored     = "apiVersion: example.com/v1\nfield: abc\nkind: Thing\nmetadata:\n  generation: 1\n  name: a\n  namespace: default\n"
	storedJSON = "{\n  \"apiVersion\": \"example.com/v1\",\n  \"kind\": \"Thing\",\n  \"metadata\": {\n    \"generation\": 1,\n    \"name\": \"a\",\n    \"namespace\": \"default\"\n  }\n}\n"
)

func TestPrunePrintsManifests(t *testing.T) {
	inManifests(t, map[string]string{
		"a.yaml": untidy, "b.yaml": "---\n" + untidy, "a.json": untidyJSON, "dir/a.yaml": untidy, "dir/values.yaml": "a: 1\n",
		"dir/x.yaml": "{{ a }}\n", "dir/pod.yaml": "apiVersion: v1\nkind: Pod\n",
	})
	for _, test := range []struct {
		name, stdin, args, want string
		code                    int
		stderr                  string
	}{
		{"a file", "", "a.yaml", tidy, exitOK, "-"},
		{"files", "", "a.yaml b.yaml dir/pod.yaml", tidy + "---\n" + tidy + "---\napiVersion: v1\nkind: Pod\n", exitOK, "-"},
		{"a directory", "", "dir", tidy, exitOK, "skipped 1 template: render templates first, for example with helm template\n"},
		{"standard input", untidy + "---\n" + untidy, "-", tidy + "---\n" + tidy, exitOK, "-"},
		{"a byte order mark", "\ufeff" + untidy, "-", "\ufeff" + tidy, exitOK, "-"},
		{"CR LF", strings.ReplaceAll(untidy, "\n", "\r\n"), "-", strings.ReplaceAll(tidy, "\n", "\r\n"), exitOK, "-"},
		{"JSON", "", "a.json", tidyJSON, exitOK, "-"},
		{"JSON documents", untidyJSON + "\n" + untidyJSON + "\n", "-", tidyJSON + "\n" + tidyJSON + "\n", exitOK, "-"},
		{"JSON with a key twice", "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Thing\", \"field\": \"a\",\n \"metadata\": {\"name\": \"a\"}, \"field\": \"b\"}", "-",
			"{\"apiVersion\": \"example.com/v1\", \"kind\": \"Thing\", \"metadata\": {\"name\": \"a\"}, \"field\": \"b\"}", exitOK,
			"<stdin>:2:29: warning: duplicate field \"field\" [object/duplicate-field]\n"},
		{"JSON with a version that is not served", `{"apiVersion": "example.com/v7", "kind": "Thing", "x": 1}`, "-", `{"apiVersion": "example.com/v7", "kind": "Thing", "x": 1}`, exitOK,
			"<stdin>:1:2: warning: no matches for kind \"Thing\" in version \"example.com/v7\" [manifest/unknown-version]\n"},
		{"JSON with a misspelt kind", `{"apiVersion": "example.com/v1", "kind": "Thin", "x": 1}`, "-", `{"apiVersion": "example.com/v1", "kind": "Thin", "x": 1}`, exitOK,
			"did you mean Thing?"},
		{"JSON and YAML", "", "a.json a.yaml", tidyJSON + "\n---\n" + tidy, exitOK, "-"},
		{"YAML and JSON", "", "a.yaml a.json", tidy + "---\n" + tidyJSON, exitOK, "-"},
		{"JSON twice", untidyJSON, "a.json -", tidyJSON + tidyJSON, exitOK, "-"},
		{"no end of the last line", strings.TrimSuffix(untidy, "\n"), "- a.yaml", strings.TrimSuffix(tidy, "\n") + "\n---\n" + tidy, exitOK, "-"},
		{"no end of the last line, and a mark", strings.TrimSuffix(untidy, "\n"), "- b.yaml", strings.TrimSuffix(tidy, "\n") + "\n---\n" + tidy, exitOK, "-"},
		{"no end of the last line, and nothing", "", "a.yaml a.json /dev/null b.yaml", tidy + "---\n" + tidyJSON + "\n---\n" + tidy, exitOK, "-"},
		{"normalized JSON and YAML", untidyJSON + untidyJSON, "--normalize - a.json a.yaml", strings.Repeat(storedJSON, 3) + "---\n" + stored, exitOK, "-"},
		{"YAML that begins like JSON", `{"apiVersion": example.com/v1, "kind": Thing, "x": 1} # c` + "\n", "-", `{"apiVersion": example.com/v1, "kind": Thing} # c` + "\n", exitOK, "-"},
		{"kinds without a CRD", "apiVersion: v1\nkind: Pod\n", "-", "apiVersion: v1\nkind: Pod\n", exitOK, "prune-gen prune: no CRD was given for any object (1 object)\n"},
		{"nothing to drop", tidy, "-", tidy, exitOK, "-"},
		{"what is neither", `{"a": 1,, "b"}`, "-", "", exitInput, "<stdin>:1:9: error: invalid JSON: invalid character ',' looking for beginning of object key string [text/syntax]"},
		{"an alias", "apiVersion: example.com/v1\nkind: Thing\nx: &a b\nfield: *a\n", "-", "", exitInput, `<stdin>:4:8: error: anchor "a" is in a field that is dropped, on line 3, and is used here [text/unknown-anchor]`},
		{"one good and one bad", "a: [\n", "a.yaml -", tidy, exitInput, "[text/syntax]"},
		{"no file", "", "missing.yaml", "", exitInput, "missing.yaml: error: no such file or directory [text/unreadable]"},
		{"normalized", untidy, "--normalize -", stored, exitOK, "-"},
		{"normalized JSON", untidyJSON, "--normalize -", storedJSON, exitOK, "-"},
		{"a normalized list", "kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, x: 1}\n---\na: 1\n", "--normalize -",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n- apiVersion: example.com/v1\n  kind: Thing\n  metadata:\n    generation: 1\n    name: a\n    namespace: default\nkind: List\n---\na: 1\n", exitOK, "-"},
		{"normalized and refused", thing("a", "abcdef"), "--normalize -", "", exitInput, "<stdin>:5:1: error: field: Too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := runWith(test.stdin, append([]string{"prune", "--crd", "crd.yaml"}, strings.Fields(test.args)...)...)
			if r.code != test.code || r.stdout != test.want || test.stderr == "-" && r.stderr != "" || !strings.Contains(r.stderr, strings.Trim(test.stderr, "-")) {
				t.Errorf("exit status %d, want %d\n%s\nstandard output is\n%s\nwant\n%s", r.code, test.code, r.stderr, r.stdout, test.want)
			}
		})
	}
}

func TestPruneShowsDiffs(t *testing.T) {
	inManifests(t, map[string]string{"a.yaml": untidy, "a.json": untidyJSON + "\n", "tidy.yaml": tidy})
	want := "--- a.yaml\n+++ a.yaml\n@@ -1,9 +1,6 @@\n # about a\n apiVersion: example.com/v1\n kind: Thing\n-metadata: {name: a, nam: b}\n-# unknown\n-x:\n-- 1 # more\n+metadata: {name: a}\n \n field: 'abc' # known\n"
	if r := wantRun(t, exitOK, "", "-", "prune", "--crd", "crd.yaml", "--diff", "a.yaml", "tidy.yaml"); r.stdout != want {
		t.Errorf("%s\nwant\n%s", r.stdout, want)
	}
	wantRun(t, exitOK, "-"+untidyJSON+"\n+"+tidyJSON+"\n", "-", "prune", "--crd", "crd.yaml", "--diff", "a.json")
	wantRun(t, exitOK, "\x1b[1;31m-x:\x1b[0m\n", "-", "prune", "--crd", "crd.yaml", "--diff", "--color=always", "a.yaml")
}

// The diffs are patches of the files as they are, whatever marks and ends of lines they have.
func TestPruneDiffsApply(t *testing.T) {
	files, want := map[string]string{}, map[string]string{}
	for name, text := range map[string][2]string{"plain": {untidy, tidy}, "tidy": {tidy, tidy}, "odd": {untidy + "# \u200b ##[x]\n", tidy + "# \u200b ##[x]\n"}} {
		for form, of := range map[string]func(string) string{
			"":         func(text string) string { return text },
			"mark-":    func(text string) string { return "\ufeff" + text },
			"crlf-":    func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
			"both-":    func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") },
			"cut-":     func(text string) string { return strings.TrimSuffix(text, "\n") },
			"cut-crlf": func(text string) string { return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\r\n") },
		} {
			files["dir/"+form+name+".yaml"], want["dir/"+form+name+".yaml"] = of(text[0]), of(text[1])
		}
	}
	inManifests(t, files)
	r := wantRun(t, exitOK, "", "-", "prune", "--crd", "crd.yaml", "--diff", "dir")
	if strings.Contains(r.stdout, "tidy.yaml") {
		t.Errorf("a change for a file that does not change:\n%s", r.stdout)
	}
	apply := exec.Command("git", "apply", "-p0", "-")
	apply.Stdin = strings.NewReader(r.stdout)
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%q", err, out, r.stdout)
	}
	for name, text := range want {
		if have, err := os.ReadFile(name); err != nil || string(have) != text {
			t.Errorf("%s becomes %q, %v, want %q", name, have, err, text)
		}
	}
}

// A file in UTF-16 would not keep every other byte.
func TestPruneDoesNotWriteUTF16AsUTF8(t *testing.T) {
	encode := func(text string) string {
		out := "\xff\xfe"
		for i := range len(text) {
			out += text[i:i+1] + "\x00"
		}
		return out
	}
	inManifests(t, map[string]string{"wide.yaml": encode(untidy), "tidy.yaml": encode(tidy), "a.yaml": untidy})
	before := contents(t)
	wantRun(t, exitInput, "-", "wide.yaml: error: the file is UTF-16, and -w writes UTF-8: convert it first", "prune", "--crd", "crd.yaml", "-w", "wide.yaml", "a.yaml")
	wantRun(t, exitOK, "-", "-", "prune", "--crd", "crd.yaml", "-w", "tidy.yaml")
	if after := contents(t); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%q, want %q", after, before)
	}
	wantRun(t, exitOK, tidy, "-", "prune", "--crd", "crd.yaml", "wide.yaml")
}

// With --check, the names of the files that would change are printed, as by gofmt -l, and there must be none.
func TestPruneChecks(t *testing.T) {
	inManifests(t, map[string]string{"a.yaml": untidy, "dir/a.json": untidyJSON, "dir/tidy.yaml": tidy, "tidy.json": tidyJSON, "mark.yaml": "\ufeff" + tidy})
	for args, want := range map[string]struct {
		code   int
		stdout string
	}{
		"a.yaml dir tidy.json": {exitInput, "a.yaml\n" + filepath.Join("dir", "a.json") + "\n"},
		"tidy.json mark.yaml":  {exitOK, ""},
		"-":                    {exitInput, "<stdin>\n"},
	} {
		args := append([]string{"prune", "--crd", "crd.yaml", "--check"}, strings.Fields(args)...)
		if r := runWith(untidyJSON, args...); r.code != want.code || r.stdout != want.stdout || r.stderr != "" {
			t.Errorf("%q: %+v, want %+v", args, r, want)
		}
	}
	wantRun(t, exitInput, "-x:\n", "-", "prune", "--crd", "crd.yaml", "--check", "--diff", "a.yaml")
	wantRun(t, exitUsage, "-", "--check cannot be combined with -w or --normalize", "prune", "--crd", "crd.yaml", "--check", "-w", "a.yaml")
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(1000))
	list := func(of string) string {
		return `{"apiVersion": "v1", "kind": "List", "items": [` + of + strings.Repeat(", "+tidyJSON, 20) + "]}"
	}
	if r := runWith(list(untidyJSON), "prune", "--crd", "crd.yaml", "--check", "-"); r.code != exitInput || r.stdout != "<stdin>\n" {
		t.Errorf("a stream: %+v", r)
	}
	if r := runWith(list(tidyJSON), "prune", "--crd", "crd.yaml", "--check", "-"); r.code != exitOK || r.stdout != "" {
		t.Errorf("a tidy stream: %+v", r)
	}
	for _, of := range []string{tidyJSON, untidyJSON} {
		cut := strings.TrimSuffix(list(of), "}]}")
		if r := runWith(cut, "prune", "--crd", "crd.yaml", "--check", "-"); r.code != exitInput || r.stdout != "" || !strings.Contains(r.stderr, "error: ") {
			t.Errorf("a stream that is cut: %+v", r)
		}
	}
}

func TestPruneWritesAllFilesOrNone(t *testing.T) {
	inManifests(t, map[string]string{"a.yaml": untidy, "b/a.json": untidyJSON, "tidy.yaml": tidy, "pod.yaml": "apiVersion: v1\nkind: Pod\n", "bad.yaml": "a: [\n"})
	if err := os.Chmod("a.yaml", 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.yaml", "link.yaml"); err != nil {
		t.Fatal(err)
	}
	before := contents(t)
	wantRun(t, exitInput, "-", "prune-gen prune: nothing was written\n", "prune", "--crd", "crd.yaml", "-w", "a.yaml", "bad.yaml")
	if after := contents(t); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%q, want %q", after, before)
	}
	r := wantRun(t, exitOK, "", "-", "prune", "--crd", "crd.yaml", "-w", "link.yaml", "b", "tidy.yaml", "pod.yaml")
	if want := "pruned link.yaml\npruned " + filepath.Join("b", "a.json") + "\n"; r.stdout != want {
		t.Errorf("%q, want %q", r.stdout, want)
	}
	before["a.yaml"], before["b/a.json"] = tidy, tidyJSON
	if after := contents(t); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%q, want %q", after, before)
	}
	if info, err := os.Stat("a.yaml"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat("link.yaml"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if r := wantRun(t, exitOK, "", "-", "prune", "--crd", "crd.yaml", "--write", "a.yaml", "b"); r.stdout != "" {
		t.Errorf("written again: %s", r.stdout)
	}
	wantRun(t, exitUsage, "-", "-w cannot be combined with standard input", "prune", "--crd", "crd.yaml", "-w", "-")
}

// What is larger than an object can be is not held in memory.
func TestPruneStreamsLargeLists(t *testing.T) {
	testsize.NotShort(t)
	defer prunelimits.SetStreamObject(prunelimits.SetStreamObject(1000))
	list := func(item, end string) string {
		return `{"apiVersion": "v1", "items": [` + strings.Repeat(item+",\n", 20_000) + item + end
	}
	const end = `], "kind": "List"}` + "\n"
	inManifests(t, map[string]string{"large.json": list(untidyJSON, end), "tidy.json": list(tidyJSON, end), "bad.json": list(untidyJSON, "}"), "wide.json": list(untidyJSON, `, {"a": "`+strings.Repeat("x", 1000)+`"}`+end)})
	if r := wantRun(t, exitOK, "", "-", "prune", "--crd", "crd.yaml", "large.json"); r.stdout != list(tidyJSON, end) {
		t.Errorf("%d bytes, want %d", len(r.stdout), len(list(tidyJSON, end)))
	}
	if r := runWith(list(untidyJSON, end), "prune", "--crd", "crd.yaml", "-"); r.code != exitOK || r.stdout != list(tidyJSON, end) {
		t.Errorf("%d, %d bytes, %s", r.code, len(r.stdout), r.stderr)
	}
	wantRun(t, exitInput, "", "bad.json:20001:85: error: invalid JSON: invalid character '}' after an element of a list [text/syntax]", "prune", "--crd", "crd.yaml", "bad.json")
	wantRun(t, exitInput, "", "wide.json:20001:87: error: the object is larger than 0 MiB [text/too-large]", "prune", "--crd", "crd.yaml", "wide.json")
	wantRun(t, exitInput, "-", "nothing was written\n", "prune", "--crd", "crd.yaml", "-w", "large.json", "bad.json")
	wantRun(t, exitOK, "pruned large.json\n", "-", "prune", "--crd", "crd.yaml", "-w", "large.json", "tidy.json")
	if have := contents(t); have["large.json"] != list(tidyJSON, end) || have["tidy.json"] != list(tidyJSON, end) || len(have) != 5 {
		t.Error("the files are not as they should be")
	}
}
