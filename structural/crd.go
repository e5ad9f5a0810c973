package structural

import "github.com/prune-gen/prune-gen/structural/text"

const (
	crdGroup    = "apiextensions.k8s.io"
	crdKind     = "CustomResourceDefinition"
	crdListKind = "CustomResourceDefinitionList"
	apiV1       = crdGroup + "/v1"
	apiV1beta1  = crdGroup + "/v1beta1"
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

	file   string
	root   *text.Node // the CRD as it is written, to find the line of a path
	single bool       // v1beta1: there is spec.version and no spec.versions
	same   func() common
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
	// HasStatus and HasScale report whether the version has these subresources.
	HasStatus bool
	HasScale  bool
	// Scale has the paths of the scale subresource, nil where there is none.
	Scale *ScalePaths
	// DeprecationWarning is what the CRD says about a deprecated version, empty where it leaves that to the API server.
	DeprecationWarning string
	// Pruned reports whether the API server drops unknown fields from objects of this version.
	Pruned bool
	// Schema is the schema as it is written, nil where the CRD has none for this version.
	Schema *JSONSchema
	// SchemaPath is where Schema stands in the CRD: one place for all versions where a v1beta1 CRD has spec.validation.
	SchemaPath *Path
}

// ScalePaths says where the scale subresource finds what it shows, as the CRD writes it: .spec.replicas for example.
type ScalePaths struct {
	SpecReplicas, StatusReplicas, LabelSelector string
}

// Position is a place in a file. Line and Column count from 1; Line is 0 where only the file is known.
type Position struct {
	File   string
	Line   int
	Column int
}

// File returns the name of the file that c was read from.
func (c *CRD) File() string {
	return c.file
}

// Locate returns where p is written: the key of a field, the start of an element. Where p is not written at all, it is
// the nearest place above it that is.
func (c *CRD) Locate(p *Path) Position {
	if c.root == nil {
		return Position{File: c.file}
	}
	at := c.pos(p)
	return Position{File: c.file, Line: at.Line, Column: at.Column}
}

func (c *CRD) pos(p *Path) text.Pos {
	_, at, _ := findNode(c.root, p, (*text.Node).Get)
	return at
}

// findNode returns the node at p, below n, with its place, or the nearest one above it that exists: whole is false then. The
// function get looks up a key.
func findNode(n *text.Node, p *Path, get func(*text.Node, string) *text.Entry) (found *text.Node, at text.Pos, whole bool) {
	at = n.Pos
	for _, s := range p.steps() {
		if s.step == stepIndex {
			if s.index < 0 || s.index >= len(n.List) {
				return n, at, false
			}
			n = n.List[s.index]
			at = n.Pos
			continue
		}
		e := get(n, s.name)
		if e == nil {
			return n, at, false
		}
		n, at = e.Value, e.Pos
	}
	return n, at, true
}

// versionSchemaPath returns where the schema of the version at index i stands in a v1 CRD.
func versionSchemaPath(i int) *Path {
	return NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
}
