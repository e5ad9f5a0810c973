// Package answer answers the questions of the conformance suite with the resources of prune-gen.
package answer

import (
	"encoding/json"
	"io"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Question is a line of the suite.
type Question struct {
	ID, Kubernetes, Version, Body, Namespace, Subresource string
	CRD, Object, Stored                                   json.RawMessage
	FieldValidation                                       prunert.FieldValidation
}

type answer struct {
	ID       string         `json:"id"`
	Error    string         `json:"error,omitempty"`
	Skipped  string         `json:"skipped,omitempty"`
	Code     int            `json:"code,omitempty"`
	Object   map[string]any `json:"object,omitempty"`
	Status   any            `json:"status,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

// All reads questions and writes answers. resource returns the version of the kind that a question is about.
func All(in io.Reader, out io.Writer, resource func(*Question) (prunert.Resource, error)) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q Question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := answerTo(&q, resource)
		if err != nil {
			a.Error = err.Error()
		}
		a.ID = q.ID
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func answerTo(q *Question, resource func(*Question) (prunert.Resource, error)) (a answer, err error) {
	version, err := kubeversion.Parse(q.Kubernetes)
	if err != nil {
		return a, err
	}
	if q.CRD == nil {
		a.Code = 201
		refusal, warnings := answerToCRD(q.Object, version)
		if a.Warnings = warnings; refusal != nil {
			a.Code, a.Status = refusal.Code, refusal
		}
		return a, nil
	}
	r, err := resource(q)
	if err != nil {
		return a, err
	}
	body := q.Object
	if body == nil {
		body = []byte(q.Body)
	}
	req := prunert.Request{Namespace: q.Namespace, FieldValidation: q.FieldValidation, Subresource: q.Subresource}
	said, code := prunert.Answer{}, 201
	if q.Stored == nil {
		said = r.CreateJSON(body, req)
	} else {
		stored, err := r.DecodeJSON(q.Stored)
		if err != nil {
			return a, err
		}
		r.Normalize(stored, prunert.NormalizeOptions{Source: prunert.FromStorage})
		code = 200
		if q.Subresource == "scale" && r.Scale != nil {
			said = updateScale(r, body, stored, req)
		} else {
			said = r.UpdateJSON(body, stored, req)
		}
	}
	if a.Warnings = said.Warnings; said.Refusal != nil {
		a.Code, a.Status = said.Refusal.Code, said.Refusal
		return a, nil
	}
	// A server answers with what it reads from storage.
	if a.Code, a.Object = code, said.Object; q.Subresource == "scale" {
		return a, nil
	}
	_, err = r.Normalize(a.Object, prunert.NormalizeOptions{Source: prunert.FromStorage})
	return a, err
}
