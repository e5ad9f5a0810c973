package prunert

import (
	"io"
	"strings"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// Resource is what prune-gen generated for one version of a kind.
type Resource struct {
	Group   string
	Version string
	Kind    string
	Plural  string
	// ListKind is the kind of a list of such objects; empty means Kind followed by List.
	ListKind string

	// Namespaced reports whether objects of the kind are in namespaces.
	Namespaced bool
	// Status reports whether the version has a status subresource. Scale has the paths of its scale subresource, nil where
	// there is none.
	Status bool
	Scale  *Scale
	// DeprecationWarning is the warning of the API server about requests for the version, empty where it is not deprecated.
	DeprecationWarning string

	// Kubernetes is the version of Kubernetes whose API server the functions mirror.
	Kubernetes kubeversion.Version

	// SchemaHash identifies the parts of the schema on which the functions depend: schemas that differ only in descriptions have the
	// same hash, and for functions that only prune, types and value validation do not count.
	SchemaHash string

	// Normalize does all that the API server does to an object before it validates it. Prune drops what the schema does not
	// specify, PruneReport also returns the dropped paths, Default fills in defaults. Check reports values of the wrong
	// type. A function that was not generated is nil.
	//
	// They take objects of this version and kind and do not check apiVersion and kind: see Matches, and Set. Prune, PruneReport,
	// Normalize and Default change the object in place. First copy an object that others read, for example one from an informer's
	// cache.
	Prune       func(obj map[string]any)
	PruneReport func(obj map[string]any) []string
	Check       func(obj map[string]any) ErrorList
	Normalize   func(obj map[string]any, opts NormalizeOptions) (unknown []string, err error)
	Default     func(obj map[string]any)
	// Validate reports everything that the schema does not allow: types, which Check reports as well, value validation, list
	// types, and apiVersion and kind of embedded resources. ValidateUpdate does the same for an object that replaces
	// old, and tolerates what was wrong before and has not changed. ValidateMetadata reports what is wrong with the values of
	// metadata, also in embedded resources; old is nil for a new object. The API server normalizes an object before it
	// validates it. ValidateStatus is ValidateUpdate for an update of the status subresource, which validates the status alone.
	Validate         func(obj map[string]any) ErrorList
	ValidateUpdate   func(obj, old map[string]any) ErrorList
	ValidateStatus   func(obj, old map[string]any) ErrorList
	ValidateMetadata func(obj, old map[string]any) ErrorList
	// HasRules reports whether the schema has CEL rules, x-kubernetes-validations. ValidateRules evaluates them on an object that
	// replaces old, nil for a new object. Rules that are not about updates are forgiven where nothing has changed: what they would
	// say are warnings. The API server evaluates rules last, and not at all on objects with some other errors: see Invalid, and Create.
	// Where HasRules is true and ValidateRules nil, no rule is evaluated.
	HasRules      bool
	ValidateRules func(obj, old map[string]any) (errs ErrorList, warnings []string)
	// Fields calls visit with the path of every field that Prune keeps.
	Fields func(visit func(path string))

	// PruneJSON appends to dst the JSON document src without what Prune would drop, and otherwise byte for byte.
	// PruneJSONReport also returns what was dropped, and duplicate keys. DecodeJSON decodes a document and prunes it.
	// PruneStream prunes the documents of a stream one after the other. The package documentation has the details.
	PruneJSON       func(dst, src []byte) ([]byte, error)
	PruneJSONReport func(dst, src []byte) ([]byte, JSONReport, error)
	DecodeJSON      func(src []byte) (map[string]any, error)
	PruneStream     func(w io.Writer, r io.Reader) error
}

// APIVersion returns the value of apiVersion in objects of this resource.
func (r Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// Matches reports whether apiVersion and kind of obj are those of this resource. It does not allocate.
func (r Resource) Matches(obj map[string]any) bool {
	if kind, ok := obj["kind"].(string); !ok || kind != r.Kind {
		return false
	}
	version, ok := obj["apiVersion"].(string)
	if !ok {
		return false
	}
	if r.Group == "" {
		return version == r.Version
	}
	version, ok = strings.CutPrefix(version, r.Group)
	if !ok {
		return false
	}
	version, ok = strings.CutPrefix(version, "/")
	return ok && version == r.Version
}

// linked holds the resources that the init functions of linked packages registered.
var linked Set

// Linked returns the set of the resources that were registered.
func Linked() *Set { return &linked }

// Register makes resources known to Lookup. Files that prune-gen makes with --register call it when the program starts.
// It panics if one of them is already registered: two packages claim the same kind.
func Register(resources ...Resource) {
	if err := linked.Add(resources...); err != nil {
		panic("prunert: register: " + err.Error())
	}
}

// Lookup returns the resource that was registered for a group, version and kind.
func Lookup(group, version, kind string) (Resource, bool) { return linked.Lookup(group, version, kind) }

// Registered returns all registered resources, sorted by group, version and kind.
func Registered() []Resource { return linked.Resources() }
