// Package answer answers the questions of the conformance suite with the resources of prune-gen.
package answer

import (
	"io"

	"github.com/prune-gen/prune-gen/internal/conformance"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// All reads questions and writes answers. resource returns the version of the kind that a question is about.
func All(in io.Reader, out io.Writer, resource func(*conformance.Question) (prunert.Resource, error)) error {
	return conformance.Answers(in, out, func(q *conformance.Question) (conformance.Answer, error) { return answerTo(q, resource) })
}

func answerTo(q *conformance.Question, resource func(*conformance.Question) (prunert.Resource, error)) (a conformance.Answer, err error) {
	version, err := kubeversion.Parse(q.Kubernetes)
	if err != nil {
		return a, err
	}
	if q.CRD == nil && q.Stored != nil {
		a.Skipped = "an update of a CRD"
		return a, nil
	}
	if q.CRD == nil {
		a.Code = 201
		refusal, warnings := answerToCRD(q.Object, version, prunert.FieldValidation(q.FieldValidation))
		if a.Warnings = warnings; refusal != nil {
			a.Code, a.Status = refusal.Code, conformance.StatusOf(refusal)
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
	req := prunert.Request{Namespace: q.Namespace, FieldValidation: prunert.FieldValidation(q.FieldValidation), Subresource: q.Subresource}
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
		a.Code, a.Status = said.Refusal.Code, conformance.StatusOf(said.Refusal)
		return a, nil
	}
	// A server answers with what it reads from storage.
	if a.Code, a.Object = code, said.Object; q.Subresource == "scale" {
		return a, nil
	}
	_, err = r.Normalize(a.Object, prunert.NormalizeOptions{Source: prunert.FromStorage})
	return a, err
}
