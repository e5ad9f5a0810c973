package suite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/testing/structuraltest"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// patchedCRD has a format that servers check since 1.35, and a field that patches change.
var patchedCRD = structuraltest.WidgetsWith(`  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, maximum: 10}
          short: {type: string, format: k8s-short-name}
          status: {type: object, properties: {phase: {type: string}}}
  - name: v2
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 10}}}}
`)

// A patched CRD is the CRD for the same version of Kubernetes, with the same file and meter.
func TestPatchedCRDsKeepWhatIsNotPatched(t *testing.T) {
	const refused = `the initial object is refused: Widget.example.com "test-xxxxx" is invalid: short: Invalid value`
	for _, version := range kubeversion.Known() {
		for _, patch := range []string{"", "initialCRDPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/size/maximum}]"} {
			crd := crdread.Load("crds/widgets.yaml", strings.NewReader(patchedCRD)).CRDs[0]
			crd.Kubernetes = version
			vs := &suite.Variants{All: []*suite.Variant{suite.NewVariant(crd)}}
			const object = "'{apiVersion: example.com/v1, kind: Widget, size: 1, short: Not-Short}'"
			s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onUpdate:\n  - initial: "+object+"\n    updated: "+object+"\n    expected: "+object+"\n    "+patch+"\n"))
			got, _ := results(vs, s)
			if want := version.Takes(kubeversion.KubernetesNames); strings.Contains(got, refused) != want || !want && got != "line 4: ok\n" {
				t.Errorf("Kubernetes %s with %q: %s", version, patch, got)
			}
		}
	}
}

func TestPatchesThatBreakTheCRD(t *testing.T) {
	for patch, want := range map[string]string{
		"{op: add, path: /spec/versions/0/schema/openAPIV3Schema/properties/size/pattern, value: '('}": "the API server refuses the CRD: crds/widgets.yaml:",
		"{op: add, path: /spec/versions, value: 1}":                                                    "the patched CRD: ",
		"{op: replace, path: /spec/versions/0/served, value: false}":                                   `no matches for kind "Widget" in version "example.com/v1"`,
	} {
		vs := &suite.Variants{All: []*suite.Variant{variant(t, "crds/widgets.yaml", []byte(patchedCRD))}}
		const object = "'{apiVersion: example.com/v1, kind: Widget, size: 1}'"
		s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onUpdate:\n  - initial: "+object+"\n    updated: "+object+"\n    expected: "+object+"\n    initialCRDPatches: ["+patch+"]\n"))
		if got, _ := results(vs, s); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant %s", patch, got, want)
		}
	}
}

// A patched CRD spends the meter of the CRD.
func TestPatchedCRDsAreMetered(t *testing.T) {
	crd := crdread.Load("crd.yaml", strings.NewReader(patchedCRD)).CRDs[0]
	origin.SetMeter(crd, meter.New(1))
	origin.Meter(crd).Spend(meter.Work)
	const object = "'{apiVersion: example.com/v1, kind: Widget, size: 1}'"
	s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onUpdate:\n  - initial: "+object+"\n    updated: "+object+"\n    expected: "+object+
		"\n    initialCRDPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/size/maximum}]\n"))
	runs := (&suite.Variants{All: []*suite.Variant{suite.NewVariant(crd)}}).Runs(s)
	if runs[0].Do(nil); runs[0].Failures == nil || !strings.Contains(runs[0].Failures[0].Message, "the initial object is refused: ") {
		t.Errorf("with a spent meter: %v", runs[0].Failures)
	}
}

// What is observed of a case is each request in its order: to what it was sent, in which namespace, and whether the CRD was patched then.
func TestRequestsOfCases(t *testing.T) {
	object := func(rest string) string { return "'{apiVersion: example.com/v1, kind: Widget, " + rest + "}'" }
	const patch = "    initialCRDPatches: [{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/size/maximum}]\n"
	for _, test := range []struct {
		initial, updated, patch string
		want                    string
	}{
		{"size: 1", "", "", "create"},
		{"size: 1, metadata: {name: a}", "", "", "create"},
		{"size: 1, status: {phase: a}", "", "", "create"},
		{"size: 1", "size: 2", "", "create, update"},
		{"size: 1, status: null", "size: 2", "", "create, update"},
		{"size: 1, status: {phase: a}", "size: 2", "", "create, update status, update"},
		{"size: 1, status: {phase: a}", "size: 2, status: {phase: b}", "", "create, update status, update, update status"},
		{"size: 1", "size: 2, status: {phase: b}", "", "create, update, update status"},
		{"size: 1", "size: 2, status: null", "", "create, update"},
		{"size: 11", "size: 11", patch, "patched create, update, update"},
		{"size: 11, status: {phase: a}", "size: 11, status: {phase: b}", patch, "patched create, patched update status, update, update, update status"},
	} {
		text := "crdName: widgets.example.com\ntests:\n  onCreate:\n  - initial: " + object(test.initial) + "\n"
		if test.updated != "" {
			text = strings.Replace(text, "onCreate", "onUpdate", 1) + "    updated: " + object(test.updated) + "\n" + test.patch
		}
		for namespace, text := range map[string]string{"default": text, "other": text + "    namespace: other\n"} {
			vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(patchedCRD))}}
			var seen []string
			vs.Runs(read(t, "s.yaml", []byte(text)))[0].Do(func(r suite.Request) {
				metadata := r.Sent["metadata"].(map[string]any)
				what := "create"
				if r.Old != nil {
					what = "update"
				} else if named := metadata["name"] != nil; named == (metadata["generateName"] != nil) {
					t.Errorf("%s: one of name and generateName is sent, not %v", text, metadata)
				}
				if r.Patched {
					what = "patched " + what
				}
				seen = append(seen, strings.TrimSpace(what+" "+r.Subresource))
				if r.Resource.Version != "v1" || r.Answer.Refusal != nil || metadata["namespace"] != namespace {
					t.Errorf("%s: %+v", text, r)
				}
			})
			if got := strings.Join(seen, ", "); got != test.want {
				t.Errorf("%s\nsends %s, want %s", text, got, test.want)
			}
		}
	}
}

// A suite names a version that need not be served, and its objects must be of it.
func TestVersionsOfSuites(t *testing.T) {
	for _, test := range []struct{ suite, object, want string }{
		{"", "v1", "ok"},
		{"", "v2", `no matches for kind "Widget" in version "example.com/v2"`},
		{"version: v2\n", "v2", "ok"},
		{"version: v2\n", "v1", `no matches for kind "Widget" in version "example.com/v1"`},
		{"version: v1\n", "v1", "ok"},
		{"version: v3\n", "v3", `no matches for kind "Widget" in version "example.com/v3"`},
	} {
		vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(patchedCRD))}}
		object := "'{apiVersion: example.com/" + test.object + ", kind: Widget, size: 1}'"
		for kind, text := range map[string]string{
			"onCreate": "  - name: a\n    initial: " + object + "\n    expected: " + object + "\n",
			"onUpdate": "  - name: a\n    initial: " + object + "\n    updated: " + object + "\n    expected: " + object + "\n",
		} {
			got, _ := results(vs, read(t, "s.yaml", []byte("crdName: widgets.example.com\n"+test.suite+"tests:\n  "+kind+":\n"+text)))
			if !strings.HasSuffix(got, ": "+test.want+"\n") {
				t.Errorf("%s%s of %s: %s, want %s", test.suite, kind, test.object, got, test.want)
			}
		}
	}
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(patchedCRD))}}
	got, _ := results(vs, read(t, "s.yaml", []byte("crdName: gadgets.example.com\ntests:\n  onCreate:\n  - name: a\n    initial: 'a: b'\n")))
	if got != "a: s.yaml:4: there is no CRD gadgets.example.com\n" {
		t.Error(got)
	}
}

// The old objects of a manifest that cannot be read are an error at the beginning of the manifest.
func TestOldManifestsThatCannotBeRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "valid")
	if err := os.MkdirAll(filepath.Join(dir, "a.old.yaml"), 0o777); err != nil {
		t.Fatal(err)
	}
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", widget("", "v1"))}}
	_, wrong := vs.ReadFile(meter.New(1), filepath.Join(dir, "a.yaml"), []byte("apiVersion: example.com/v1\nkind: Widget\n"))
	if len(wrong) != 1 || wrong[0].Line != 1 || wrong[0].Column != 1 || !strings.Contains(wrong[0].Message, "a.old.yaml") {
		t.Errorf("%+v", wrong)
	}
}

// Whatever stands in the way of the last request is a failure at the object that cannot be sent.
func TestCasesThatEndEarly(t *testing.T) {
	crd := structuraltest.WidgetsWith(`  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, maximum: 10}
          old: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}, {rule: self < 5, message: too large}]}
          moved: {type: integer}
          never: {type: integer, x-kubernetes-validations: [{rule: oldSelf < 5, message: fixed}]}
          spec: {type: object, properties: {size: {type: integer}}}
          status: {type: object, properties: {phase: {type: string, maxLength: 1}, size: {type: integer}}}
`)
	const path = "/spec/versions/0/schema/openAPIV3Schema/properties/"
	for _, test := range []struct{ initial, updated, rest, want string }{
		{"size: 1, status: {phase: ab}", "size: 2", "", `s.yaml:5: the status of the initial object is refused: Widget.example.com "test-xxxxx" is invalid: [status.phase: Too long`},
		{"size: 1, status: {phase: a}", "size: 2, status: {phase: ab}", "", `s.yaml:6: refused: Widget.example.com "test-xxxxx" is invalid: [status.phase: Too long`},
		{"size: 1", "size: 2, status: {phase: ab}", "expectedStatusError: Too long", ""},
		{"size: 1", "size: 2, status: {phase: ab}", "expectedError: Too long", "s.yaml:6: refused: "},
		{"size: 1", "size: 11", "expectedStatusError: be less than", "s.yaml:6: refused: "},
		{"size: 11", "size: 12", "initialCRDPatches: [{op: remove, path: " + path + "size/maximum}]", "s.yaml:6: refused: "},
		{"old: 7, size: 1", "old: 7, size: 2", "initialCRDPatches: [{op: remove, path: " + path + "old/x-kubernetes-validations}]", ""},
		{"old: 7, size: 1", "old: 8, size: 2", "initialCRDPatches: [{op: remove, path: " + path + "old/x-kubernetes-validations}]", "s.yaml:6: refused: "},
		{"size: text", "size: text, moved: 1", "initialCRDPatches: [{op: replace, path: " + path + "size, value: {type: string}}]", ""}, // which does not change
		{"never: 5", "never: 4", "initialCRDPatches: [{op: remove, path: " + path + "never/x-kubernetes-validations}]", "s.yaml:5: the initial object is refused without the patches: "},
		{"moved: 11", "moved: 12", "initialCRDPatches: [{op: move, from: " + path + "size, path: " + path + "moved}]", "s.yaml:5: the initial object is refused: "},
		{"moved: 11", "moved: 12", "initialCRDPatches: [{op: copy, from: " + path + "size, path: " + path + "moved}]", "s.yaml:5: the initial object is refused: "},
		{"moved: 10", "moved: 12", "initialCRDPatches: [{op: copy, from: " + path + "size, path: " + path + "moved}]", ""},
		{"moved: 10", "moved: 12", "initialCRDPatches: [{op: move, from: /nothing, path: " + path + "moved}]", "s.yaml:7: the CRD cannot be patched: "},
	} {
		vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(crd))}}
		object := func(rest string) string { return "{apiVersion: example.com/v1, kind: Widget, " + rest + "}" }
		text := "crdName: widgets.example.com\ntests:\n  onUpdate:\n  - name: a\n    initial: " + object(test.initial) + "\n    updated: " + object(test.updated) + "\n    " + test.rest + "\n"
		if !strings.Contains(test.rest, "Error") {
			text += "    expected: " + object(test.updated) + "\n"
		}
		want := "a: " + test.want
		if test.want == "" {
			want = "a: ok\n"
		}
		if got, _ := results(vs, read(t, "s.yaml", []byte(text))); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n%s\nwant %s", text, got, want)
		}
	}
	// Objects of versions and kinds that there are not.
	for updated, want := range map[string]string{
		"{apiVersion: example.com/v2, kind: Widget}": `a: s.yaml:6: no matches for kind "Widget" in version "example.com/v2"` + "\n",
		"{apiVersion: example.com/v1, kind: Gadget}": `a: s.yaml:6: no matches for kind "Gadget" in version "example.com/v1"` + "\n",
		"{apiVersion: example.com/v1}":               `a: s.yaml:6: no matches for kind "" in version "example.com/v1"` + "\n",
	} {
		vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(crd))}}
		text := "crdName: widgets.example.com\ntests:\n  onUpdate:\n  - name: a\n    initial: {apiVersion: example.com/v1, kind: Widget}\n    updated: " + updated + "\n"
		if got, _ := results(vs, read(t, "s.yaml", []byte(text))); got != want {
			t.Errorf("%s: %s, want %s", updated, got, want)
		}
	}
}

// A case whose variants answer differently is not updated: it says which two of them differ.
func TestUpdatesOfVariantsThatDiffer(t *testing.T) {
	const differ = "s.yaml:4: a: wide.yaml and narrow.yaml differ: the case needs a suite for each"
	for size, want := range map[string]string{"3": "", "7": differ, "70": differ} {
		vs := &suite.Variants{All: []*suite.Variant{
			variant(t, "wide.yaml", []byte(patchedCRD)), variant(t, "narrow.yaml", []byte(strings.ReplaceAll(patchedCRD, "maximum: 10", "maximum: 5"))),
		}}
		s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onCreate:\n  - name: a\n    initial: {apiVersion: example.com/v1, kind: Widget, size: "+size+"}\n"))
		_, runs := results(vs, s)
		_, err := s.Update(runs)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("size %s: %v, want %s", size, err, want)
		}
	}
}

// What a strict server says of a field that it does not know has no causes: the case expects all of it.
func TestStrictRefusalsAreExpectedWhole(t *testing.T) {
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(patchedCRD))}}
	s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onCreate:\n  - name: a\n    fieldValidation: Strict\n    initial: {apiVersion: example.com/v1, kind: Widget, other: 1}\n"))
	run := vs.Runs(s)[0]
	run.Do(nil)
	if got, other := run.Everywhere(); other != nil || got != run.Refusal || !strings.Contains(got, `strict decoding error: unknown field "other"`) {
		t.Errorf("%s, %v", got, other)
	}
}

// A case that can be created with a patched CRD needs a version that is served without the patches, too.
func TestVersionsThatOnlyPatchesServe(t *testing.T) {
	vs := &suite.Variants{All: []*suite.Variant{variant(t, "crd.yaml", []byte(patchedCRD))}}
	const object = "'{apiVersion: example.com/v2, kind: Widget, size: 1}'"
	for patch, want := range map[string]string{
		"{op: replace, path: /spec/versions/1/served, value: true}": "a: s.yaml:5: no matches for kind \"Widget\" in version \"example.com/v2\"\n",
		"{op: test, path: /spec/versions/1/served, value: false}":   "a: s.yaml:5: no matches for kind \"Widget\" in version \"example.com/v2\"\n",
		"{op: test, path: /spec/versions/1/served, value: true}":    "a: s.yaml:8: the CRD cannot be patched: ",
	} {
		created := 0
		s := read(t, "s.yaml", []byte("crdName: widgets.example.com\ntests:\n  onUpdate:\n  - name: a\n    initial: "+object+"\n    updated: "+object+"\n    expected: "+object+"\n    initialCRDPatches: ["+patch+"]\n"))
		if got, _ := results(vs, s); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", patch, got, want)
		}
		vs.Runs(s)[0].Do(func(suite.Request) { created++ })
		if served := strings.Contains(patch, "replace"); (created == 1) != served || created > 1 {
			t.Errorf("%s: %d requests", patch, created)
		}
	}
}

// CRDs without annotations have the gates of every cluster.
func TestVariantsWithoutAnnotations(t *testing.T) {
	crd := variant(t, "crd.yaml", []byte(strings.Replace(string(widget("", "v1")), "  annotations: {}\n", "", 1)))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("kind: FeatureGate\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	openshift, err := suite.ReadOpenShiftGates(dir)
	if err != nil {
		t.Fatal(err)
	}
	profiled := variant(t, "profiled.yaml", widget("include.release.openshift.io/self-managed: 'true'", "v1"))
	unprofiled := variant(t, "unprofiled.yaml", widget("include.release.openshift.io/self-managed: 'false'", "v1"))
	for _, test := range []struct {
		variant *suite.Variant
		file    string
		rule    suite.Gates
		want    bool
		err     string
	}{
		{crd, "crd.yaml", suite.AnnotatedGates("gates"), false, ""},
		{crd, "crd.yaml", openshift, true, ""},
		{unprofiled, "unprofiled.yaml", openshift, true, ""},
		{profiled, "profiled.yaml", openshift, false, "profiled.yaml: there is no FeatureGate for the profile include.release.openshift.io/self-managed and the feature sets Default"},
	} {
		got, err := test.rule.Has(test.variant, "A")
		if says := fmt.Sprint(err); got != test.want || (err != nil) != (test.err != "") || err != nil && says != test.err || test.variant.File() != test.file {
			t.Errorf("%s with %T: %t, %v", test.variant.File(), test.rule, got, err)
		}
	}
}

// Other files beside FeatureGates are not read as such, and one that is not YAML is an error with its line.
func TestFilesBesideFeatureGates(t *testing.T) {
	const gate = "kind: FeatureGate\nmetadata: {annotations: {include.release.openshift.io/self-managed: 'true', release.openshift.io/feature-set: Default}}\nstatus: {featureGates: [{enabled: [{name: A}]}]}\n"
	other := strings.NewReplacer("kind: FeatureGate", "kind: FeatureGateList", "name: A", "name: B").Replace(gate)
	for _, test := range []struct {
		files map[string]string
		want  string // which gates a CRD has, or an error
	}{
		{map[string]string{"a.yaml": other, "b.yaml": gate}, "A"},
		{map[string]string{"a.txt": "{", "b.yaml": gate}, "A"},
		{map[string]string{"dir.yaml/b.yaml": gate}, "A"},
		{map[string]string{"a.yaml": gate, "b.yaml": "a: b\nc: ["}, "b.yaml:2: "},
		{map[string]string{"a.yaml": other}, "there is no FeatureGate in "},
	} {
		dir := t.TempDir()
		for name, text := range test.files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var got bytes.Buffer
		rule, err := suite.ReadOpenShiftGates(dir)
		if err != nil {
			fmt.Fprint(&got, err)
		} else {
			v := variant(t, "crd.yaml", widget("include.release.openshift.io/self-managed: 'true'", "v1"))
			for _, gate := range []string{"A", "B"} {
				if has, err := rule.Has(v, gate); has && err == nil {
					got.WriteString(gate)
				}
			}
		}
		if !strings.Contains(got.String(), test.want) || err == nil && got.String() != test.want {
			t.Errorf("%v: %s, want %s", test.files, &got, test.want)
		}
	}
}
