// Package compare holds our functions against Kubernetes' on the same objects. Functions lists what is compared; Run
// makes the objects, counts, and, where the two sides differ, shrinks the object and says how to see it again.
package compare

import (
	"fmt"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/structural"
)

// Subject is one version of a CRD, as both sides see it.
type Subject struct {
	CRD     *corpus.CRD
	Version *structural.Version
	// Schema is the version's structural schema; nil where there is none, or where it cannot be converted and nothing is
	// pruned anyway.
	Schema *structural.Schema
	Kube   *kube.Resource
	// KubeCRD is the whole CRD as Kubernetes reads it.
	KubeCRD *kube.CRD
	// Generated is what was generated from the version, nil where nothing was.
	Generated *prunert.Resource
	// Rules is the table of CEL rules in it, nil if it has none.
	Rules *prunecel.Rules
}

// ID names a version of a CRD by the CRD's content.
func ID(key, version string) string { return key + "/" + version }

// ID names the subject.
func (s *Subject) ID() string { return ID(s.CRD.Key, s.Version.Name) }

// String names the subject for people.
func (s *Subject) String() string { return s.CRD.Name + "/" + s.Version.Name }

// Subjects returns the versions of a CRD that objects can have. A version whose schema is not structural although its
// objects are pruned is not among them: the API server refuses the CRD, and both sides agree on that elsewhere.
func Subjects(c *corpus.CRD) (subjects []*Subject, err error) {
	k, err := kube.DecodeCRD(c.Raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Origin, err)
	}
	for _, v := range c.Versions {
		s := &Subject{CRD: c, Version: v, KubeCRD: k}
		schema, errs := c.Converted(v)
		switch {
		case len(errs) == 0:
			s.Schema = schema
			if v.Pruned && len(structural.Validate(schema, v.SchemaPath)) > 0 {
				continue
			}
			if s.Kube, err = k.Resource(v.Name); err != nil {
				return nil, fmt.Errorf("%s: version %s: %w", c.Origin, v.Name, err)
			}
		case v.Pruned:
			continue
		default:
			// As in the API server, a schema that cannot be converted takes no part where nothing is pruned.
			if s.Kube, err = kube.NewResource(nil, false); err != nil {
				return nil, fmt.Errorf("%s: version %s: %w", c.Origin, v.Name, err)
			}
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}
