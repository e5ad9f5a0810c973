package apiserver

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
)

// What lies in etcd was written by an older schema, by another program or by hand: it is pruned when it is read, and fields
// of embedded metadata that have a wrong type are dropped instead of refused.
func TestServerPrunesStorageAsWeDo(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, v := range []verdict{accepted, invalid, malformed} {
		for _, c := range objectCases(t, v) {
			t.Run(c.name, func(t *testing.T) {
				stored := c.object()
				r := resourceOf(t, resources, stored)
				name := strings.ReplaceAll(c.name, "/", "-")
				store(t, s, r, name, stored)

				resp := do(t, s, http.MethodGet, r.collection()+"/"+name, "", nil)
				r.checkObject(t, "get", stored, object(t, resp, http.StatusOK), fromStorage)
				if len(resp.Warnings) > 0 {
					t.Errorf("get: warnings %q", resp.Warnings)
				}
				resp = do(t, s, http.MethodGet, r.collection()+"?fieldSelector=metadata.name%3D"+name, "", nil)
				items, _ := object(t, resp, http.StatusOK)["items"].([]any)
				if len(items) != 1 {
					t.Fatalf("list: %d items", len(items))
				}
				r.checkObject(t, "list", stored, items[0].(map[string]any), fromStorage)
			})
		}
	}
}

// Reading forgives fields of embedded metadata, but not metadata that is not an object: the step that would convert the
// object to the version of the request is as strict as a write.
func TestServerDoesNotReadMetadataThatIsNoObject(t *testing.T) {
	s, resources := install(t, crdFiles(t)...)
	for _, c := range objectCases(t, unreadable) {
		t.Run(c.name, func(t *testing.T) {
			stored := c.object()
			r := resourceOf(t, resources, stored)
			name := strings.ReplaceAll(c.name, "/", "-")
			store(t, s, r, name, stored)
			resp := do(t, s, http.MethodGet, r.collection()+"/"+name, "", nil)
			if resp.Code != http.StatusInternalServerError {
				t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
			}
		})
	}
}

// store writes an object to etcd as it is, except for the metadata without which the server would not serve it.
func store(t *testing.T, s *server.Server, r *resource, name string, obj map[string]any) {
	t.Helper()
	metadata := obj["metadata"].(map[string]any)
	metadata["name"] = name
	metadata["uid"] = "00000000-0000-0000-0000-000000000001"
	if r.crd.Scope != "Cluster" {
		metadata["namespace"] = namespace
	}
	if err := s.PutRaw(t.Context(), r.key(name), obj); err != nil {
		t.Fatal(err)
	}
}

// The story for which pruning exists: a field that was stored while nobody knew it must not come to life. Here it is the
// other way round, which is the same for the server: the field was known, was stored, and is dropped from the schema.
func TestFieldThatTheSchemaNoLongerHasIsNotServed(t *testing.T) {
	s, resources := install(t, "testdata/nightlyjobs/privileged.yaml")
	old := resources["NightlyJob/v1"]
	sent := decode(t, []byte(`{"apiVersion": "prune.example.org/v1", "kind": "NightlyJob", "metadata": {"name": "job"},
		"spec": {"command": "rm -rf /", "privileged": true}}`))
	object(t, do(t, s, http.MethodPost, old.collection(), server.JSON, sent), http.StatusCreated)

	unprivileged, err := os.ReadFile("testdata/nightlyjobs/unprivileged.yaml")
	if err != nil {
		t.Fatal(err)
	}
	next := parseCRDs(t, "unprivileged.yaml", unprivileged)
	withSchemas(t, unprivileged, next)
	replaceCRD(t, s, next[0], unprivileged)
	waitForProperty(t, s, next[0], "second")

	raw, err := s.GetRaw(t.Context(), old.key("job"))
	if err != nil {
		t.Fatal(err)
	}
	stored := decode(t, raw)
	if spec := stored["spec"].(map[string]any); spec["privileged"] != true {
		t.Fatalf("etcd has %v", spec)
	}
	read := object(t, do(t, s, http.MethodGet, old.collection()+"/job", "", nil), http.StatusOK)
	if spec := read["spec"].(map[string]any); len(spec) != 1 {
		t.Errorf("the server serves %v", spec)
	}
	next[0].checkObject(t, "get", stored, read, fromStorage)

	// Any write of the object, whatever it changes, cleans the storage too.
	patch := decode(t, []byte(`{"metadata": {"labels": {"a": "b"}}}`))
	object(t, do(t, s, http.MethodPatch, old.collection()+"/job", server.MergePatch, patch), http.StatusOK)
	if raw, err = s.GetRaw(t.Context(), old.key("job")); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"privileged":`) {
		t.Errorf("etcd still has the field: %s", raw)
	}
}

// replaceCRD puts another CRD of the same name in the place of an installed one.
func replaceCRD(t *testing.T, s *server.Server, r *resource, data []byte) {
	t.Helper()
	patch := decodeYAML(t, data)
	path := "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + r.crd.Name
	object(t, do(t, s, http.MethodPatch, path, server.MergePatch, patch), http.StatusOK)
}

// waitForProperty returns when the server keeps spec.<property>: after a CRD has changed, the old schema is served for a
// moment longer.
func waitForProperty(t *testing.T, s *server.Server, r *resource, property string) {
	t.Helper()
	probe := map[string]any{
		"apiVersion": r.apiVersion(), "kind": r.crd.Names.Kind,
		"metadata": map[string]any{"generateName": "probe-"}, "spec": map[string]any{property: "x"},
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All", server.JSON, probe)
		if resp.Code == http.StatusCreated && len(resp.Warnings) == 0 {
			return
		}
	}
	t.Fatalf("the server does not keep spec.%s", property)
}
