package findings

import (
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/crddiff"
	"github.com/prune-gen/prune-gen/generator"
	"github.com/prune-gen/prune-gen/generator/gotypes"
	"github.com/prune-gen/prune-gen/generator/target"
	"github.com/prune-gen/prune-gen/internal/crdread"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/internal/skeleton"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/structural"
)

// The rules of the findings that this command makes itself.
const (
	RuleStale     structural.Rule = "files/stale"
	RuleForeign   structural.Rule = "files/foreign"
	RuleLink      structural.Rule = "files/link"
	RuleIrregular structural.Rule = "files/irregular"
	RuleLeftover  structural.Rule = "files/leftover"
	RuleDirective structural.Rule = "package/directive"
	RuleNoModule  structural.Rule = "module/missing"
	RuleModule    structural.Rule = "module/broken"
	RuleNoGo      structural.Rule = "module/no-go"
	RuleRequire   structural.Rule = "module/runtime"
	RuleNoTypes   structural.Rule = "types/none"
	RuleConfig    structural.Rule = "config/invalid"

	RuleManifestLoses   structural.Rule = "diff/manifest-loses"
	RuleManifestRefused structural.Rule = "diff/manifest-refused"
	RuleManifestStuck   structural.Rule = "diff/manifest-stuck"
	RuleManifestChanged structural.Rule = "diff/manifest-changed"
)

// Rules returns every rule that a finding can have.
func Rules() []structural.RuleInfo {
	return slices.Concat(structural.Rules(), crdread.Rules(), lint.Rules(), skeleton.Rules(), generator.Rules(), gotypes.Rules(), crddiff.Rules(), manifest.Rules(), suite.Rules(), []structural.RuleInfo{
		{ID: RuleStale, Summary: "The generated file is missing, out of date, or no longer wanted."},
		{ID: RuleForeign, Summary: "A file with the name of a generated file was not made by prune-gen."},
		{ID: RuleLink, Summary: "A symbolic link has the name of a generated file."},
		{ID: RuleIrregular, Summary: "Something that is not a regular file has the name of a generated file."},
		{ID: RuleLeftover, Summary: "A generated file is in a directory that this call does not write to."},
		{ID: target.RuleClash, Summary: "The package and the generated code declare the same name."},
		{ID: target.RuleRuntime, Summary: "The generated code does not compile with the runtime that the module requires."},
		{ID: target.RuleBroken, Summary: "The package does not compile, with or without generated code."},
		{ID: RuleDirective, Summary: "What a go:generate directive generates cannot be checked."},
		{ID: RuleNoModule, Summary: "The generated files are not in a Go module."},
		{ID: RuleModule, Summary: "The Go module cannot be loaded, so the package was not compiled with the generated files."},
		{ID: RuleNoGo, Summary: "There is no go command to load the Go module with."},
		{ID: RuleRequire, Summary: "The Go module does not provide the runtime of generated code."},
		{ID: RuleManifestLoses, Summary: "An object loses a field that it kept before."},
		{ID: RuleManifestRefused, Summary: "An object that was accepted before is refused."},
		{ID: RuleManifestStuck, Summary: "No update of a stored object is accepted, whatever it changes."},
		{ID: RuleManifestChanged, Summary: "An object is stored with another value than before."},
		{ID: RuleConfig, Summary: "The file prune-gen.yaml has only known keys, with values that the flags of commands take."},
		{ID: RuleNoTypes, Summary: "The Go package has no type for any kind."},
	})
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
