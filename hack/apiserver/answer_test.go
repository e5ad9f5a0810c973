package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"sigs.k8s.io/yaml"
)

// Requests of every sort are answered as the server answers them: what is stored, the warnings, the refusals.
func TestRequestsAreAnsweredAsTheServerDoes(t *testing.T) {
	var files []string
	for i, file := range append(corpusFiles(t), crdFiles(t)...) {
		files = append(files, written(t, file, asItIs))
		if i%2 == 0 { // installing a CRD takes longer than a hundred requests
			files = append(files, written(t, file, bare))
		}
	}
	start := time.Now()
	s, resources := install(t, files...)
	t.Logf("%d versions of kinds are served after %s", len(resources), time.Since(start).Round(time.Second))
	seeds := seedObjects(t)
	c := &comparison{server: s, known: map[string]int{}, asked: map[string]int{}, codes: map[int]int{}}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		r := resources[name]
		if !r.version.Served {
			continue
		}
		a := newAnswering(t, r, seeds)
		c.compareRequests(t, a)
		if r.crd.Names.Kind == "Embedded" {
			// Few random objects of another kind have resources where this one embeds them.
			body := fmt.Sprintf(`{"apiVersion":%q,"kind":"Other","metadata":{"name":"made"},"spec":{"bare":{}}}`, a.apiVersion())
			c.ask(t, a, &request{what: "create", body: []byte(body), dryRun: true})
		}
	}
	c.finish(t)
}

// corpusFiles returns the files of the corpus.
func corpusFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, m := range corpus {
		files = append(files, m.find(t)...)
	}
	return files
}

// variant is a CRD of the same schemas.
type variant uint8

const (
	asItIs variant = iota
	bare           // without subresources, deprecated, in a group of its own, and in the other scope
)

// written writes a variant of the CRDs of a file to another one, and returns its name.
func written(t *testing.T, file string, v variant) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, doc := range bytes.Split(data, []byte("\n---\n")) {
		if len(bytes.TrimSpace(doc)) == 0 {
			continue
		}
		crd := decodeYAML(t, doc)
		delete(crd, "status")
		if spec := crd["spec"].(map[string]any); v == bare {
			spec["group"] = "bare." + spec["group"].(string)
			metadata := crd["metadata"].(map[string]any)
			metadata["name"] = spec["names"].(map[string]any)["plural"].(string) + "." + spec["group"].(string)
			names := spec["names"].(map[string]any)
			names["kind"] = "Bare" + names["kind"].(string)
			names["listKind"] = names["kind"].(string) + "List"
			scopes := map[string]string{"Namespaced": "Cluster", "Cluster": "Namespaced"}
			spec["scope"] = scopes[spec["scope"].(string)]
			for i, v := range spec["versions"].([]any) {
				version := v.(map[string]any)
				delete(version, "subresources")
				version["deprecated"] = true
				if i == 0 && len(names["plural"].(string))%2 == 0 {
					version["deprecationWarning"] = "it is old"
				}
			}
		}
		text, err := yaml.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), "\n---\n"...)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// seedObjects returns objects that the server accepts, by kind.
func seedObjects(t *testing.T) map[string][]map[string]any {
	t.Helper()
	all := map[string][]map[string]any{}
	for _, obj := range objectsIn(t, "testdata/corpus") {
		all[obj["kind"].(string)] = append(all[obj["kind"].(string)], obj)
	}
	for _, c := range objectCases(t, accepted) {
		obj := c.object()
		kind, _ := obj["kind"].(string)
		all[kind] = append(all[kind], obj)
	}
	return all
}

// objectsIn returns the objects in the files of a directory.
func objectsIn(t *testing.T, dir string) []map[string]any {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, decodeYAML(t, data))
	}
	return all
}

// answering is a version of a kind, with those who answer for it.
type answering struct {
	*resource
	seeds []map[string]any
	// by has the interpreter and, where there is some, generated code.
	by     map[string]prunert.Resource
	schema *structural.Schema
	rng    *rand.Rand
}

func newAnswering(t *testing.T, r *resource, seeds map[string][]map[string]any) *answering {
	t.Helper()
	kind := r.crd.Names.Kind
	a := &answering{resource: r, seeds: seeds[strings.TrimPrefix(kind, "Bare")], by: map[string]prunert.Resource{}}
	compiled, err := dynamic.Compile(r.crd)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range compiled {
		if c.Version == r.version.Name {
			a.by["the interpreter"] = c
		}
	}
	if g, ok := prunert.Lookup(r.crd.Group, r.version.Name, kind); ok {
		a.by["generated code"] = g
	}
	var errs []*structural.Error
	if a.schema, errs = structural.NewSchema(r.version.Schema, r.version.SchemaPath); len(errs) > 0 {
		t.Fatal(errs[0])
	}
	seed := uint64(7)
	if s := os.Getenv("ANSWER_SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	for _, b := range []byte(r.apiVersion() + kind) {
		seed = seed*31 + uint64(b)
	}
	a.rng = rand.New(rand.NewPCG(seed, 1))
	return a
}

func (a *answering) namespace() string {
	if a.crd.Scope == "Cluster" {
		return ""
	}
	return namespace
}

// request is a request and what it is about.
type request struct {
	what        string
	subresource string
	name        string // empty for a create
	old         map[string]any
	body        []byte
	validation  prunert.FieldValidation
	dryRun      bool
	apiVersion  string // of the resource
	isStorage   bool   // which is the version that is stored
}

func (q *request) String() string {
	return fmt.Sprintf("%s %s%s fieldValidation=%s dryRun=%t\n%.700s\nold %.700s", q.what, q.name, q.subresource, q.validation, q.dryRun, q.body, jsonOf(q.old))
}

func jsonOf(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}
