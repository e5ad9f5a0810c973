package tests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// module is a Go module with its CRDs and the files that mention their groups.
type module struct {
	query string
	crds  map[string]*sampleCRD // by name
	files map[string][]byte
}

// sampleCRD is a CRD, read and as JSON.
type sampleCRD struct {
	*structural.CRD
	raw []byte
}

// modules returns the modules of the corpus, once for all tests.
var modules = sync.OnceValues(func() ([]*module, error) {
	queries := corpus.Small()
	if testsize.All() {
		queries = corpus.Queries()
	}
	fetched, err := corpus.FetchModules(context.Background(), queries)
	if err != nil {
		return nil, err
	}
	var all []*module
	for _, f := range fetched {
		m := &module{query: f.Query, crds: map[string]*sampleCRD{}}
		files, err := manifests(f.Dir)
		if err != nil {
			return nil, err
		}
		m.readCRDs(files)
		m.readFiles(files)
		all = append(all, m)
	}
	return all, nil
})

func loadModules(t *testing.T) []*module {
	t.Helper()
	all, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// manifests returns the YAML and JSON files below a directory, by their names.
func manifests(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !crdread.IsManifest(file) {
			return err
		}
		files[file], err = os.ReadFile(path.Join(dir, file))
		return err
	})
}

// crdName finds the names of the CRDs in a file, and of other things.
var crdName = regexp.MustCompile(`(?m)^  name: "?([a-z0-9-]+(?:\.[a-z0-9-]+)+)"?\s*$`)

// readCRDs reads the CRDs of a module, each once. Projects ship the same ones several times, small files first.
func (m *module) readCRDs(files map[string][]byte) {
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(files[a]), len(files[b])), cmp.Compare(a, b))
	})
	for _, file := range names {
		data := files[file]
		if !bytes.Contains(data, []byte("kind: CustomResourceDefinition\n")) || bytes.Contains(data, []byte("{{")) {
			continue
		}
		isNew := slices.ContainsFunc(crdName.FindAllSubmatch(data, -1), func(match [][]byte) bool { return m.crds[string(match[1])] == nil })
		if !isNew {
			continue
		}
		for _, c := range crdread.Load(file, bytes.NewReader(data)).CRDs {
			c.Kubernetes = kube.Version()
			if m.crds[c.Name] != nil {
				continue
			}
			raw, err := json.Marshal(c.Source.Value())
			if err != nil {
				panic(err)
			}
			if _, err := dynamic.Compile(c); err == nil {
				m.crds[c.Name] = &sampleCRD{c, raw}
			}
		}
	}
}

// readFiles keeps the files that mention a version of a group of the CRDs.
func (m *module) readFiles(files map[string][]byte) {
	groups := map[string]bool{}
	for _, c := range m.crds {
		groups["apiVersion: "+c.Group+"/"] = true
		groups[`"apiVersion": "`+c.Group+"/"] = true
	}
	m.files = map[string][]byte{}
	const large = 1 << 20 // most of it is CRDs
	for file, data := range files {
		for group := range groups {
			if len(data) < large && bytes.Contains(data, []byte(group)) {
				m.files[file] = data
				break
			}
		}
	}
}

// names returns the names of the files, sorted.
func (m *module) names() []string {
	var names []string
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// server returns a server with CRDs.
func server(t *testing.T, crds map[string]*sampleCRD) *manifest.Server {
	t.Helper()
	var all []*structural.CRD
	for _, c := range crds {
		all = append(all, c.CRD)
	}
	return manifest.FromCRDs(nil, dynamic.Compile, all...)
}

// Validate finds in the manifests that projects ship what Kubernetes finds, and nothing else.
func TestValidateFindsWhatKubernetesFinds(t *testing.T) {
	objects, faults := 0, 0
	for _, m := range loadModules(t) {
		s := server(t, m.crds)
		resources := map[string]*kube.Resource{}
		for _, file := range m.names() {
			manifest.Read(listed(file, m.files[file]), func(o manifest.Object) []structural.Finding {
				a := s.Answer(o, manifest.Warn)
				if a.Resource == nil {
					return nil
				}
				objects++
				faults += len(a.Findings)
				compare(t, path.Join(m.query, file), kubeResource(t, m.crds, resources, a), a)
				return nil
			}, s)
		}
	}
	t.Logf("%d objects, %d findings", objects, faults)
	if objects < 250 || testsize.All() && objects < 500 {
		t.Errorf("there are only %d objects", objects)
	}
}

// kubeResource returns the resource of an object as Kubernetes has it, one of those that are known or a new one.
func kubeResource(t *testing.T, crds map[string]*sampleCRD, known map[string]*kube.Resource, a *manifest.Judged) *kube.Resource {
	t.Helper()
	key := a.CRD() + "/" + a.Resource.Version
	if known[key] == nil {
		k, err := kube.DecodeCRD(crds[a.CRD()].raw)
		if err != nil {
			t.Fatal(err)
		}
		if known[key], err = k.Resource(a.Resource.Version); err != nil {
			t.Fatal(err)
		}
	}
	return known[key]
}

// compare compares the answer about an object with what Kubernetes' functions return, in the order of a request that creates it.
func compare(t *testing.T, file string, k *kube.Resource, a *manifest.Judged) {
	t.Helper()
	data, ok := a.JSON(3 << 20)
	if !ok {
		return
	}
	var obj map[string]any
	if err := utiljson.Unmarshal(data, &obj); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{} // errors
	var unknown, causes []string
	for _, f := range a.Findings {
		switch {
		case f.ID == manifest.IDUnknownField:
			unknown = append(unknown, f.Path)
		case f.Severity == structural.SeverityError:
			have[f.Message] = true
			causes = append(causes, f.Causes...)
		case f.ID == manifest.IDNotChecked:
			e := prunert.Error{Type: prunert.ErrorTypeInvalid, Field: "<nil>", BadValue: badvalue.In(kube.Version(), nil), Detail: f.Message}
			have[e.Error()] = true
		}
	}
	wrong := func(format string, args ...any) {
		t.Errorf("%s:%d: %s: %s", file, a.Node.Pos.Line, a.Object, fmt.Sprintf(format, args...))
	}
	dropped, err := k.Normalize(obj, prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		if len(have) == 0 {
			wrong("%v, and Kubernetes refuses it: %v", have, err)
		}
		return
	}
	slices.Sort(dropped)
	slices.Sort(unknown)
	if !slices.Equal(dropped, unknown) {
		wrong("unknown fields %q, and Kubernetes drops %q", unknown, dropped)
	}
	prepare(obj, a.Resource)
	must, may := k.Texts(obj)
	for _, text := range k.ValidateMetadata(obj, nil, a.Resource.Namespaced) {
		_, text, _ := strings.Cut(text, " ") // the type
		must = append(must, text)
	}
	for _, cause := range causes {
		// Where Kubernetes has lost the path, there is none.
		if lost := prunert.NoField + ": " + cause; slices.Contains(must, lost) || slices.Contains(may, lost) {
			cause = lost
		}
		have[cause] = true
	}
	for _, text := range must {
		if !have[text] {
			wrong("Kubernetes has %q, and there is %v", text, have)
		}
		delete(have, text)
	}
	for text := range have {
		if !slices.Contains(may, text) {
			wrong("Kubernetes does not have %q", text)
		}
	}
}

// prepare does to a new object what the API server does between decoding and validating.
func prepare(obj map[string]any, r *manifest.Resource) {
	metadata, _ := obj["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		obj["metadata"] = metadata
	}
	for _, k := range []string{"creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields", "resourceVersion"} {
		delete(metadata, k)
	}
	if name, _ := metadata["name"].(string); name == "" {
		if base, _ := metadata["generateName"].(string); base != "" {
			metadata["name"] = base[:min(len(base), 58)] + "xxxxx"
		}
	}
	switch namespace, _ := metadata["namespace"].(string); {
	case !r.Namespaced:
		delete(metadata, "namespace")
	case namespace == "":
		metadata["namespace"] = "default"
	}
	metadata["generation"] = int64(1)
	if r.Status {
		delete(obj, "status")
	}
}

// Pruning the text of a manifest makes of its objects what Kubernetes' own pruning makes of them, and leaves the other lines as they are.
// So that there is something to prune, the schemas lose every fourth field.
func TestPruneLeavesTheOtherLines(t *testing.T) {
	files, dropped, flow, refused := 0, 0, 0, 0
	for _, m := range loadModules(t) {
		poor := map[string]*sampleCRD{}
		for name, c := range m.crds {
			if p := impoverished(t, c); p != nil {
				poor[name] = p
			}
		}
		s := server(t, poor)
		resources := map[string]*kube.Resource{}
		for _, file := range m.names() {
			data := yamltext.Decode(m.files[file])
			pruned, _ := s.Prune(listed(file, data), nil)
			if pruned.Data == nil {
				if pruned.Foreign == report.NotForeign && pruned.Objects > 0 {
					refused++
					t.Logf("%s: %s", path.Join(m.query, file), pruned.Findings[0].Message)
				}
				continue
			}
			want, fields := expected(t, s, poor, resources, file, data)
			if fields == 0 {
				if !bytes.Equal(pruned.Data, data) {
					t.Errorf("%s: changed, and nothing is dropped", path.Join(m.query, file))
				}
				continue
			}
			files++
			dropped += fields
			if have := objectsIn(s, file, pruned.Data); !slices.Equal(have, want) {
				t.Errorf("%s: the objects are\n%s\nwant\n%s", path.Join(m.query, file), strings.Join(have, "\n"), strings.Join(want, "\n"))
			}
			if line := strange(data, pruned.Data); line != "" {
				if !strings.ContainsAny(line, "{[") {
					t.Errorf("%s: there was no line %q\n%s\nis made of\n%s", path.Join(m.query, file), line, pruned.Data, data)
				}
				flow++ // a line in flow style has changed
			}
		}
	}
	t.Logf("%d files, %d fields, %d files with flow style, %d refused", files, dropped, flow, refused)
	least := testsize.Pick(100, 200)
	if files < least || dropped < 5*least || refused*20 > files {
		t.Errorf("%d files, %d fields, %d refused", files, dropped, refused)
	}
}

// expected returns the objects of a manifest, as JSON, as Kubernetes prunes them, and how many fields they lose.
func expected(t *testing.T, s *manifest.Server, crds map[string]*sampleCRD, resources map[string]*kube.Resource, file string, data []byte) (all []string, dropped int) {
	t.Helper()
	manifest.Read(listed(file, data), func(o manifest.Object) []structural.Finding {
		a := s.Answer(o, manifest.Warn)
		if a.Resource == nil {
			return nil
		}
		obj := o.Value()
		dropped += len(a.Resource.PruneReport(o.Value())) + len(o.Duplicates()) // of which the last one stays
		kubeResource(t, crds, resources, a).Prune(obj)
		all = append(all, asJSON(obj))
		return nil
	}, s)
	return all, dropped
}

// listed returns the text of a file that was found in a directory.
func listed(file string, data []byte) *objects.Text {
	t := objects.NewText(file, data)
	t.Listed = true
	return t
}

// objectsIn returns the objects of known kinds of a manifest as JSON.
func objectsIn(s *manifest.Server, file string, data []byte) []string {
	var all []string
	manifest.Read(listed(file, data), func(o manifest.Object) []structural.Finding {
		if s.Answer(o, manifest.Warn).Resource != nil {
			all = append(all, asJSON(o.Value()))
		}
		return nil
	}, s)
	return all
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// strange returns the first line of a text that another text does not have, in the same order, "" for none. The dash before an
// element can have moved to another line, and a map that is empty can have got its braces.
func strange(old, new []byte) string {
	plain := func(line string) string {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimLeft(line, " -")
		if trimmed == "" {
			return line // blank, or between documents
		}
		line = strings.Repeat(" ", len(line)-len(trimmed)) + trimmed
		code, comment, _ := strings.Cut(line, " #")
		return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(code, " "), "{}"), " ") + comment
	}
	var before []string
	for line := range strings.Lines(string(old)) {
		before = append(before, plain(line))
	}
	for line := range strings.Lines(string(new)) {
		if code, _, _ := strings.Cut(line, " #"); strings.Trim(code, " -\r\n") == "{}" {
			continue // an element that has lost everything
		}
		i := slices.Index(before, plain(line))
		if i < 0 {
			return line
		}
		before = before[i+1:]
	}
	return ""
}

// impoverished returns a CRD whose schemas have lost every fourth field, nil if Kubernetes would not take it.
func impoverished(t *testing.T, c *sampleCRD) *sampleCRD {
	t.Helper()
	var raw map[string]any
	if err := json.Unmarshal(c.raw, &raw); err != nil {
		t.Fatal(err)
	}
	n := 0
	lose(raw, &n)
	data, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	f := crdread.Load(c.Name, bytes.NewReader(data))
	if len(f.CRDs) != 1 {
		return nil
	}
	f.CRDs[0].Kubernetes = kube.Version()
	if _, err := dynamic.Compile(f.CRDs[0]); err != nil {
		return nil
	}
	return &sampleCRD{f.CRDs[0], data}
}

// lose removes fields from the schemas in v, and the keywords that could name them.
func lose(v any, n *int) {
	switch v := v.(type) {
	case map[string]any:
		for _, keyword := range []string{"required", "default", "x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-validations", "selectableFields", "scale", "oneOf", "anyOf", "allOf", "not"} {
			if _, isField := v[keyword].(map[string]any); !isField || keyword == "scale" || keyword == "not" {
				delete(v, keyword)
			}
		}
		if properties, ok := v["properties"].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				if *n++; *n%4 == 0 && name != "spec" && name != "status" && name != "metadata" && name != "properties" {
					delete(properties, name)
				}
			}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			lose(v[k], n)
		}
	case []any:
		for _, e := range v {
			lose(e, n)
		}
	}
}
