package apiserver

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// pruner drops from obj what the schema of one version of a CRD does not specify, and returns the dropped paths, sorted.
type pruner func(obj map[string]any) []string

// implementation is one way to prune that has to agree with the API server.
type implementation struct {
	name string
	// pruner returns the function for objects of one version of a CRD; nil if there is none.
	pruner func(crd *structural.CRD, version *structural.Version) (pruner, error)
}

// implementations returns all that is compared with the API server.
func implementations() []implementation {
	return []implementation{{"interpret.Prune", reference}, {"generated code", generated}}
}

// reference prunes by following the schema.
func reference(crd *structural.CRD, version *structural.Version) (pruner, error) {
	schema, errs := structural.NewSchema(version.Schema, version.SchemaPath)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	opts := interpret.PruneOptions{PreserveUnknownFields: !version.Pruned}
	return func(obj map[string]any) []string { return interpret.Prune(obj, schema, opts) }, nil
}

// resource is one version of a CRD that is installed in the server.
type resource struct {
	crd     *structural.CRD
	version *structural.Version
	// pruners holds the function of each implementation that has one for this version, by the implementation's name.
	pruners map[string]pruner
	// metadata drops unknown metadata fields and nothing else.
	metadata pruner
	// schema is Kubernetes' own form of the schema, with the defaults pruned. It serves to do to the expected object
	// what the server does besides pruning.
	schema *structuralschema.Structural
	// normalizing is what normalizers returns, once it has been called.
	normalizing []normalizer
}

// namespace is where the objects of namespaced resources are.
const namespace = "default"

// collection returns the path of the resource's objects.
func (r *resource) collection() string {
	ns := namespace
	if r.crd.Scope == "Cluster" {
		ns = ""
	}
	return server.Path(r.crd.Group, r.version.Name, ns, r.crd.Names.Plural)
}

// key returns the key of an object in etcd.
func (r *resource) key(name string) string {
	ns := namespace
	if r.crd.Scope == "Cluster" {
		ns = ""
	}
	return server.Key(r.crd.Group, r.crd.Names.Plural, ns, name)
}

func (r *resource) apiVersion() string { return r.crd.Group + "/" + r.version.Name }

// parseCRDs returns the versions of the CRDs in data, a YAML file.
func parseCRDs(t *testing.T, name string, data []byte) []*resource {
	t.Helper()
	file := crdread.Load(name, bytes.NewReader(data))
	for _, f := range file.Findings {
		if f.Severity == structural.SeverityError {
			t.Fatalf("load %s: %s", name, f.Message)
		}
	}
	var all []*resource
	for _, crd := range file.CRDs {
		for _, version := range crd.Versions {
			all = append(all, newResource(t, crd, version))
		}
	}
	return all
}

func newResource(t *testing.T, crd *structural.CRD, version *structural.Version) *resource {
	t.Helper()
	r := &resource{crd: crd, version: version, pruners: map[string]pruner{}}
	for _, impl := range implementations() {
		p, err := impl.pruner(crd, version)
		if err != nil {
			t.Fatalf("%s for %s %s: %v", impl.name, crd.Name, version.Name, err)
		}
		if p != nil {
			r.pruners[impl.name] = p
		}
	}
	schema, errs := structural.NewSchema(version.Schema, version.SchemaPath)
	if len(errs) > 0 {
		t.Fatalf("schema of %s %s: %v", crd.Name, version.Name, errs[0])
	}
	r.metadata = func(obj map[string]any) []string {
		return interpret.Prune(obj, schema, interpret.PruneOptions{PreserveUnknownFields: true})
	}
	return r
}

// withSchemas gives the resources of one CRD Kubernetes' own form of their schemas.
func withSchemas(t *testing.T, data []byte, resources []*resource) {
	t.Helper()
	obj, err := runtime.Decode(apiserver.Codecs.UniversalDecoder(), data)
	if err != nil {
		t.Fatal(err)
	}
	crd := obj.(*apiextensions.CustomResourceDefinition)
	for _, r := range resources {
		validation, err := apiextensions.GetSchemaForVersion(crd, r.version.Name)
		if err != nil {
			t.Fatal(err)
		}
		if validation == nil {
			continue
		}
		s, err := structuralschema.NewStructural(validation.OpenAPIV3Schema)
		if err != nil {
			t.Fatal(err)
		}
		if r.version.Pruned {
			if err := defaulting.PruneDefaults(s); err != nil {
				t.Fatal(err)
			}
		}
		r.schema = s
	}
}

// start starts a server that ends with the test.
func start(t *testing.T) *server.Server {
	t.Helper()
	// The context of the test ends before its cleanup, which would cut off the server's own requests.
	s, err := server.Start(context.WithoutCancel(t.Context()), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// install starts a server with the CRDs of the named files and returns their versions, by kind and version: Example/v1.
// Most of it is waiting for the CRDs to be served, so the tests that use it run in parallel.
func install(t *testing.T, files ...string) (*server.Server, map[string]*resource) {
	t.Helper()
	t.Parallel()
	s := start(t)
	var crds [][]byte
	all := map[string]*resource{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(data, []byte("\n---\n")) {
			if len(bytes.TrimSpace(doc)) == 0 {
				continue
			}
			crds = append(crds, doc)
			resources := parseCRDs(t, filepath.Base(file), doc)
			withSchemas(t, doc, resources)
			for _, r := range resources {
				all[r.crd.Names.Kind+"/"+r.version.Name] = r
			}
		}
	}
	if err := s.InstallCRDs(t.Context(), crds...); err != nil {
		t.Fatal(err)
	}
	return s, all
}

// do sends one request with an object as its body; a nil object means none.
func do(t *testing.T, s *server.Server, method, path, mediaType string, obj map[string]any) *server.Response {
	t.Helper()
	var body []byte
	if obj != nil {
		body = encode(t, obj)
	}
	return doRaw(t, s, method, path, mediaType, body)
}

// doRaw sends one request.
func doRaw(t *testing.T, s *server.Server, method, path, mediaType string, body []byte) *server.Response {
	t.Helper()
	r, err := s.Do(t.Context(), method, path, mediaType, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// object returns the object in an answer that must have the given code.
func object(t *testing.T, r *server.Response, code int) map[string]any {
	t.Helper()
	if r.Code != code {
		t.Fatalf("the server answered %d %s, want %d: %s", r.Code, http.StatusText(r.Code), code, r.Body)
	}
	obj, err := r.Object()
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := utiljson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var obj map[string]any
	if err := utiljson.Unmarshal(data, &obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

func decodeYAML(t *testing.T, data []byte) map[string]any {
	t.Helper()
	j, err := yaml.YAMLToJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, j)
}
