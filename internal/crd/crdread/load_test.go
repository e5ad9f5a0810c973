package crdread_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// findingLines writes findings the way an editor would list them.
func findingLines(findings []structural.Finding) []string {
	var lines []string
	for _, f := range findings {
		line := fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Severity, f.Message)
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func wantFindings(t *testing.T, got []structural.Finding, want ...string) {
	t.Helper()
	if lines := findingLines(got); !slices.Equal(lines, want) {
		t.Errorf("findings:\n\t%s\nwant:\n\t%s", strings.Join(lines, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// smallCRD is a CRD in one line of flow style, which is JSON.
func smallCRD(kind string) string {
	plural := strings.ToLower(kind) + "s"
	return `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "` + plural +
		`.example.com"}, "spec": {"group": "example.com", "names": {"kind": "` + kind + `", "plural": "` + plural +
		`"}, "scope": "Cluster", "versions": [{"name": "v1", "served": true, "storage": true, "schema": ` +
		`{"openAPIV3Schema": {"type": "object"}}}]}}`
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n"

func TestLoadFindsEveryCRDInAFile(t *testing.T) {
	a, b := smallCRD("Apple"), smallCRD("Bean")
	list := "apiVersion: v1\nkind: List\nitems:\n- "
	typedList := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- "
	bare := strings.Replace(a, `"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", `, "", 1)
	for name, test := range map[string]struct {
		text   string
		kinds  string
		passed int
	}{
		"nothing":                        {"", "", 0},
		"only comments":                  {"# a\n---\n# b\n", "", 0},
		"empty documents":                {"---\n---\nnull\n---\n" + a, "Apple", 0},
		"one":                            {a, "Apple", 0},
		"several documents":              {a + "\n---\n" + configMap + "---\n" + b, "Apple Bean", 1},
		"a comment after the dashes":     {"--- # first\n" + a + "\n--- # second\n" + b, "Apple Bean", 0},
		"content after the dashes":       {"--- " + a + "\n--- " + b, "Apple Bean", 0},
		"documents with ends":            {a + "\n...\n---\n" + b + "\n...\n", "Apple Bean", 0},
		"carriage returns":               {a + "\r\n---\r\n" + configMap + "\r\n---\r" + b, "Apple Bean", 1},
		"a directive":                    {"%YAML 1.1\n---\n" + a + "\n", "Apple", 0},
		"JSON objects in a row":          {a + "\n" + b + b, "Apple Bean Bean", 0},
		"YAML that starts with {":        {"{ # a comment\n" + a[1:len(a)-1] + ",}", "Apple", 0},
		"JSON with tabs":                 {strings.ReplaceAll(a, "{", "{\n\t"), "Apple", 0},
		"a list":                         {list + a + "\n- " + b + "\n- " + strings.ReplaceAll(configMap, "\n", "\n  "), "Apple Bean", 1},
		"a list in a list":               {list + "{apiVersion: v1, kind: List, items: [" + a + "]}", "Apple", 0},
		"a list of CRDs":                 {typedList + bare + "\n- " + b, "Apple Bean", 0},
		"a list of CRDs with a kind":     {typedList + strings.Replace(bare, "{", "{kind: Other, ", 1), "", 1},
		"a list of CRDs with a version":  {typedList + strings.Replace(bare, "{", "{apiVersion: v1, ", 1), "", 1},
		"somebody else's list of CRDs":   {strings.Replace(typedList, "apiextensions.k8s.io", "example.com", 1) + a, "Apple", 0}, // as kubectl reads it
		"items of what is not a list":    {strings.Replace(list, "kind: List", "kind: ConfigMap", 1) + a, "", 1},
		"a list whose items are not one": {"apiVersion: v1\nkind: List\nitems: " + a, "", 1},
		"a list of nothing":              {"apiVersion: v1\nkind: List\nitems: []\n", "", 0},
		"a list without items":           {"apiVersion: v1\nkind: List\n", "", 1},
		"a list of others, untyped":      {list + strings.Replace(bare, "{", "{kind: null, ", 1), "", 1},
		"a list of others":               {list + "5\n- null\n- {}\n", "", 3},
		"somebody else's list":           {"apiVersion: example.com/v1\nkind: List\nitems: [" + a + "]", "Apple", 0},
		"somebody else's CRD":            {"apiVersion: example.com/v1\nkind: CustomResourceDefinition", "", 1},
		"not even objects":               {"just text\n---\n- 1\n---\n5\n", "", 3},
		"UTF-16":                         {"\xff\xfe" + strings.Join(strings.Split(a, ""), "\x00") + "\x00", "Apple", 0},
		"UTF-16, the other way":          {"\xfe\xff\x00" + strings.Join(strings.Split(a, ""), "\x00"), "Apple", 0},
		"a byte order mark":              {"\ufeff" + a, "Apple", 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := crdread.Load("x", strings.NewReader(test.text))
			var kinds []string
			for _, c := range f.CRDs {
				kinds = append(kinds, c.Names.Kind)
			}
			if got := strings.Join(kinds, " "); got != test.kinds || f.Passed != test.passed {
				t.Errorf("found %q and passed over %d, want %q and %d", got, f.Passed, test.kinds, test.passed)
			}
			wantFindings(t, f.Findings)
		})
	}
}

// Without --- between a CRD and an object, the object replaces the kind of the CRD.
func TestLoadFindsTheMissingLineBetweenObjects(t *testing.T) {
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {}\n"
	f := crdread.Load("x", strings.NewReader(crd+"apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"))
	wantFindings(t, f.Findings, "5:1 error: a CustomResourceDefinition and another object are in one document (add a line with --- before this one)")
}

func TestLoadReadsTheDocumentsAroundABrokenOne(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(smallCRD("Apple")+"\n---\na: [\n---\n"+smallCRD("Bean")+"\n"))
	if len(f.CRDs) != 2 || f.CRDs[1].Names.Kind != "Bean" {
		t.Errorf("found %d CRDs", len(f.CRDs))
	}
	if at := f.CRDs[1].Locate(prunert.FieldPath("spec", "group")); at.Line != 5 {
		t.Errorf("the second CRD is located in line %d, want 5", at.Line)
	}
	wantFindings(t, f.Findings, "3:1 error: invalid YAML: did not find expected node content")
}

func TestLoadReadsTheJSONBeforeABrokenOne(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(smallCRD("Apple")+"\n{\t\"a\": }"))
	wantFindings(t, f.Findings, "2:8 error: invalid JSON: invalid character '}' looking for beginning of value")
	if len(f.CRDs) != 1 {
		t.Errorf("found %d CRDs", len(f.CRDs))
	}
}

func TestLoadReportsAnUnreadableFile(t *testing.T) {
	f := crdread.Load("x", io.MultiReader(strings.NewReader(smallCRD("Apple")), iotest.ErrReader(errors.New("disk on fire"))))
	if len(f.CRDs) != 0 {
		t.Error("half a file was used")
	}
	wantFindings(t, f.Findings, "1:1 error: cannot read the file: disk on fire")
}

func TestLoadRefusesUnknownVersionsOfTheAPI(t *testing.T) {
	for apiVersion, want := range map[string]string{
		"apiVersion: apiextensions.k8s.io/v2":       `2:1 error: no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v2"`,
		"apiVersion: apiextensions.k8s.io/v1alpha1": `2:1 error: no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1alpha1"`,
		"apiVersion: apiextensions.k8s.io":          `2:1 error: no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io"`,
		"metadata: {}":                              "1:1 error: apiVersion: Required value",
	} {
		f := crdread.Load("x", strings.NewReader("kind: CustomResourceDefinition\n"+apiVersion+"\nspec:\n  group: example.com\n"))
		wantFindings(t, f.Findings, want+" (write apiVersion: apiextensions.k8s.io/v1)")
		if len(f.CRDs) != 0 || f.Passed != 0 {
			t.Errorf("%s: %d CRDs, %d passed over", apiVersion, len(f.CRDs), f.Passed)
		}
	}
}

func TestLoadPassesOverPatches(t *testing.T) {
	f := crdread.Load("x", strings.NewReader(`# The following patch enables a conversion webhook.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: jobs.example.com
spec:
  conversion:
    strategy: Webhook
`))
	if f.Passed != 1 || len(f.CRDs) != 0 {
		t.Errorf("%d passed over, %d CRDs", f.Passed, len(f.CRDs))
	}
	wantFindings(t, f.Findings, "2:1 warning: skipped: this CustomResourceDefinition has no spec.group, no spec.names and "+
		"no spec.versions (it looks like a patch: render it first, for example with kustomize build)")
}

func TestFindingsSayWhatTheyAreAbout(t *testing.T) {
	f := crdread.Load("some/file.yaml", strings.NewReader(structuraltest.CRDWith("type: [object]")+"---\n"+
		strings.NewReplacer("  name: jobs.example.com\n", "  nam: x\n", "scope: Namespaced", "scop: x").Replace(structuraltest.CRDWith("type: object\nx-kubernetes-preserve-unknown-fields: true"))))
	f.Findings = append(f.Findings, lint.CRD(f.CRDs[0])...)
	slices.SortFunc(f.Findings, func(a, b structural.Finding) int { return a.Line - b.Line })
	want := []structural.Finding{
		structural.Finding{ID: "crd/wrong-type", File: "some/file.yaml", Line: 16, Column: 9, CRD: "jobs.example.com", Version: "v1", Severity: structural.SeverityError,
			Hint: "write type: object"}.WithPath("spec.versions[0].schema.openAPIV3Schema.type", structural.VersionSchemaPath(0).Child("type").Steps()).
			Saying("spec.versions[0].schema.openAPIV3Schema.type", "expected a string, found a list"),
		structural.Finding{ID: "crd/required", File: "some/file.yaml", Line: 20, Column: 1, CRD: "example.com/Job", Severity: structural.SeverityError,
			Hint: "write name: jobs.example.com"}.WithPath("metadata.name", prunert.FieldPath("metadata", "name")).Saying("metadata.name", "Required value: name or generateName is required"),
		structural.Finding{ID: "crd/unknown-field", File: "some/file.yaml", Line: 21, Column: 3, CRD: "example.com/Job", Severity: structural.SeverityWarning,
			Message: `unknown field "metadata.nam"`, Hint: "did you mean name?"}.Quoting("metadata.nam", prunert.FieldPath("metadata", "nam")),
		structural.Finding{ID: "crd/required", File: "some/file.yaml", Line: 22, Column: 1, CRD: "example.com/Job", Severity: structural.SeverityError,
			Hint: "write scope: Namespaced or scope: Cluster"}.WithPath("spec.scope", prunert.FieldPath("spec", "scope")).Saying("spec.scope", "Required value"),
		structural.Finding{ID: "crd/unknown-field", File: "some/file.yaml", Line: 25, Column: 3, CRD: "example.com/Job", Severity: structural.SeverityWarning,
			Message: `unknown field "spec.scop"`, Hint: "did you mean scope?"}.Quoting("spec.scop", prunert.FieldPath("spec", "scop")),
	}
	if !reflect.DeepEqual(f.Findings, want) {
		t.Errorf("findings:\n\t%+v\nwant:\n\t%+v", f.Findings, want)
	}
}

func TestFindingsAreBounded(t *testing.T) {
	many := strings.Repeat("{x: 1}, ", 2*listed.Findings)
	f := crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nallOf: ["+many+"]")))
	if n := len(f.Findings); n != listed.Findings+1 {
		t.Fatalf("%d findings", n)
	}
	last := f.Findings[listed.Findings]
	if last.Severity != structural.SeverityWarning || last.ID != structural.IDMore || last.Line != 17 {
		t.Errorf("the last finding is %+v", last)
	}
	if len(f.CRDs) != 1 {
		t.Error("a CRD with warnings alone was not used")
	}

	f = crdread.Load("x", strings.NewReader(structuraltest.CRDWith("type: object\nallOf: ["+many+"{type: 5}]")))
	if last := f.Findings[len(f.Findings)-1]; last.Severity != structural.SeverityError {
		t.Errorf("an error was lost behind the last finding: %+v", last)
	}
	if len(f.CRDs) != 0 {
		t.Error("a CRD with an error that is not shown was used")
	}

	long := `{"properties": {"` + strings.Repeat("k", 100_000) + `": {"allOf": [` + strings.Repeat(`{"x": 1}, `, listed.Findings) + "{}]}}}"
	f = crdread.Load("x", strings.NewReader(strings.Replace(smallCRD("Job"), `{"type": "object"}`, long, 1)))
	if n := len(f.Findings); n < 10 || n >= listed.Findings {
		t.Errorf("%d findings", n)
	}
	bytes := 0
	for _, finding := range f.Findings {
		bytes += len(finding.Path) + len(finding.Message)
	}
	if bytes > listed.Findings<<13 {
		t.Errorf("the findings have %d bytes", bytes)
	}
}

func TestAFileThatIsForeignCanBePassedOver(t *testing.T) {
	broken := "{{ if .Values.crds }}\n"
	for text, want := range map[string]report.Foreign{
		smallCRD("Bean"):             report.NotForeign,
		configMap:                    report.NotForeign,
		"a: [\n" + configMap:         report.NoMention,
		"a: [\n" + smallCRD("Elder"): report.NotForeign,
		broken + configMap:           report.Template,
		broken + smallCRD("Elder"):   report.Template,
		inUTF16(broken + configMap):  report.Template,
		inUTF16(broken + "kind: CustomResourceDefinition"): report.Template,
	} {
		f := crdread.Load("x.yaml", strings.NewReader(text))
		if f.Foreign != want {
			t.Errorf("%.30q is foreign: %v; %v", text, f.Foreign, f.Findings)
		}
		if strings.HasPrefix(text, broken) {
			wantFindings(t, f.Findings, "1:1 error: invalid YAML: a template action "+
				"(this looks like a template: render it first, for example with helm template)")
		}
	}
}

// A text that cannot be parsed is a template if it has an action that YAML does not read as text.
func TestTemplatesAreTextsWithActionsThatAreNotText(t *testing.T) {
	const hint = "this looks like a template: render it first, for example with helm template"
	for text, want := range map[string]bool{
		"a: {{ .x }}\n":                                                  true,
		"a: 1\n{{ if }}\nb: 2\n":                                         true,
		"a: 1\n{% if x %}\nb: [\n":                                       true,
		"a: \"{{ f \"x\" }}\"\n":                                         true,
		"- a: |\n    b\n  c: {{ x }}\n":                                  true,
		"a: |\n{{ x | indent 2 }}\n":                                     true,
		"a: '{{ .x }}'\nb: [\n":                                          false,
		"a: \"\\\"{{ .x }}\"\nb: [\n":                                    false,
		"a: '{{ .x }}'\n---\nb: !!int x\n":                               false,
		"a: [\n# {{ x }}\n":                                              false,
		"a: |\n  {{ x }}\n\n  {{ y }}\nb: [\n":                           false,
		"a:\n- >-\n {{ x }}\n- b: &x |2 # {{ x }}\n     {{ x }}\nb: [\n": false,
	} {
		f := crdread.Load("x.yaml", strings.NewReader(text))
		if len(f.Findings) == 0 || (f.Findings[0].Hint == hint) != want || (f.Findings[0].ID == yamltext.IDTemplate) != want || (f.Foreign == report.Template) != want {
			t.Errorf("%q: %v, %v", text, f.Findings, f.Foreign)
		}
	}
}

func TestManifestsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.yaml": true, "a/b.yml": true, "a.JSON": true, "D.YAML": true, "a.txt": false, "yaml": false, "a.yaml~": false, "": false,
	} {
		if crdread.IsManifest(name) != want {
			t.Errorf("%q is a manifest: %t", name, !want)
		}
	}
}

func TestAFileThatCannotBeReadIsAFinding(t *testing.T) {
	_, err := fs.ReadFile(fstest.MapFS{}, "nowhere.yaml")
	f := crdread.Unreadable(nil, "nowhere.yaml", err)
	wantFindings(t, f.Findings, "1:1 error: cannot read the file: file does not exist")
	f = crdread.Load("x.yaml", iotest.ErrReader(errors.New("no more")))
	wantFindings(t, f.Findings, "1:1 error: cannot read the file: no more")
	if f.Findings[0].ID != structural.IDUnreadable || f.Lines != nil || f.Lines.Line(nil, 1) != nil {
		t.Errorf("got %+v", f)
	}
}

// A file that cannot be read takes findings, as any other.
func TestFileThatCannotBeReadTakesFindings(t *testing.T) {
	f := crdread.Load("crd.yaml", iotest.ErrReader(errors.New("broken")))
	f.Add(nil)
	f.Add([]structural.Finding{{ID: "a/b", Message: "more"}})
	if len(f.Findings) != 2 || f.Findings[0].ID != structural.IDUnreadable && f.Findings[1].ID != structural.IDUnreadable {
		t.Errorf("%+v", f.Findings)
	}
}
