package prunetest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/kube/prunetest"
)

// What a handler answers that is not one object is an error.
func TestHandlerConverterRefusesOtherAnswers(t *testing.T) {
	for body, want := range map[string]string{
		"no": `the handler does not answer with a review, but with 400 "no"`,
		"{}": "",
		`{"response": {"result": {"status": "Failure", "message": "why"}}}`:          "why",
		`{"response": {"result": {"status": "Success"}}}`:                            "the handler makes 0 objects of one",
		`{"response": {"result": {"status": "Success"}, "convertedObjects": ["a"]}}`: "cannot unmarshal string",
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			w.Write([]byte(body))
		})
		if out, err := prunetest.HandlerConverter(handler)(map[string]any{}, "v1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", body, out, err)
		}
	}
}
