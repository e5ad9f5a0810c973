package explaincmd

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/cli"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/structural/load"
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
	c := load.Load("crd.yaml", strings.NewReader(crd)).CRDs[0]
	page, err := renderPage(pageData{CRD: c.Name, Kind: "A&B"}, c, &engine{wasm: "WASM", loader: "LOADER {{js}}"})
	if err != nil {
		t.Fatal(err)
	}
	if have := part(t, page, `id="wasm">`, "</script>"); have != "WASM" {
		t.Errorf("the engine is %s", have)
	}
	if have := part(t, page, "<title>", "</title>"); have != "A&amp;B · apps.example.com" {
		t.Errorf("the title is %s", have)
	}
	packed, err := base64.StdEncoding.DecodeString(part(t, page, `id="source">`, "</script>"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(c.Node.Value())
	if err != nil {
		t.Fatal(err)
	}
	var read manifest.PageSource
	if err := json.Unmarshal(source, &read); err != nil || string(read.CRD) != string(want) {
		t.Errorf("%v: the CRD is %s, want %s", err, read.CRD, want)
	}
	if len(read.Rules) != 1 || read.Rules["v2"] == nil || read.Rules["v2"].Rules[0].Program.Text != `(has self "spec")` {
		t.Errorf("the CEL rules are in %s", source)
	}
	if !strings.Contains(page, "<script>LOADER {{js}}</script>") {
		t.Error("the loader is not as it was")
	}
	policy := part(t, page, `http-equiv="Content-Security-Policy" content="`, `"`)
	if want := "default-src 'none'; script-src " + hash(pageJS) + " " + hash("LOADER {{js}}") + " 'wasm-unsafe-eval'; style-src " + hash(pageCSS) + "; base-uri 'none'; form-action 'none'"; policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
	bare, err := renderPage(pageData{}, c, nil)
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

// The data of a page are all versions, of which the chosen one is shown first.
func TestPagesHaveAllVersions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("crd.yaml", []byte(crd), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, chosen := range map[string]string{"": "v2", "--crd-version v1": "v1"} {
		var out, errs bytes.Buffer
		env := &cli.Environment{Stdout: bufio.NewWriter(&out), Stderr: &errs}
		cmd := Command(env)
		cmd.SetArgs(append(strings.Fields(args), "--output", "html", "--tree-only", "crd.yaml"))
		if err := cmd.Execute(); err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		env.Stdout.Flush()
		var data pageData
		packed := base64.NewDecoder(base64.StdEncoding, strings.NewReader(part(t, out.String(), `id="data">`, "</script>")))
		text, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(text).Decode(&data); err != nil {
			t.Fatal(err)
		}
		have := strings.Join([]string{data.CRD, data.Group, data.Kind, data.Chosen}, " ")
		for _, v := range data.Versions {
			have += "; " + v.Name + ": " + strings.Join(v.Traits, ", ")
			if v.Pruned {
				have += ", pruned"
			}
			for _, f := range v.Tree.Fields {
				have += " " + f.Name
			}
		}
		want := "apps.example.com example.com App " + chosen + "; v1: cluster, not served, deprecated, pruned apiVersion kind metadata; v2: cluster, served, stored, status subresource, scale subresource, pruned apiVersion kind metadata spec"
		if have != want {
			t.Errorf("%s\nwant %s", have, want)
		}
	}
}

// The compiler of CEL rules would more than double a page.
func TestEnginesCannotCompileRules(t *testing.T) {
	packages, err := goCommand("engine", append(os.Environ(), "GOOS=js", "GOARCH=wasm"), "list", "-deps", enginePackage)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(packages, "prune-gen/runtime/prunecel\n") {
		t.Errorf("the engine evaluates no CEL rules: %s", packages)
	}
	for _, name := range strings.Fields(packages) {
		if strings.HasPrefix(name, "github.com/google/cel-go") {
			t.Errorf("the engine imports %s", name)
		}
	}
}

func TestEnginesAreReadWithTheirLoader(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.wasm": "code", "good.js": "run()", "bad.js": "'</SCRIPT >'"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e, err := readEngine("a.wasm", "good.js")
	if err != nil || e.loader != "run()" || !strings.HasPrefix(e.wasm, "H4sI") {
		t.Errorf("%+v, %v", e, err)
	}
	for files, want := range map[[2]string]string{
		{"a.wasm", "bad.js"}:  "bad.js cannot be part of a page",
		{"a.wasm", "gone.js"}: "read the loader that belongs to Go: open gone.js: no such file or directory",
		{"gone", "good.js"}:   "open gone: no such file or directory",
	} {
		if e, err := readEngine(files[0], files[1]); e != nil || err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
