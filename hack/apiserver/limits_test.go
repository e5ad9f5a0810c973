package apiserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// The server sends about 4,096 characters of warnings and no more: our reports are complete.
func TestServerCutsWarningsOff(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	spec := map[string]any{strings.Repeat("long", 100): "x"}
	for i := range 200 {
		spec[fmt.Sprintf("unknown%03d", i)] = "x"
	}
	sent := map[string]any{
		"apiVersion": r.apiVersion(), "kind": "Value", "metadata": map[string]any{"generateName": "w-"}, "spec": spec,
	}
	resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
	r.checkObject(t, "create", sent, object(t, resp, http.StatusCreated), fromRequest)

	r.checkWarnings(t, "create", sent, resp)
	for name, p := range r.pruners {
		if ours := r.report(sent, p); len(ours) != 201 || len(resp.Warnings) >= len(ours) {
			t.Errorf("%s reports %d fields, the server %d", name, len(ours), len(resp.Warnings))
		}
	}
	r.checkNormalizedRequest(t, "create", sent, resp)
	// A strict error is not cut off.
	r.checkStrict(t, s, "strict create", sent, http.StatusCreated)
	r.checkNormalizedStrict(t, s, "strict create", sent, http.StatusCreated)
}

// The decoder of metadata stops counting at 100 unknown fields: the reports of pruning are complete, those of normalizing are
// the server's. What is dropped is the same.
func TestServerReportsOneHundredUnknownMetadataFields(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	metadata := map[string]any{"generateName": "m-"}
	for i := range 120 {
		metadata[fmt.Sprintf("unknown%03d", i)] = "x"
	}
	sent := map[string]any{
		"apiVersion": r.apiVersion(), "kind": "Value", "metadata": metadata, "spec": map[string]any{"u": "x"},
	}
	created := object(t, do(t, s, http.MethodPost, r.collection(), server.JSON, sent), http.StatusCreated)
	r.checkObject(t, "create", sent, created, fromRequest)

	r.checkNormalizedStrict(t, s, "strict create", sent, http.StatusCreated)
	resp := do(t, s, http.MethodPost, r.collection()+"?fieldValidation=Strict", server.JSON, sent)
	theirs := strictError(t, resp, http.StatusBadRequest)
	for name, p := range r.pruners {
		ours := r.report(sent, p)
		if len(ours) != 121 {
			t.Fatalf("%s reports %d fields", name, len(ours))
		}
		want := strings.Join(append(ours[:100:100], ours[120]), ", ")
		if theirs != want {
			t.Errorf("the server reports %s, want %s", theirs, want)
		}
	}
}

// Where a schema says of the root that it is an embedded resource, which it is anyway, the server looks at the root's
// metadata twice and reports it twice. What is dropped is the same.
func TestServerReportsMetadataOfAnEmbeddedRootTwice(t *testing.T) {
	s, _ := install(t)
	data := crdWithSchemas("embeddedroots", "{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: object}}}")
	if err := s.InstallCRDs(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	resources := parseCRDs(t, "embeddedroots.yaml", data)
	withSchemas(t, data, resources)
	r := resources[0]
	sent := map[string]any{
		"apiVersion": r.apiVersion(), "kind": r.crd.Names.Kind,
		"metadata": map[string]any{"generateName": "r-", "garbage": "x"}, "u": "x",
	}
	resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
	r.checkObject(t, "create", sent, object(t, resp, http.StatusCreated), fromRequest)
	r.checkWarnings(t, "create", sent, resp)

	resp = do(t, s, http.MethodPost, r.collection()+"?fieldValidation=Strict", server.JSON, sent)
	theirs := strictError(t, resp, http.StatusBadRequest)
	want := `unknown field "metadata.garbage", unknown field "u", unknown field "metadata.garbage"`
	if theirs != want {
		t.Errorf("the server reports %s, want %s", theirs, want)
	}
}
