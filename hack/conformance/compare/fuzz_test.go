package compare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	embedded "github.com/prune-gen/prune-gen/golden/embedded"
	embeddedcollections "github.com/prune-gen/prune-gen/golden/embedded-collections"
	formats "github.com/prune-gen/prune-gen/golden/formats"
	intorstring "github.com/prune-gen/prune-gen/golden/int-or-string"
	widgets "github.com/prune-gen/prune-gen/golden/json"
	goldenlists "github.com/prune-gen/prune-gen/golden/lists"
	goldenmaps "github.com/prune-gen/prune-gen/golden/maps"
	metadata "github.com/prune-gen/prune-gen/golden/metadata"
	mixed "github.com/prune-gen/prune-gen/golden/mixed"
	names "github.com/prune-gen/prune-gen/golden/names"
	goldennormalize "github.com/prune-gen/prune-gen/golden/normalize"
	nullable "github.com/prune-gen/prune-gen/golden/nullable"
	preservelists "github.com/prune-gen/prune-gen/golden/preserve-lists"
	goldenrules "github.com/prune-gen/prune-gen/golden/rules"
	scalars "github.com/prune-gen/prune-gen/golden/scalars"
	subresources "github.com/prune-gen/prune-gen/golden/subresources"
	goldenvalidate "github.com/prune-gen/prune-gen/golden/validate"
	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/scratch"
	"github.com/prune-gen/prune-gen/internal/testing/specimentest"
	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	prunert "github.com/prune-gen/prune-gen/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// generated are golden cases that between them have every construct.
var generated = []struct {
	name     string
	resource prunert.Resource
}{
	{"embedded", embedded.WrapperResource},
	{"embedded-collections", embeddedcollections.BundleResource},
	{"formats", formats.FormatResource},
	{"int-or-string", intorstring.PortResource},
	{"json", widgets.WidgetResource},
	{"lists", goldenlists.ListsResource},
	{"maps", goldenmaps.MapsResource},
	{"metadata", metadata.ThingResource},
	{"mixed", mixed.MixedResource},
	{"names", names.NamesResource},
	{"normalize", goldennormalize.ServerResource},
	{"normalize", goldennormalize.StoreResource},
	{"nullable", nullable.OptionalResource},
	{"preserve-lists", preservelists.PipelineResource},
	{"rules", goldenrules.GuardResource},
	{"rules", goldenrules.SluiceResource},
	{"scalars", scalars.ScalarsResource},
	{"subresources", subresources.WorkerResource},
	{"validate", goldenvalidate.EdgeResource},
	{"validate", goldenvalidate.GatewayResource},
}

const goldenDir = "../../../golden"

// agree fails the test if a function that applies differs on obj.
func agree(t *testing.T, s *Subject, obj map[string]any) {
	t.Helper()
	c := NewCase(s, obj)
	for _, f := range Functions() {
		if !f.Applies(s) {
			continue
		}
		if d := f.Compare(c); d != nil && d.Known == "" {
			t.Errorf("%s: %s: at %s\nours   %s\ntheirs %s\nobject %s\nschema %s",
				f.Name, s, d.At, d.Ours, d.Theirs, Show(obj), s.fragment(""))
		}
	}
}

// decode returns what the API server decodes data to, nil if it is not an object.
func decode(data []byte) map[string]any {
	var obj map[string]any
	if utiljson.Unmarshal(data, &obj) != nil {
		return nil
	}
	return obj
}

func goldenSubjects(t testing.TB) []*Subject {
	t.Helper()
	var all []*Subject
	for _, g := range generated {
		data, err := os.ReadFile(filepath.Join(goldenDir, g.name, "crd.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		c := &corpus.Corpus{}
		c.AddFile(g.name, data)
		at := slices.IndexFunc(c.CRDs, func(crd *corpus.CRD) bool { return crd.Names.Kind == g.resource.Kind })
		subjects, err := Subjects(c.CRDs[at])
		if err != nil {
			t.Fatal(err)
		}
		subjects[0].Generated = &g.resource
		all = append(all, subjects[0])
	}
	return all
}

func goldenObjects(t testing.TB, name string) [][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(goldenDir, name, "objects", "*.in.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

func TestGoldenCasesAgree(t *testing.T) {
	scratch.Newest(t, "golden code is generated for the newest version")
	seeds := uint64(5)
	if testsize.All() {
		seeds = 50
	}
	for _, s := range goldenSubjects(t) {
		t.Run(s.CRD.Names.Kind, func(t *testing.T) {
			t.Parallel()
			for _, data := range goldenObjects(t, s.CRD.Origin) {
				agree(t, s, decode(data))
			}
			for seed := range seeds {
				agree(t, s, Object(s, seed))
			}
		})
	}
}

// FuzzGenerated feeds objects to generated code and to Kubernetes.
func FuzzGenerated(f *testing.F) {
	scratch.Newest(f, "golden code is generated for the newest version")
	subjects := goldenSubjects(f)
	for i, s := range subjects {
		for _, data := range goldenObjects(f, s.CRD.Origin) {
			f.Add(uint8(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		if obj := decode(data); obj != nil {
			agree(t, subjects[int(which)%len(subjects)], obj)
		}
	})
}

// FuzzPrune feeds schemas and objects to the reference pruner and to Kubernetes.
func FuzzPrune(f *testing.F) {
	for _, s := range goldenSubjects(f) {
		for _, data := range goldenObjects(f, s.CRD.Origin) {
			f.Add([]byte(s.CRD.Raw), data)
		}
	}
	f.Fuzz(func(t *testing.T, crd, data []byte) {
		obj := decode(data)
		if obj == nil {
			return
		}
		c := &corpus.Corpus{}
		c.AddFile("crd", crd)
		for _, crd := range c.CRDs {
			subjects, err := Subjects(crd)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range subjects {
				agree(t, s, obj)
			}
		}
	})
}

// FuzzRandom makes the schema and the object from numbers, so that every input is a whole comparison.
func FuzzRandom(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, schema, object uint64) {
		c := &corpus.Corpus{}
		c.AddFile("random", specimentest.CRD(schema))
		subjects, err := Subjects(c.CRDs[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range subjects {
			agree(t, s, Object(s, object))
		}
	})
}
