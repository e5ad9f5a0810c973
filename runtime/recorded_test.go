package prunert_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// recordedRequest is a line of requests.jsonl: a CRD, or a request with the answer of an API server.
type recordedRequest struct {
	CRD        map[string]any          `json:"crd"`
	What       string                  `json:"what"`
	Version    string                  `json:"version"`
	Kind       string                  `json:"kind"`
	Body       []byte                  `json:"body"`
	Old        json.RawMessage         `json:"old"`
	Namespace  string                  `json:"namespace"`
	Name       string                  `json:"name"`
	Sub        string                  `json:"subresource"`
	Validation prunert.FieldValidation `json:"fieldValidation"`
	Made       string                  `json:"generatedName"`
	Answer     json.RawMessage         `json:"answer"`
}

// Requests are answered as an API server has answered them. hack/apiserver records them: go test . -run TestRequestsAreWrittenDown -update.
func TestRequestsAreAnsweredAsRecorded(t *testing.T) {
	file, err := os.Open("testdata/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	resources := map[string]prunert.Resource{}
	answers := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var q recordedRequest
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		if q.CRD != nil {
			for _, r := range compiled(t, q.CRD) {
				resources[r.APIVersion()+" "+r.Kind] = r
			}
			continue
		}
		r, ok := resources[q.Version+" "+q.Kind]
		if !ok {
			t.Fatalf("line %d: there is no %s %s", n, q.Version, q.Kind)
		}
		req := prunert.Request{
			Namespace: q.Namespace, Name: q.Name, Subresource: q.Sub, FieldValidation: q.Validation,
			GenerateName: func(base string) string {
				if q.Made == "" {
					return base + "12345"
				}
				return q.Made
			},
		}
		var answer prunert.Answer
		if q.Name == "" {
			answer = r.CreateJSON(q.Body, req)
		} else {
			answer = r.UpdateJSON(q.Body, decoded(t, string(q.Old)), req)
		}
		have, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(unmarshaled(t, have), unmarshaled(t, q.Answer)) {
			t.Errorf("line %d: %s of\n%.1000s\nafter\n%.1000s\nhave\n%.2000s\nwant\n%.2000s", n, q.What, q.Body, q.Old, have, q.Answer)
		}
		if answer.Refusal != nil {
			answers[q.What+" refused"]++
		} else {
			answers[q.What]++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Log(answers)
	for _, what := range []string{"create", "update", "update of the status"} {
		if answers[what] < 5 || answers[what+" refused"] < 5 {
			t.Errorf("%s: %d are accepted and %d refused", what, answers[what], answers[what+" refused"])
		}
	}
}

// compiled returns the resources of a CRD.
func compiled(t *testing.T, crd map[string]any) []prunert.Resource {
	t.Helper()
	read, err := load.Object(crd, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dynamic.Compile(read)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func unmarshaled(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
