package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// question is what a line asks.
type question struct {
	ID json.RawMessage `json:"id,omitempty"`
	// Kinds asks which kinds there are, and Schema for the fields of one. Otherwise, the object is created, or replaces the old one.
	Kinds           bool            `json:"kinds,omitempty"`
	Schema          *kind           `json:"schema,omitempty"`
	Object          json.RawMessage `json:"object,omitempty"`
	Old             json.RawMessage `json:"old,omitempty"`
	Namespace       string          `json:"namespace,omitempty"`
	FieldValidation string          `json:"fieldValidation,omitempty"`

	head head
}

// kind is a kind in a version.
type kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced,omitempty"`
}

// head is what decides where an object is sent. What is not a string is "": that is for the API server to refuse.
type head struct {
	apiVersion, kind, name, namespace string
	hasStatus                         bool
}

func headOf(object []byte) head {
	var fields map[string]any
	json.Unmarshal(object, &fields) // one that is not JSON has no fields
	metadata, _ := fields["metadata"].(map[string]any)
	var h head
	h.apiVersion, _ = fields["apiVersion"].(string)
	h.kind, _ = fields["kind"].(string)
	h.name, _ = metadata["name"].(string)
	h.namespace, _ = metadata["namespace"].(string)
	_, h.hasStatus = fields["status"]
	return h
}

// answer is what a line answers.
type answer struct {
	ID json.RawMessage `json:"id,omitempty"`
	// Error says why there is no other answer.
	Error      string `json:"error,omitempty"`
	Kubernetes string `json:"kubernetes,omitempty"`
	Kinds      []kind `json:"kinds,omitempty"`
	Schema     any    `json:"schema,omitempty"`
	// Code is that of the API server. Then there is the object as it is stored, or a Status.
	Code     int             `json:"code,omitempty"`
	Object   json.RawMessage `json:"object,omitempty"`
	Status   json.RawMessage `json:"status,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	// Old reports that the old object is refused, and the status says why.
	Old bool `json:"old,omitempty"`
	// Undecodable are the values for which the object cannot be decoded.
	Undecodable []misfit `json:"undecodable,omitempty"`
}

// answer answers a question.
func (s *server) answer(line []byte) (a answer) {
	var q question
	defer func() {
		if r := recover(); r != nil {
			a = answer{ID: q.ID, Error: fmt.Sprintf("the API server's code panics: %v", r)}
		}
	}()
	err := json.Unmarshal(line, &q)
	if err == nil {
		a, err = s.about(&q)
	}
	if err != nil {
		a = answer{Error: err.Error()}
	}
	a.ID = q.ID
	return a
}

func (s *server) about(q *question) (answer, error) {
	switch {
	case q.Kinds:
		return answer{Kubernetes: kubernetesVersion(), Kinds: s.kinds()}, nil
	case q.Schema != nil:
		r, err := s.resource(q.Schema.APIVersion, q.Schema.Kind)
		if err != nil {
			return answer{}, err
		}
		return answer{Schema: schemaOf(r.GroupVersionKind)}, nil
	case q.Object == nil:
		return answer{}, errors.New("the question has no object")
	}
	return s.ask(q)
}

// kubernetesVersion returns the version of Kubernetes whose code this is.
func kubernetesVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "k8s.io/kubernetes" {
				return m.Version
			}
		}
	}
	return ""
}

// ask asks the API server about an object.
func (s *server) ask(q *question) (answer, error) {
	q.head = headOf(q.Object)
	r, err := s.resource(q.head.apiVersion, q.head.kind)
	switch {
	case err != nil:
		return answer{}, err
	case q.Old != nil && q.head.name == "":
		return answer{}, errors.New("an object that replaces another one has a name")
	}
	got := s.write(r, q)
	a := answer{Code: got.code, Warnings: got.warnings, Old: got.ofOld}
	if got.isOK() {
		a.Object = got.body
		return a, nil
	}
	a.Status = got.body
	if got.code == http.StatusBadRequest && !got.ofOld {
		a.Undecodable = undecodable(r.GroupVersionKind, q.Object)
	}
	return a, nil
}

// resource returns the resource of a kind.
func (s *server) resource(apiVersion, kind string) (*served, error) {
	if r := s.resources[schema.FromAPIVersionAndKind(apiVersion, kind)]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("no matches for kind %q in version %q", kind, apiVersion)
}

// kinds returns all kinds, sorted.
func (s *server) kinds() []kind {
	var all []kind
	for gvk, r := range s.resources {
		apiVersion, name := gvk.ToAPIVersionAndKind()
		all = append(all, kind{apiVersion, name, r.namespaced})
	}
	slices.SortFunc(all, func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}
