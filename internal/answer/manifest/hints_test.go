package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// Where a required field is missing, only a field that is not known can have been meant by it.
func TestMissingFieldsAreNamed(t *testing.T) {
	const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: App, plural: apps}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [number], properties: {number: TYPE, numbers: {type: integer}}}}}}}
`
	for _, tt := range []struct{ schema, spec, want string }{
		{"{type: integer}", "{numbers: 1}", "add number: an integer"},
		{"{type: integer}", "{nmber: 1}", "misspelled as nmber?"},
		{"{type: integer}", "{nmber: 1, numbers: 1, numbr: 1}", "misspelled as nmber?"},
		{"{type: string}", "{other: 1}", "add number: a string"},
		{"{type: array, items: {type: string}}", "{}", "add number: a list"},
		{"{type: object}", "{}", "add number: an object"},
		{"{x-kubernetes-int-or-string: true}", "{}", "add number"},
	} {
		s := newServer(t, strings.Replace(text, "TYPE", tt.schema, 1))
		found, _ := ask(s, head+"spec: "+tt.spec+"\n", manifest.Warn)
		want := "4:1 error object/required spec.number: Required value (" + tt.want + ")"
		if have := strings.Join(found, "\n"); !strings.Contains(have, want) {
			t.Errorf("%s of %s: %s, want %s", tt.spec, tt.schema, have, want)
		}
	}
}

// What is required and null is said to be null, where it stands.
func TestHintsAtRequiredNulls(t *testing.T) {
	s := newServer(t, strings.Replace(crd, "            required: [image]", "            required: [image, ports]", 1))
	f := manifest.Read(objects.NewText("", []byte("apiVersion: example.com/v1\nkind: App\nmetadata: {name: a}\nspec:\n  image:\n  ports: null\n")), func(o manifest.Object) []structural.Finding {
		return s.Answer(o, manifest.Strict).Findings
	}, s)
	have := ""
	for _, f := range f.Findings {
		have += fmt.Sprintf("%d %s (%s)|", f.Line, f.Message, f.Hint)
	}
	if want := "5 spec.image: Required value (it is null: give it a value, a string)|6 spec.ports: Required value (it is null: give it a value, a list)|"; have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}

// Errors about labels and annotations are at the entries that they are about, and name them.
func TestErrorsAboutLabelsAreAtTheLabels(t *testing.T) {
	s := newServer(t, crd)
	f := manifest.Read(objects.NewText("", []byte(`apiVersion: example.com/v1
kind: App
metadata:
  name: a
  labels:
    good: a
    team: storage and more
    other: storage and more
    storage and more: b
    -bad: -bad
  annotations:
    good: -x
    a b: c
spec:
  image: a
  template:
    apiVersion: v1
    kind: Pod
    metadata:
      labels:
        x/: "y"
        z: "!"
`)), func(o manifest.Object) []structural.Finding { return s.Answer(o, manifest.Strict).Findings }, s)
	have := ""
	for _, f := range f.Findings {
		have += fmt.Sprintf("%d:%d %s %.45s (%s)\n", f.Line, f.Column, f.Path, f.Message, f.Hint)
	}
	const want = `7:5 metadata.labels.team metadata.labels: Invalid value: "storage and  (it is the value of the label team)
8:5 metadata.labels.other metadata.labels: Invalid value: "storage and  (it is the value of the label other)
9:5 metadata.labels.storage and more metadata.labels: Invalid value: "storage and  ()
10:5 metadata.labels.-bad metadata.labels: Invalid value: "-bad": a val ()
10:5 metadata.labels.-bad metadata.labels: Invalid value: "-bad": name  ()
13:5 metadata.annotations.a b metadata.annotations: Invalid value: "a b": n ()
21:9 spec.template.metadata.labels.x/ spec.template.metadata.labels: Invalid value: ()
21:9 spec.template.metadata.labels.x/ spec.template.metadata.labels: Invalid value: ()
22:9 spec.template.metadata.labels.z spec.template.metadata.labels: Invalid value: (it is the value of the label z)
`
	if have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}

// The finding about a key that YAML reads as a boolean or a number says so.
func TestHintsAtKeysThatAreNotStrings(t *testing.T) {
	s := newServer(t, crd)
	f := manifest.Read(objects.NewText("", []byte("apiVersion: example.com/v1\nkind: App\nmetadata: {name: a}\non: 1\n\"off\": 1\nspec: {image: x, n: 1, 0644: 2}\n")), func(o manifest.Object) []structural.Finding {
		return s.Answer(o, manifest.Strict).Findings
	}, s)
	have := ""
	for _, f := range f.Findings {
		have += fmt.Sprintf("%d:%d %s (%s)\n", f.Line, f.Column, f.Message, f.Hint)
	}
	f = manifest.Read(objects.NewText("", []byte("apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, annotations: {n: 1}}\nspec:\n  image: x\n  labels:\n    off: 3\n    on: a\n    y: b\n  ports: [0x10]\n---\n"+
		"apiVersion: example.com/v1\nkind: App\nmetadata: {name: b}\nspec:\n  image: x\n  labels: {on: a, \"true\": b, 'false': 3, 1_0: a, 1_0: b}\n")), func(o manifest.Object) []structural.Finding {
		return s.Answer(o, manifest.Strict).Findings
	}, s)
	for _, f := range f.Findings {
		message, _, _ := strings.Cut(f.Message, ": Invalid")
		have += fmt.Sprintf("%d:%d %s (%s)\n", f.Line, f.Column, message, f.Hint)
	}
	const want = `4:1 unknown field "true" (YAML reads the key on as true: put it in quotes)
5:1 unknown field "off" (known fields: apiVersion, kind, metadata, spec, status)
6:18 unknown field "spec.false" (YAML reads the key n as false: put it in quotes)
6:24 unknown field "spec.420" (YAML reads the key 0644 as 420: put it in quotes)
3:35 metadata.annotations.false (YAML reads the key n as false: put it in quotes)
7:5 spec.labels.false (YAML reads the key off as false: put it in quotes)
9:5 duplicate field "spec.labels.true" (YAML reads the key y as true: put it in quotes)
10:11 spec.ports[0] ()
17:19 duplicate field "spec.labels.true" (on line 17, YAML reads the key on as true: put it in quotes)
17:30 spec.labels.false (put it in quotes: "3")
17:50 duplicate field "spec.labels.10" (it is set on line 17 already, and the last one counts)
`
	if have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
}

// A hint at the groups that have a kind names some of them, reads the CRDs of no others, and is made once, however many objects need it.
func TestHintsAtOtherGroupsAreMadeOnce(t *testing.T) {
	const groups = 1000
	asked := 0
	c, err := load.CRD([]byte(crd), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []manifest.Definition
	for i := range groups {
		all = append(all, manifest.Definition{Group: fmt.Sprintf("g%03d.dev", i), Kind: "App", CRDs: func() []*structural.CRD { asked++; return []*structural.CRD{c} }, Compile: dynamic.Compile})
	}
	s := manifest.NewServer(nil, all)
	var o manifest.Object
	manifest.Read(objects.NewText("a.yaml", []byte("apiVersion: other.dev/v1\nkind: App\n")), func(read manifest.Object) []structural.Finding { o = read; return nil }, s)
	f := s.MissingKind(o)
	if f == nil || !strings.HasPrefix(f.Hint, "did you mean g000.dev/") || !strings.HasSuffix(f.Hint, " App or others?") {
		t.Fatalf("%+v", f)
	}
	if asked > 12 {
		t.Errorf("%d CRDs are read for the hint %q", asked, f.Hint)
	}
	if n := testing.AllocsPerRun(10, func() { s.MissingKind(o) }); n > 20 {
		t.Errorf("%v allocations for an object", n)
	}
	for range 2 {
		if again := s.MissingKind(o); again == nil || again.Hint != f.Hint {
			t.Errorf("%+v, want the hint %q", again, f.Hint)
		}
	}
}

// An error about the key of a label is at the key, in the words of any version of Kubernetes.
func TestErrorsAboutKeysOfLabelsAreAtTheKeysWithEveryVersion(t *testing.T) {
	text := "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: a\n  labels:\n    good: a\n    " + strings.Repeat("k", 64) + ": a\n    " +
		strings.Repeat("d", 254) + "/a: b\n    a//b: c\nspec:\n  image: a\n"
	for _, version := range kubeversion.Known() {
		c, err := load.CRD([]byte(crd), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.Kubernetes = version
		s := manifest.FromCRDs(meter.New(1), dynamic.Compile, c)
		f := manifest.Read(objects.NewText("", []byte(text)), func(o manifest.Object) []structural.Finding { return s.Answer(o, manifest.Strict).Findings }, s)
		lines := map[int]bool{}
		for _, f := range f.Findings {
			lines[f.Line] = true
		}
		if len(lines) != 3 || !lines[7] || !lines[8] || !lines[9] {
			t.Errorf("Kubernetes %s: %+v", version, f.Findings)
		}
	}
}

// What is near a value of an enum is known, whatever the values have in them and wherever the enum is.
func TestHintsAboutOddEnums(t *testing.T) {
	for enum, test := range map[string]struct{ value, want string }{
		`enum: ['say "hi"', 'a\b']`:              {`'say "ho"'`, `did you mean say "hi"?`},
		`allOf: [{enum: [Always, Never]}]`:       {"Allways", "did you mean Always?"},
		`anyOf: [{enum: [Always]}, {enum: [x]}]`: {"Always", ""},
	} {
		s := newServer(t, strings.Replace(crd, "enum: [Always, Never]", enum, 1))
		text := "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a}\nspec: {image: a, policy: " + test.value + "}\n"
		have := ""
		manifest.Read(objects.NewText("", []byte(text)), func(o manifest.Object) []structural.Finding {
			found := s.Answer(o, manifest.Strict).Findings
			for _, f := range found {
				have += f.Hint
			}
			return found
		}, s)
		if have != test.want {
			t.Errorf("%s: %q, want %q", enum, have, test.want)
		}
	}
}
