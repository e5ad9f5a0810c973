package plan

// Metadata is the payload of the pass that validates the values of metadata.
type Metadata struct {
	Kind MetadataKind
	// Resource says whether an object has metadata. Namespaced says of a root whether its objects are in namespaces.
	Resource   Resource
	Namespaced bool
	// Of is the kind whose root it is.
	Of string
}

// MetadataKind says how much there is to validate.
type MetadataKind uint8

const (
	MetadataWalk MetadataKind = iota // a function of its own
	MetadataNone                     // there is no resource in the value
)

func (m Metadata) Func() bool { return m.Kind == MetadataWalk }

func (m Metadata) String() string {
	switch {
	case m.Kind == MetadataNone:
		return "keep"
	case m.Resource == ResourceEmbedded:
		return "resource"
	case m.Namespaced:
		return "root, in a namespace"
	case m.Resource != ResourceNone:
		return "root"
	}
	return ""
}
