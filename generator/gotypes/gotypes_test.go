package gotypes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/load"
)

// module is a Go module with a package for each case: types.go, in which comments say what is wanted, and crd.yaml.
const module = "testdata/module"

// openPackage returns the package of a case and its CRD.
func openPackage(t *testing.T, name string) (*Package, *structural.CRD) {
	t.Helper()
	dir := filepath.Join(module, name)
	there, err := target.Find(dir, nil, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	m := target.LoadModule(t.Context(), dir, nil, there.Imports)
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	return Load(there, m), readCRD(t, filepath.Join(dir, "crd.yaml"))
}

func readCRD(t *testing.T, name string) *structural.CRD {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file := load.Load(name, bytes.NewReader(text))
	if len(file.CRDs) != 1 || len(file.Findings) > 0 {
		t.Fatalf("%s: %d CRDs, %v", name, len(file.CRDs), file.Findings)
	}
	return file.CRDs[0]
}

// wanted returns the findings that the comments in a Go file ask for: its line, the rule and a part of the message.
//
//	Field string // want types/dropped: part of the message | types/lost: part of another
func wanted(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, line := range strings.Split(string(text), "\n") {
		if _, want, ok := strings.Cut(line, "// want "); ok {
			for _, w := range strings.Split(want, " | ") {
				all = append(all, fmt.Sprintf("%d %s", i+1, w))
			}
		}
	}
	return all
}

func TestCompare(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join(module, "*", "crd.yaml"))
	if err != nil || len(cases) < 9 {
		t.Fatal(cases, err)
	}
	for _, c := range cases {
		name := filepath.Base(filepath.Dir(c))
		t.Run(name, func(t *testing.T) {
			p, crd := openPackage(t, name)
			if (p.Err != nil) != (name == "unknown") {
				t.Fatal(p.Err)
			}
			found, ok := p.Compare(crd, crd.Versions[0])
			if ok != (name != "none") {
				t.Errorf("it has a type: %t", ok)
			}
			file := filepath.Join(module, name, "types.go")
			want := wanted(t, file)
			for _, f := range found {
				i := slices.IndexFunc(want, func(w string) bool {
					part, ok := strings.CutPrefix(w, fmt.Sprintf("%d %s: ", f.Line, f.Rule))
					return ok && strings.Contains(f.Message, part)
				})
				if i < 0 || f.File != file {
					t.Errorf("not wanted: %s:%d: %s: %s", f.File, f.Line, f.Rule, f.Message)
					continue
				}
				want = slices.Delete(want, i, i+1)
			}
			for _, w := range want {
				t.Errorf("missing: %s:%s", file, w)
			}
		})
	}
}

// A finding names the Go file with line and column, the schema, and where that is written.
func TestFindingsAreWhole(t *testing.T) {
	p, crd := openPackage(t, "differ")
	found, _ := p.Compare(crd, crd.Versions[0])
	file := filepath.Join(module, "differ", "types.go")
	const properties = "spec.versions[0].schema.openAPIV3Schema.properties"
	at := func(path string) string {
		return fmt.Sprintf(" (the schema is at %s:%d)", crd.File, crd.Locate(structural.ParsePath(path)).Line)
	}
	for _, want := range []structural.Finding{
		{
			Rule: RuleDropped, File: file, Line: 19, Column: 2, CRD: "things.example.com", Version: "v1", Severity: structural.SeverityError,
			Path:    properties + "[status].properties[phrase]",
			Message: "Status.Phrase is not in the schema: the API server drops status.phrase",
			Hint:    "did you mean phase?" + at(properties+"[status].properties"),
		},
		{
			Rule: RuleLost, File: file, Line: 22, Column: 6, CRD: "things.example.com", Version: "v1", Severity: structural.SeverityWarning,
			Path:    properties + "[spec].properties[gone]",
			Message: "Spec has no field for spec.gone: programs that use the type drop it when they write an object back",
			Hint:    "add the field, or generate the CRD from the Go types again" + at(properties+"[spec].properties[gone]"),
		},
	} {
		if !slices.Contains(found, want) {
			i := slices.IndexFunc(found, func(f structural.Finding) bool { return f.Path == want.Path })
			t.Errorf("got  %+v\nwant %+v", found[max(i, 0)], want)
		}
	}
	for _, f := range found {
		if isError := f.Rule == RuleDropped || f.Rule == RuleMismatch; isError != (f.Severity == structural.SeverityError) {
			t.Errorf("%s is an %s", f.Rule, f.Severity)
		}
	}
}

// Where nothing is pruned, nothing is dropped, and everything else stays as it is.
func TestNothingIsDroppedWhereNothingIsPruned(t *testing.T) {
	p, crd := openPackage(t, "differ")
	crd.Versions[0].Pruned = false
	found, _ := p.Compare(crd, crd.Versions[0])
	rules := map[structural.Rule]bool{}
	for _, f := range found {
		rules[f.Rule] = true
	}
	if rules[RuleDropped] || !rules[RuleLost] || !rules[RuleMismatch] {
		t.Errorf("%v", rules)
	}
}

// A schema that is made to differ everywhere gives a number of findings that can be read.
func TestFindingsAreBounded(t *testing.T) {
	p, _ := openPackage(t, "agree")
	_, crd := openPackage(t, "none")
	spec := crd.Versions[0].Schema.Properties["spec"]
	for i := range 5000 {
		spec.Properties[fmt.Sprintf("%05d%s", i, strings.Repeat("x", 1000))] = &structural.JSONSchema{Type: "string"}
	}
	start := time.Now()
	found, ok := p.Compare(crd, crd.Versions[0])
	if !ok || len(found) != maxFindings+1 {
		t.Fatalf("%d findings", len(found))
	}
	last := found[maxFindings]
	if last.Rule != RuleMore || last.Severity != structural.SeverityError || last.Line == 0 ||
		last.Message != "only the first 200 differences between Thing and its schema are shown" {
		t.Errorf("%+v", last)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v", took)
	}
}
