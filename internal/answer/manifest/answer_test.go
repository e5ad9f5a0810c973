package manifest_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/listed"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: App, plural: apps, singular: app, listKind: AppList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              replicas: {type: integer, maximum: 5}
              policy: {type: string, enum: [Always, Never]}
              paused: {type: boolean}
              labels: {type: object, additionalProperties: {type: string}}
              ports:
                type: array
                items:
                  type: object
                  required: [number]
                  properties: {number: {type: integer}, name: {type: string}}
              empty: {type: object}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {ready: {type: boolean}}}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
`

const listKindCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: allowlists.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: AllowList, plural: allowlists, singular: allowlist, listKind: AllowListList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {a: {type: string}}}}}}}
`

func newServer(t *testing.T, crds ...string) *manifest.Server {
	t.Helper()
	return meteredServer(t, meter.New(1), crds...)
}

func meteredServer(t *testing.T, m *meter.Meter, crds ...string) *manifest.Server {
	t.Helper()
	var all []*structural.CRD
	for _, text := range crds {
		c, err := load.CRD([]byte(text), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return manifest.FromCRDs(m, dynamic.Compile, all...)
}

// listed returns a text as one that was found in a directory.
func textOf(name, data string) *objects.Text {
	t := objects.NewText(name, []byte(data))
	t.Listed = true
	return t
}

// pruneText prunes a text that is held.
func pruneText(s *manifest.Server, name, data string) manifest.Pruned {
	p, _ := s.Prune(objects.NewText(name, []byte(data)), nil)
	return p
}

// pruneStream prunes JSON that is not held. The error can be a finding.
func pruneStream(s *manifest.Server, name string, w io.Writer, r io.Reader) (manifest.Pruned, error) {
	p, err := s.Prune((&objects.Text{Source: objects.Source{Name: name}}).From(r), w)
	for _, f := range p.Findings {
		if f.Severity == structural.SeverityError && err == nil {
			err = findingError{f}
		}
	}
	return p, err
}

// findingError is a finding as an error.
type findingError struct{ structural.Finding }

func (e findingError) Error() string { return e.Message }

// idOf returns the rule of an error, "" if it is not a finding.
func idOf(err error) structural.ID {
	var f findingError
	errors.As(err, &f)
	return f.ID
}

// store makes the objects of a manifest known.
func store(s *manifest.Server, text string) {
	manifest.Read(objects.NewText("old.yaml", []byte(text)), func(o manifest.Object) []structural.Finding {
		s.Store(o)
		return nil
	}, s)
}

// ask returns the findings about a manifest, a line for each, and the objects of unknown kinds.
func ask(s *manifest.Server, text string, opts manifest.Validation) (found, unknown []string) {
	f := manifest.Read(objects.NewText("f.yaml", []byte(text)), func(o manifest.Object) []structural.Finding {
		a := s.Answer(o, opts)
		if !a.IsKnown() {
			unknown = append(unknown, o.String())
		}
		return a.Findings
	}, s)
	for _, f := range f.Findings {
		line := fmt.Sprintf("%d:%d %s %s %s", f.Line, f.Column, f.Severity, f.ID, f.Message)
		for _, cause := range f.Causes {
			line += "; " + cause
		}
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		found = append(found, line)
	}
	return found, unknown
}

// head is three lines.
const head = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a}\n"

func TestFindingsAreWhereTheTextIsWrong(t *testing.T) {
	s := newServer(t, crd)
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", head + "spec: {image: x}\n", nil},
		{"an unknown field", head + "spec:\n  image: x\n  replica: 1\n", []string{`6:3 warning object/unknown-field unknown field "spec.replica" (did you mean replicas?)`}},
		{"one far from all", head + "spec:\n  image: x\n  ports:\n  - number: 1\n    protocol: TCP\n", []string{`8:5 warning object/unknown-field unknown field "spec.ports[0].protocol" (known fields: name, number)`}},
		{"one in an object without fields", head + "spec: {image: x, empty: {a: 1}}\n", []string{`4:26 warning object/unknown-field unknown field "spec.empty.a" (the schema specifies no fields here)`}},
		{"one that is indented too little", head + "spec: {image: x}\nreplicas: 1\n", []string{`5:1 warning object/unknown-field unknown field "replicas" (did you mean spec.replicas?)`}},
		{"one at the root", head + "spec: {image: x}\nsepc: {}\n", []string{`5:1 warning object/unknown-field unknown field "sepc" (did you mean spec?)`}},
		{"one in metadata", "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: a\n  label: {}\nspec: {image: x}\n", []string{`5:3 warning object/unknown-field unknown field "metadata.label" (did you mean labels?)`}},
		{"one in embedded metadata", head + "spec:\n  image: x\n  template:\n    apiVersion: v1\n    kind: Pod\n    metadata: {nam: x}\n", []string{`9:16 warning object/unknown-field unknown field "spec.template.metadata.nam" (did you mean name?)`}},
		{"a key with dots", head + "spec: {image: x, labels: {a.b/c: x, d: 1}}\n", []string{`4:37 error object/type spec.labels.d: Invalid value: "integer": spec.labels.d in body must be of type string: "integer" (put it in quotes: "1")`}},
		{"a required field", head + "spec:\n  replicas: 1\n", []string{`4:1 error object/required spec.image: Required value (add image: a string)`}},
		{"a misspelt required field", head + "spec:\n  iamge: x\n", []string{
			`4:1 error object/required spec.image: Required value (misspelled as iamge?)`,
			`5:3 warning object/unknown-field unknown field "spec.iamge" (did you mean image?)`}},
		{"a required field of an element", head + "spec:\n  image: x\n  ports:\n  - number: 1\n  - name: b\n", []string{`8:5 error object/required spec.ports[1].number: Required value (add number: an integer)`}},
		{"an enum", head + "spec: {image: x, policy: always}\n", []string{`4:18 error object/not-supported spec.policy: Unsupported value: "always": supported values: "Always", "Never" (did you mean Always?)`}},
		{"an enum far from all", head + "spec: {image: x, policy: x}\n", []string{`4:18 error object/not-supported spec.policy: Unsupported value: "x": supported values: "Always", "Never"`}},
		{"a number in quotes", head + "spec: {image: x, replicas: '1'}\n", []string{`4:18 error object/type spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string" (write it without quotes)`}},
		{"a boolean in quotes", head + "spec: {image: x, paused: 'true'}\n", []string{`4:18 error object/type spec.paused: Invalid value: "string": spec.paused in body must be of type boolean: "string" (write it without quotes)`}},
		{"no list", head + "spec: {image: x, ports: {number: 1}}\n", []string{`4:18 error object/type spec.ports: Invalid value: "object": spec.ports in body must be of type array: "object" (write it as a list, with a dash before each element)`,
			`4:26 warning object/unknown-field unknown field "spec.ports.number" (write it as a list, with a dash before each element)`}},
		{"a boolean in place of a string", head + "spec: {image: y}\n", []string{`4:8 error object/type spec.image: Invalid value: "boolean": spec.image in body must be of type string: "boolean" (put it in quotes: YAML reads true, false, yes, no, on, off, y and n as booleans)`}},
		{"a bound", head + "spec: {image: x, replicas: 6}\n", []string{`4:18 error object/invalid spec.replicas: Invalid value: 6: spec.replicas in body should be less than or equal to 5`}},
		{"a duplicate key", head + "spec:\n  image: x\n  replicas: 9\n  replicas: 1\n", []string{`7:3 warning object/duplicate-field duplicate field "spec.replicas" (it is set on line 6 already, and the last one counts)`}},
		{"a duplicate key of which the last is wrong", head + "spec: {image: x, replicas: 1, replicas: 9}\n", []string{
			`4:31 warning object/duplicate-field duplicate field "spec.replicas" (it is set on line 4 already, and the last one counts)`,
			`4:31 error object/invalid spec.replicas: Invalid value: 9: spec.replicas in body should be less than or equal to 5`}},
		{"a name", "apiVersion: example.com/v1\nkind: App\nmetadata: {name: A_b}\nspec: {image: x}\n", []string{`3:12 error object/invalid metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{"a generated name", "apiVersion: example.com/v1\nkind: App\nmetadata: {generateName: A-}\nspec: {image: x}\n", []string{`3:1 error object/invalid metadata.name: Invalid value: "A-xxxxx": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{"no name", "apiVersion: example.com/v1\nkind: App\nspec: {image: x}\n", []string{`1:1 error object/required metadata.name: Required value: name or generateName is required`}},
		{"malformed metadata", "apiVersion: example.com/v1\nkind: App\nmetadata:\n  name: a\n  labels: {a: 1}\nspec: {image: x}\n", []string{`5:12 error object/type metadata.labels.a: Invalid value: "integer": metadata.labels.a in body must be of type string: "integer" (put it in quotes: "1")`}},
		{"a deprecated version", strings.Replace(head, "v1", "v1beta1", 1) + "anything: 1\n", []string{`1:1 warning object/deprecated-version example.com/v1beta1 App is deprecated; use example.com/v1 App`}},
		{"a version that is not served", strings.Replace(head, "v1", "v1alpha1", 1), []string{`1:1 error manifest/unknown-version no matches for kind "App" in version "example.com/v1alpha1" (the CRD serves v1, v1beta1)`}},
		{"a version that does not exist", strings.Replace(head, "v1", "v3", 1), []string{`1:1 error manifest/unknown-version no matches for kind "App" in version "example.com/v3" (the CRD serves v1, v1beta1)`}},
		{"a misspelt kind", strings.Replace(head, "App", "app", 1), []string{`2:1 warning manifest/unknown-kind no matches for kind "app" in version "example.com/v1" (did you mean App?)`}},
		{"a list", "[]\n", []string{"1:1 error manifest/not-an-object got a list, want an object"}},
		{"nothing that it is", "a: 1\n", []string{"1:1 error manifest/not-an-object apiVersion not set, kind not set (every object has an apiVersion and a kind, such as apps/v1 and Deployment)"}},
		{"a misspelt key", "apiversion: v1\nkind: Pod\n", []string{"1:1 error manifest/not-an-object apiVersion not set (write apiVersion instead of apiversion)"}},
		{"half of what it is", "apiVersion: v1\n", []string{"1:1 error manifest/not-an-object kind not set (every object has an apiVersion and a kind, such as apps/v1 and Deployment)"}},
		{"what is not YAML, and what is", "a: [\n---\n" + head + "spec: {image: x, x: 1}\n", []string{"2:1 error text/syntax", `6:18 warning object/unknown-field unknown field "spec.x" (known fields: empty, image, labels, paused, policy, ports, replicas, template)`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, _ := ask(s, tt.text, manifest.Warn)
			if !slices.EqualFunc(found, tt.want, func(have, want string) bool {
				return have == want || strings.Contains(want, "object/refused") && strings.HasPrefix(have, want) || strings.Contains(want, "text/") && strings.Contains(have, "text/syntax")
			}) {
				t.Errorf("%s\nhave %s\nwant %s", tt.text, strings.Join(found, "\n     "), strings.Join(tt.want, "\n     "))
			}
		})
	}
}

func TestStrictMakesErrorsOfUnknownAndDuplicateFields(t *testing.T) {
	found, _ := ask(newServer(t, crd), head+"spec: {image: x, image: z, x: 1}\n", manifest.Strict)
	if len(found) != 2 || !strings.Contains(found[0], " error object/duplicate-field") || !strings.Contains(found[1], " error object/unknown-field") {
		t.Errorf("%q", found)
	}
	if found, _ := ask(newServer(t, crd), head+"spec: {image: x, image: z, x: 1}\n", manifest.Ignore); len(found) != 0 {
		t.Errorf("%q", found)
	}
}

// What kubectl get -o yaml prints has fields that only a server sets.
const printed = `apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- apiVersion: example.com/v1
  kind: App
  metadata:
    name: a
    namespace: ns
    uid: 0b8a1f6c-9f1e-4f7a-8f52-6ed5dbe6d0a4
    resourceVersion: "17"
    generation: 3
    creationTimestamp: "2024-01-01T00:00:00Z"
    managedFields: [{manager: kubectl, operation: Update, fieldsType: FieldsV1, fieldsV1: {f:spec: {}}}]
  spec: {image: x}
  status: {ready: true, unknown: 1}
- {apiVersion: example.com/v1, kind: App, metadata: {name: b, resourceVersion: "18"}, spec: {image: x}}
- {apiVersion: example.com/v1, kind: App, metadata: {name: c, resourceVersion: "0"}, spec: {image: x}}
- {apiVersion: v1, kind: Pod, metadata: {name: p}}
`

func TestObjectsOfAServerAreAnsweredForAsNewOnes(t *testing.T) {
	found, unknown := ask(newServer(t, crd), printed, manifest.Warn)
	want := []string{
		`11:5 warning manifest/resource-version resourceVersion should not be set on objects to be created (the rest is validated as if it were not set; so is 1 more object in this file)`,
		`16:25 warning object/unknown-field unknown field "status.unknown" (known fields: ready)`,
	}
	if !slices.Equal(found, want) || !slices.Equal(unknown, []string{"Pod p"}) {
		t.Errorf("%s, %q", strings.Join(found, "\n"), unknown)
	}
}

func TestListsOfAKindNeedNotRepeatIt(t *testing.T) {
	found, unknown := ask(newServer(t, crd, listKindCRD), "apiVersion: example.com/v1\nkind: AppList\nitems:\n- metadata: {name: a}\n  spec: {image: x, x: 1}\n", manifest.Warn)
	if len(found) != 1 || !strings.HasPrefix(found[0], `5:20 warning object/unknown-field unknown field "spec.x"`) || unknown != nil {
		t.Errorf("%q %q", found, unknown)
	}
	// A kind that ends in List is not a list.
	found, unknown = ask(newServer(t, crd, listKindCRD), "apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: a}\nitems:\n- b: x\n", manifest.Warn)
	if len(found) != 1 || !strings.HasPrefix(found[0], `5:3 warning object/unknown-field unknown field "items[0].b"`) || unknown != nil {
		t.Errorf("%q %q", found, unknown)
	}
}

func TestUpdatesTolerateWhatHasNotChanged(t *testing.T) {
	const old = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, resourceVersion: '5', uid: x}\nspec: {image: x, replicas: 9}\n"
	for _, tt := range []struct{ name, text, want string }{
		{"the same fault", head + "spec: {image: z, replicas: 9}\n", ""},
		{"another fault", head + "spec: {image: z, replicas: 10}\n", "object/invalid spec.replicas"},
		{"another object", strings.Replace(head, "name: a", "name: b", 1) + "spec: {image: z, replicas: 9}\n", "object/invalid spec.replicas"},
		{"another namespace", strings.Replace(head, "name: a", "name: a, namespace: ns", 1) + "spec: {image: z, replicas: 9}\n", "object/invalid spec.replicas"},
		{"the same namespace", strings.Replace(head, "name: a", "name: a, namespace: default", 1) + "spec: {image: z, replicas: 9}\n", ""},
		{"another resourceVersion", strings.Replace(head, "name: a", "name: a, resourceVersion: '6'", 1) + "spec: {image: z}\n", "the object has been modified"},
		{"the same resourceVersion", strings.Replace(head, "name: a", "name: a, resourceVersion: '5'", 1) + "spec: {image: z}\n", ""},
		{"another uid", strings.Replace(head, "name: a", "name: a, uid: z", 1) + "spec: {image: z}\n", "Precondition failed"},
		{"another version", strings.Replace(head, "v1", "v1beta1", 1) + "spec: {image: z}\n", "is deprecated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, crd)
			store(s, old)
			found, _ := ask(s, tt.text, manifest.Warn)
			if text := strings.Join(found, "\n"); (tt.want == "") != (text == "") || !strings.Contains(text, tt.want) || len(found) > 1 {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}

// A small text can stand for a large object, and be wrong everywhere.
// Wherever a run exceeds a limit, in the findings about JSON too, which are counted at the end, one finding says so; and none says so otherwise.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: %d, ", i, i)
	}
	return b.String()
}

func TestServersRefuseCRDsThatDiffer(t *testing.T) {
	for _, change := range [][2]string{
		{"", ""}, {"type: object\n", "type: object # a comment\n"}, {"type: object\n", "type: object\n        description: x\n"},
		{"maximum: 5", "maximum: 6"}, {"scope: Namespaced", "scope: Cluster"}, {"    subresources: {status: {}}\n", ""}, {"{status: {}}", "{status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.a}}"},
		{"    deprecated: true\n", ""}, {"name: v1beta1\n    served: true", "name: v1beta1\n    served: false"}, {"name: v1alpha1", "name: v1alpha2"},
	} {
		s := newServer(t, crd, strings.Replace(crd, change[0], change[1], 1))
		if err := s.Err(); err != nil {
			t.Errorf("%q: %v before there is an object", change, err)
		}
		ask(s, head, manifest.Warn)
		differs := change[1] != "" && !strings.Contains(change[1], "comment") && !strings.Contains(change[1], "description") || strings.HasSuffix(change[0], "\n") && change[1] == ""
		if err := s.Err(); (err != nil) != differs || differs && !strings.Contains(err.Error(), "apps.example.com is defined at ") {
			t.Errorf("%q: %v", change, err)
		}
	}
}

// A CRD is asked for when the first object of its kind comes, and once.
func TestDefinitionsAreUsedWhenAnObjectComes(t *testing.T) {
	asked := 0
	c, err := load.CRD([]byte(crd), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := manifest.NewServer(nil, []manifest.Definition{{Group: "example.com", Kind: "App", CRDs: func() []*structural.CRD { asked++; return []*structural.CRD{c} }, Compile: dynamic.Compile},
		{Group: "example.com", Kind: "Other", CRDs: func() []*structural.CRD { t.Error("no object is of this kind"); return nil }}})
	ask(s, "apiVersion: v1\nkind: Pod\n---\napiVersion: example.com/v1\nkind: AppList\nitems: []\n", manifest.Warn)
	if asked > 0 {
		t.Error("asked before an object came")
	}
	found, unknown := ask(s, head+"spec: {image: x}\n---\n"+head+"spec: {image: x, y: z}\n", manifest.Warn)
	if asked != 1 || len(found) != 1 || len(unknown) > 0 {
		t.Errorf("asked %d times: %q, %q", asked, found, unknown)
	}
}

// A CRD that cannot be used leaves the objects of its kind without an answer. Whoever read it says why.
func TestDefinitionsThatCannotBeUsed(t *testing.T) {
	s := manifest.NewServer(nil, []manifest.Definition{{Group: "example.com", Kind: "App", CRDs: func() []*structural.CRD { return nil }}})
	if found, unknown := ask(s, head, manifest.Warn); len(found)+len(unknown) > 0 || s.Err() != nil {
		t.Errorf("%q, %q, %v", found, unknown, s.Err())
	}
}

// The first resourceVersion of a file is a warning, which counts the others.
func TestResourceVersionsAreSaidOnce(t *testing.T) {
	s := newServer(t, crd)
	const warning = "3:21 warning manifest/resource-version resourceVersion should not be set on objects to be created (the rest is validated as if it were not set"
	object := func(metadata string) string {
		return "apiVersion: example.com/v1\nkind: App\nmetadata: " + metadata + "\nspec: {image: x}\n---\n"
	}
	versions := ""
	for n, want := range []string{"", warning + ")", warning + "; so is 1 more object in this file)", warning + "; so are 2 more objects in this file)"} {
		found, _ := ask(s, versions+object("{name: last}"), manifest.Warn)
		if have := strings.Join(found, "\n"); have != want {
			t.Errorf("%d objects with a version: %s, want %s", n, have, want)
		}
		versions += object(fmt.Sprintf("{name: %s, resourceVersion: '7'}", strings.Repeat("a", n+1)))
	}
	for _, metadata := range []string{"'7'", "{name: a, resourceVersion: '0'}", "{name: a, resourceVersion: ''}", "[{resourceVersion: '7'}]", "{name: a, annotations: {resourceVersion: '7'}}"} {
		found, _ := ask(s, object(metadata), manifest.Warn)
		if have := strings.Join(found, "\n"); strings.Contains(have, "manifest/resource-version") {
			t.Errorf("%s: %s", metadata, have)
		}
	}
}

// Without its reasons, a refusal is one all the same, and what is said before the server answers stays.
func TestRefusalsCanBeAnsweredWithoutReasons(t *testing.T) {
	const head = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, resourceVersion: '7'}\n"
	for text, want := range map[string]int{head + "spec: {image: 1, other: 1}\n": 1, head + "spec: {image: x, other: 1}\n": 2, head + "spec: {image: x}\n": 1} {
		s := newServer(t, crd)
		manifest.Read(objects.NewText("f.yaml", []byte(text)), func(o manifest.Object) []structural.Finding {
			all := s.Answer(o, manifest.Strict)
			_, answer := s.Ask(o, manifest.Strict, manifest.WithoutReasons)
			if have := answer(); have.Refused != all.Refused || len(have.Findings) != want {
				t.Errorf("%s: refused: %t, want %t; %d findings, want %d", text, have.Refused, all.Refused, len(have.Findings), want)
			}
			return nil
		}, s)
	}
}

// Answers without reasons begin once nothing more is listed, and an error that is not listed is known.
func TestReasonsAreWantedAsLongAsTheyAreListed(t *testing.T) {
	s := newServer(t, crd)
	one := `{"apiVersion": "example.com/v1", "kind": "App", "metadata": {"name": "a"}, "spec": {"image": 1}}` + "\n"
	var q manifest.Queue
	wanted, refused := 0, 0
	manifest.ReadAhead(&q, objects.NewText("f.json", []byte(strings.Repeat(one, 1100))), func(o manifest.Object, reasons manifest.Reasons) (int, func() []structural.Finding) {
		if reasons == manifest.WithReasons {
			wanted++
		}
		size, answer := s.Ask(o, manifest.Strict, reasons)
		return size, func() []structural.Finding {
			a := answer()
			if a.Refused {
				refused++
			}
			return a.Findings
		}
	}, func(f manifest.File) {
		if n := len(f.Findings); n != listed.Findings+1 || f.Findings[n-1].Severity != structural.SeverityError {
			t.Errorf("%d findings", n)
		}
	}, s)
	q.Finish()
	if refused != 1100 || wanted <= 500 || wanted > listed.Findings+1 {
		t.Errorf("%d are refused, the reasons of %d are wanted", refused, wanted)
	}
}

func TestVersionsThatAreNotServedAreNotKnown(t *testing.T) {
	one := strings.Replace(crd, "served: true\n    storage: true", "served: false\n    storage: true", 1)
	none := strings.Replace(one, "served: true", "served: false", 1)
	for version, want := range map[string][2]string{
		"v1":       {"the CRD serves v1beta1", "the CRD serves no version"},
		"v1alpha1": {"the CRD serves v1beta1", "the CRD serves no version"},
		"v7":       {"the CRD serves v1beta1", "the CRD serves no version"},
		"":         {"the CRD serves v1beta1", "the CRD serves no version"},
	} {
		for i, text := range []string{one, none} {
			found, unknown := ask(newServer(t, text), strings.Replace(head, "/v1\n", "/"+version+"\n", 1), manifest.Warn)
			line := fmt.Sprintf("1:1 error manifest/unknown-version no matches for kind %q in version %q (%s)", "App", "example.com/"+version, want[i])
			if have := strings.Join(found, "\n"); have != line || len(unknown) > 0 {
				t.Errorf("%s, want %s", have, line)
			}
		}
	}
}

// An answer names its CRD if the server serves the version of the object.
func TestAnswersNameTheirCRD(t *testing.T) {
	s := newServer(t, crd)
	for object, want := range map[string]string{"example.com/v1 App": "apps.example.com", "example.com/v7 App": "", "example.com/v1 Job": "", "v1 Pod": "", "v1 App": ""} {
		apiVersion, kind, _ := strings.Cut(object, " ")
		answers := 0
		manifest.Read(objects.NewText("f.yaml", []byte("apiVersion: "+apiVersion+"\nkind: "+kind+"\nmetadata: {name: a}\n")), func(o manifest.Object) []structural.Finding {
			answers++
			if have := s.Answer(o, manifest.Warn).CRD(); have != want {
				t.Errorf("%s: the CRD is %q, want %q", object, have, want)
			}
			return nil
		}, s)
		if answers != 1 {
			t.Errorf("%s: %d objects", object, answers)
		}
	}
}

// A wrong type in metadata hides nothing: the rest is validated as if it were not set, and nothing is said about it twice. The verdict is
// that of the server.
func TestWrongMetadataHidesNoOtherErrors(t *testing.T) {
	s := newServer(t, crd)
	for text, want := range map[string]string{
		"metadata: {name: a, labels: {team: yes, b/: x}}\nspec: {image: a, replicas: '10'}":                             `5:30 metadata.labels.team|5:41 metadata.labels.b/|5:41 metadata.labels.b/|6:18 spec.replicas|`,
		"metadata: {name: 5}\nspec: {image: a, replicas: 10}":                                                           `5:12 metadata.name|6:18 spec.replicas|`,
		"metadata: 5\nspec: {replicas: 10}":                                                                             `5:1 metadata|6:1 spec.image|6:8 spec.replicas|`,
		"metadata: {name: a, finalizers: [a/b, 5, c]}\nspec: {image: a, replicas: 10}":                                  `5:39 metadata.finalizers[1]|6:18 spec.replicas|`,
		"metadata: {name: a, labels: {team: yes}}\nspec: {image: a}":                                                    `5:30 metadata.labels.team|`,
		"metadata: {name: a}\nspec: {image: a, template: {kind: A, apiVersion: v1, metadata: {name: 5}}, replicas: 10}": `6:65 spec.template.metadata.name|6:76 spec.replicas|`,
	} {
		have := ""
		manifest.Read(objects.NewText("", []byte("\n\napiVersion: example.com/v1\nkind: App\n"+text)), func(o manifest.Object) []structural.Finding {
			a := s.Answer(o, manifest.Strict)
			for _, f := range a.Findings {
				have += fmt.Sprintf("%d:%d %s|", f.Line, f.Column, f.Path)
			}
			if !a.Refused || a.Stored != nil {
				t.Errorf("%s: refused %t, stored %v", text, a.Refused, a.Stored)
			}
			return nil
		}, s)
		if have != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, have, want)
		}
	}
}
