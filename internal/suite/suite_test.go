package suite_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

var update = flag.Bool("update", false, "write what is there into testdata")

// variant returns the variant that a text is.
func variant(t *testing.T, file string, text []byte) *suite.Variant {
	t.Helper()
	loaded := crdread.Load(file, bytes.NewReader(text))
	if len(loaded.CRDs) != 1 {
		t.Fatalf("%s: %v", file, loaded.Findings)
	}
	return suite.NewVariant(loaded.CRDs[0])
}

// read reads a suite without errors.
func read(t *testing.T, file string, text []byte) *suite.Suite {
	t.Helper()
	s, wrong := suite.Read(meter.New(1), file, text)
	if len(wrong) > 0 {
		t.Fatalf("%s: %v", file, wrong)
	}
	return s
}

func part(t *testing.T, a *txtar.Archive, name string) *txtar.File {
	t.Helper()
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no %s", name)
	}
	return &a.Files[i]
}

// results runs the cases of a suite and returns their results as text.
func results(vs *suite.Variants, s *suite.Suite) (string, []*suite.Run) {
	var b strings.Builder
	runs := vs.Runs(s)
	for _, r := range runs {
		r.Do(nil)
		fmt.Fprintf(&b, "%s: ", r.Case.Name)
		if r.Failures == nil {
			b.WriteString("ok\n")
		}
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "%s:%d: %s\n%s", s.File, f.Line, f.Message, f.Diff)
		}
	}
	return b.String(), runs
}

func TestCases(t *testing.T) {
	const file = "testdata/widgets.txtar"
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", part(t, a, "crd.yaml").Data)}, Gates: suite.AnnotatedGates("gates")}
	s := read(t, "suite.yaml", part(t, a, "suite.yaml").Data)
	got, runs := results(vs, s)
	wants := map[string]string{"results": got}

	// What cannot be run cannot be updated.
	if _, err := s.Update(runs); err == nil || !strings.Contains(err.Error(), "suite.yaml:") {
		t.Errorf("cases that cannot be run are updated: %v", err)
	}
	cannot := func(c *suite.Case) bool {
		return strings.HasPrefix(c.Name, "a ") || c.Name == "an initial object that is refused"
	}
	s.Cases = slices.DeleteFunc(s.Cases, cannot)
	text, err := s.Update(slices.DeleteFunc(runs, func(r *suite.Run) bool { return cannot(r.Case) }))
	if err != nil {
		t.Fatal(err)
	}
	wants["updated"] = string(text)
	again := read(t, "suite.yaml", text)
	for _, version := range kubeversion.Known() { // what is written fits them all
		of := variant(t, "crd.yaml", part(t, a, "crd.yaml").Data)
		of.CRD.Kubernetes = version
		_, runs = results(&suite.Variants{All: []*suite.Variant{of}, Gates: vs.Gates}, again)
		for _, r := range runs {
			if r.Failures != nil && !cannot(r.Case) {
				t.Errorf("Kubernetes %s: %s fails after the update: %v", version, r.Case.Name, r.Failures)
			}
		}
	}
	for name, want := range wants {
		f := part(t, a, name)
		if *update {
			f.Data = []byte(want)
		} else if string(f.Data) != want {
			t.Errorf("%s differs; run with -update and read the difference\n%s", name, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSuitesThatCannotBeRead(t *testing.T) {
	const head = "crdName: a.b\ntests:\n  onCreate:\n"
	for text, want := range map[string]string{
		"":                                    "1: the suite is empty",
		"[]":                                  "1: got a list, want a suite",
		"crdname: a\n":                        `1: unknown key "crdname" (did you mean crdName?)`,
		"name: a\ntests: {}\n":                "1: the suite has no crdName",
		"crdName: 1\n":                        "1: got the integer 1, want a string",
		"crdName: a\n---\ncrdName: b\n":       "3: a suite must have one document",
		"crdName: a\ncrdName: b\n":            `2: duplicate key "crdName"`,
		"crdName: a\ntests: {onDelete: []}\n": `2: unknown key "onDelete" (tests can have onCreate, onUpdate)`,
		"crdName: a\ntests: {onCreate: {}}\n": "2: got an object, want a list",
		head + "  - name: x\n":                "4: the case has no initial object",
		head + "  - 1\n":                      "4: got the integer 1, want a case of onCreate",
		head + "  - initial: 'a: ['\n":        "4: ",
		head + "  - initial: |\n      a: b\n      c: [\n":           "6: invalid YAML",
		head + "  - initial: 'just text'\n":                         "4: the text is not one object",
		head + "  - initial: 3\n":                                   "4: got the integer 3, want an object as text: write | after the colon",
		head + "  - initial: 'a: b'\n    updated: 'a: b'\n":         `5: unknown key "updated" (a case of onCreate can have `,
		head + "  - initial: 'a: b'\n    fieldValidation: strict\n": "5: fieldValidation is Ignore, Warn or Strict",
		"crdName: a.b\ntests:\n  onUpdate:\n  - initial: 'a: b'\n":  "4: the case has no updated object",
		"crdName: a.b\ntests:\n  onUpdate:\n  - {initial: 'a: b', updated: 'a: b', initialCRDPatches: [{op: delete, path: /a}]}\n": "4: the op of a patch is add, remove",
		"crdName: a.b\ntests:\n  onUpdate:\n  - {initial: 'a: b', updated: 'a: b', initialCRDPatches: [x]}\n":                      `4: got the string "x", want a patch`,
	} {
		_, wrong := suite.Read(meter.New(1), "s.yaml", []byte(text))
		if len(wrong) == 0 {
			t.Errorf("%q has no finding, want %s", text, want)
			continue
		}
		got := fmt.Sprintf("%d: %s", wrong[0].Line, wrong[0].Message)
		if wrong[0].Hint != "" {
			got += " (" + wrong[0].Hint + ")"
		}
		if !strings.HasPrefix(got, want) || wrong[0].File != "s.yaml" {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
}

// widget returns a CRD of widgets with annotations.
func widget(annotations, version string) []byte {
	return []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  annotations: {` + annotations + `}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions:
  - name: ` + version + `
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer}
`)
}

// suiteOf returns a suite with one case.
func suiteOf(gates, version string) []byte {
	object := "      apiVersion: example.com/" + version + "\n      kind: Widget\n      size: 1\n"
	return []byte("crdName: widgets.example.com\nfeatureGates: [" + gates + "]\ntests:\n  onCreate:\n  - name: a\n    initial: |\n" + object + "    expected: |\n" + object)
}

func TestVariantsOfASuite(t *testing.T) {
	const profile = "include.release.openshift.io/self-managed: 'true'"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"default.yaml": "Default", "preview.yaml": "TechPreview",
	} {
		enabled := map[string]string{"Default": "A", "TechPreview": "B"}[text]
		disabled := map[string]string{"Default": "B", "TechPreview": "A"}[text]
		manifest := "kind: FeatureGate\nmetadata:\n  annotations:\n    " + profile + "\n    release.openshift.io/feature-set: " + text +
			"\n    release.openshift.io/major-version: '4'\nstatus:\n  featureGates:\n  - enabled: [{name: " + enabled + "}]\n    disabled: [{name: " + disabled + "}]\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(manifest), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	openshift, err := suite.ReadOpenShiftGates(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := suite.ReadOpenShiftGates(t.TempDir()); err == nil {
		t.Error("a directory without feature gates is taken")
	}
	for _, test := range []struct {
		rule           suite.Gates
		gates, version string
		want           string // the files of the variants, or an error
	}{
		{nil, "", "v1", "all.yaml custom.yaml preview.yaml"},
		{nil, "", "v2", "two.yaml"},
		{nil, "", "v3", "no CRD widgets.example.com has the version v3"},
		{nil, "A", "v1", "the suite has feature gates, and nothing says which CRDs have them"},
		{suite.AnnotatedGates("gates"), "A", "v1", "all.yaml"},
		{suite.AnnotatedGates("gates"), "-A", "v1", "custom.yaml preview.yaml"},
		{suite.AnnotatedGates("gates"), "A, -B", "v1", "no CRD widgets.example.com has the version v1 and the feature gates of the suite: A, -B"},
		{openshift, "A", "v1", "all.yaml custom.yaml"},
		{openshift, "B", "v1", "custom.yaml preview.yaml"},
		{openshift, "-A", "v1", "preview.yaml"},
		{openshift, "C", "v1", "all.yaml: there is no feature gate C"},
		{openshift, "A", "v2", "two.yaml: there is no FeatureGate for the profile"},
	} {
		vs := &suite.Variants{Gates: test.rule, All: []*suite.Variant{
			variant(t, "all.yaml", widget(profile+", gates: 'A,B'", "v1")),
			variant(t, "custom.yaml", widget(profile+", release.openshift.io/feature-set: CustomNoUpgrade", "v1")),
			variant(t, "preview.yaml", widget(profile+", release.openshift.io/feature-set: 'TechPreview,DevPreview', release.openshift.io/major-version: '4,5'", "v1")),
			variant(t, "two.yaml", widget(profile+", release.openshift.io/major-version: '6'", "v2")),
		}}
		var got []string
		for _, r := range vs.Runs(read(t, "s.yaml", suiteOf(test.gates, test.version))) {
			if r.Do(nil); r.Failures != nil {
				got = append(got, r.Failures[0].Message)
				continue
			}
			got = append(got, r.Variant.File())
		}
		if !strings.HasPrefix(strings.Join(got, " "), test.want) {
			t.Errorf("%v %s %s: %q, want %s", test.rule, test.gates, test.version, got, test.want)
		}
	}
}

// The cases of a CRD that the API server refuses fail for that.
func TestCasesOfARefusedCRD(t *testing.T) {
	text := bytes.Replace(widget("", "v1"), []byte("size: {type: integer}"), []byte("size: {type: integer, x-kubernetes-validations: [{rule: self ==}]}"), 1)
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", text)}}
	got, _ := results(vs, read(t, "s.yaml", suiteOf("", "v1")))
	if want := "the API server refuses the CRD: crd.yaml:"; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestManifests(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nsize: "
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", widget("", "v1"))}}
	for _, test := range []struct {
		name      string
		text, old string
		want      string
	}{
		{"valid/a.yaml", object + "1\n", "", "Widget a: ok\n"},
		{"valid/a.yaml", object + "x\n", "", `Widget a: a.yaml:5: refused: Widget.example.com "a" is invalid: size: Invalid value: "string": size in body must be of type integer: "string"` + "\n"},
		{"valid/a.yaml", object + "1\nsise: 1\n", "", `Widget a: a.yaml:1: refused: Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "sise"` + "\n"},
		{"invalid/deep/a.yaml", "# must be of type integer\n" + object + "x\n", "", "Widget a: ok\n"},
		{"invalid/a.yaml", "# must be of type integer\n" + object + "1\n", "", "Widget a: a.yaml:2: accepted\nwant a refusal: must be of type integer\n"},
		{"invalid/a.yaml", "---\n# must be of type integer\n" + object + "x\n", "", "Widget a: ok\n"},
		{"invalid/a.yaml", "\n \n---\n# must be of type integer\n# and more\n" + object + "x\n", "", "Widget a: ok\n"},
		{"invalid/a.yaml", "---\n" + object + "x\n# must be of type integer\n", "", "1:1: the first line of an invalid fixture must be a comment that quotes the refusal"},
		{"invalid/a.yaml", object + "x\n", "", "1:1: the first line of an invalid fixture must be a comment that quotes the refusal"},
		{"valid/a.yaml", "# nothing\n", "", "1:1: no object"},
		{"valid/a.yaml", "[1]\n", "", "1:1: got a list, want an object"},
		{"valid/a.yaml", "apiVersion: example.com/v1\nkind: Gadget\n", "", `Gadget: a.yaml:1: there is no CRD for kind "Gadget" in version "example.com/v1", only for Widget` + "\n"},
		{"valid/a.yaml", "apiVersion: v1\nkind: Namespace\n---\n" + object + "1\n", "", "Widget a: ok\npassed 1\n"},
		{"invalid/a.yaml", "# why\napiVersion: v1\nkind: Namespace\n", "", `Namespace: a.yaml:2: there is no CRD for kind "Namespace" in version "v1", only for Widget` + "\n"},
		{"valid/a.yaml", object + "1\n", object + "2\n", "Widget a: ok\n"},
		{"valid/a.yaml", object + "1\n", object + "x\n", `Widget a: a.yaml:1: the initial object is refused: Widget.example.com "a" is invalid: size: Invalid value: "string": size in body must be of type integer: "string"` + "\n"},
		{"invalid/a.yaml", "# does not match the name\n" + strings.Replace(object, "name: a", "name: b", 1) + "1\n", object + "1\n", "Widget b: ok\n"},
		{"valid/a.yaml", object + "1\n---\n" + strings.Replace(object, "name: a", "name: b", 1) + "1\n", object + "1\n", "7:1: there is no Widget b in a.old.yaml"},
		{"valid/a.yaml", "apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}}\n  - {apiVersion: example.com/v1, kind: Widget, metadata: {name: b}}\n", object + "1\n", "5:5: there is no Widget b in a.old.yaml"},
		{"other/a.yaml", object + "1\n", "", "none"},
		{"valid/a.old.yaml", object + "1\n", "", "none"},
		{"other/a.yaml", string(suiteOf("", "v1")), "", "a: ok\n"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, filepath.FromSlash(test.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if test.old != "" {
			if err := os.WriteFile(strings.TrimSuffix(file, ".yaml")+".old.yaml", []byte(test.old), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, wrong := vs.ReadFile(meter.New(1), file, []byte(test.text))
		got := "none"
		switch {
		case len(wrong) > 0:
			got = fmt.Sprintf("%d:%d: %s", wrong[0].Line, wrong[0].Column, wrong[0].Message)
		case s != nil:
			s.File = filepath.Base(file)
			if got, _ = results(vs, s); s.Passed > 0 {
				got += fmt.Sprintf("passed %d\n", s.Passed)
			}
		}
		if got != test.want {
			t.Errorf("%s:\n%s%s\ngot  %s\nwant %s", test.name, test.old, test.text, got, test.want)
		}
	}
}

func TestRequestsAreObserved(t *testing.T) {
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", widget("", "v1"))}}
	for _, r := range vs.Runs(read(t, "s.yaml", suiteOf("", "v1"))) {
		var seen []suite.Request
		r.Do(func(req suite.Request) { seen = append(seen, req) })
		if len(seen) != 1 || seen[0].Resource.Version != "v1" || seen[0].Old != nil || seen[0].Object == nil || seen[0].Sent["size"] != int64(1) {
			t.Errorf("%+v", seen)
		}
	}
}

func TestFailuresAreFindings(t *testing.T) {
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", widget("", "v1"))}}
	text := bytes.Replace(suiteOf("", "v1"), []byte("size: 1\n    expected"), []byte("size: 2\n    expected"), 1)
	for _, r := range vs.Runs(read(t, "s.yaml", text)) {
		r.Do(nil)
		f := r.Finding(r.Failures[0])
		if f.ID != suite.IDFailed || f.File != "s.yaml" || f.Line != 10 || f.Severity != structural.SeverityError || f.Object != "a" || f.CRD != "widgets.example.com" || !strings.Contains(f.Message, "\n-size: 1\n+size: 2") {
			t.Errorf("%+v", f)
		}
	}
}

// Without CRDs there are no kinds to name.
func TestManifestsWithoutCRDs(t *testing.T) {
	vs := &suite.Variants{}
	s, wrong := vs.ReadFile(meter.New(1), "invalid/a.yaml", []byte("# why\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n"))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if got, _ := results(vs, s); got != "Widget a: invalid/a.yaml:2: there is no CRD for kind \"Widget\" in version \"example.com/v1\"\n" {
		t.Errorf("got %q", got)
	}
}

// The CRD of a finding is the one that the kind of an object names, or the one that the suite names.
func TestFindingsNameTheCRD(t *testing.T) {
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", widget("", "v1"))}}
	manifest, wrong := vs.ReadFile(meter.New(1), filepath.Join("valid", "a.yaml"), []byte("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nsize: x\n"))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for want, s := range map[string]*suite.Suite{
		"widgets.example.com": manifest,
		"gadgets.example.com": read(t, "s.yaml", bytes.Replace(suiteOf("", "v1"), []byte("widgets"), []byte("gadgets"), 1)),
	} {
		for _, r := range vs.Runs(s) {
			r.Do(nil)
			if f := r.Finding(r.Failures[0]); f.CRD != want {
				t.Errorf("%+v, want the CRD %s", f, want)
			}
		}
	}
}

// The hint to put a value in quotes is for values that the schema wants to be strings, whatever the error says.
func TestHintsToQuote(t *testing.T) {
	const (
		isBool = "put it in quotes: YAML reads true, false, yes, no, on, off, y and n as booleans"
		name   = "must be of type string"
	)
	v := variant(t, "crd.yaml", []byte(structuraltest.CRDWith("{type: object, properties: {a: {type: string}, l: {type: array, items: {type: string}}, m: {type: object, additionalProperties: {type: string}}, "+
		name+": {type: integer}, e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}")))
	for object, want := range map[string]string{
		"a: yes":                 "a: " + isBool,
		"a: 1":                   "a: put it in quotes",
		"a: {}":                  "",
		"l: [x, no]":             "l[1]: " + isBool,
		"m: {k: on}":             "m.k: " + isBool,
		"metadata: {name: n}":    "metadata.name: " + isBool,
		name + ": yes":           "",
		"metadata: {labels: no}": "",
		"e: {apiVersion: v1, kind: A, metadata: {name: n}}": "e.metadata.name: " + isBool,
	} {
		_, runs := results(&suite.Variants{All: []*suite.Variant{v}}, read(t, "s.yaml", []byte("crdName: jobs.example.com\ntests:\n  onCreate:\n  - initial: '{apiVersion: example.com/v1, kind: Job, "+object+"}'\n")))
		if f := runs[0].Failures[0]; f.Hint != want {
			t.Errorf("%s: %s\n%q, want %q", object, f.Message, f.Hint, want)
		}
	}
}

// An update in another version finds the object as a server reads it in that version.
func TestUpdatesInAnotherVersion(t *testing.T) {
	const file = "testdata/versions.txtar"
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := part(t, a, "suite.yaml")
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", part(t, a, "crd.yaml").Data)}}
	s := read(t, "suite.yaml", text.Data)
	_, runs := results(vs, s)
	if *update {
		if text.Data, err = s.Update(runs); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, r := range runs {
		for _, f := range r.Failures {
			t.Errorf("%s: %s\n%s", r.Case.Name, f.Message, f.Diff)
		}
	}
	if len(runs) < 40 {
		t.Errorf("%d cases", len(runs))
	}
}

// An object of a version that is not stored is converted to the one that is and back, unless the suite's version is the only one.
func TestVersionsThatAreNotStoredAreConverted(t *testing.T) {
	text := string(widget("", "v1")) + `          old: {type: string, default: x}
          both: {type: string, default: x}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, default: 7}
          new: {type: string}
          both: {type: string}
`
	const object = "apiVersion: example.com/v2, kind: Widget, "
	for head, want := range map[string]string{
		"":              "size: 7, both: x",
		"version: v2\n": "size: 7, new: x",
	} {
		for _, webhook := range []bool{false, true} {
			crd := text
			if webhook {
				crd = strings.Replace(crd, "  scope: Cluster\n", "  scope: Cluster\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://example.com/'}}}\n", 1)
				want = "size: 7, new: x" // who knows
			}
			got, _ := results(&suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(crd))}}, read(t, "s.yaml", []byte("crdName: widgets.example.com\n"+head+
				"tests:\n  onUpdate:\n  - name: a\n    initial: '{"+object+"new: x}'\n    updated: '{"+object+"new: x}'\n    expected: '{"+object+want+"}'\n")))
			if got != "a: ok\n" {
				t.Errorf("%q, a webhook %t: %s", head, webhook, got)
			}
		}
	}
}
