package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/generator/internal/emit"
	"github.com/prune-gen/prune-gen/generator/internal/lower"
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

	FeatureJSON       Feature = "json"        // Prune<Kind>JSON
	FeatureJSONReport Feature = "json-report" // Prune<Kind>JSONReport
	FeatureJSONStream Feature = "json-stream" // Prune<Kind>Stream
	FeatureJSONDecode Feature = "json-decode" // Decode<Kind>JSON

	FeatureValidate Feature = "validate" // Validate<Kind>
	FeatureUpdate   Feature = "update"   // Validate<Kind>Update
	FeatureMetadata Feature = "metadata" // Validate<Kind>Metadata
	FeatureStatus   Feature = "status"   // Validate<Kind>Status, for kinds with a status subresource
)

// feature is all there is to know about a Feature.
type feature struct {
	name     Feature
	function string             // what it calls its function; %s stands for the kind
	field    string             // of prunert.Resource, which holds the function
	pass     lower.Pass         // makes the tree that the function walks
	walks    emit.Functions     // the functions that walk it
	emit     emit.API           // the exported function that calls them
	aspects  structural.Aspects // of a schema, that the function depends on
}

// features is the table of all features, in the order in which they are generated. A new one is an entry here, a lowering
// unless it walks a tree that is there already, and an emitter.
var features = []feature{
	{FeaturePrune, "Prune%s", "Prune", lower.Prune, emit.Prune, emit.PruneAPI, structural.AspectPruning},
	{FeatureReport, "Prune%sReport", "PruneReport", lower.Prune, emit.Prune, emit.ReportAPI, structural.AspectPruning},
	{FeatureCheck, "Check%s", "Check", lower.Check, emit.Check, emit.CheckAPI, structural.AspectTypes},
	{FeatureNormalize, "Normalize%s", "Normalize", lower.Normalize, emit.Normalize, emit.NormalizeAPI, structural.AspectPruning | structural.AspectDefaults},
	{FeatureDefault, "Default%s", "Default", lower.Default, emit.Default, emit.DefaultAPI, structural.AspectDefaults},
	{FeatureFields, "Fields%s", "Fields", lower.Prune, emit.Fields, emit.FieldsAPI, structural.AspectPruning},
	{FeatureJSON, "Prune%sJSON", "PruneJSON", lower.Prune, emit.JSON, emit.JSONAPI, structural.AspectPruning},
	{FeatureJSONReport, "Prune%sJSONReport", "PruneJSONReport", lower.Prune, emit.JSON, emit.JSONReportAPI, structural.AspectPruning},
	{FeatureJSONStream, "Prune%sStream", "PruneStream", lower.Prune, emit.JSON, emit.JSONStreamAPI, structural.AspectPruning},
	{FeatureJSONDecode, "Decode%sJSON", "DecodeJSON", lower.Prune, emit.Decode, emit.DecodeAPI, structural.AspectPruning},
	{FeatureValidate, "Validate%s", "Validate", lower.Validate, emit.Validate, emit.ValidateAPI, structural.AspectTypes | structural.AspectValues},
	{FeatureUpdate, "Validate%sUpdate", "ValidateUpdate", lower.Shape, emit.Shape, emit.UpdateAPI, structural.AspectTypes | structural.AspectValues},
	{FeatureStatus, "Validate%sStatus", "ValidateStatus", lower.Shape, emit.Shape, emit.StatusAPI, structural.AspectTypes | structural.AspectValues},
	{FeatureMetadata, "Validate%sMetadata", "ValidateMetadata", lower.Metadata, emit.Metadata, emit.MetadataAPI, structural.AspectTypes},
}

// functionName returns what the feature calls its function for a kind.
func (f *feature) functionName(ident string) string { return fmt.Sprintf(f.function, ident) }

// isFor reports whether a version gets the function: only the status of a subresource is validated by itself.
func (f *feature) isFor(hasStatus bool) bool { return f.name != FeatureStatus || hasStatus }

// Features is a set of features; an empty one stands for all.
type Features []Feature

// AllFeatures returns every feature, in the order in which they are generated.
func AllFeatures() Features {
	var all Features
	for _, f := range features {
		all = append(all, f.name)
	}
	return all
}

// ParseFeatures returns the features of these names.
func ParseFeatures(names []string) (Features, error) {
	var set Features
	for _, name := range names {
		f := Feature(name)
		if !AllFeatures().Has(f) {
			return nil, fmt.Errorf("unknown feature %q: want some of %s", name, AllFeatures())
		}
		if !set.Has(f) {
			set = append(set, f)
		}
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("no feature chosen: want some of %s", AllFeatures())
	}
	return set, nil
}

// Has reports whether f is one of them.
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

// Aspects returns what the functions depend on in a schema. The hash in a resource covers it.
func (fs Features) Aspects() structural.Aspects { return aspects(fs.chosen()) }

func aspects(chosen []feature) structural.Aspects {
	var all structural.Aspects
	for _, f := range chosen {
		all |= f.aspects
	}
	return all
}

// chosen returns the rows of the table that fs names. FeatureUpdate and FeatureStatus bring FeatureValidate with them, whose
// functions they call.
func (fs Features) chosen() []feature {
	if len(fs) == 0 {
		return features
	}
	if (fs.Has(FeatureUpdate) || fs.Has(FeatureStatus)) && !fs.Has(FeatureValidate) {
		fs = append(slices.Clone(fs), FeatureValidate)
	}
	return slices.DeleteFunc(slices.Clone(features), func(f feature) bool { return !fs.Has(f.name) })
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
