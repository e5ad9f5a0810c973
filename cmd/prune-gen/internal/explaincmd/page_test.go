package explaincmd

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/engine"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/explain/schematree"
	"github.com/prune-gen/prune-gen/structural"
)

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: App, plural: apps}
  versions:
  - {name: v1, served: false, storage: false, deprecated: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.a}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule: has(self.spec)}], properties: {spec: {type: object, properties: {a: {type: integer}}}}}}}
`

// part returns what is between two texts of a page, once.
func part(t *testing.T, page, before, after string) string {
	t.Helper()
	parts := strings.Split(page, before)
	if len(parts) != 2 {
		t.Fatalf("%q is there %d times", before, len(parts)-1)
	}
	text, _, found := strings.Cut(parts[1], after)
	if !found {
		t.Fatalf("no %q after %q", after, before)
	}
	return text
}

// A page with an engine has the CRD, the engine and what runs it, and its policy allows that and nothing else.
func TestPagesHaveTheirParts(t *testing.T) {
	c := crdread.Load("crd.yaml", strings.NewReader(crd)).CRDs[0]
	crds := []*structural.CRD{c}
	page, err := renderPage([]pageKind{{CRD: c.Name, Kind: "A&B", Versions: make([]pageVersion, 2)}}, crds, &engine.Engine{WASM: []byte("WASM"), Loader: "LOADER {{js}}"})
	if err != nil {
		t.Fatal(err)
	}
	if have := part(t, page, `id="wasm">`, "</script>"); have != "=$]bZ" {
		t.Errorf("the engine is %s", have)
	}
	if have := part(t, page, "<title>", "</title>"); have != "A&amp;B · apps.example.com" {
		t.Errorf("the title is %s", have)
	}
	want, err := json.Marshal(c.Source.Value())
	if err != nil {
		t.Fatal(err)
	}
	var sources []manifest.PageSource
	unpack(t, part(t, page, `id="source">`, "</script>"), &sources)
	if len(sources) != 1 || string(sources[0].CRD) != string(want) {
		t.Fatalf("the CRD is %+v, want %s", sources, want)
	}
	if rules := sources[0].Rules; len(rules) != 1 || rules["v2"] == nil || rules["v2"].Rules[0].Program != `(has self "spec")` {
		t.Errorf("the CEL rules are %+v", rules)
	}
	var kinds []pageKind
	unpack(t, part(t, page, `id="data">`, "</script>"), &kinds)
	if have, want := kinds[0].Versions[1].Example, "apiVersion: example.com/v2\nkind: App\nmetadata:\n  name: example\nspec:\n  a: 1\n"; have != want {
		t.Errorf("the example is\n%swant\n%s", have, want)
	}
	if !strings.Contains(page, "<script>LOADER {{js}}</script>") {
		t.Error("the loader is not as it was")
	}
	policy := part(t, page, `http-equiv="Content-Security-Policy" content="`, `"`)
	if want := "default-src 'none'; script-src " + hash(pageJS) + " " + hash("LOADER {{js}}") + " 'wasm-unsafe-eval'; style-src " + hash(pageCSS) + "; base-uri 'none'; form-action 'none'"; policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
	bare, err := renderPage(make([]pageKind, 2), crds, nil)
	if err != nil {
		t.Fatal(err)
	}
	policy = part(t, bare, `http-equiv="Content-Security-Policy" content="`, `"`)
	if want := "default-src 'none'; script-src " + hash(pageJS) + "; style-src " + hash(pageCSS) + "; base-uri 'none'; form-action 'none'"; policy != want || regexp.MustCompile(`id="(wasm|source)">`).MatchString(bare) {
		t.Errorf("without an engine, the policy is %s, want %s", policy, want)
	}
	if have := hash(""); have != "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" {
		t.Errorf("the hash of nothing is %s", have)
	}
}

// unpack reads what packJSON has written.
func unpack(t *testing.T, packed string, into any) {
	t.Helper()
	text, err := gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(packed, "v", "<"))))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(text).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// explain writes a page without an engine about what is in the working directory, and returns its data.
func explain(t *testing.T, args ...string) ([]pageKind, error) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &cli.Environment{Stdout: bufio.NewWriter(&out), Stderr: &errs}
	cmd := Command(env)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append(args, "--output", "html", "--tree-only", "."))
	if err := cmd.Execute(); err != nil {
		return nil, err
	}
	env.Stdout.Flush()
	var kinds []pageKind
	unpack(t, part(t, out.String(), `id="data">`, "</script>"), &kinds)
	return kinds, nil
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The data of a page are all versions, of which the chosen one is shown first.
func TestPagesHaveAllVersions(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "crd.yaml", crd)
	for args, chosen := range map[string]string{"": "v2", "--crd-version v1": "v1"} {
		kinds, err := explain(t, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		k := kinds[0]
		have := strings.Join([]string{k.CRD, k.Group, k.Kind, k.Chosen}, " ")
		for _, v := range k.Versions {
			have += "; " + v.Name + ": " + strings.Join(v.Traits, ", ")
			if v.Pruned {
				have += ", pruned"
			}
			var tree schematree.Node
			if err := json.Unmarshal(v.Tree, &tree); err != nil {
				t.Fatal(err)
			}
			for _, f := range tree.Fields {
				have += " " + f.Name
			}
		}
		want := "apps.example.com example.com App " + chosen + "; v1: cluster, not served, deprecated, pruned apiVersion kind metadata; v2: cluster, served, stored, status subresource, scale subresource, pruned apiVersion kind metadata spec"
		if have != want {
			t.Errorf("%s\nwant %s", have, want)
		}
	}
}

// All kinds are in one page, each once.
func TestPagesHaveAllKinds(t *testing.T) {
	t.Chdir(t.TempDir())
	job := strings.NewReplacer("App", "Job", "apps", "jobs").Replace(crd)
	write(t, "b.yaml", job+"---\n"+crd)
	write(t, "copy.yaml", strings.Replace(crd, "{name: apps.example.com}", "{name: apps.example.com, labels: {a: b}}", 1))
	write(t, "group.yaml", strings.ReplaceAll(job, "example.com", "other.com"))
	kinds, err := explain(t)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.CRD)
	}
	if have, want := strings.Join(names, " "), "apps.example.com jobs.example.com jobs.other.com"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
	write(t, "copy.yaml", strings.Replace(crd, "integer", "string", 1))
	if _, err := explain(t); err == nil || err.Error() != "b.yaml and copy.yaml both define kind App of example.com, differently: choose one" {
		t.Error(err)
	}
}
