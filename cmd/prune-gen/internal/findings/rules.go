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

var rules structural.RuleTable

// The rules of the findings that this command makes itself.
var (
	RuleStale     = rules.Add("files/stale", "The generated file is missing, out of date, or no longer wanted.")
	RuleForeign   = rules.Add("files/foreign", "A file with the name of a generated file was not made by prune-gen.")
	RuleLink      = rules.Add("files/link", "A symbolic link has the name of a generated file.")
	RuleIrregular = rules.Add("files/irregular", "Something that is not a regular file has the name of a generated file.")
	RuleLeftover  = rules.Add("files/leftover", "A generated file is in a directory that this call does not write to.")
	RuleDirective = rules.Add("package/directive", "What a go:generate directive generates cannot be checked.")
	RuleNoModule  = rules.Add("module/missing", "The generated files are not in a Go module.")
	RuleModule    = rules.Add("module/broken", "The Go module cannot be loaded, so the package was not compiled with the generated files.")
	RuleNoGo      = rules.Add("module/no-go", "There is no go command to load the Go module with.")
	RuleRequire   = rules.Add("module/runtime", "The Go module does not provide the runtime of generated code.")
	RuleNoTypes   = rules.Add("types/none", "The Go package has no type for any kind.")
	RuleKeepList  = rules.Add("keep/list", "A line of a keep-list names a field that can be kept, or taken away.")
	RuleConfig    = rules.Add("config/invalid", "The file prune-gen.yaml has only known keys, with values that the flags of commands take.")

	RuleManifestLoses   = rules.Add("diff/manifest-loses", "An object loses a field that it kept before.")
	RuleManifestRefused = rules.Add("diff/manifest-refused", "An object that was accepted before is refused.")
	RuleManifestStuck   = rules.Add("diff/manifest-stuck", "No update of a stored object is accepted, whatever it changes.")
	RuleManifestChanged = rules.Add("diff/manifest-changed", "An object is stored with another value than before.")
)

// Rules returns every rule that a finding can have.
func Rules() []structural.RuleInfo {
	return slices.Concat(structural.Rules(), report.Rules(), crdread.Rules(), lint.Rules(), skeleton.Rules(), generator.Rules(), gotypes.Rules(), target.Rules(), crddiff.Rules(), manifest.Rules(), suite.Rules(), rules)
}

// helpURI returns the page about all rules of a kind, "" if there is none.
func helpURI(r structural.Rule) string {
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
