package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/net"

	"github.com/prune-gen/prune-gen/internal/meter"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// warningCode is that of warnings that are not about caches (RFC 7234).
const warningCode = 299

// Handler is an http.Handler that answers a POST of an object, as JSON, with the answer of the API server to a request that
// creates it with dryRun=All: 201 and the object as it would be stored, or a Status that says why it is refused, and warnings
// in headers. Nothing is stored. The parameter fieldValidation of the query is that of the API.
type Handler struct {
	// Resources is the linked code; nil means all registered resources.
	Resources *prunert.Set
}

// ServeHTTP answers one request.
func (h Handler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send an object with POST", http.StatusMethodNotAllowed)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, req.Body, meter.Request))
	if err != nil {
		WriteAnswer(w, prunert.Answer{Refusal: unread(err)}, http.StatusCreated)
		return
	}
	validation := prunert.FieldValidation(req.URL.Query().Get("fieldValidation"))
	WriteAnswer(w, orLinked(h.Resources).CreateJSON(data, prunert.Request{FieldValidation: validation}), http.StatusCreated)
}

// unread returns the refusal of a request whose body cannot be read.
func unread(err error) *prunert.Refusal {
	var tooLarge *http.MaxBytesError
	status := metav1.Status{Code: http.StatusInternalServerError, Message: err.Error()}
	if errors.As(err, &tooLarge) {
		status = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", tooLarge.Limit)).ErrStatus
	}
	return &prunert.Refusal{Code: int(status.Code), Reason: string(status.Reason), Message: status.Message}
}

// WriteAnswer writes an answer as the API server does: warnings as headers, then the object with the status code accepted, or
// the refusal as a Status with its own code.
func WriteAnswer(w http.ResponseWriter, a prunert.Answer, accepted int) {
	var body any = a.Object
	code := accepted
	if a.Refusal != nil {
		body, code = a.Refusal, a.Refusal.Code
	}
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	WriteWarnings(w.Header(), a.Warnings)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(append(data, '\n'))
}

// Where warnings have more than maxWarnings characters, the API server cuts each off after maxWarning, and stops after those that
// reach maxWarnings.
const (
	maxWarnings = 4 * 1024
	maxWarning  = 256
)

// WriteWarnings adds a header for each warning, as the API server does: with the code 299, and cut off where they are long. A
// text that cannot be a header, for example because it is not UTF-8, is left out.
func WriteWarnings(h http.Header, warnings []string) {
	overflow := overflowing(warnings)
	written := 0
	for i, text := range warnings {
		if overflow < len(warnings) {
			if i > overflow && written >= maxWarnings {
				return
			}
			if runes := []rune(text); len(runes) > maxWarning {
				text = string(runes[:maxWarning])
			}
		}
		if header, err := net.NewWarningHeader(warningCode, "-", text); err == nil {
			written += utf8.RuneCountInString(text)
			h.Add("Warning", header)
		}
	}
}

// overflowing returns the index of the first warning that brings the total above maxWarnings characters, len(warnings) if there is none.
func overflowing(warnings []string) int {
	total := 0
	for i, text := range warnings {
		if total += utf8.RuneCountInString(text); total > maxWarnings {
			return i
		}
	}
	return len(warnings)
}
