package manifest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

const pageCRD = `
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
              image: {type: string, maxLength: 10}
              replicas: {type: integer, default: 3, minimum: 1}
              strategy: {type: object, default: {}, properties: {kind: {type: string, default: rolling}}}
              ports: {type: array, items: {type: object, properties: {port: {type: integer}, protocol: {type: string, default: TCP}}}}
              labels: {type: object, additionalProperties: {type: string}}
          status: {type: object, properties: {ready: {type: boolean}}}
`

// page returns what a page shows about a manifest.
func page(t *testing.T, crd, text string) manifest.Page {
	return newServer(t, crd).Page([]byte(text), nil)
}

// lines returns the marks, each in a line.
func lines(r manifest.Page) []string {
	var all []string
	for _, m := range r.Marks {
		place := fmt.Sprintf("%d:%d", m.Line, m.Column)
		if m.EndLine > m.Line {
			place += fmt.Sprintf("-%d", m.EndLine)
		}
		words := []string{place, m.Kind, m.Path}
		if m.Text != "" {
			words = append(words, m.Text)
		} else {
			words = append(words, m.Message)
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

const pageHead = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b, generation: 1}\n"

func TestPagesMarkEveryLine(t *testing.T) {
	const always = "4:1 filled spec.replicas replicas: 3|4:1 filled spec.strategy strategy: {kind: rolling}"
	for name, tt := range map[string]struct{ manifest, want string }{
		"nothing":  {pageHead + "spec: {image: x, replicas: 2, strategy: {kind: q}}", ""},
		"defaults": {pageHead + "spec:\n  image: x\n", always},
		"an unknown field with all below it": {pageHead + "spec:\n  image: x\n  other:\n    a: 1\n    b: |\n      text\n\n  # comment\n  replicas: 1\n  strategy: {kind: q}\n",
			`6:3-9 dropped spec.other unknown field "spec.other"`},
		"an unknown field at the end": {pageHead + "spec:\n  image: x\n  replicas: 1\n  strategy: {kind: q}\n  other:\n  - 1\n  - 2\n# end\n---\n",
			`8:3-10 dropped spec.other unknown field "spec.other"`},
		"in a list": {pageHead + "spec:\n  image: x\n  replicas: 1\n  strategy: {kind: q}\n  ports:\n  - prot: 1\n    port: 80\n",
			`9:5 dropped spec.ports[0].prot unknown field "spec.ports[0].prot"|9:5 filled spec.ports[0].protocol protocol: TCP`},
		"in flow style": {pageHead + "spec: {image: x, other: 1, replicas: 2, strategy: {kind: q}}", `4:18 dropped spec.other unknown field "spec.other"`},
		"in metadata": {"apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b, generation: 7, label: {}}\nspec: {image: x, replicas: 2, strategy: {kind: q}}",
			`3:35 changed metadata.generation 1|3:50 dropped metadata.label unknown field "metadata.label"`},
		"a key with a dot": {pageHead + "spec: {image: x, replicas: 2, strategy: {kind: q, a.b/c: 1}, labels: {a.b: c}}", `4:51 dropped spec.strategy.a.b/c unknown field "spec.strategy.a.b/c"`},
		"a null": {pageHead + "spec: {image: x, replicas: null, strategy: {kind: q}, labels: {a: null}}",
			"4:18 changed spec.replicas 3|4:64 dropped spec.labels.a null is dropped"},
		"the status":     {pageHead + "spec: {image: x, replicas: 2, strategy: {kind: q}}\nstatus:\n  ready: true", "5:1-6 dropped status the status is a subresource: it is dropped when an object is created"},
		"a wrong value":  {pageHead + "spec: {image: 12345678901, replicas: 2, strategy: {kind: q}}", `4:8 refused spec.image Invalid value: "integer": spec.image in body must be of type string: "integer"`},
		"a missing one":  {pageHead + "spec: {replicas: 2, strategy: {kind: q}}", "4:1 refused spec.image Required value"},
		"no name":        {"apiVersion: example.com/v1\nkind: App\nmetadata: {namespace: b, generation: 1}\nspec: {image: x, replicas: 2, strategy: {kind: q}}", "3:1 refused metadata.name Required value: name or generateName is required"},
		"bad metadata":   {"apiVersion: example.com/v1\nkind: App\nmetadata: {name: 1}\n", ""},
		"another kind":   {"---\napiVersion: v1\nkind: Pod\n", "2:1 unknown  v1 Pod is not known: want example.com/v1 App"},
		"no kind":        {"a: b", "1:1 unreadable  apiVersion not set, kind not set"},
		"not YAML":       {"a: [", "1:1 unreadable  invalid YAML: did not find expected node content"},
		"not an object":  {"- 1", "1:1 unreadable  got a list, want an object"},
		"a key twice":    {pageHead + "spec: {image: x, replicas: 2, replicas: 1, strategy: {kind: q}}", `4:31 changed spec.replicas duplicate field "spec.replicas"`},
		"nothing at all": {"", ""},
		"a list":         {"apiVersion: example.com/v1\nkind: AppList\nitems:\n- metadata: {name: a, namespace: b, generation: 1}\n  spec: {image: x, replicas: 2, strategy: {kind: q}, z: 1}\n- metadata: {name: b, namespace: b, generation: 1}\n  spec: {image: x, replicas: 2, strategy: {kind: q}}\n  z: 1\n", "5:54 dropped spec.z unknown field \"spec.z\"|8:3 dropped z unknown field \"z\""},
	} {
		t.Run(name, func(t *testing.T) {
			r := page(t, pageCRD, tt.manifest)
			if name == "bad metadata" { // the words are those of the decoder
				if len(r.Marks) != 1 || r.Marks[0].Kind != "refused" {
					t.Errorf("%v", lines(r))
				}
				return
			}
			if got := strings.Join(lines(r), "|"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(tt.want, "|", "\n"))
			}
		})
	}
}

func TestStoredKeepsTheOrderAndMarksWhatIsNew(t *testing.T) {
	r := page(t, pageCRD, (pageHead + "spec:\n  other: 1\n  ports:\n  - port: 80\n  image: 'yes'\n  labels: {}\n"))
	if len(r.Objects) != 1 || !r.Objects[0].Accepted || r.Objects[0].Name != "a" {
		t.Fatalf("%+v", r)
	}
	var got []string
	for _, l := range r.Objects[0].Stored {
		mark := map[manifest.ChangeKind]string{"": " ", manifest.Filled: "+", manifest.Changed: "~"}[l.Kind]
		got = append(got, mark+l.Text)
	}
	want := []string{" apiVersion: example.com/v1", " kind: App", " metadata:", "   name: a", "   namespace: b", "   generation: 1", " spec:",
		"   ports:", "   - port: 80", "+    protocol: TCP", `   image: "yes"`, "   labels: {}", "+  replicas: 3", "+  strategy:", "+    kind: rolling"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is stored is stored unchanged if it is created again.
func TestStoredIsYAML(t *testing.T) {
	root := "../../../examples/operator/config/"
	text, err := os.ReadFile(root + "crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile(root + "samples/crontab.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range page(t, string(text), string(sample)).Objects[0].Stored {
		b.WriteString(l.Text + "\n")
	}
	for _, m := range page(t, string(text), b.String()).Marks {
		if m.Kind == "dropped" || m.Kind == "changed" || m.Kind == "unreadable" {
			t.Errorf("%+v in\n%s", m, &b)
		}
	}
}

// What YAML 1.1 takes for a boolean is quoted, as Kubernetes reads YAML 1.1.
func TestStoredQuotesWordsThatAreNotStrings(t *testing.T) {
	for _, word := range []string{"on", "off", "yes", "no", "y", "n", "true", "false", "null", "~", "1", "1e3", "0x1f", "2024-01-01", ""} {
		text := fmt.Sprintf(pageHead+"spec: {image: %q}\n", word)
		var b strings.Builder
		for _, l := range page(t, pageCRD, text).Objects[0].Stored {
			b.WriteString(l.Text + "\n")
		}
		if result := page(t, pageCRD, b.String()); !strings.Contains(b.String(), `image: "`+word+`"`) || !result.Objects[0].Accepted {
			t.Errorf("%q: %+v\n%s", word, result.Marks, &b)
		}
	}
}

// What YAML does not allow in a text, and what it takes for the end of a line, is escaped.
func TestStoredEscapesWhatYAMLDoesNotAllow(t *testing.T) {
	for _, image := range []string{"a\x7fb", "a\u0085b", "a\u009f", "a\u2028b", "\ufeffa", "a\ufffeb", "a\tb\\u0085"} {
		want := map[string]any{"image": image}
		var have struct{ Image string }
		if err := yaml.Unmarshal([]byte(manifest.Text(want)), &have); err != nil || have.Image != image {
			t.Errorf("%q: %q, %v", image, have.Image, err)
		}
	}
}

// A page, which has the CEL rules as JSON, answers as a program that compiles them, of old versions of Kubernetes, too.
func TestPagesAnswerAsProgramsDo(t *testing.T) {
	for _, version := range []kubeversion.Version{0, kubeversion.Oldest} {
		c, err := load.CRD([]byte(wideCRD), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.Kubernetes = version
		data, err := json.Marshal(c.Source.Value())
		if err != nil {
			t.Fatal(err)
		}
		rules := celrules.Table(celrules.Check(c.Structural(c.Versions[0]), celrules.Stored(version)))
		if data, err = json.Marshal(manifest.PageSource{CRD: data, Kubernetes: version, Rules: map[string]*prunecel.Rules{"v1": rules}}); err != nil {
			t.Fatal(err)
		}
		var read manifest.PageSource
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		server, err := manifest.PageServer([]manifest.PageSource{read})
		if err != nil {
			t.Fatal(err)
		}
		program := manifest.FromCRDs(nil, dynamic.Compile, c)
		for _, m := range wideManifests {
			if have, want := server.Page([]byte(m[1]), []byte(wideManifests[0][1])), program.Page([]byte(m[1]), []byte(wideManifests[0][1])); !reflect.DeepEqual(have, want) {
				t.Errorf("%s in %s: %+v, want %+v", m[0], version, have, want)
			}
		}
	}
	if _, err := manifest.PageServer([]manifest.PageSource{{CRD: []byte("{}")}}); err == nil {
		t.Error("a source without a CRD is accepted")
	}
}

// An object that replaces another is validated as an update; other objects in the old text are reported.
func TestPagesAnswerForUpdates(t *testing.T) {
	crd := strings.Replace(pageCRD, "maxLength: 10", "maxLength: 10, x-kubernetes-validations: [{rule: self == oldSelf, message: never changes}]", 1)
	s := newServer(t, crd)
	for _, test := range []struct{ old, manifest, want string }{
		{"", pageHead + "spec: {image: b}\n", "accepted true, update false"},
		{pageHead + "spec: {image: b}\n", pageHead + "spec: {image: b}\n", "accepted true, update true"},
		{pageHead + "spec: {image: a}\n", pageHead + "spec: {image: b}\n", `accepted false, update true; 4:8 refused spec.image Invalid value: "b": never changes`},
		// An old object of before is forgotten.
		{" \n", pageHead + "spec: {image: b}\n", "accepted true, update false"},
		{strings.Replace(pageHead, "name: a", "name: other", 1) + "spec: {image: a}\n", pageHead + "spec: {image: b}\n", "accepted true, update false; App b/other is not replaced: the manifest has no object with its kind, namespace and name"},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", pageHead + "spec: {image: b}\n", "accepted true, update false; Pod a is not replaced: the manifest has no object with its kind, namespace and name"},
		{"a: [", pageHead + "spec: {image: b}\n", "accepted true, update false; line 1: "},
		{"x", pageHead + "spec: {image: b}\n", "accepted true, update false; line 1: got the string \"x\", want an object"},
		{"\n7\n", pageHead + "spec: {image: b}\n", "accepted true, update false; line 2: got the integer 7, want an object"},
		{"#", pageHead + "spec: {image: b}\n", "accepted true, update false"},
	} {
		p := s.Page([]byte(test.manifest), []byte(test.old))
		have := fmt.Sprintf("accepted %t, update %t", p.Objects[0].Accepted, p.Objects[0].Update)
		for _, m := range p.Marks {
			if m.Kind == "refused" {
				have += fmt.Sprintf("; %d:%d %s %s %s", m.Line, m.Column, m.Kind, m.Path, m.Message)
			}
		}
		for _, why := range p.Old {
			have += "; " + why
		}
		if have != test.want && (!strings.HasSuffix(test.want, ": ") || !strings.HasPrefix(have, test.want)) {
			t.Errorf("%s\nto %s\nhave %s\nwant %s", test.old, test.manifest, have, test.want)
		}
	}
}

// A page can have several CRDs, each with its rules.
func TestPagesAnswerForSeveralKinds(t *testing.T) {
	var sources []manifest.PageSource
	for _, kind := range []string{"App", "Job"} {
		text := strings.NewReplacer("App", kind, "apps", strings.ToLower(kind)+"s", "maxLength: 10", "x-kubernetes-validations: [{rule: self == '"+kind+"'}]").Replace(pageCRD)
		c, err := load.CRD([]byte(text), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(c.Source.Value())
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, manifest.PageSource{CRD: data, Rules: map[string]*prunecel.Rules{"v1": celrules.Table(celrules.Check(c.Structural(c.Versions[0]), celrules.Stored(0)))}})
	}
	s, err := manifest.PageServer(sources)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"App", "Job"} {
		for _, image := range []string{"App", "Job"} {
			p := s.Page([]byte(strings.Replace(pageHead, "App", kind, 1)+"spec: {image: "+image+"}\n"), nil)
			if len(p.Objects) != 1 || p.Objects[0].Accepted != (kind == image) {
				t.Errorf("%s with %s: %+v", kind, image, p)
			}
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add(pageHead + "spec: {image: x, other: [1, {a: b}]}")
	f.Add("a: &x [1]\nb: *x\n<<: {c: d}\n")
	f.Add("apiVersion: example.com/v1\nkind: App\nspec: &a {image: x, strategy: *a}")
	s := manifest.FromCRDs(nil, dynamic.Compile, crdread.Load("crd.yaml", strings.NewReader(pageCRD)).CRDs...)
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range s.Page([]byte(text), []byte(text)).Marks {
			if m.Line < 1 || m.Column < 1 || m.EndLine != 0 && m.EndLine < m.Line || m.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+3 && len(text) < 100 && !strings.ContainsAny(text, "\u0085\u2028\u2029") {
				t.Errorf("%+v", m)
			}
		}
	})
}

// What is dropped ends before the next key, on the same line or below, and the last of a map ends with the map.
func TestDroppedFieldsEndBeforeTheNextOne(t *testing.T) {
	const rest = "replicas: 1, strategy: {kind: x}"
	for text, want := range map[string]string{
		"spec: {x: 1, v: 2, image: i, " + rest + "}\n":                                                                          "4:8 x, 4:14 v",
		"spec: {x: 1, image: i,\n  " + rest + "}\n":                                                                             "4:8 x",
		"spec: {x: 1, v: 2,\n  z: 3,\n\n  w: [1,\n  2], image: i,\n  " + rest + "}\n":                                           "4:8 x, 4:14 v, 5:3 z, 7:3 w",
		"spec: {image: i, " + rest + ", x: 1, v: [\n  1,\n  2\n]}\n":                                                            "4:52 x, 4:58-7 v",
		"spec:\n  x:\n    a: 1\n    b: 2\n  image: i\n  " + strings.ReplaceAll(rest, ", s", "\n  s") + "\n  v:\n  - 1\n  - 2\n": "5:3-7 x, 11:3-13 v",
	} {
		var got []string
		for _, m := range page(t, pageCRD, pageHead+text).Marks {
			if m.Kind != "dropped" {
				continue
			}
			place := fmt.Sprintf("%d:%d", m.Line, m.Column)
			if m.EndLine > m.Line {
				place += fmt.Sprintf("-%d", m.EndLine)
			}
			got = append(got, place+" "+strings.TrimPrefix(m.Path, "spec."))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s\n%q, want %s", text, got, want)
		}
	}
}
