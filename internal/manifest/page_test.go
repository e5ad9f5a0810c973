package manifest_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/marks"
	"github.com/prune-gen/prune-gen/internal/testsize"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
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
              image: {type: string, maxLength: 10}
              replicas: {type: integer, default: 3, minimum: 1}
              strategy: {type: object, default: {}, properties: {kind: {type: string, default: rolling}}}
              ports: {type: array, items: {type: object, properties: {port: {type: integer}, protocol: {type: string, default: TCP}}}}
              labels: {type: object, additionalProperties: {type: string}}
          status: {type: object, properties: {ready: {type: boolean}}}
`

func resources(t *testing.T, text string) []prunert.Resource {
	t.Helper()
	f := load.Load("crd.yaml", strings.NewReader(text))
	if len(f.CRDs) != 1 {
		t.Fatalf("%d CRDs, %v", len(f.CRDs), f.Findings)
	}
	all, err := dynamic.Compile(f.CRDs[0])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lines returns the marks, each in a line.
func lines(r marks.Result) []string {
	var all []string
	for _, m := range r.Marks {
		place := fmt.Sprintf("%d:%d", m.Line, m.Column)
		if m.EndLine > m.Line {
			place += fmt.Sprintf("-%d", m.EndLine)
		}
		words := []string{place, string(m.Kind), m.Path}
		if m.Text != "" {
			words = append(words, m.Text)
		} else {
			words = append(words, m.Message)
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

const head = "apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b, generation: 1}\n"

func TestOfMarksEveryLine(t *testing.T) {
	const always = "4:1 filled spec.replicas replicas: 3|4:1 filled spec.strategy strategy: {kind: rolling}"
	for name, tt := range map[string]struct{ manifest, want string }{
		"nothing":  {head + "spec: {image: x, replicas: 2, strategy: {kind: q}}", ""},
		"defaults": {head + "spec:\n  image: x\n", always},
		"an unknown field with all below it": {head + "spec:\n  image: x\n  other:\n    a: 1\n    b: |\n      text\n\n  # comment\n  replicas: 1\n  strategy: {kind: q}\n",
			`6:3-9 dropped spec.other unknown field "spec.other"`},
		"an unknown field at the end": {head + "spec:\n  image: x\n  replicas: 1\n  strategy: {kind: q}\n  other:\n  - 1\n  - 2\n# end\n---\n",
			`8:3-10 dropped spec.other unknown field "spec.other"`},
		"in a list": {head + "spec:\n  image: x\n  replicas: 1\n  strategy: {kind: q}\n  ports:\n  - prot: 1\n    port: 80\n",
			`9:5 dropped spec.ports[0].prot unknown field "spec.ports[0].prot"|9:5 filled spec.ports[0].protocol protocol: TCP`},
		"in flow style": {head + "spec: {image: x, other: 1, replicas: 2, strategy: {kind: q}}", `4:18 dropped spec.other unknown field "spec.other"`},
		"in metadata": {"apiVersion: example.com/v1\nkind: App\nmetadata: {name: a, namespace: b, generation: 7, label: {}}\nspec: {image: x, replicas: 2, strategy: {kind: q}}",
			`3:35 changed metadata.generation 1|3:50 dropped metadata.label unknown field "metadata.label"`},
		"a key with a dot": {head + "spec: {image: x, replicas: 2, strategy: {kind: q, a.b/c: 1}, labels: {a.b: c}}", `4:51 dropped spec.strategy.a.b/c unknown field "spec.strategy.a.b/c"`},
		"a null": {head + "spec: {image: x, replicas: null, strategy: {kind: q}, labels: {a: null}}",
			"4:18 changed spec.replicas 3|4:64 dropped spec.labels.a null is dropped"},
		"the status":     {head + "spec: {image: x, replicas: 2, strategy: {kind: q}}\nstatus:\n  ready: true", "5:1-6 dropped status the status is a subresource: it is dropped when an object is created"},
		"a wrong value":  {head + "spec: {image: 12345678901, replicas: 2, strategy: {kind: q}}", `4:8 refused spec.image Invalid value: "integer": spec.image in body must be of type string: "integer"`},
		"a missing one":  {head + "spec: {replicas: 2, strategy: {kind: q}}", "4:1 refused spec.image Required value"},
		"no name":        {"apiVersion: example.com/v1\nkind: App\nmetadata: {namespace: b, generation: 1}\nspec: {image: x, replicas: 2, strategy: {kind: q}}", "3:1 refused metadata.name Required value: name or generateName is required"},
		"bad metadata":   {"apiVersion: example.com/v1\nkind: App\nmetadata: {name: 1}\n", ""},
		"another kind":   {"---\napiVersion: v1\nkind: Pod\n", "2:1 unknown  v1 Pod is not known: want example.com/v1 App"},
		"no kind":        {"a: b", "1:1 unknown  an object without apiVersion and kind is not known: want example.com/v1 App"},
		"not YAML":       {"a: [", "1:1 unreadable  invalid YAML: did not find expected node content"},
		"not an object":  {"- 1", "1:1 unreadable  got a list, want an object"},
		"a key twice":    {"a: 1\na: 2", `2:1 unreadable  key "a" is already set on line 1`},
		"nothing at all": {"", ""},
		"a list":         {"apiVersion: example.com/v1\nkind: AppList\nitems:\n- metadata: {name: a, namespace: b, generation: 1}\n  spec: {image: x, replicas: 2, strategy: {kind: q}, z: 1}\n- metadata: {name: b, namespace: b, generation: 1}\n  spec: {image: x, replicas: 2, strategy: {kind: q}}\n  z: 1\n", "5:54 dropped spec.z unknown field \"spec.z\"|8:3 dropped z unknown field \"z\""},
	} {
		t.Run(name, func(t *testing.T) {
			r := marks.Of(resources(t, crd), []byte(tt.manifest))
			if name == "bad metadata" { // the words are those of the decoder
				if len(r.Marks) != 1 || r.Marks[0].Kind != marks.Refused {
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
	r := marks.Of(resources(t, crd), []byte(head+"spec:\n  other: 1\n  ports:\n  - port: 80\n  image: 'yes'\n  labels: {}\n"))
	if len(r.Objects) != 1 || !r.Objects[0].Accepted || r.Objects[0].Name != "a" {
		t.Fatalf("%+v", r)
	}
	var got []string
	for _, l := range r.Objects[0].Stored {
		mark := map[marks.Kind]string{"": " ", marks.Filled: "+", marks.Changed: "~"}[l.Kind]
		got = append(got, mark+l.Text)
	}
	want := []string{" apiVersion: example.com/v1", " kind: App", " metadata:", "   name: a", "   namespace: b", "   generation: 1", " spec:",
		"   ports:", "   - port: 80", "+    protocol: TCP", `   image: "yes"`, "   labels: {}", "+  replicas: 3", "+  strategy:", "+    kind: rolling"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatIsStoredIsNotPrintedForManyManifests(t *testing.T) {
	doc := []byte(head + "spec: {image: a, replicas: 0}\n" + "---\n" + head + "spec: {image: a, x: 1}\n")
	of, within := marks.Of(resources(t, crd), doc), marks.NewKinds(resources(t, crd)).Of(marks.Read(yamltext.NewBudget(), doc))
	for i := range of.Objects {
		if of.Objects[i].Stored == nil {
			t.Errorf("object %d is not printed", i)
		}
		of.Objects[i].Stored = nil
	}
	if !reflect.DeepEqual(of, within) || len(of.Objects) != 2 {
		t.Errorf("got %+v\nwant %+v", within, of)
	}
}

// What is stored is stored unchanged if it is created again.
func TestStoredIsYAML(t *testing.T) {
	root := "../../examples/operator/config/"
	text, err := os.ReadFile(root + "crd/bases/stable.example.com_crontabs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile(root + "samples/crontab.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := resources(t, string(text))
	var b strings.Builder
	for _, l := range marks.Of(all, sample).Objects[0].Stored {
		b.WriteString(l.Text + "\n")
	}
	for _, m := range marks.Of(all, []byte(b.String())).Marks {
		if m.Kind == marks.Dropped || m.Kind == marks.Changed || m.Kind == marks.Unreadable {
			t.Errorf("%+v in\n%s", m, &b)
		}
	}
}

// What YAML 1.1 takes for a boolean is quoted, as Kubernetes reads YAML 1.1.
func TestStoredQuotesWordsThatAreNotStrings(t *testing.T) {
	for _, word := range []string{"on", "off", "yes", "no", "y", "n", "true", "false", "null", "~", "1", "1e3", "0x1f", "2024-01-01", ""} {
		manifest := fmt.Sprintf(head+"spec: {image: %q}\n", word)
		var b strings.Builder
		for _, l := range marks.Of(resources(t, crd), []byte(manifest)).Objects[0].Stored {
			b.WriteString(l.Text + "\n")
		}
		if result := marks.Of(resources(t, crd), []byte(b.String())); !strings.Contains(b.String(), `image: "`+word+`"`) || !result.Objects[0].Accepted {
			t.Errorf("%q: %+v\n%s", word, result.Marks, &b)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add(head + "spec: {image: x, other: [1, {a: b}]}")
	f.Add("a: &x [1]\nb: *x\n<<: {c: d}\n")
	f.Add("apiVersion: example.com/v1\nkind: App\nspec: &a {image: x, strategy: *a}")
	file := load.Load("crd.yaml", strings.NewReader(crd))
	all, err := dynamic.Compile(file.CRDs[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, manifest string) {
		for _, m := range marks.Of(all, []byte(manifest)).Marks {
			if m.Line < 1 || m.Column < 1 || m.EndLine != 0 && m.EndLine < m.Line || m.Line > strings.Count(manifest, "\n")+strings.Count(manifest, "\r")+3 && len(manifest) < 100 && !strings.ContainsAny(manifest, "\u0085\u2028\u2029") {
				t.Errorf("%+v", m)
			}
		}
	})
}

// Of several resources with a version and a kind the first answers. A message names a dozen of many.
func TestKindsOfManyResources(t *testing.T) {
	var all []prunert.Resource
	for i := range 13 {
		all = append(all, resources(t, strings.NewReplacer("name: v1", fmt.Sprintf("name: v%d", i+1)).Replace(crd))...)
	}
	other := strings.NewReplacer("kind: App", "kind: Other", "apps", "others", "maxLength: 10", "maxLength: 1").Replace(crd)
	all = append(all, resources(t, other)...)
	all = append(all, resources(t, strings.Replace(crd, "maxLength: 10", "maxLength: 1", 1))...)
	for manifest, want := range map[string]string{
		head + "spec: {image: abc, replicas: 1, strategy: {kind: q}}":                                     "",
		strings.Replace(head, "App", "Other", 1) + "spec: {image: abc, replicas: 1, strategy: {kind: q}}": "4:8 refused spec.image Too long: may not be more than 1 byte",
		"apiVersion: v1\nkind: Pod\n":             "1:1 unknown  v1 Pod is not known",
		"apiVersion: example.com/v2\nkind: Other": "1:1 unknown  example.com/v2 Other is not known: want example.com/v1 Other",
	} {
		if have := strings.Join(lines(marks.Of(all, []byte(manifest))), "|"); have != want {
			t.Errorf("%s\n%s, want %s", manifest, have, want)
		}
	}
	said := "1:1 unknown  v1 App is not known: want example.com/v1 App"
	for n := 2; n <= 13; n++ {
		if n <= 12 {
			said += fmt.Sprintf(" or example.com/v%d App", n)
		} else {
			said += " or 1 more"
		}
		if have := strings.Join(lines(marks.Of(all[:n], []byte("apiVersion: v1\nkind: App\n"))), "|"); have != said {
			t.Errorf("%d versions: %s, want %s", n, have, said)
		}
	}
}

// The objects of a run are counted once, however often they are answered for. A document with too many is left out.
func TestManifestsOfARunShareALimitOfObjects(t *testing.T) {
	const list, item = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", `{"apiVersion":"v1","kind":"Pod"}`
	budget, kinds := yamltext.NewBudget(), marks.NewKinds(resources(t, crd))
	for i, test := range []struct {
		items   int
		objects int
		want    string
	}{
		{49_999, 49_999, ""}, {1, 1, ""}, {1, 0, "with this file, the run exceeds the limit of 50000 objects"}, {1, 0, "not read: the run exceeds the limit of 50000 objects"},
	} {
		m := marks.Read(budget, []byte(list+strings.Repeat(item+",", test.items-1)+item+"]}"))
		for range 2 {
			r := kinds.Of(m)
			have := ""
			for _, mark := range r.Marks {
				if mark.Kind != marks.Unknown {
					have += mark.Message
				}
			}
			if len(r.Objects) != test.objects || have != test.want {
				t.Errorf("manifest %d: %d objects and %q, want %d and %q", i, len(r.Objects), have, test.objects, test.want)
			}
		}
	}
}

// What is in objects counts if there is a resource for them, or may be.
func TestObjectsOfOtherKindsCountLess(t *testing.T) {
	testsize.NotShort(t)
	values := "[" + strings.Repeat("1,", 399_000) + "1]"
	all := marks.NewKinds(resources(t, crd))
	for object, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Pod","a":` + values + "}":             "",
		`{"apiVersion":"example.com/v1","kind":"App","a":` + values + "}": "with this file, the run exceeds the limit of 400000 values in its objects",
		`{"a":` + values + "}": "with this file, the run exceeds the limit of 400000 values in its objects",
	} {
		said := ""
		for _, mark := range all.Of(marks.Read(yamltext.NewBudget(), []byte(object+"\n"+object), all)).Marks {
			if mark.Kind == marks.Unreadable && !strings.HasPrefix(mark.Message, "got ") {
				said += mark.Message
			}
		}
		if said != want {
			t.Errorf("%.60s: %q, want %q", object, said, want)
		}
	}
}

// The texts of marks have a limit. What is filled in repeats the path to it.
func TestMarksHaveALimit(t *testing.T) {
	name := strings.Repeat("n", 100_000)
	for fields, full := range map[int]bool{300: false, 900: true} {
		var defaults strings.Builder
		for i := range fields {
			fmt.Fprintf(&defaults, `,"f%d":{"type":"string","default":"x"}`, i)
		}
		r := marks.Of(resources(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"apps.example.com"},"spec":{"group":"example.com","scope":"Cluster",`+
			`"names":{"kind":"App","plural":"apps"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"`+name+`":{"type":"object","properties":{"f":{"type":"string"}`+
			defaults.String()+`}}}}}}]}}`), []byte(`{"apiVersion":"example.com/v1","kind":"App","metadata":{"name":"a"},"`+name+`":{}}`))
		bytes, said := 0, false
		for _, mark := range r.Marks {
			bytes += len(mark.Path)
			said = said || mark.Kind == marks.Unreadable && mark.Message == "the marks of the objects exceed the limit of 64 MiB"
		}
		if r.Full != full || said != full || bytes > 64<<20 || bytes < 300*len(name) {
			t.Errorf("%d fields: %d marks with %d bytes, full: %t", fields, len(r.Marks), bytes, r.Full)
		}
	}
}
