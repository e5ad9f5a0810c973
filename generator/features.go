package generator

import (
	"fmt"
	"slices"
	"strings"
)

// Feature is a function that can be generated for a kind.
type Feature string

const (
	FeaturePrune  Feature = "prune"  // Prune<Kind>
	FeatureReport Feature = "report" // Prune<Kind>Report
	FeatureCheck  Feature = "check"  // Check<Kind>
)

// Features is a set of features.
type Features []Feature

// AllFeatures returns every feature, in the order in which they are generated.
func AllFeatures() Features {
	return Features{FeaturePrune, FeatureReport, FeatureCheck}
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

// Has tells whether f is one of them.
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
