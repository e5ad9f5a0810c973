// Package manifest answers for manifests as an API server with some CRDs would: what it refuses, drops and warns of in the objects of a
// text, with the line of each, and what it would store. The command prune-gen validate prints what it finds.
package manifest

import (
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/text/objects"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

// Server answers as an API server with some CRDs. It is safe for concurrent use.
type Server struct {
	crds []*structural.CRD
	all  [][]prunert.Resource // for each CRD, its versions
}

// NewServer returns a server with CRDs, which load.CRDs reads. It fails if an API server would not take one of them.
func NewServer(crds ...*structural.CRD) (*Server, error) {
	s := &Server{crds: crds}
	for _, c := range crds {
		resources, err := dynamic.Compile(c)
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, resources)
	}
	return s, nil
}

// Answer is the answer to a request that creates an object of a manifest.
type Answer struct {
	// APIVersion, Kind, Namespace and Name are what the object says of itself.
	APIVersion, Kind, Namespace, Name string
	// Known reports whether the server has a CRD for the kind, which serves the version.
	Known bool
	// Stored is what the server would store, nil where it refuses the object.
	Stored map[string]any
	// Findings are the warnings of the server, and the errors for which it refuses the object. An object of an unknown kind has none,
	// with two exceptions: an error if the server knows its group, a warning if a CRD of another group has the kind.
	Findings []structural.Finding
}

// Answers answers for the objects of a text, in YAML or JSON, in their order. Findings are those of all answers and those about the
// text: what cannot be read, for example. The name is the file in them.
func (s *Server) Answers(name string, text []byte, validation prunert.FieldValidation) ([]Answer, []structural.Finding) {
	server := manifest.FromCRDs(meter.New(1), s.compiled, s.crds...)
	var all []Answer
	f := manifest.ReadToKeep(objects.NewText(name, text), func(o manifest.Object) []structural.Finding {
		a := server.Answer(o, validation)
		if missing := server.MissingKind(o); missing != nil && a.Resource == nil && !a.Refused {
			a.Findings = []structural.Finding{*missing}
		}
		for i := range a.Findings {
			a.Findings[i].File = name
		}
		answer := Answer{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace(), Name: o.Name(), Known: a.Resource != nil, Findings: a.Findings}
		if !a.Refused {
			answer.Stored = a.Stored
		}
		all = append(all, answer)
		return a.Findings
	}, server)
	return all, f.Findings
}

// compiled returns the resources of a CRD.
func (s *Server) compiled(c *structural.CRD) ([]prunert.Resource, error) {
	for i := range s.crds {
		if s.crds[i] == c {
			return s.all[i], nil
		}
	}
	return dynamic.Compile(c)
}
