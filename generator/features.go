package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Feature is a function that can be generated for a kind.
type Feature string

const (
	FeaturePrune  Feature = "prune"  // Prune<Kind>
	FeatureReport Feature = "report" // Prune<Kind>Report
	FeatureCheck  Feature = "check"  // Check<Kind>

	FeatureNormalize Feature = "normalize" // Normalize<Kind>
	FeatureDefault   Feature = "default"   // Default<Kind>
	FeatureFields    Feature = "fields"    // Fields<Kind>

	FeatureJSONPrune  Feature = "json-prune"  // Prune<Kind>JSON
	FeatureJSONReport Feature = "json-report" // Prune<Kind>JSONReport
	FeatureJSONStream Feature = "json-stream" // Prune<Kind>Stream
	FeatureJSONDecode Feature = "json-decode" // Decode<Kind>JSON

	FeatureValidate Feature = "validate" // Validate<Kind>
	FeatureUpdate   Feature = "update"   // Validate<Kind>Update
	FeatureMetadata Feature = "metadata" // Validate<Kind>Metadata
	FeatureStatus   Feature = "status"   // Validate<Kind>Status, for kinds with a status subresource
	FeatureRules    Feature = "rules"    // Validate<Kind>Rules, for kinds with CEL rules
)

// feature describes a Feature. Besides its reference, tests and documentation, a new feature takes a row of the table below, a field of
// prunert.Resource, an emitter and, unless its function walks a tree of an existing pass, a lowering.
type feature struct {
	name     Feature
	function string             // the name of its function; %s stands for the kind
	field    string             // the field of prunert.Resource that holds the function
	group    group              // what selects it besides its name
	kinds    kinds              // which kinds get the function
	needs    Features           // the features whose functions it calls
	pass     lower.Pass         // makes the tree that the function walks
	walks    emit.Functions     // the functions that walk the tree
	emit     emit.API           // emits the function, which calls them
	aspects  structural.Aspects // of a schema, on which the function depends
	summary  string             // what the function does, for people
}

// group is a set of features that is selected as a whole.
type group uint8

const (
	byDefault group = iota // generated unless others are chosen
	byJSON                 // the functions on JSON
	byName                 // selected by name only
)

// kinds reports whether a kind gets the function of a feature.
type kinds func(prunert.Resource) bool

func always(prunert.Resource) bool { return true }

// withStatus is for functions on the status subresource.
func withStatus(k prunert.Resource) bool { return k.Status }

// withRules is for functions on CEL rules.
func withRules(k prunert.Resource) bool { return k.HasRules }

// The names that select several features.
const (
	GroupJSON = "json" // the functions on JSON
	GroupAll  = "all"  // every feature
)

const (
	aspectsNormal = structural.AspectPruning | structural.AspectDefaults
	aspectsValid  = structural.AspectTypes | structural.AspectValues
)

// features is the table of all features, in the order in which they are generated.
var features = []feature{
	{FeaturePrune, "Prune%s", "Prune", byDefault, always, nil,
		lower.Prune, emit.Prune, emit.PruneAPI, structural.AspectPruning,
		"drop the fields that the schema does not specify, in metadata too"},
	{FeatureReport, "Prune%sReport", "PruneReport", byDefault, always, nil,
		lower.Prune, emit.Prune, emit.ReportAPI, structural.AspectPruning,
		"prune, and return the dropped paths, sorted"},
	{FeatureCheck, "Check%s", "Check", byName, always, nil,
		lower.Check, emit.Check, emit.CheckAPI, structural.AspectTypes,
		"report values of the wrong type"},
	{FeatureNormalize, "Normalize%s", "Normalize", byDefault, always, nil,
		lower.Normalize, emit.Normalize, emit.NormalizeAPI, aspectsNormal,
		"do all that the API server does before it validates"},
	{FeatureDefault, "Default%s", "Default", byName, always, nil,
		lower.Default, emit.Default, emit.DefaultAPI, structural.AspectDefaults,
		"fill in defaults"},
	{FeatureFields, "Fields%s", "Fields", byDefault, always, nil,
		lower.Prune, emit.Fields, emit.FieldsAPI, structural.AspectPruning,
		"list the fields that pruning keeps"},
	{FeatureJSONPrune, "Prune%sJSON", "PruneJSON", byJSON, always, nil,
		lower.Prune, emit.JSON, emit.JSONAPI, structural.AspectPruning,
		"append the pruned document to dst"},
	{FeatureJSONReport, "Prune%sJSONReport", "PruneJSONReport", byJSON, always, nil,
		lower.Prune, emit.JSON, emit.JSONReportAPI, structural.AspectPruning,
		"the same, and report what was dropped, and duplicate keys"},
	{FeatureJSONStream, "Prune%sStream", "PruneStream", byJSON, always, nil,
		lower.Prune, emit.JSON, emit.JSONStreamAPI, structural.AspectPruning,
		"prune many documents, or lists of any length"},
	{FeatureJSONDecode, "Decode%sJSON", "DecodeJSON", byJSON, always, nil,
		lower.Prune, emit.Decode, emit.DecodeAPI, structural.AspectPruning,
		"decode and prune in one pass"},
	{FeatureValidate, "Validate%s", "Validate", byDefault, always, nil,
		lower.Validate, emit.Validate, emit.ValidateAPI, aspectsValid,
		"report what the schema does not allow"},
	{FeatureUpdate, "Validate%sUpdate", "ValidateUpdate", byDefault, always, Features{FeatureValidate},
		lower.Shape, emit.Shape, emit.UpdateAPI, aspectsValid,
		"the same for an update; errors in unchanged values are ignored"},
	{FeatureStatus, "Validate%sStatus", "ValidateStatus", byDefault, withStatus, Features{FeatureValidate},
		lower.Shape, emit.Shape, emit.StatusAPI, aspectsValid,
		"the same for an update of the status subresource"},
	{FeatureMetadata, "Validate%sMetadata", "ValidateMetadata", byDefault, always, nil,
		lower.Metadata, emit.Metadata, emit.MetadataAPI, structural.AspectTypes | structural.AspectScope,
		"report invalid values in metadata"},
	{FeatureRules, "Validate%sRules", "ValidateRules", byDefault, withRules, Features{FeatureUpdate},
		lower.Rules, emit.Rules, emit.RulesAPI, aspectsValid | structural.AspectRules,
		"evaluate CEL rules"},
}

// functionName returns the name of the feature's function for a kind.
func (f *feature) functionName(ident string) string { return fmt.Sprintf(f.function, ident) }

// FeatureInfo describes a feature.
type FeatureInfo struct {
	Name     Feature
	Function string // the name of its function for the kind <Kind>
	Field    string // the field of prunert.Resource that holds the function
	Summary  string // what the function does
	Default  bool   // whether it is generated by default
}

// DescribeFeatures describes every feature, in the order in which they are generated.
func DescribeFeatures() []FeatureInfo {
	var all []FeatureInfo
	for _, f := range features {
		all = append(all, FeatureInfo{f.name, f.functionName("<Kind>"), f.field, f.summary, f.group == byDefault})
	}
	return all
}

// Features is a set of features; an empty one stands for the default.
type Features []Feature

// AllFeatures returns every feature, in the order in which they are generated.
func AllFeatures() Features {
	return selected(func(feature) bool { return true })
}

// DefaultFeatures returns the features that are generated by default.
func DefaultFeatures() Features {
	return selected(func(f feature) bool { return f.group == byDefault })
}

// selected returns the features whose rows satisfy want.
func selected(want func(feature) bool) Features {
	var all Features
	for _, f := range features {
		if want(f) {
			all = append(all, f.name)
		}
	}
	return all
}

// ParseFeatures returns the features with these names. GroupJSON and GroupAll stand for several.
func ParseFeatures(names []string) (Features, error) {
	var set Features
	for _, name := range names {
		found := selected(func(f feature) bool {
			return string(f.name) == name || name == GroupAll || name == GroupJSON && f.group == byJSON
		})
		if len(found) == 0 {
			return nil, fmt.Errorf("unknown feature %q; valid features: %s, %s, %s", name, AllFeatures(), GroupJSON, GroupAll)
		}
		set = append(set, found...)
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("no feature chosen; valid features: %s, %s, %s", AllFeatures(), GroupJSON, GroupAll)
	}
	return set.Complete(), nil
}

// Has reports whether f is in the set.
func (fs Features) Has(f Feature) bool {
	return slices.Contains(fs, f)
}

func (fs Features) String() string {
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// Aspects returns the aspects of a schema on which the functions depend. The hash in a resource covers them.
func (fs Features) Aspects() structural.Aspects { return aspects(fs.chosen()) }

func aspects(chosen []feature) structural.Aspects {
	var all structural.Aspects
	for _, f := range chosen {
		all |= f.aspects
	}
	return all
}

// Complete returns the features of the set and those that they need, each once, in the order in which they are generated. For an
// empty set it returns the default.
func (fs Features) Complete() Features {
	if len(fs) == 0 {
		return DefaultFeatures()
	}
	all := slices.Clone(fs)
	for _, f := range slices.Backward(features) { // a feature comes after those that it needs
		if all.Has(f.name) {
			all = append(all, f.needs...)
		}
	}
	return selected(func(f feature) bool { return all.Has(f.name) })
}

// chosen returns the rows of the table that are generated for fs.
func (fs Features) chosen() []feature {
	all := fs.Complete()
	return slices.DeleteFunc(slices.Clone(features), func(f feature) bool { return !all.Has(f.name) })
}

// passes returns the passes that the features need, each once.
func passes(chosen []feature) []lower.Pass {
	var all []lower.Pass
	for _, f := range chosen {
		if !slices.ContainsFunc(all, func(p lower.Pass) bool { return p.Name == f.pass.Name }) {
			all = append(all, f.pass)
		}
	}
	return all
}
