// Package compare compares our functions with Kubernetes' on the same objects. Functions lists what is compared; Run
// makes the objects, counts, and, where the two sides differ, shrinks the object and says how to see it again.
package compare

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/corpus"
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/answer/interpretjson"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/prunecel"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
)

// Subject is one version of a CRD, as both sides see it.
type Subject struct {
	CRD     *corpus.CRD
	Version *structural.Version
	// Schema is the version's structural schema; nil if there is none, or if it cannot be converted and nothing is pruned anyway.
	Schema *structural.Schema
	Kube   *kube.Resource
	// KubeCRD is the whole CRD as Kubernetes reads it.
	KubeCRD *kube.CRD
	// Interpreted has the interpreters.
	Interpreted *prunert.Resource
	// Generated is what was generated from the version, nil if nothing was.
	Generated *prunert.Resource
	// Rules is the table of CEL rules in it, nil if it has none.
	Rules *prunecel.Rules
}

// ID names the subject by the CRD's content.
func (s *Subject) ID() string { return s.CRD.Key + "/" + s.Version.Name }

// String names the subject for people.
func (s *Subject) String() string { return s.CRD.Name + "/" + s.Version.Name }

// namespaced reports whether objects are in a namespace.
func (s *Subject) namespaced() bool { return s.CRD.Scope != "Cluster" }

// written returns the schema as the CRD has it, nil if it takes no part.
func (s *Subject) written() *structural.JSONSchema {
	if s.Schema == nil {
		return nil
	}
	return s.Version.Schema
}

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
		if v.Pruned && (len(errs) > 0 || len(structural.Validate(schema, v.SchemaPath)) > 0) {
			continue
		}
		if len(errs) == 0 {
			s.Schema = schema
			s.Kube, err = k.Resource(v.Name)
		} else { // as in the API server, a schema that cannot be converted takes no part where nothing is pruned
			s.Kube, err = kube.NewResource(nil, false)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: version %s: %w", c.Origin, v.Name, err)
		}
		s.Interpreted = interpreted(s)
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// interpreted returns the interpreters as the functions of a resource.
func interpreted(s *Subject) *prunert.Resource {
	opts := interpret.PruneOptions{PreserveUnknownFields: !s.Version.Pruned}
	defaulting := interpret.PruneDefaults(s.Schema)
	work := &interpret.Work{Kubernetes: s.CRD.Kubernetes}
	names := s.CRD.Names
	r := interpretjson.With(prunert.Resource{
		Group: s.CRD.Group, Version: s.Version.Name, Kind: names.Kind, Plural: names.Plural, ListKind: names.ListKind,
		PruneReport: func(obj map[string]any) []string { return interpret.Prune(obj, s.Schema, opts) },
		Check:       func(obj map[string]any) prunert.ErrorList { return work.Check(obj, s.Schema) },
		Normalize: func(obj map[string]any, how prunert.NormalizeOptions) ([]string, error) {
			return new(interpret.Work).Normalize(obj, interpret.PruneDefaults(s.Schema), opts, how)
		},
		Default:  func(obj map[string]any) { new(interpret.Work).Default(obj, defaulting) },
		Validate: func(obj map[string]any) prunert.ErrorList { return work.Validate(obj, s.written()) },
		ValidateUpdate: func(obj, old map[string]any) prunert.ErrorList {
			return work.ValidateUpdate(obj, old, s.written())
		},
		ValidateMetadata: func(obj, old map[string]any) prunert.ErrorList {
			return pruneimpl.CheckMetadataValues(obj, old, s.namespaced(), interpret.MetadataShape(s.written()), work.Kubernetes)
		},
	}, s.Schema, opts)
	return &r
}

// fragment writes the part of the schema around a path. A path that does not lead anywhere shows the schema where it ends.
func (s *Subject) fragment(at string) string {
	schema := s.written()
	if schema == nil {
		return "none"
	}
	parent := schema
	// Keys with dots in them come apart.
	for _, step := range strings.FieldsFunc(at, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := schema.Properties[step]
		if next == nil && schema.Items != nil {
			next = schema.Items.Schema
		}
		if next == nil && schema.AdditionalProperties != nil {
			next = schema.AdditionalProperties.Schema
		}
		if next == nil {
			break
		}
		parent, schema = schema, next
	}
	return Show(parent.Object())
}
