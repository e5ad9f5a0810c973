package apiserver

import (
	"net/http"
	"slices"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

func TestServerPrunesRequestsAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, c := range objectCases(t, accepted) {
		t.Run(c.name, func(t *testing.T) {
			sent := c.object()
			r := resourceOf(t, resources, sent)
			r.checkStrict(t, s, "strict create", sent, http.StatusCreated)

			resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
			created := object(t, resp, http.StatusCreated)
			r.checkObject(t, "create", sent, created, fromRequest)
			r.checkWarnings(t, "create", sent, resp)

			name := nameOf(created)
			resp = do(t, s, http.MethodGet, r.collection()+"/"+name, "", nil)
			r.checkObject(t, "get", sent, object(t, resp, http.StatusOK), fromRequest)
			if len(resp.Warnings) > 0 {
				t.Errorf("get: warnings %q", resp.Warnings)
			}
			raw, err := s.GetRaw(t.Context(), r.key(name))
			if err != nil {
				t.Fatal(err)
			}
			r.checkObject(t, "etcd after create", sent, decode(t, raw), fromRequest)

			// The same unknown fields come back in a patch.
			patched := mergePatch(t, created, sent)
			path := r.collection() + "/" + name + "?dryRun=All&fieldValidation=Strict"
			resp = do(t, s, http.MethodPatch, path, server.MergePatch, sent)
			r.checkStrictAnswer(t, "strict patch", patched, resp, http.StatusUnprocessableEntity, http.StatusOK)
			resp = do(t, s, http.MethodPatch, r.collection()+"/"+name, server.MergePatch, sent)
			r.checkObject(t, "patch", patched, object(t, resp, http.StatusOK), fromRequest)
			r.checkWarnings(t, "patch", patched, resp)
			raw, err = s.GetRaw(t.Context(), r.key(name))
			if err != nil {
				t.Fatal(err)
			}
			r.checkObject(t, "etcd after patch", patched, decode(t, raw), fromRequest)
		})
	}
}

// An object that is refused has been pruned before: the warnings come with the refusal, and the refusal is about what is
// left.
func TestServerPrunesInvalidRequestsAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, c := range objectCases(t, invalid) {
		t.Run(c.name, func(t *testing.T) {
			sent := c.object()
			r := resourceOf(t, resources, sent)
			resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
			if resp.Code != http.StatusUnprocessableEntity {
				t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
			}
			r.checkWarnings(t, "create", sent, resp)
			r.checkStrict(t, s, "strict create", sent, resp.Code)
		})
	}
}

func TestServerRefusesMalformedMetadata(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, v := range []verdict{malformed, unreadable} {
		for _, c := range objectCases(t, v) {
			t.Run(c.name, func(t *testing.T) {
				sent := c.object()
				r := resourceOf(t, resources, sent)
				resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
				if resp.Code != http.StatusBadRequest {
					t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
				}
			})
		}
	}
}

// Duplicate fields are the decoder's business and come before all unknown ones.
func TestServerWarnsOfDuplicatesFirst(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	body := `{"apiVersion": "prune.example.org/v1", "kind": "Value", "metadata": {"generateName": "d-", "u": 1},
		"a": 1, "spec": {"text": "first", "text": "second", "u": 1, "u": 2}}`
	resp := doRaw(t, s, http.MethodPost, r.collection(), server.JSON, []byte(body))
	created := object(t, resp, http.StatusCreated)
	sent := decode(t, []byte(body))
	r.checkObject(t, "create", sent, created, fromRequest)

	duplicates := []string{`duplicate field "spec.text"`, `duplicate field "spec.u"`}
	if len(resp.Warnings) < 2 || !slices.Equal(resp.Warnings[:2], duplicates) {
		t.Fatalf("warnings %q do not begin with %q", resp.Warnings, duplicates)
	}
	resp.Warnings = resp.Warnings[2:]
	r.checkWarnings(t, "create", sent, resp)
}

// fieldValidation=Ignore prunes silently.
func TestServerPrunesWithoutWarningsWhenAskedTo(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	sent := decode(t, []byte(`{"apiVersion": "prune.example.org/v1", "kind": "Value",
		"metadata": {"generateName": "i-", "u": 1}, "a": 1, "spec": {"u": {"v": 1}, "text": "t"}}`))
	resp := do(t, s, http.MethodPost, r.collection()+"?fieldValidation=Ignore", server.JSON, sent)
	r.checkObject(t, "create", sent, object(t, resp, http.StatusCreated), fromRequest)
	if len(resp.Warnings) > 0 {
		t.Errorf("warnings %q", resp.Warnings)
	}
}

// The status subresource prunes the whole body, and reports it, before it takes the status alone from it.
func TestServerPrunesStatusRequestsAsWeDo(t *testing.T) {
	s, resources := install(t, "testdata/crds/values.yaml")
	r := resources["Value/v1"]
	sent := decode(t, []byte(`{"apiVersion": "prune.example.org/v1", "kind": "Value", "metadata": {"name": "s"},
		"spec": {"text": "t"}}`))
	created := object(t, do(t, s, http.MethodPost, r.collection(), server.JSON, sent), http.StatusCreated)

	patch := decode(t, []byte(`{"status": {"ready": true, "u": 1, "conditions": [{"type": "T", "u": {}}]}, "spec": {"u": 1}}`))
	patched := mergePatch(t, created, patch)
	resp := do(t, s, http.MethodPatch, r.collection()+"/s/status", server.MergePatch, patch)
	r.checkWarnings(t, "patch", patched, resp)
	// fromStorage, because that is where settle leaves the status alone.
	r.checkObject(t, "patch", patched, object(t, resp, http.StatusOK), fromStorage)
}

func nameOf(obj map[string]any) string {
	metadata, _ := obj["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// mergePatch returns obj changed by a JSON merge patch, as the library of the server does it: unlike in RFC 7386, nulls inside of lists
// disappear, too.
func mergePatch(t *testing.T, obj, patch map[string]any) map[string]any {
	t.Helper()
	data, err := jsonpatch.MergePatch(encode(t, obj), encode(t, patch))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}
