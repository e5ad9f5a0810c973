// The executor of prune-gen itself: it interprets the CRDs.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

type question struct {
	ID, Kubernetes, Version, Body, Namespace, Subresource string
	CRD, Object, Stored                                   json.RawMessage
	FieldValidation                                       prunert.FieldValidation
}

type answer struct {
	ID       string         `json:"id"`
	Error    string         `json:"error,omitempty"`
	Code     int            `json:"code,omitempty"`
	Object   map[string]any `json:"object,omitempty"`
	Status   any            `json:"status,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q question
		if err := in.Decode(&q); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		a, err := answerTo(&q)
		if err != nil {
			a.Error = err.Error()
		}
		a.ID = q.ID
		if err := out.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}

func answerTo(q *question) (a answer, err error) {
	version, err := kubeversion.Parse(q.Kubernetes)
	if err != nil {
		return a, err
	}
	if q.CRD == nil {
		a.Code, a.Status = 201, nil
		if refusal := refusalOf(q.Object, version); refusal != nil {
			a.Code, a.Status = refusal.Code, refusal
		}
		return a, nil
	}
	r, err := resource(q, version)
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
		said, code = r.UpdateJSON(body, stored, req), 200
	}
	if a.Warnings = said.Warnings; said.Refusal != nil {
		a.Code, a.Status = said.Refusal.Code, said.Refusal
		return a, nil
	}
	// A server answers with what it reads from storage.
	a.Code, a.Object = code, said.Object
	_, err = r.Normalize(a.Object, prunert.NormalizeOptions{Source: prunert.FromStorage})
	return a, err
}

// compiled has the versions of a CRD, by its text and the version of Kubernetes.
var compiled = map[string][]prunert.Resource{}

func resource(q *question, version kubeversion.Version) (prunert.Resource, error) {
	key := q.Kubernetes + string(q.CRD)
	if compiled[key] == nil {
		crd, err := load.CRD(q.CRD, load.Options{})
		if err != nil {
			return prunert.Resource{}, err
		}
		crd.Kubernetes = version
		if compiled[key], err = dynamic.Compile(crd); err != nil {
			return prunert.Resource{}, err
		}
	}
	for _, r := range compiled[key] {
		if r.Version == q.Version {
			return r, nil
		}
	}
	return prunert.Resource{}, os.ErrNotExist
}
