package findings

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/crd/skeleton"
	"github.com/prune-gen/prune-gen/internal/generate/gotypes"
	"github.com/prune-gen/prune-gen/internal/generate/target"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/text/report"
	"github.com/prune-gen/prune-gen/structural"
)

var ids structural.IDTable

// The ids of the findings that this command makes itself.
var (
	IDStale     = ids.Add("files/stale", "The generated file is missing, out of date, or no longer wanted.")
	IDForeign   = ids.Add("files/foreign", "A file with the name of a generated file was not made by prune-gen.")
	IDLink      = ids.Add("files/link", "A symbolic link has the name of a generated file.")
	IDIrregular = ids.Add("files/irregular", "Something that is not a regular file has the name of a generated file.")
	IDLeftover  = ids.Add("files/leftover", "A generated file is in a directory that this call does not write to.")
	IDDirective = ids.Add("package/directive", "What a go:generate directive generates cannot be checked.")
	IDNoModule  = ids.Add("module/missing", "The generated files are not in a Go module.")
	IDModule    = ids.Add("module/broken", "The Go module cannot be loaded, so the package was not compiled with the generated files.")
	IDNoGo      = ids.Add("module/no-go", "There is no go command to load the Go module with.")
	IDRequire   = ids.Add("module/runtime", "The Go module does not provide the runtime of generated code.")
	IDNoTypes   = ids.Add("types/none", "The Go package has no type for any kind.")
	IDKeepList  = ids.Add("keep/list", "A line of a keep-list names a field that can be kept, or taken away.")
	IDConfig    = ids.Add("config/invalid", "The file prune-gen.yaml has only known keys, with values that the flags of commands take.")

	IDManifestLoses   = ids.Add("diff/manifest-loses", "An object loses a field that it kept before.")
	IDManifestRefused = ids.Add("diff/manifest-refused", "An object that was accepted before is refused.")
	IDManifestStuck   = ids.Add("diff/manifest-stuck", "No update of a stored object is accepted, whatever it changes.")
	IDManifestChanged = ids.Add("diff/manifest-changed", "An object is stored with another value than before.")
)

// IDs returns every id that a finding can have.
func IDs() []structural.IDInfo {
	return slices.Concat(structural.IDs(), report.IDs(), crdread.IDs(), lint.IDs(), skeleton.IDs(), generator.IDs(), gotypes.IDs(), target.IDs(), crddiff.IDs(), manifest.IDs(), suite.IDs(), ids)
}

// helpURI returns the page about all ids of a kind, "" if there is none.
func helpURI(r structural.ID) string {
	const (
		crds        = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"
		definitions = "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/"
		skeletons   = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/2332-pruning-for-custom-resources"
	)
	switch kind, _, _ := strings.Cut(string(r), "/"); kind {
	case "structural", "schema", "loss":
		return crds + "#specifying-a-structural-schema"
	case "crd":
		return definitions
	case "skeleton":
		return skeletons
	}
	return ""
}
