package structural

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	prunert "github.com/prune-gen/prune-gen/runtime"
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

	// Conversion says how objects of one version become objects of another, nil for the default.
	Conversion *Conversion
	// Metadata is what the CRD has in metadata beside Name, as JSON.
	Metadata map[string]any
	// Shared is what a v1beta1 CRD says for all versions together. The versions have it, too.
	Shared *Shared

	File string // that it was read from
	// Source is the text that it was read from, nil if a program has made it.
	Source Source

	// Kubernetes is the version of Kubernetes whose behavior applies to the CRD and to objects of its kind.
	Kubernetes kubeversion.Version

	mu        sync.Mutex
	converted map[*JSONSchema]conversion
}

// Source is a text that a CRD was read from.
type Source interface {
	// Locate returns where p is written: the key of a field, the start of an element. If p is not written at all, it is the nearest place
	// above it that is. Lines and columns count from 1.
	Locate(p prunert.Path) (line, column int)
	// Value returns the whole of the CRD as JSON.
	Value() any
}

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

// WithDefaults returns the names with those that Kubernetes derives from the kind where they are missing.
func (n Names) WithDefaults() Names {
	if n.Kind != "" {
		n.Singular, n.ListKind = cmp.Or(n.Singular, strings.ToLower(n.Kind)), cmp.Or(n.ListKind, n.Kind+"List")
	}
	return n
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
	// DeprecationWarning is the warning of the CRD about a deprecated version, nil if the API server's own is used.
	DeprecationWarning *string
	// Columns are what kubectl get shows beside the name.
	Columns []Column
	// SelectableFields are the paths of the fields that objects can be selected by.
	SelectableFields []string
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

// Column is a column that kubectl get shows, one of additionalPrinterColumns.
type Column struct {
	Name, Type, Format, Description, JSONPath string
	Priority                                  int64
}

// Conversion is spec.conversion.
type Conversion struct {
	Strategy string
	// Webhook is where a webhook is, and ReviewVersions are those of the ConversionReviews that it takes.
	Webhook        *Webhook
	ReviewVersions []string
}

// Webhook is where a webhook is: at a URL or behind a service.
type Webhook struct {
	URL      *string
	Service  *WebhookService
	CABundle string // in base64
}

// WebhookService is the service in front of a webhook.
type WebhookService struct {
	Namespace, Name, Path string
	Port                  *int64
}

// Shared is what a v1beta1 CRD can say for all versions together, and what it says for each of them.
type Shared struct {
	Version string // spec.version
	All     Parts
	Each    []Parts // as many as spec.versions has, with what each says for itself
}

// Parts is what v1beta1 has in spec or in versions, as written.
type Parts struct {
	Validation       *Validation
	Subresources     *Subresources
	Columns          []Column
	SelectableFields []string
}

// Validation is what there is around a schema, which may be missing.
type Validation struct{ Schema *JSONSchema }

// Subresources are those of a version.
type Subresources struct {
	Status bool
	Scale  *ScalePaths
	// HasSelector reports whether Scale has a LabelSelector, be it empty: two versions may differ in that.
	HasSelector bool
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

// ConversionStrategy returns spec.conversion.strategy with its default.
func (c *CRD) ConversionStrategy() string {
	if c.Conversion != nil && c.Conversion.Strategy != "" {
		return c.Conversion.Strategy
	}
	return "None"
}

// Annotations returns the annotations of the CRD whose values are strings.
func (c *CRD) Annotations() map[string]string {
	annotations, _ := c.Metadata["annotations"].(map[string]any)
	all := map[string]string{}
	for key, value := range annotations {
		if text, ok := value.(string); ok {
			all[key] = text
		}
	}
	return all
}

// VersionSchemaPath returns where the schema of the version at index i is in a v1 CRD.
func VersionSchemaPath(i int) *Path {
	return NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
}
