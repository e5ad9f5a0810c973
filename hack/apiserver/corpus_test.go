package apiserver

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// corpus lists public modules and the folders in them that have CRDs: real schemas, with everything that people write.
var corpus = []source{
	{"github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds/*.yaml"},
	{"github.com/prometheus-operator/prometheus-operator@v0.85.0", "example/prometheus-operator-crd/*.yaml"},
	{"sigs.k8s.io/gateway-api@v1.4.0", "config/crd/standard/*.yaml"},
	{"github.com/argoproj/argo-cd/v3@v3.5.6", "manifests/crds/*-crd.yaml"},
}

// source is CRDs of a public module.
type source struct{ module, files string }

// find returns the files.
func (s source) find(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(download(t, s.module), s.files))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s has no %s: %v", s.module, s.files, err)
	}
	return found
}

// Objects of well-known kinds, each changed in every place. testdata/corpus has one object for each kind.
func TestServerPrunesTheCorpusAsWeDo(t *testing.T) {
	files := corpusFiles(t)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The server accepts them all, as install will see.
		if errs := lintErrors(t, file, data); len(errs) > 0 {
			t.Errorf("%s does not lint clean: %s", file, strings.Join(errs, "\n"))
		}
	}
	s, resources := install(t, files...)
	t.Logf("%d files, %d versions", len(files), len(resources))

	objects, err := filepath.Glob("testdata/corpus/*.yaml")
	if err != nil || len(objects) == 0 {
		t.Fatalf("no objects: %v", err)
	}
	for _, file := range objects {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			obj := decodeYAML(t, data)
			r := resourceOf(t, resources, obj)
			resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All&fieldValidation=Strict", server.JSON, obj)
			object(t, resp, http.StatusCreated)
			r.checkMutants(t, s, obj)
		})
	}
}

// download returns the folder of a module in the module cache, where the go command puts it.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir() // outside of any module, so that no go.mod is asked or changed
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &info); jsonErr != nil {
		t.Fatalf("go mod download %s: %v, %v", module, err, jsonErr)
	}
	if err != nil || info.Error != "" {
		t.Fatalf("go mod download %s: %v %s", module, err, info.Error)
	}
	return info.Dir
}
