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
	// A strict error is not cut off.
	r.checkStrict(t, s, "strict create", sent, http.StatusCreated)
}

// The decoder of metadata stops counting at 100 unknown fields: our reports are complete. What is dropped is the same.
func TestServerReportsOneHundredUnknownMetadataFields(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	metadata := map[string]any{"generateName": "m-"}
	for i := range 120 {
		metadata[fmt.Sprintf("unknown%03d", i)] = "x"
	}
	sent := map[string]any{"apiVersion": r.apiVersion(), "kind": "Value", "metadata": metadata, "spec": map[string]any{"u": "x"}}
	created := object(t, do(t, s, http.MethodPost, r.collection(), server.JSON, sent), http.StatusCreated)
	r.checkObject(t, "create", sent, created, fromRequest)

	text := message(t, do(t, s, http.MethodPost, r.collection()+"?fieldValidation=Strict", server.JSON, sent), http.StatusBadRequest)
	for name, p := range r.pruners {
		ours := r.report(sent, p)
		if len(ours) != 121 {
			t.Fatalf("%s reports %d fields", name, len(ours))
		}
		want := strings.Join(append(ours[:100:100], ours[120]), ", ")
		if _, got, _ := strings.Cut(text, "strict decoding error: "); got != want {
			t.Errorf("the server reports %s, want %s", got, want)
		}
	}
}

// Where a schema says of the root that it is an embedded resource, which it is anyway, the server looks at the root's
// metadata twice and reports it twice. What is dropped is the same.
func TestServerReportsMetadataOfAnEmbeddedRootTwice(t *testing.T) {
	s, _ := install(t)
	data := crdWithSchemas("embeddedroots", "type: object\nx-kubernetes-embedded-resource: true\nproperties: {spec: {type: object}}")
	if err := s.InstallCRDs(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	resources := parseCRDs(t, "embeddedroots.yaml", data)
	withSchemas(t, data, resources)
	r := resources[0]
	sent := decode(t, fmt.Appendf(nil, `{"apiVersion": %q, "kind": %q, "metadata": {"generateName": "r-", "garbage": 1}, "u": 1}`,
		r.apiVersion(), r.crd.Names.Kind))
	resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
	r.checkObject(t, "create", sent, object(t, resp, http.StatusCreated), fromRequest)
	r.checkWarnings(t, "create", sent, resp)

	text := message(t, do(t, s, http.MethodPost, r.collection()+"?fieldValidation=Strict", server.JSON, sent), http.StatusBadRequest)
	want := `unknown field "metadata.garbage", unknown field "u", unknown field "metadata.garbage"`
	if _, got, _ := strings.Cut(text, "strict decoding error: "); got != want {
		t.Errorf("the server reports %s, want %s", got, want)
	}
}
