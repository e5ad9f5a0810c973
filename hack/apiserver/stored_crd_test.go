package apiserver

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/structural"
)

// v1beta1 is not served any more, but CRDs from that time may lie in etcd: the server reads them, with the defaults of
// their API version, and serves their resources.
func TestServerPrunesForStoredCRDsAsWeDo(t *testing.T) {
	s, _ := install(t)
	files, err := filepath.Glob("testdata/stored/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no CRDs: %v", err)
	}
	resources := map[string]*resource{}
	var names []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all := parseCRDs(t, file, data)
		withSchemas(t, data, all)
		resources[filepath.Base(file)] = all[0]
		names = append(names, all[0].crd.Name)
		storeCRD(t, s, data)
	}
	if err := s.WaitForCRDs(t.Context(), names...); err != nil {
		t.Fatal(err)
	}
	for file, r := range resources {
		t.Run(file, func(t *testing.T) {
			sent := decode(t, fmt.Appendf(nil, `{
				"apiVersion": %q, "kind": %q, "metadata": {"generateName": "x-", "garbage": 1},
				"unknown": {"a": [{"b": null}], "metadata": {"garbage": 1}},
				"spec": {
					"size": 1, "u": {"v": 1, "w": 2},
					"template": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "t", "garbage": 1}, "u": "x"}
				}
			}`, r.apiVersion(), r.crd.Names.Kind))
			r.checkStrict(t, s, "strict create", sent, http.StatusCreated)
			resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
			r.checkObject(t, "create", sent, object(t, resp, http.StatusCreated), fromRequest)
			r.checkWarnings(t, "create", sent, resp)

			stored := runtime.DeepCopyJSON(sent)
			store(t, s, r, "stored", stored)
			got := object(t, do(t, s, http.MethodGet, r.collection()+"/stored", "", nil), http.StatusOK)
			r.checkObject(t, "get", stored, got, fromStorage)
		})
	}
}

// The condition that the server sets on a stored CRD whose schema is not structural.
func TestServerSetsOurNonStructuralCondition(t *testing.T) {
	s, _ := install(t)
	files, err := filepath.Glob("testdata/refused/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	type subject struct {
		file string
		crd  *structural.CRD
	}
	var subjects []subject
	for i, file := range files {
		schema, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data := crdWithSchemas(fmt.Sprintf("subjects%d", i), string(schema))
		storeCRD(t, s, data)
		loaded := crdread.Load(file, strings.NewReader(string(data)))
		if len(loaded.CRDs) != 1 {
			t.Fatalf("load %s: %v", file, loaded.Findings)
		}
		subjects = append(subjects, subject{file, loaded.CRDs[0]})
	}
	for _, c := range subjects {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			want := nonStructural(c.crd)
			if want == "" {
				t.Fatal("we have nothing to say")
			}
			got := waitForCondition(t, s, c.crd.Name, "NonStructuralSchema")
			if text := fmt.Sprintf("%s %s %s", got.Status, got.Reason, got.Message); text != want {
				t.Errorf("the server's condition differs from ours:\n ours   %s\n theirs %s", want, text)
			}
		})
	}
}

// nonStructural returns the condition that our errors would make, "" for none. The server looks at the v1 form of a CRD, with a schema for
// each version.
func nonStructural(c *structural.CRD) string {
	var texts []string
	for i, v := range c.Versions {
		s, refused := c.Converted(v)
		if len(refused) > 0 {
			return fmt.Sprintf("Unknown StructuralError failed to check validation schema for version %s: %s", v.Name, refused[0].Detail)
		}
		for _, e := range structural.Validate(s, structural.VersionSchemaPath(i)) {
			if text := e.Error(); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return "True Violations " + texts[0]
	}
	return "True Violations [" + strings.Join(texts, ", ") + "]"
}

// storeCRD writes a CRD to etcd as it is, except for the metadata without which the server would not serve it.
func storeCRD(t *testing.T, s *server.Server, data []byte) {
	t.Helper()
	crd := decodeYAML(t, data)
	name := nameOf(crd)
	crd["metadata"].(map[string]any)["uid"] = "uid-of-" + name
	if err := s.PutRaw(t.Context(), server.CRDKey(name), crd); err != nil {
		t.Fatal(err)
	}
}

// waitForCondition returns a condition of a CRD as soon as the server has set it.
func waitForCondition(
	t *testing.T, s *server.Server, name, condition string,
) apiextensionsv1.CustomResourceDefinitionCondition {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		crd, err := s.GetCRD(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range crd.Status.Conditions {
			if string(c.Type) == condition {
				return c
			}
		}
	}
	t.Fatalf("CRD %s has no condition %s", name, condition)
	panic("unreachable")
}
