package crdread

import "github.com/prune-gen/prune-gen/structural"

// OneStorageVersion is the detail of the error that not exactly one version is stored, also if there are no versions.
const OneStorageVersion = "must have exactly one version marked as storage version"

// ids has the ids of this package. Lint has the exported ones, too.
var ids structural.IDTable

var (
	idPatch            = ids.Add("crd/patch", "A patch of a CRD is skipped.")
	idAPIVersion       = ids.Add("crd/unknown-api-version", "A CRD is of apiextensions.k8s.io/v1 or v1beta1.")
	idWrongType        = ids.Add("crd/wrong-type", "A field has the type that the API defines.")
	idUnknownField     = ids.Add("crd/unknown-field", "Kubernetes ignores fields that it does not know.")
	IDMissing          = ids.Add("crd/required", "Required fields are set.")
	IDName             = ids.Add("crd/invalid-name", "A name follows the rules for DNS names.")
	idDuplicateVersion = ids.Add("crd/duplicate-version", "Each version has a name of its own.")
	IDStorageVersion   = ids.Add("crd/storage-version", "Exactly one version is stored.")
	idNoSchema         = ids.Add("schema/none", "The text contains a schema.")
	idSeveralSchemas   = ids.Add("schema/several", "The text contains one schema.")
	idUnknownKeyword   = ids.Add("schema/unknown-keyword", "Kubernetes ignores keywords that it does not know.")
	idKeyRead          = ids.Add("schema/key-not-string", "The keys of properties are strings to YAML.")
	idItemsIgnored     = ids.Add("schema/items-ignored", "The keyword items has a schema.")
)

// IDs returns every id of this package with what is said about it.
func IDs() []structural.IDInfo { return ids }
