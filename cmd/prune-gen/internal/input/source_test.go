package input

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// What a finding shows is the line that the parser counted, in whatever encoding the file is.
func TestTheLineOfAFindingIsShown(t *testing.T) {
	const crd = "apiVersion: apiextensions.k8s.io/v1\r\nkind: CustomResourceDefinition\rmetadata: {name: x}\u0085spec:\u2028  group: 5\u2029"
	utf16 := "\xff\xfe"
	for _, r := range crd {
		utf16 += string([]byte{byte(r), byte(r >> 8)})
	}
	for _, data := range []string{crd, "\ufeff" + crd, utf16} {
		dir := write(t, map[string]string{"a.yaml": data})
		src := read(list(Args{Names: []string{dir}})[0], nil, Args{})
		i := slices.IndexFunc(src.Findings, func(f structural.Finding) bool { return f.Path == "spec.group" })
		if i < 0 || src.Findings[i].Line != 5 {
			t.Fatalf("%+v", src.Findings)
		}
		snippet := src.Snippets(src.Findings)[i]
		if text, _, _ := snippet.Show(); text != "  group: 5" {
			t.Errorf("%q: the line is %q", data, text)
		}
	}
}

// The lines are those that were read, whatever becomes of the file.
func TestAFileThatHasChangedHasItsLines(t *testing.T) {
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: 5\n"
	dir := write(t, map[string]string{"a.yaml": crd})
	file := filepath.Join(dir, "a.yaml")
	src := read(list(Args{Names: []string{file}})[0], nil, Args{})
	show := func() string {
		for _, s := range src.Snippets(src.Findings) {
			if text, _, _ := s.Show(); strings.Contains(text, "group") {
				return text
			}
		}
		return ""
	}
	if text := show(); text != "  group: 5" {
		t.Fatalf("the line is %q", text)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(crd, "5", "6", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if text := show(); text != "  group: 5" {
		t.Errorf("the line is %q", text)
	}
}

const twoCRDs = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: b.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bs.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: B, plural: bs}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
`

// What is found about CRDs is spent on the meter: nothing more is looked for when it is spent, and a finding says so.
func TestCheckingEndsWhenTheMeterIsSpent(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": twoCRDs})
	for left, want := range map[int]string{2_000_000: "1 2 after 2", 800_000: "1 2 6 after 2", 400_000: "1 2 after 1"} {
		m := meter.New(1)
		src := read(list(Args{Names: []string{dir}})[0], nil, Args{Meter: m})
		m.Spend(int(m.Left()) - left)
		checked := 0
		found := src.Check(func(c *structural.CRD) []structural.Finding {
			checked++
			return []structural.Finding{{Line: 3 - checked, Message: strings.Repeat("x", 1<<20)}}
		})
		have := ""
		for _, f := range found {
			have += fmt.Sprint(f.Line, " ")
			if (f.ID == yamltext.IDTooLarge) != (len(f.Message) < 1000) {
				t.Errorf("%.100s", f.Message)
			}
		}
		if have += fmt.Sprint("after ", checked); have != want {
			t.Errorf("%d units: %s, want %s", left, have, want)
		}
	}
}

// A file that is named again has the same doubts, with the lines that were read first.
func TestDoubtsAreLookedForOnce(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": twoCRDs})
	run := Run{}
	for range 2 {
		src := Args{Run: run}.read(list(Args{Names: []string{dir}})[0], nil)
		doubts := src.Doubts()
		if len(doubts) != 1 || doubts[0].Line != 3 || doubts[0].Severity != structural.SeverityWarning {
			t.Fatalf("%+v", doubts)
		}
		if text, _, _ := doubts[0].Show(); text != "metadata: {name: b.example.com}" {
			t.Errorf("the line is %q", text)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.yaml"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnreadableDirectoryIsAFinding(t *testing.T) {
	if os.Getuid() == 0 {
		// Nothing is unreadable to root: see that at least an error of the walk gets through.
		f := unreadable("d/secret", &os.PathError{Op: "open", Path: "d/secret", Err: os.ErrPermission})
		if f.ID != structural.IDUnreadable || f.File != "d/secret" || f.Message != "permission denied" {
			t.Errorf("%+v", f)
		}
		return
	}
	dir := write(t, map[string]string{"secret/a.yaml": "", "other.yaml": ""})
	secret := filepath.Join(dir, "secret")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(secret, 0o777)
	files := list(Args{Names: []string{dir}})
	if len(files) != 2 {
		t.Fatalf("%v", files)
	}
	if src := read(files[0], nil, Args{}); len(src.Findings) != 0 {
		t.Errorf("%+v", src.Findings)
	}
	src := read(files[1], nil, Args{})
	if f := src.Findings[0]; f.ID != structural.IDUnreadable || f.File != secret || f.Message != "permission denied" {
		t.Errorf("%+v", f)
	}
}

// The files of a run share the limits on what is read.
func TestTheFilesOfARunShareTheirLimits(t *testing.T) {
	testsize.NotShort(t)
	documents := strings.Repeat("--- a\n", 30_000) // 50,000 is the limit
	dir := write(t, map[string]string{"a.yaml": documents, "b.yaml": documents, "c.yaml": "a: 1"})
	names := []string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "c.yaml")}
	var got []string
	err := Each(Args{Names: names, Meter: meter.New(1)}, nil, func(src *Source, _, _ int) {
		for _, f := range src.Findings {
			got = append(got, filepath.Base(f.File)+": "+f.Message)
		}
	})
	want := []string{
		"b.yaml: too large: the run exceeds the limit of 50000 documents",
		"c.yaml: too large: the run exceeds the limit of 50000 documents",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %q", err, got)
	}
}
