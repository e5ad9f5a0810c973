package structural

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

	file string
	root *node // the CRD as it is written, to find the line of a path
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
	// HasStatus and HasScale tell whether the version has these subresources.
	HasStatus bool
	HasScale  bool
	// Pruned tells whether the API server drops unknown fields from objects of this version.
	Pruned bool
	// Schema is the schema as it is written, nil where the CRD has none for this version.
	Schema *JSONSchema
	// SchemaPath is where Schema stands in the CRD: one place for all versions where a v1beta1 CRD has spec.validation.
	SchemaPath *Path
}

// Position is a place in a file. Line and Column count from 1; Line is 0 where only the file is known.
type Position struct {
	File   string
	Line   int
	Column int
}
