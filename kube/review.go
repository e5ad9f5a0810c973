package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/prune-gen/prune-gen/internal/base/meter"
)

// review is what an API server asks a webhook, and the answer to it.
type review[Request, Response any] struct {
	metav1.TypeMeta `json:",inline"`
	Request         *Request  `json:"request,omitempty"`
	Response        *Response `json:"response,omitempty"`
}

// serveReview answers a review of a kind and of one of some versions, the first of which is named to others.
func serveReview[Request, Response any](w http.ResponseWriter, req *http.Request, kind string, versions []string, answer func(*Request) *Response) {
	data, err := io.ReadAll(http.MaxBytesReader(w, req.Body, meter.Review))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, fmt.Sprintf("the review has more than %d bytes: an API server takes requests of up to %d",
			tooLarge.Limit, meter.Request), http.StatusRequestEntityTooLarge)
		return
	}
	var asked review[Request, Response]
	if err == nil {
		err = asked.read(data, kind, versions)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	out, err := json.Marshal(&review[Request, Response]{TypeMeta: asked.TypeMeta, Response: answer(asked.Request)})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}

// read decodes a review that has a request.
func (r *review[Request, Response]) read(data []byte, kind string, versions []string) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return fmt.Errorf("the body is empty: want the kind %s of %s", kind, versions[0])
	}
	if err := json.Unmarshal(data, r); err != nil {
		return notJSON("body", err)
	}
	switch {
	case !slices.Contains(versions, r.APIVersion) || r.Kind != kind:
		return fmt.Errorf("the body has apiVersion %q and kind %q, want %s and %s", r.APIVersion, r.Kind, versions[0], kind)
	case r.Request == nil:
		return fmt.Errorf("the %s has no request", kind)
	}
	return nil
}

// notJSON says why a part of a review cannot be decoded, and where.
func notJSON(part string, err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("the %s cannot be read as JSON: %w after %d bytes", part, err, syntax.Offset)
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("the %s has a JSON %s in %s after %d bytes", part, wrong.Value, wrong.Field, wrong.Offset)
	case errors.As(err, &wrong):
		return fmt.Errorf("the %s is a JSON %s, want an object", part, wrong.Value)
	}
	return fmt.Errorf("the %s cannot be read: %w", part, err)
}
