package apiserver

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// An object in etcd can have a value of another type than the schema, because that has changed. PUT and PATCH leave it as it is, which
// counts as unchanged. Server-side apply fails, whatever it changes, because it cannot read the stored object. crddiff says so of changes
// of types.
func TestServerSideApplyNeedsStoredTypes(t *testing.T) {
	s, resources := install(t, "testdata/nightlyjobs/privileged.yaml")
	r := resources["NightlyJob/v1"]
	store(t, s, r, "job", decode(t, []byte(`{"apiVersion": "prune.example.org/v1", "kind": "NightlyJob", "metadata": {}, "spec": {"command": 5}}`)))
	path := r.collection() + "/job"

	read := object(t, do(t, s, http.MethodGet, path, "", nil), http.StatusOK)
	read["metadata"].(map[string]any)["labels"] = map[string]any{"a": "put"}
	object(t, do(t, s, http.MethodPut, path, server.JSON, read), http.StatusOK)
	object(t, do(t, s, http.MethodPatch, path, server.MergePatch, decode(t, []byte(`{"metadata": {"labels": {"a": "patch"}}}`))), http.StatusOK)

	for _, applied := range []string{
		`{"apiVersion": "prune.example.org/v1", "kind": "NightlyJob", "metadata": {"name": "job", "labels": {"b": "apply"}}}`,
		`{"apiVersion": "prune.example.org/v1", "kind": "NightlyJob", "metadata": {"name": "job"}, "spec": {"command": "x"}}`, // even if it mends the value
	} {
		resp := do(t, s, http.MethodPatch, path+"?fieldManager=me&force=true", "application/apply-patch+yaml", decode(t, []byte(applied)))
		if resp.Code != http.StatusInternalServerError || !strings.Contains(string(resp.Body), ".spec.command: expected string") {
			t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
		}
	}
}
