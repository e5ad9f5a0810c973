package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const hostileCRD = "testdata/hostile/crd.yaml"

func TestNothingFromACRDReachesATerminal(t *testing.T) {
	data, err := os.ReadFile(hostileCRD)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		string(data),
		// The same with raw characters in the file, where the parser lets them through.
		strings.ReplaceAll(string(data), `\u009b31m`, "\u0085\u202e"),
		// Not YAML at all.
		"kind: CustomResourceDefinition\n\x1b[31m: [\x9b\n",
		"kind: CustomResourceDefinition\n\"\u202e\": [\u2028\n",
	} {
		eachCall(t, text, func(t *testing.T, args []string) {
			r := runWith("", args...)
			wantClean(t, "standard output", r.stdout)
			wantClean(t, "standard error", r.stderr)
		})
	}
	// File names and arguments are untrusted, too.
	dir := write(t, map[string]string{"a\x1b[31m\n::error::x.yaml": crd("bads", badField)})
	for _, args := range [][]string{
		{"lint", dir}, {"lint", "--output=github", dir}, {"lint", "--output=sarif", dir}, {"lint", "\x1b[31m\xff"},
		{"skeleton", dir}, {"\x1b[31m"}, {"lint", "--\x1b[31m"}, {"lint", "--output=\x1b[31m"}, {"skeleton", "--crd-version=\x1b[31m", dir},
	} {
		r := runWith("", args...)
		wantClean(t, strings.Join(args, " "), r.stdout+r.stderr)
	}
}

// Every line of the output is a command of ours, and the only commands are ours.
func TestGitHubOutputCannotBeBrokenOutOf(t *testing.T) {
	ours := regexp.MustCompile(`^::(error|warning) ([a-z]+=[^:,\r\n]*)(,[a-z]+=[^:,\r\n]*)*::[^\r\n]*$`)
	r := runWith("", "lint", "--output=github", "--quiet", hostileCRD)
	all := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if len(all) < 3 {
		t.Fatalf("only %d lines:\n%s", len(all), r.stdout)
	}
	for _, line := range all {
		if !ours.MatchString(line) {
			t.Errorf("not a command of ours: %q", line)
		}
		if strings.Contains(line, "##[") {
			t.Errorf("has a command of the old form: %q", line)
		}
		// A percent sign from the CRD must come out as one, not as what stands after it.
		if strings.Contains(line, "owned") && regexp.MustCompile(`%0A[^h]`).MatchString(line) {
			t.Errorf("has a line break of the CRD's: %q", line)
		}
	}
}

func TestGitHubNamesFilesFromTheRootOfTheCheckout(t *testing.T) {
	root := write(t, map[string]string{"config/crd/bad.yaml": crd("bads", badField)})
	t.Setenv("GITHUB_WORKSPACE", root)
	t.Chdir(filepath.Join(root, "config"))
	r := runWith("", "lint", "--output=github", "crd")
	if !strings.HasPrefix(r.stdout, "::error file=config/crd/bad.yaml,line=19,col=11,title=bads.example.com v1%3A structural/type-required::") {
		t.Error(r.stdout)
	}
}

// Names that would do harm in YAML come out in a form that reads back the same.
func TestSkeletonOfHostileNamesReadsBack(t *testing.T) {
	for _, name := range []string{"a\u202e\u200b", "\x00\x1b", "::error::owned", "a\n::error::owned", "##[error]owned", "plain"} {
		quoted, _ := json.Marshal(name)
		r := runWith(crd("goods", "{type: object, properties: {"+string(quoted)+": {type: string}}}"), "skeleton", "-")
		if r.code != exitOK {
			t.Errorf("%q: exit status %d\n%s", name, r.code, r.stderr)
		}
		wantClean(t, "the skeleton", r.stdout)
		if regexp.MustCompile(`(?m)^\s*::|##\[`).MatchString(r.stdout) {
			t.Errorf("%q: has a workflow command:\n%s", name, r.stdout)
		}
		var got map[string]any
		if err := yaml.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Errorf("%q: %v in\n%s", name, err, r.stdout)
			continue
		}
		field := got["properties"].(map[string]any)["field"].(map[string]any)
		if _, ok := field["properties"].(map[string]any)[name]; !ok {
			t.Errorf("%q is lost:\n%s", name, r.stdout)
		}
	}
}

// manyVersions is a v1beta1 CRD that has one schema for all versions.
func manyVersions(versions, fields int) string {
	var b strings.Builder
	b.WriteString("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec:\n" +
		"  group: example.com\n  scope: Namespaced\n  names: {kind: Thing, plural: things}\n  preserveUnknownFields: false\n" +
		"  validation:\n    openAPIV3Schema:\n      type: object\n      properties:\n")
	for i := range fields {
		fmt.Fprintf(&b, "        f%d: {type: object, properties: {a%d: {type: string}}}\n", i, i)
	}
	b.WriteString("  versions:\n")
	for i := range versions {
		fmt.Fprintf(&b, "  - {name: v%d, served: true, storage: %t}\n", i+1, i == 0)
	}
	return b.String()
}

// Work for what is the same is done once, and all packages share a meter.
func TestManyVersionsOfOneSchema(t *testing.T) {
	testsize.Large(t, "reads files as large as the limits")
	inModule(t, map[string]string{"crd.yaml": manyVersions(2000, 1000)})
	for command, most := range map[string]int{"generate": 300, "verify": 300, "explain --output=html --tree-only": 800} {
		used := allocated.By(func() {
			args := append(strings.Fields(command), "crd.yaml")
			r := wantRun(t, exitInput, "-", "too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 2", args...)
			if n := strings.Count(r.stderr, "error: "); n != 1 || strings.Contains(r.stderr, "<nil>") {
				t.Errorf("%s: %s", command, r.stderr)
			}
		})
		if used > most<<20 {
			t.Errorf("%s allocates %d MB", command, used>>20)
		}
	}
	if generated(t) != "" {
		t.Error("something was written")
	}
	// The output is large, and none of it is kept.
	var stderr bytes.Buffer
	used := allocated.By(func() {
		if code := execute([]string{"skeleton", "crd.yaml"}, strings.NewReader(""), io.Discard, &stderr); code != exitOK {
			t.Errorf("exit status %d: %s", code, stderr.String())
		}
	})
	if used > 300<<20 {
		t.Errorf("skeleton allocates %d MB", used>>20)
	}
}

// The size of source is known when it is rendered, and nothing is written then.
func TestLargeDefaultsAreRefused(t *testing.T) {
	testsize.Large(t, "reads files as large as the limits")
	inModule(t, map[string]string{"crd.yaml": crd("things", `{type: string, default: "`+strings.Repeat("x", 12_000_000)+`"}`)})
	for _, command := range []string{"generate", "verify"} {
		r := wantRun(t, exitInput, "-", "too large: the run exceeds the limit of 20000000 units of work; raise it with --limit 2", command, "--emit=normalize,default", "crd.yaml")
		if n := strings.Count(r.stderr, "error: "); n != 1 {
			t.Errorf("%d errors", n)
		}
	}
	if generated(t) != "" {
		t.Error("something was written")
	}
}

// Long names are refused with their place, and are not repeated.
func TestLongNames(t *testing.T) {
	inModule(t, map[string]string{"crd.yaml": crd("things", "\n            type: object\n            properties:\n              "+strings.Repeat("n", 1010)+": {type: string}\n")})
	r := wantRun(t, exitInput, "-", "crd.yaml:22:15: error: …properties[field].properties: the name \"nnnnnnnn", "generate", "crd.yaml")
	if len(r.stderr) > 1000 || !strings.Contains(r.stderr, "has 1010 bytes; the limit in generated code is 1000") {
		t.Errorf("%.3000s", r.stderr)
	}
}

// A flag raises the limits of a run, and the error says at once how far.
func TestLimitsCanBeRaised(t *testing.T) {
	testsize.NotShort(t)
	t.Chdir(write(t, map[string]string{"many.yaml": strings.Repeat("--- a\n", 100_001)}))
	wantRun(t, exitInput, "many.yaml:50001:1: error: too large: the run exceeds the limit of 50000 documents; raise it with --limit 3 [text/too-large]", "", "lint", "many.yaml")
	wantRun(t, exitInput, "", "looked at 1 file with 100001 other documents", "lint", "--limit", "3", "many.yaml")
}

// The work on the files that are not read yet is taken to be like the work on the others.
func TestLimitsAreAdvisedForAllFiles(t *testing.T) {
	text := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for _, c := range "bcde" {
		text += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 10))
	}
	files := map[string]string{}
	for i := range 80 {
		files[fmt.Sprintf("dir/%02d.yaml", i)] = text
	}
	t.Chdir(write(t, files))
	wantRun(t, exitInput, "20000000 units of work; raise it with --limit 4", "", "lint", "dir")
	wantRun(t, exitInput, "40000000 units of work; raise it with --limit 4", "", "lint", "--limit", "2", "dir")
	wantRun(t, exitInput, "", "looked at 80 files with 80 other documents", "lint", "--limit", "4", "dir")
}
