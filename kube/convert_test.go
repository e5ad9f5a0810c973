package kube_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/kube"
)

func TestConversionHandlerAnswersReviews(t *testing.T) {
	handler := kube.ConversionHandler(func(obj map[string]any, apiVersion string) (map[string]any, error) {
		switch spec := obj["spec"].(type) {
		case int64:
			return map[string]any{"apiVersion": apiVersion, "kind": "A", "spec": spec + 1}, nil
		case string:
			return nil, errors.New(spec)
		}
		return nil, nil
	})
	review := func(objects string) string {
		return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"g/v2","objects":[` + objects + `]}}`
	}
	const head = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u","convertedObjects":`
	for name, c := range map[string]struct {
		body string
		code int
		want string
	}{
		"two objects": {review(`{"apiVersion":"g/v1","kind":"A","spec":9007199254740993},{"apiVersion":"g/v2","kind":"A","spec":1}`), http.StatusOK,
			head + `[{"apiVersion":"g/v2","kind":"A","spec":9007199254740994},{"apiVersion":"g/v2","kind":"A","spec":1}],"result":{"metadata":{},"status":"Success"}}}`},
		"none": {review(``), http.StatusOK, head + `[],"result":{"metadata":{},"status":"Success"}}}`},
		"v1beta1": {strings.Replace(review(``), "/v1", "/v1beta1", 1), http.StatusOK,
			strings.Replace(head, "/v1", "/v1beta1", 1) + `[],"result":{"metadata":{},"status":"Success"}}}`},
		"an error": {review(`{"apiVersion":"g/v2"},{"apiVersion":"g/v1","kind":"A","spec":"oh"}`), http.StatusOK,
			head + `null,"result":{"metadata":{},"status":"Failure","message":"object 1: g/v1 A to g/v2: oh"}}}`},
		"no result": {review(`{}`), http.StatusOK,
			head + `null,"result":{"metadata":{},"status":"Failure","message":"object 0: \u003cnil\u003e \u003cnil\u003e to g/v2: the converter returned no object"}}}`},
		"no object": {review(`[1]`), http.StatusOK,
			head + `null,"result":{"metadata":{},"status":"Failure","message":"object 0: it is not an object: json: cannot unmarshal array into Go value of type map[string]interface {}"}}}`},
		"null":       {review(`null`), http.StatusOK, head + `null,"result":{"metadata":{},"status":"Failure","message":"object 0: it is null"}}}`},
		"empty":      {"", http.StatusBadRequest, "the body is empty: want the kind ConversionReview of apiextensions.k8s.io/v1\n"},
		"deep":       {strings.Repeat("[", 20_000), http.StatusBadRequest, "the body cannot be read as JSON: invalid character '[' exceeded max depth after 10001 bytes\n"},
		"admission":  {`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, http.StatusBadRequest, `the body has apiVersion "admission.k8s.io/v1" and kind "AdmissionReview", want apiextensions.k8s.io/v1 and ConversionReview` + "\n"},
		"no request": {`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`, http.StatusBadRequest, "the ConversionReview has no request\n"},
		"large":      {strings.Repeat(" ", 9<<20), http.StatusRequestEntityTooLarge, "the review has more than 8388608 bytes: an API server takes requests of up to 3145728\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(c.body)))
			if got := w.Body.String(); w.Code != c.code || got != c.want {
				t.Errorf("%d %s\nwant %d %s", w.Code, got, c.code, c.want)
			}
		})
	}
}
