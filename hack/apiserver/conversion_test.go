package apiserver

import (
	"net/http"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"k8s.io/apimachinery/pkg/runtime"
)

// versioned has every field of both versions, and unknown ones.
const versioned = `{
	"apiVersion": "prune.example.org/v2", "kind": "Versioned", "metadata": {"garbage": 1}, "u": 1,
	"spec": {
		"both": "b", "old": "o", "new": "n", "u": 1,
		"shared": {"both": 1, "old": 2, "new": 3, "u": 4},
		"template": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "t", "garbage": 1}, "kept": {"in": "v2"}}
	}
}`

// The storage version is v1, so an object of v2 passes through the schemas of both on the way into etcd and back.
func TestServerPrunesConversionsAsWeDo(t *testing.T) {
	s, resources := install(t, "testdata/crds/versions.yaml")
	v1, v2 := resources["Versioned/v1"], resources["Versioned/v2"]
	sent := decode(t, []byte(versioned))
	sent["metadata"].(map[string]any)["name"] = "sent"

	resp := do(t, s, http.MethodPost, v2.collection(), server.JSON, sent)
	checkConverted(t, "create in v2", sent, object(t, resp, http.StatusCreated), fromRequest, v2, v1, v2)
	// Only what the version of the request does not know is reported; what the conversion loses is not.
	v2.checkWarnings(t, "create in v2", sent, resp)
	v2.checkStrict(t, s, "strict create in v2", sent, http.StatusCreated)

	raw, err := s.GetRaw(t.Context(), v1.key("sent"))
	if err != nil {
		t.Fatal(err)
	}
	checkConverted(t, "etcd", sent, decode(t, raw), fromRequest, v2, v1)
	got := object(t, do(t, s, http.MethodGet, v1.collection()+"/sent", "", nil), http.StatusOK)
	checkConverted(t, "get in v1", sent, got, fromRequest, v2, v1)
	got = object(t, do(t, s, http.MethodGet, v2.collection()+"/sent", "", nil), http.StatusOK)
	checkConverted(t, "get in v2", sent, got, fromRequest, v2, v1, v2)
}

// In storage the apiVersion in the object says which schema its bytes follow, whatever the storage version is now.
func TestServerPrunesStorageByTheVersionOfTheObject(t *testing.T) {
	s, resources := install(t, "testdata/crds/versions.yaml")
	v1, v2 := resources["Versioned/v1"], resources["Versioned/v2"]
	for _, c := range []struct {
		name   string
		stored *resource
		read   *resource
		steps  []*resource
	}{
		{"v1-read-in-v1", v1, v1, []*resource{v1}},
		{"v1-read-in-v2", v1, v2, []*resource{v1, v2}},
		{"v2-read-in-v1", v2, v1, []*resource{v2, v1}},
		{"v2-read-in-v2", v2, v2, []*resource{v2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			obj := decode(t, []byte(versioned))
			obj["apiVersion"] = c.stored.apiVersion()
			store(t, s, c.stored, c.name, obj)
			got := object(t, do(t, s, http.MethodGet, c.read.collection()+"/"+c.name, "", nil), http.StatusOK)
			checkConverted(t, "get", obj, got, fromStorage, c.steps...)

			resp := do(t, s, http.MethodGet, c.read.collection()+"?fieldSelector=metadata.name%3D"+c.name, "", nil)
			items, _ := object(t, resp, http.StatusOK)["items"].([]any)
			if len(items) != 1 {
				t.Fatalf("list: %d items", len(items))
			}
			checkConverted(t, "list", obj, items[0].(map[string]any), fromStorage, c.steps...)
		})
	}
}

// An object of a version that the CRD does not have cannot be read.
func TestServerDoesNotReadObjectsOfAnotherVersion(t *testing.T) {
	s, resources := install(t, "testdata/crds/versions.yaml")
	v1 := resources["Versioned/v1"]
	obj := decode(t, []byte(versioned))
	obj["apiVersion"] = "prune.example.org/v3"
	store(t, s, v1, "v3", obj)
	resp := do(t, s, http.MethodGet, v1.collection()+"/v3", "", nil)
	if resp.Code != http.StatusInternalServerError {
		t.Errorf("the server answered %d: %s", resp.Code, resp.Body)
	}
}

// checkConverted fails the test if got is not the result of pruning sent by the schemas of the given versions in turn.
func checkConverted(t *testing.T, what string, sent, got map[string]any, from objectSource, steps ...*resource) {
	t.Helper()
	last := steps[len(steps)-1]
	for name := range last.pruners {
		obj := runtime.DeepCopyJSON(sent)
		for _, r := range steps {
			obj["apiVersion"] = r.apiVersion()
			r.pruners[name](obj)
		}
		want := last.settle(t, obj, from)
		if diff := firstDifference("", want, withoutServerFields(t, got)); diff != "" {
			t.Errorf("%s: %s and the server disagree at %s", what, name, diff)
		}
	}
}
