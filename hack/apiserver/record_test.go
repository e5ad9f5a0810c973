package apiserver

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// recordedFile has requests with the answers of the server, for the tests of the root module.
const recordedFile = "../../runtime/testdata/requests.jsonl"

// recordedCRD begins the requests about the versions of a CRD.
type recordedCRD struct {
	CRD map[string]any `json:"crd"`
}

// recorded is a request, with the answer that the server and the interpreter both give.
type recorded struct {
	What       string                  `json:"what"`
	Version    string                  `json:"version"`
	Kind       string                  `json:"kind"`
	Body       []byte                  `json:"body"`
	Old        map[string]any          `json:"old,omitempty"`
	Namespace  string                  `json:"namespace,omitempty"`
	Name       string                  `json:"name,omitempty"`
	Sub        string                  `json:"subresource,omitempty"`
	Validation prunert.FieldValidation `json:"fieldValidation,omitempty"`
	Made       string                  `json:"generatedName,omitempty"`
	Answer     prunert.Answer          `json:"answer"`
}

// With -update, requests are recorded with their answers, if the answers of the server and ours are the same. The tests of
// runtime read them.
func TestRequestsAreWrittenDown(t *testing.T) {
	if !*update {
		t.Skip("this writes a file: run it with -update")
	}
	var out bytes.Buffer
	write := func(v any) {
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	const crd = "testdata/recorded/requested.yaml"
	files := []string{written(t, crd, asItIs), written(t, crd, bare)}
	s, resources := install(t, files...)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(data, []byte("\n---\n")) {
			if len(bytes.TrimSpace(doc)) > 0 {
				write(recordedCRD{decodeYAML(t, doc)})
			}
		}
	}
	n := 0
	c := &comparison{server: s, known: map[string]int{}, asked: map[string]int{}, codes: map[int]int{}}
	c.record = func(a *answering, q *request, ours prunert.Answer, theirs *theirAnswer) {
		if len(q.body) > 2000 {
			return
		}
		n++
		write(recorded{q.what, a.apiVersion(), a.crd.Names.Kind, q.body, q.old, a.namespace(), q.name, q.subresource, q.validation, theirs.name, ours})
	}
	seeds := map[string][]map[string]any{"Requested": {
		requested(map[string]any{"replicas": int64(3), "fixed": int64(5), "ports": []any{map[string]any{"name": "a", "port": int64(1)}, map[string]any{"name": "b"}}},
			map[string]any{"phase": "Ready", "scale": map[string]any{"replicas": int64(2), "selector": "a=b"}}),
		requested(map[string]any{"text": "abc", "template": map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "x"}, "spec": map[string]any{}}}, nil),
		requested(map[string]any{"replicas": int64(-1)}, map[string]any{"scale": map[string]any{"replicas": int64(3000000000), "selector": int64(1)}}),
		requested(map[string]any{"replicas": "three"}, map[string]any{"scale": "none"}),
		requested(map[string]any{"replicas": 1.5}, map[string]any{"scale": map[string]any{"replicas": "x"}}),
		requested(map[string]any{"fixed": int64(200), "ports": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}, map[string]any{"name": "c"}}}, nil),
		requested(map[string]any{"fixed": int64(7)}, nil),
		requested(map[string]any{"text": "b"}, map[string]any{"phase": "Failed"}),
		requested(map[string]any{"replicas": int64(1)}, map[string]any{"phase": "Ready", "scale": map[string]any{"replicas": int64(1), "selector": ""}}),
		requested(map[string]any{"ports": []any{map[string]any{"name": "x", "port": int64(80)}}}, nil),
		requested(map[string]any{"fixed": int64(300), "text": "too long"}, nil),
		requested(map[string]any{"replicas": int64(2147483648)}, map[string]any{"phase": "Unknown"}),
	}}
	for _, name := range slices.Sorted(maps.Keys(resources)) {
		if r := resources[name]; r.version.Served {
			c.compareRequests(t, newAnswering(t, r, seeds))
		}
	}
	t.Logf("%d requests: %v, codes %v", n, c.asked, c.codes)
	if err := os.WriteFile(recordedFile, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func requested(spec, status map[string]any) map[string]any {
	obj := map[string]any{"apiVersion": "prune.example.org/v1", "kind": "Requested", "metadata": map[string]any{"name": "made"}, "spec": spec}
	if status != nil {
		obj["status"] = status
	}
	return obj
}
