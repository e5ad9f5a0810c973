package gotypes

import (
	"bytes"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/testing/allocated"
	"github.com/prune-gen/prune-gen/internal/testing/recorded"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write the findings")

// module is a Go module with a package for each case: types.go, in which comments say what is wanted, and crd.yaml. The types of Kubernetes
// and of a library, which it requires, are beside it.
const module = "../../testing/typecases/testdata/module"

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
	file := crdread.Load(name, bytes.NewReader(text))
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

// printed returns findings as text, all that they say, with paths below the module.
func printed(found []structural.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%d:%d %s %s %s %s\n\t%s\n\t%s\n\t%s\n", f.Line, f.Column, f.Severity, f.ID, f.CRD, f.Version, f.Path, f.Message, f.Hint)
	}
	return strings.ReplaceAll(filepath.ToSlash(b.String()), module+"/", "")
}

// TestCompare compares the findings with the comments and, in all that they say and in order, with findings.txt.
func TestCompare(t *testing.T) {
	testsize.NotShort(t)
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
					part, ok := strings.CutPrefix(w, fmt.Sprintf("%d %s: ", f.Line, f.ID))
					return ok && strings.Contains(f.Message, part)
				})
				if i < 0 || f.File != file {
					t.Errorf("not wanted: %s:%d: %s: %s", f.File, f.Line, f.ID, f.Message)
					continue
				}
				want = slices.Delete(want, i, i+1)
			}
			for _, w := range want {
				t.Errorf("missing: %s:%s", file, w)
			}
			recorded.Compare(t, *update, filepath.Join(module, name, "findings.txt"), printed(found))
		})
	}
}

// A finding names the Go file with line and column, the schema, and where that is written.
func TestFindingsAreWhole(t *testing.T) {
	p, crd := openPackage(t, "differ")
	found, _ := p.Compare(crd, crd.Versions[0])
	file := filepath.Join(module, "differ", "types.go")
	const properties = "spec.versions[0].schema.openAPIV3Schema.properties"
	inSchema := structural.VersionSchemaPath(0).Child("properties")
	at := func(path *structural.Path) string {
		return fmt.Sprintf(" (the schema is at %s:%d)", crd.File, crd.Locate(path.Steps()).Line)
	}
	for _, want := range []structural.Finding{
		structural.Finding{
			ID: IDDropped, File: file, Line: 19, Column: 2, CRD: "things.example.com", Version: "v1", Severity: structural.SeverityError,
			Message: "Status.Phrase is not in the schema: the API server drops status.phrase",
			Hint:    "did you mean phase?" + at(inSchema.Key("status").Child("properties")),
		}.WithPath(properties+"[status].properties[phrase]", inSchema.Key("status").Child("properties").Key("phrase").Steps()),
		structural.Finding{
			ID: IDLost, File: file, Line: 22, Column: 6, CRD: "things.example.com", Version: "v1", Severity: structural.SeverityWarning,
			Message: "Spec has no field for spec.gone: programs that use the type drop it when they write an object back",
			Hint:    "add the field, or generate the CRD from the Go types again" + at(inSchema.Key("spec").Child("properties").Key("gone")),
		}.WithPath(properties+"[spec].properties[gone]", inSchema.Key("spec").Child("properties").Key("gone").Steps()),
	} {
		if !slices.ContainsFunc(found, func(f structural.Finding) bool { return reflect.DeepEqual(f, want) }) {
			i := slices.IndexFunc(found, func(f structural.Finding) bool { return f.Path == want.Path })
			t.Errorf("got  %+v\nwant %+v", found[max(i, 0)], want)
		}
	}
	for _, f := range found {
		if isError := f.ID == IDDropped || f.ID == IDMismatch; isError != (f.Severity == structural.SeverityError) {
			t.Errorf("%s is an %s", f.ID, f.Severity)
		}
	}
}

// Where nothing is pruned, nothing is dropped, and everything else stays as it is.
func TestNothingIsDroppedWhereNothingIsPruned(t *testing.T) {
	p, crd := openPackage(t, "differ")
	crd.Versions[0].Pruned = false
	found, _ := p.Compare(crd, crd.Versions[0])
	rules := map[structural.ID]bool{}
	for _, f := range found {
		rules[f.ID] = true
	}
	if rules[IDDropped] || !rules[IDLost] || !rules[IDMismatch] {
		t.Errorf("%v", rules)
	}
}

// A status that is not a subresource is part of new objects: the whole of it is refused.
func TestStatusWithoutSubresourceIsSent(t *testing.T) {
	p, crd := openPackage(t, "zeros")
	for hasStatus, want := range map[bool]string{true: "Status.Always Status.Phase Status.Sometimes", false: "Status.Sometimes Thing.Status"} {
		crd.Versions[0].HasStatus = hasStatus
		found, _ := p.Compare(crd, crd.Versions[0])
		var have []string
		for _, f := range found {
			if name, _, _ := strings.Cut(f.Message, ":"); f.ID == IDZeroRefused && strings.Contains(name, "Status") {
				have = append(have, name)
			}
		}
		if slices.Sort(have); strings.Join(have, " ") != want {
			t.Errorf("%t: %s, want %s", hasStatus, have, want)
		}
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
	var found []structural.Finding
	var ok bool
	bytes := allocated.By(func() { found, ok = p.Compare(crd, crd.Versions[0]) })
	if bytes > 50<<20 {
		t.Errorf("allocates %d bytes", bytes)
	}
	if !ok || len(found) != listed.Findings+1 {
		t.Fatalf("%d findings", len(found))
	}
	last := found[listed.Findings]
	if last.ID != IDMore || last.Severity != structural.SeverityError || last.Line == 0 ||
		last.Message != "only the first 1000 differences between Thing and its schema are shown" {
		t.Errorf("%+v", last)
	}
}

// Each version is compared with its own schema.
func TestVersionsAreComparedWithTheirOwnSchema(t *testing.T) {
	p, crd := openPackage(t, "places")
	found, ok := p.Compare(crd, crd.Versions[1])
	const want = "16:2 error types/mismatch things.example.com v2\n" +
		"\tspec.versions[1].schema.openAPIV3Schema.properties[top]\n" +
		"\tReal.Top: top is a string in Go (string) and an integer in the schema\n" +
		"\tchange one of the two: the API server refuses what the Go type writes (the schema is at places/crd.yaml:55)\n"
	if have := printed(found); !ok || have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// A kind without a schema, with one that lint refuses, or with another name than that of a struct is not compared.
func TestWhatIsNotCompared(t *testing.T) {
	p, crd := openPackage(t, "differ")
	compare := func(what string, want bool, change func(c *structural.CRD, v *structural.Version)) {
		t.Helper()
		c, v := &structural.CRD{APIVersion: crd.APIVersion, Names: crd.Names, Versions: crd.Versions}, *crd.Versions[0]
		change(c, &v)
		if found, ok := p.Compare(c, &v); ok != want || len(found) > 0 {
			t.Errorf("%s: %t, %d findings", what, ok, len(found))
		}
	}
	compare("no schema", false, func(_ *structural.CRD, v *structural.Version) { v.Schema = nil })
	compare("not structural", true, func(_ *structural.CRD, v *structural.Version) { v.Schema = &structural.JSONSchema{Type: "string"} })
	for _, kind := range []string{"Gone", "Status", "thing", ""} {
		compare(kind, false, func(c *structural.CRD, _ *structural.Version) { c.Names.Kind = kind })
	}
}

// The finding that there are more is an error if one of those is, and texts are limited, too.
func TestFindingsThatAreNotShown(t *testing.T) {
	p, crd := openPackage(t, "none")
	v := crd.Versions[0]
	anchor := p.types.Scope().Lookup("Thing")
	for _, test := range []struct {
		name           string
		errors         []bool // of the findings that are not shown
		text           int    // the bytes of each message
		shown, more    int
		severityOfMore structural.Severity
	}{
		{"as many as are shown", nil, 1, listed.Findings, 0, ""},
		{"one warning more", []bool{false}, 1, listed.Findings, 1, structural.SeverityWarning},
		{"errors and warnings more", []bool{true, false}, 1, listed.Findings, 1, structural.SeverityError},
		{"long texts", []bool{false}, listed.Findings * 1900, 4, 1, structural.SeverityWarning},
	} {
		r := newAccount(p, crd, v)
		add := func(i int, severity structural.Severity) {
			r.add(subject{id: IDLost, name: fmt.Sprint(i)}, severity, place{schema: v.SchemaPath, anchor: anchor}, strings.Repeat("x", test.text), "hint")
		}
		for i := range test.shown {
			add(i, structural.SeverityWarning)
		}
		for i, isError := range test.errors {
			severity := structural.SeverityWarning
			if isError {
				severity = structural.SeverityError
			}
			add(-1-i, severity)
		}
		found := r.found()
		if len(found) != test.shown+test.more {
			t.Errorf("%s: %d findings", test.name, len(found))
			continue
		}
		if test.more == 0 {
			continue
		}
		last := found[len(found)-1]
		want := found[0].WithPath("", nil)
		want.ID, want.Hint, want.Severity = IDMore, "", test.severityOfMore
		want.Message = fmt.Sprintf("only the first %d differences between Thing and its schema are shown", test.shown)
		if !reflect.DeepEqual(last, want) {
			t.Errorf("%s: %+v, want %+v", test.name, last, want)
		}
	}
}

func TestPathsOfObjectsAreShortened(t *testing.T) {
	path := func(name string) string { return objectPath(place{object: (*structural.Path)(nil).Child(name)}) }
	for n, want := range map[int]string{199: strings.Repeat("x", 199), 200: strings.Repeat("x", 200), 201: "..." + strings.Repeat("x", 200)} {
		if have := path(strings.Repeat("x", n)); have != want {
			t.Errorf("%d: %s", n, have)
		}
	}
	if have, want := path("ab"+strings.Repeat("ü", 100)+"x"), "..."+strings.Repeat("ü", 99)+"x"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
}

// The source of a type is the user's if it is in the module and not vendored.
func TestPositionsOutsideOfTheModuleAreNotTheUsers(t *testing.T) {
	p := &Package{fset: token.NewFileSet(), root: "/m", parsed: map[string]bool{"api/a.go": true}}
	for name, want := range map[string]string{
		"api/a.go": "api/a.go:1:1", "api/b.go": "", "/m/a.go": "/m/a.go:1", "/m/x/vendor/a.go": "/m/x/vendor/a.go:1", "/m/vendors/a.go": "/m/vendors/a.go:1",
		"/m/vendor/a.go": "", "/n/a.go": "", "/mm/a.go": "", "": "",
	} {
		at, ok := p.position(p.fset.AddFile(name, -1, 10).Pos(0))
		if have := at.String(); ok != (want != "") || ok && filepath.ToSlash(have) != want {
			t.Errorf("%s: %s, %t, want %s", name, have, ok, want)
		}
	}
}

func TestRulesHaveSummaries(t *testing.T) {
	var have strings.Builder
	for _, r := range IDs() {
		fmt.Fprintf(&have, "%s: %s\n", r.ID, r.Summary)
	}
	const want = `types/dropped: Every field of a Go type is in the schema.
types/lost: Every field of the schema is in the Go type.
types/mismatch: The schema accepts the JSON of a Go field.
types/narrow: A Go field can hold every value that the schema accepts.
types/wide: The API server can hold every integer of a Go field.
types/zero-refused: The schema accepts what is sent for a Go field that is not set.
types/zero-missing: A required Go field is sent even if it is zero.
types/zero-defaulted: A Go field can be zero although its default is not.
types/default-unused: The default of a Go field applies if the field is not set.
types/more: Only the first differences between a Go type and a schema are shown.
`
	if have.String() != want {
		t.Errorf("%s", have.String())
	}
}
