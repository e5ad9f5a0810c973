package structural

import (
	"slices"
	"sync"

	"github.com/prune-gen/prune-gen/internal/text/origin"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// The API versions of CRDs.
const (
	APIVersionV1      = "apiextensions.k8s.io/v1"
	APIVersionV1beta1 = "apiextensions.k8s.io/v1beta1"
)

// CRD is one CustomResourceDefinition.
type CRD struct {
	APIVersion string // apiextensions.k8s.io/v1 or apiextensions.k8s.io/v1beta1
	Name       string // metadata.name
	Group      string
	Names      Names
	Scope      string // Namespaced or Cluster
	// PreserveUnknownFields is spec.preserveUnknownFields with the default of the API version: true in v1beta1.
	PreserveUnknownFields bool
	Versions              []*Version

	File string // that it was read from

	// Kubernetes is the version of Kubernetes whose behavior applies to the CRD and to objects of its kind.
	Kubernetes kubeversion.Version

	//lint:ignore U1000 its methods are those of a CRD
	source

	mu        sync.Mutex
	converted map[*JSONSchema]conversion
}

// source is the text that a CRD was read from, and what bounds the work on it.
type source = origin.Origin

// conversion is what NewSchema returns.
type conversion struct {
	schema *Schema
	errs   []*Error
}

// Names is what a resource is called.
type Names struct {
	Kind       string
	ListKind   string
	Plural     string
	Singular   string
	ShortNames []string
	Categories []string
}

// Version is one version of a CRD.
type Version struct {
	Name       string
	Served     bool
	Storage    bool
	Deprecated bool
	// HasStatus reports whether the version has a status subresource.
	HasStatus bool
	// Scale has the paths of the scale subresource, nil if there is none.
	Scale *ScalePaths
	// DeprecationWarning is the warning of the CRD about a deprecated version, empty if the API server's own is used.
	DeprecationWarning string
	// Pruned reports whether the API server drops unknown fields from objects of this version.
	Pruned bool
	// Schema is the schema as written, nil if the CRD has none for this version.
	Schema *JSONSchema
	// SchemaPath is where Schema is in the CRD: one place for all versions if a v1beta1 CRD has spec.validation.
	SchemaPath *Path
}

// ScalePaths has the paths of the fields behind the scale subresource, as the CRD writes them: .spec.replicas, for example.
type ScalePaths struct {
	SpecReplicas, StatusReplicas, LabelSelector string
}

// MustBeStructural reports whether the API server refuses c if a schema is not structural. A v1beta1 CRD may have others, as long as
// nothing is pruned and its schemas have neither defaults nor x-kubernetes- keywords.
func (c *CRD) MustBeStructural() bool {
	return c.APIVersion == APIVersionV1 || !c.PreserveUnknownFields || slices.ContainsFunc(c.Versions, func(v *Version) bool {
		return v.Schema.Any(func(s *JSONSchema) bool { return s.Default != nil || s.hasExtension() })
	})
}

// Structural returns the structural schema of v, a version of c. It is nil if v has no schema, or one that cannot be structural. It is
// made once, for all versions with the same written schema, and must not be changed.
func (c *CRD) Structural(v *Version) *Schema {
	s, errs := c.Converted(v)
	if len(errs) > 0 {
		return nil
	}
	return s
}

// Converted returns what NewSchema returns for v: the schema without the keywords that it refuses, and its errors.
func (c *CRD) Converted(v *Version) (*Schema, []*Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	made, ok := c.converted[v.Schema]
	if !ok {
		if c.converted == nil {
			c.converted = map[*JSONSchema]conversion{}
		}
		made.schema, made.errs = NewSchema(v.Schema, v.SchemaPath)
		c.converted[v.Schema] = made
	}
	return made.schema, made.errs
}

// ConversionStrategy returns spec.conversion.strategy with its default. It is None if the CRD was not read from a text.
func (c *CRD) ConversionStrategy() string {
	if s := origin.Node(c).Child("spec").Child("conversion").Child("strategy").Str(); s != "" {
		return s
	}
	return "None"
}

// VersionSchemaPath returns where the schema of the version at index i is in a v1 CRD.
func VersionSchemaPath(i int) *Path {
	return NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
}
