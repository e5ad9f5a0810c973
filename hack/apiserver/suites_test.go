package apiserver

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/suiteinit"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// The suites that prune-gen test --init writes say what the server does.
func TestFirstSuitesSayWhatTheServerDoes(t *testing.T) {
	t.Parallel()
	s := newSuiteServer(t)
	for _, from := range []source{
		{"sigs.k8s.io/karpenter@v1.8.0", "pkg/apis/crds/karpenter.sh_node*.yaml"},
		{"sigs.k8s.io/kueue@v0.15.0", "config/components/crd/bases/kueue.x-k8s.io_resourceflavors.yaml"},
		{"sigs.k8s.io/kueue@v0.15.0", "config/components/crd/bases/kueue.x-k8s.io_topologies.yaml"},
		{"sigs.k8s.io/cluster-api@v1.14.2", "core/config/crd/bases/cluster.x-k8s.io_machinedrainrules.yaml"},
	} {
		for _, file := range from.find(t) {
			for _, crd := range crdsIn(t, file) {
				v := suite.NewVariant(crd)
				resources, err := v.Resources()
				if err != nil {
					t.Fatal(err)
				}
				s.variants.All = append(s.variants.All, v)
				for _, r := range resources {
					first, err := suiteinit.New(crd, r.Version, suiteinit.All)
					if err != nil {
						t.Fatal(err)
					}
					s.add(v.Name+" "+r.Version, first.Text)
				}
			}
		}
	}
	if s.run(); s.cases < 200 || s.refused < 150 {
		t.Error("the comparison is hollow")
	}
}

// Suites of openshift/api, which were written for a server, have the same answers from both. A variant of each CRD will do, and what
// is created while a CRD is patched is left out.
func TestOpenShiftSuitesSayWhatTheServerDoes(t *testing.T) {
	t.Parallel()
	const module = "github.com/openshift/api@v0.0.0-20260420151639-34e60874783e"
	dir := download(t, module)
	s := newSuiteServer(t)
	gates, err := suite.ReadOpenShiftGates(filepath.Join(dir, "payload-manifests", "featuregates"))
	if err != nil {
		t.Fatal(err)
	}
	s.variants.Gates = gates
	for _, file := range glob(t, dir, "*/*/zz_generated.crd-manifests/*.yaml") {
		for _, crd := range crdsIn(t, file) {
			s.variants.All = append(s.variants.All, suite.NewVariant(crd))
		}
	}
	for _, file := range glob(t, dir, "*/*/tests/*/*.yaml") {
		s.add(file, readFile(t, file))
	}
	if s.run(); s.cases < 1000 || s.refused < 500 {
		t.Error("the comparison is hollow")
	}
}

// glob returns the files below a directory that a pattern matches.
func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, dir, err)
	}
	return files
}

// crdsIn returns the CRDs of a file.
func crdsIn(t *testing.T, name string) []*structural.CRD {
	t.Helper()
	file := crdread.Load(name, bytes.NewReader(readFile(t, name)))
	for _, f := range file.Findings {
		if f.Severity == structural.SeverityError {
			t.Fatalf("load %s: %s", name, f.Message)
		}
	}
	for _, crd := range file.CRDs {
		origin.SetMeter(crd, nil)
	}
	return file.CRDs
}

// suiteServer runs suites, and sends every request of their cases to a server.
type suiteServer struct {
	t        *testing.T
	server   *server.Server
	variants suite.Variants
	suites   []*suite.Suite
	compared *comparison
	// current is the object of the case that is run, as the server has it.
	current map[string]any
	// Counts.
	cases, refused    int
	asking, answering time.Duration
}

func newSuiteServer(t *testing.T) *suiteServer {
	return &suiteServer{t: t, server: start(t), compared: &comparison{}}
}

// add adds a suite that can be read.
func (s *suiteServer) add(name string, text []byte) {
	s.t.Helper()
	read, wrong := suite.Read(nil, name, yamltext.Decode(text))
	if len(wrong) > 0 {
		s.t.Logf("%s:%d: %s", name, wrong[0].Line, wrong[0].Message)
		return
	}
	s.suites = append(s.suites, read)
}

// run installs a variant of each CRD and runs the suites with it.
func (s *suiteServer) run() {
	s.t.Helper()
	var crds [][]byte
	installed := map[string]*suite.Variant{}
	for _, of := range s.suites {
		for _, r := range s.variants.Runs(of) {
			if r.Variant == nil || installed[r.Variant.Name] != nil {
				continue
			}
			if _, err := r.Variant.Resources(); err != nil {
				continue // the server refuses it
			}
			installed[r.Variant.Name] = r.Variant
			crds = append(crds, encode(s.t, r.Variant.CRD.Source.Value()))
		}
	}
	began := time.Now()
	if err := s.server.InstallCRDs(s.t.Context(), crds...); err != nil {
		s.t.Fatal(err)
	}
	starting := time.Since(began)
	began = time.Now()
	for _, of := range s.suites {
		for _, r := range s.variants.Runs(of) {
			if r.Case.Patches == nil && r.Variant != nil && installed[r.Variant.Name] == r.Variant {
				s.cases++
				r.Do(s.compare)
				s.remove()
			}
		}
	}
	all := time.Since(began)
	s.t.Logf("%d cases, of which %d end with a refusal, in %v by ours; the server took %v, and %v to install %d CRDs",
		s.cases, s.refused, all-s.asking, s.answering, starting, len(crds))
}

// compare sends a request to the server and compares the answers.
func (s *suiteServer) compare(q suite.Request) {
	began := time.Now()
	defer func() { s.asking += time.Since(began) }()
	metadata, _ := q.Sent["metadata"].(map[string]any)
	namespace := ""
	if q.Resource.Namespaced {
		namespace, _ = metadata["namespace"].(string)
	}
	method, path := http.MethodPost, server.Path(q.Resource.Group, q.Resource.Version, namespace, q.Resource.Plural)
	if q.Old == nil {
		if base, ok := metadata["generateName"].(string); ok && metadata["name"] == nil {
			metadata["name"] = q.GenerateName(base) // a server makes up another
		}
	} else {
		current := s.current["metadata"].(map[string]any)
		metadata["resourceVersion"] = current["resourceVersion"]
		method, path = http.MethodPut, path+"/"+nameOf(s.current)
		if q.Subresource != "" {
			path += "/" + q.Subresource
		}
	}
	if q.FieldValidation != "" {
		path += "?fieldValidation=" + string(q.FieldValidation)
	}
	body := encode(s.t, q.Sent)
	sent := time.Now()
	resp := doRaw(s.t, s.server, method, path, server.JSON, body)
	s.answering += time.Since(sent)
	theirs := &theirAnswer{Response: resp}
	if resp.Code < 300 {
		theirs.object = object(s.t, resp, resp.Code)
		s.current = theirs.object
	} else {
		status, err := resp.Status()
		if err != nil {
			s.t.Fatalf("%s %s: %d %s", method, path, resp.Code, resp.Body)
		}
		theirs.status = status
		s.refused++
	}
	if d := s.compared.difference(s.t, q.Resource, q.Answer, theirs); d != "" {
		s.t.Errorf("%s:%d: %s: %s\n%s", q.Suite.File, q.Case.Line, q.Case.Name, d, body)
	}
}

// remove removes the object of a case, with finalizers or not.
func (s *suiteServer) remove() {
	if s.current == nil {
		return
	}
	metadata := s.current["metadata"].(map[string]any)
	group, _, _ := strings.Cut(s.current["apiVersion"].(string), "/")
	namespace, _ := metadata["namespace"].(string)
	for _, v := range s.variants.All {
		if v.CRD.Group == group && v.CRD.Names.Kind == s.current["kind"] {
			if _, err := s.server.Etcd.Delete(s.t.Context(), server.Key(group, v.CRD.Names.Plural, namespace, nameOf(s.current))); err != nil {
				s.t.Fatal(err)
			}
			break
		}
	}
	s.current = nil
}
