package structural

import "strings"

// ID says what a finding is about. Findings are recognised by it, never by their text.
type ID string

// IDInfo describes an id.
type IDInfo struct {
	ID      ID
	Summary string
	Hint    string // what to do about it, if that is the same for all findings
}

const typeHint = "add type: one of object, array, string, integer, number and boolean; for an integer or a string write " +
	"x-kubernetes-int-or-string: true instead, for any JSON x-kubernetes-preserve-unknown-fields: true"

// ids has the ids of this package.
var ids IDTable

var (
	IDUnreadable         = ids.Add("text/unreadable", "The file cannot be read.")
	IDMore               = ids.Add("crd/more-findings", "Only the first findings are shown.")
	IDUnsupportedKeyword = ids.Add("schema/unsupported-keyword", "A CRD has only the keywords that Kubernetes supports.")
	IDItemsArray         = ids.Add("schema/items-array", "All elements of a list have one schema.",
		"write one schema for all elements instead of a list, for example items: {type: string}")
	IDPreserveFalse = ids.Add("schema/preserve-false", "x-kubernetes-preserve-unknown-fields is true or absent.",
		"remove the line: unknown fields are dropped wherever it does not say true")
	idTypeRequired     = ids.Add("structural/type-required", "Every field and every element has a type.", typeHint)
	idRootTypeRequired = ids.Add("structural/root-type-required", "The root has a type.", "add type: object")
	idRootType         = ids.Add("structural/root-type", "The root is an object.", "write type: object: a resource is one")
	idItemsRequired    = ids.Add("structural/items-required", "A list has a schema for its elements.",
		"add the schema of the elements, for example items: {type: string}")
	idRootIsMap = ids.Add("structural/root-additional-properties", "The root has no additionalProperties.",
		"name the fields below properties; to keep the others, too, write "+
			"x-kubernetes-preserve-unknown-fields: true instead")
	idResourceIsMap = ids.Add("structural/resource-additional-properties", "An embedded resource has no additionalProperties.",
		"remove additionalProperties: a resource has fields; to keep unknown ones write "+
			"x-kubernetes-preserve-unknown-fields: true")
	idResourceType = ids.Add("structural/resource-type", "An embedded resource is an object.",
		"write type: object, or remove x-kubernetes-embedded-resource")
	idResourceFields = ids.Add("structural/resource-properties", "An embedded resource has properties or preserves unknown fields.",
		"add x-kubernetes-preserve-unknown-fields: true, or name the fields of the resource below properties")
	idTypeMeta     = ids.Add("structural/type-meta", "The apiVersion and the kind of a resource are strings.", "write type: string")
	idMetadataType = ids.Add("structural/metadata-type", "The metadata of a resource is an object.", "write type: object")
	idMetadata     = ids.Add("structural/metadata-restricted", "A schema restricts nothing in metadata except name and generateName.",
		"reduce it to metadata: {type: object}, with schemas for name and generateName below properties at most")
	idMetadataInJunctor = ids.Add("structural/metadata-in-junctor", "Value validation does not name metadata.",
		"remove metadata below allOf, anyOf, oneOf and not; the name can be restricted below properties at the root")
	idIntOrString = ids.Add("structural/int-or-string", "An integer or a string is neither a resource nor preserves unknown fields.",
		"keep one of the two: an integer or a string has no fields")
	idForbidden   = ids.Add("structural/forbidden-in-junctor", "Below allOf, anyOf, oneOf and not there is only value validation.")
	idUnspecified = ids.Add("structural/unspecified", "Value validation names only what is specified outside of it.",
		"specify it there, with a type: value validation can only restrict what is specified outside of it")
	idUnspecifiedBelow = ids.Add("structural/unspecified-below-root", "Value validation below the root names only what is specified, though Kubernetes does not check it.",
		"Kubernetes does not check this below the root, but pruning drops what is only named in value "+
			"validation: specify it there, with a type, or do not name it")
	idPattern = ids.Add("structural/pattern", "A pattern is a regular expression of Go.",
		"correct the pattern: it is in the syntax of Go's regular expressions, which has no lookahead and no "+
			"backreferences")
)

// IDs returns every id of this package with what is said about it.
func IDs() []IDInfo { return ids }

// IDTable is the ids of a package, each with what is said about it. It is complete once the package is initialized.
type IDTable []IDInfo

// Add adds an id. The hint is given if what to do is the same for all findings.
func (t *IDTable) Add(id ID, summary string, hint ...string) ID {
	*t = append(*t, IDInfo{ID: id, Summary: summary, Hint: strings.Join(hint, "")})
	return id
}

// Hint returns the hint for the findings with an id, "" for none.
func (t IDTable) Hint(id ID) string {
	for _, r := range t {
		if r.ID == id {
			return r.Hint
		}
	}
	return ""
}
