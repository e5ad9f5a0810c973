package corpus

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
)

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

func newCorpus(t *testing.T, files map[string]string) *Corpus {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c := &Corpus{}
	if err := c.AddFS("mod@v1", fsys); err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Disagreements {
		t.Errorf("%s: %s", d.Origin, d.Reason)
	}
	return c
}

func TestCRDsAreFoundOnce(t *testing.T) {
	c := newCorpus(t, map[string]string{
		"a/crd.yaml":    crd,
		"b/crd.yml":     strings.Replace(crd, "metadata: {", "metadata: {annotations: {made: by hand}, ", 1),
		"b/two.yaml":    "kind: Other\n---" + crd + "---" + strings.ReplaceAll(crd, "idget", "adget"),
		"c/crd.txt":     crd,
		"c/readme.json": `{"text": "no CustomResourceDefinition in here"}`,
		"d/list.json": `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "apiextensions.k8s.io/v1", "kind":
			"CustomResourceDefinition", "metadata": {"name": "gizmos.example.com"}, "spec": {"group": "example.com", "names":
			{"kind": "Gizmo", "plural": "gizmos"}, "scope": "Cluster", "versions": [{"name": "v1", "served": true, "storage":
			true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}]}`,
	})
	if len(c.CRDs) != 3 || c.Versions() != 5 || c.Duplicates != 2 || c.Files != 5 || c.WithCRDs != 4 {
		t.Errorf("%d CRDs, %d versions, %d duplicates in %d files, %d of them with CRDs",
			len(c.CRDs), c.Versions(), c.Duplicates, c.Files, c.WithCRDs)
	}
	first := c.CRDs[0]
	if first.Name != "widgets.example.com" || first.Origin != "mod@v1/a/crd.yaml" {
		t.Errorf("%s from %s", first.Name, first.Origin)
	}
	if c.Find(first.Key) != first || c.Find("other") != nil {
		t.Error("a CRD is not found by its key")
	}
}

func TestWhatIsNotReadIsListed(t *testing.T) {
	c := newCorpus(t, map[string]string{
		"template.yaml": "{{ if .crds }}" + crd + "{{ end }}",
		"patch.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.example.com}\n" +
			"spec: {preserveUnknownFields: false}\n",
	})
	if len(c.CRDs) != 0 || len(c.NotYAML) != 1 || c.NotYAML[0].Origin != "mod@v1/template.yaml" || c.NotYAML[0].Reason == "" {
		t.Errorf("%d CRDs, not YAML: %+v", len(c.CRDs), c.NotYAML)
	}
	if len(c.Refused) != 1 {
		t.Fatalf("%d refused", len(c.Refused))
	}
	if !strings.Contains(c.Refused[0].Reason, "spec.group") {
		t.Errorf("refused: %s", c.Refused[0].Reason)
	}
}

func TestListIsPinned(t *testing.T) {
	if len(Queries()) != 15 || len(Small()) != 9 {
		t.Errorf("%d modules, of which %d are small", len(Queries()), len(Small()))
	}
	for _, q := range Queries() {
		if path, version, ok := strings.Cut(q, "@"); !ok || path == "" || !strings.HasPrefix(version, "v") {
			t.Errorf("%q is not path@version", q)
		}
	}
}

func TestFetchSaysWhatIsMissingWithoutANetwork(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	_, err := Fetch(t.Context())
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range append(Queries(), "GOPROXY") {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

// The modules are pinned, so the numbers are known. When the list changes, so do they; when they change without it,
// something is read that was not, or the other way round.
func TestTheCorpusIsAllThere(t *testing.T) {
	testsize.Large(t, "reads the whole corpus")
	c, err := Load(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Disagreements {
		t.Errorf("%s: %s", d.Origin, d.Reason)
	}
	got := []int{c.Modules, c.Files, c.WithCRDs, len(c.CRDs), c.Versions(), c.Duplicates, len(c.Refused), len(c.NotYAML)}
	if want := []int{15, 5165, 285, 245, 315, 112, 25, 7}; !slices.Equal(got, want) {
		t.Errorf("modules, files, files with CRDs, CRDs, versions, duplicates, refused, not YAML: %d, want %d", got, want)
	}
}
