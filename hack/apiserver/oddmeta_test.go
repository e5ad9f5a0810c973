package apiserver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/hack/apiserver/server"
	"github.com/prune-gen/prune-gen/structural"
	"k8s.io/apimachinery/pkg/runtime"
)

// oddValues are what a field of metadata is given, whatever its type is.
func oddValues() []any {
	return []any{
		nil, true, "", "x", "é\u2028", "2020-01-01T00:00:00Z", "2020-06-30T23:59:59.5-01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00",
		"2020-01-01t00:00:00z", int64(0), int64(5), int64(-1), 5.0, 1.5, 1e20, []any{}, []any{nil}, []any{"a", nil}, []any{int64(1)},
		[]any{map[string]any{}}, []any{map[string]any{"x": "y", "name": "n"}}, []any{map[string]any{"uid": int64(1), "time": "x"}},
		map[string]any{}, map[string]any{"a": nil}, map[string]any{"a": "b"}, map[string]any{"a": int64(1)},
	}
}

// oddMetadata returns metadata by name: every field with every odd value, each beside an unknown and a well-formed field.
func oddMetadata() map[string]map[string]any {
	all := map[string]map[string]any{}
	for k := range structural.ObjectMeta().Properties {
		for i, v := range oddValues() {
			meta := map[string]any{"generateName": "odd-", "annotations": map[string]any{"kept": "a"}, "u": "x"}
			meta[k] = runtime.DeepCopyJSONValue(v)
			all[fmt.Sprintf("%s is %v (%d)", k, v, i)] = meta
		}
	}
	return all
}

// Every field of metadata with odd values, at the root and in an embedded resource, sent and stored.
func TestServerNormalizesOddMetadataAsWeDo(t *testing.T) {
	s, resources := install(t, "testdata/crds/normals.yaml")
	r := resources["Normal/v1"]
	sent, stored := map[int]int{}, map[int]int{}
	all := oddMetadata()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		root := map[string]any{"apiVersion": r.apiVersion(), "kind": "Normal", "metadata": all[name]}
		embedded := map[string]any{
			"apiVersion": r.apiVersion(), "kind": "Normal", "metadata": map[string]any{"generateName": "odd-"},
			"spec": map[string]any{"templates": []any{map[string]any{"apiVersion": "v1", "kind": "A", "metadata": all[name]}}},
		}
		for where, obj := range map[string]map[string]any{"root": root, "embedded": embedded} {
			obj = runtime.DeepCopyJSON(obj)
			what := where + ": " + name
			resp := do(t, s, http.MethodPost, r.collection()+"?dryRun=All", server.JSON, obj)
			if where == "embedded" || all[name]["namespace"] == nil { // which has to be that of the URL
				sent[resp.Code]++
				r.checkNormalizedRequest(t, what+": create", obj, resp)
			}

			store(t, s, r, "odd", obj)
			resp = do(t, s, http.MethodGet, r.collection()+"/odd", "", nil)
			stored[resp.Code]++
			r.checkNormalizedStorage(t, what+": get", obj, resp)
		}
	}
	t.Logf("%d metadata; sent: %v; stored: %v", len(all), sent, stored)
	if sent[http.StatusBadRequest] < 200 || sent[http.StatusCreated] < 100 || stored[http.StatusOK] < 700 {
		t.Error("the comparison is hollow")
	}
}

// What is written is normalized once, what is answered twice. The difference shows in one field.
func TestServerStoresAZeroDeletionTimestampAsNull(t *testing.T) {
	s, resources := install(t, "testdata/crds/normals.yaml")
	r := resources["Normal/v1"]
	sent := decode(t, []byte(`{"apiVersion": "prune.example.org/v1", "kind": "Normal", "metadata": {"name": "zero"}, "spec": {"anything": {
		"apiVersion": "v1", "kind": "A", "metadata": {"deletionTimestamp": "0001-01-01T00:00:00Z", "creationTimestamp": "0001-01-01T00:00:00Z"}}}}`))
	resp := do(t, s, http.MethodPost, r.collection(), server.JSON, sent)
	r.checkNormalizedRequest(t, "create", sent, resp)
	r.checkNormalizedBytes(t, s, sent, "zero")
	raw, err := s.GetRaw(t.Context(), r.key("zero"))
	if err != nil {
		t.Fatal(err)
	}
	if stored := `"metadata":{"deletionTimestamp":null}`; !strings.Contains(string(raw), stored) || strings.Contains(string(resp.Body), stored) {
		t.Errorf("etcd has %s, the answer is %s", raw, resp.Body)
	}
}
