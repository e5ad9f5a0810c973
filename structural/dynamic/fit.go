package dynamic

import (
	"fmt"
	"reflect"

	"github.com/prune-gen/prune-gen/internal/answer/resources"
	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/internal/crd/origin"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
)

// Fit says how generated code fits the CRD that is installed.
type Fit struct {
	// Same says that the code was generated from an equivalent CRD.
	Same bool
	// Lost are the fields that the CRD specifies and the code would drop, Extra those that the code keeps and the API server would drop:
	// only the topmost of each, written as in reports, spec.list[].field. Both are empty if only something else differs, such as a type
	// or a default.
	Lost, Extra []string
	// Unlisted says that Lost and Extra are not known, because the code was generated without Fields: it may lose any field.
	Unlisted bool
}

// Fits compares generated code with the CRD that is installed. It is an error if the CRD has another kind or does not have the version.
func Fits(r prunert.Resource, installed *structural.CRD) (Fit, error) {
	aspects, semantics, isHash := structural.ParseHash(r.SchemaHash)
	v, behavior, err := behaviorOf(installed, r.Version, semantics)
	if err != nil {
		return Fit{}, err
	}
	behavior.Kubernetes = r.Kubernetes
	compiled := resources.Named(installed, v, behavior, prunert.Resource{})
	if compiled.Group != r.Group || compiled.Kind != r.Kind {
		return Fit{}, fmt.Errorf("the code is for %s %s, and the CRD for %s %s", r.APIVersion(), r.Kind, compiled.APIVersion(), compiled.Kind)
	}
	if isHash && behavior.Hash(aspects) == r.SchemaHash && answersAlike(r, compiled) {
		return Fit{Same: true}, nil
	}
	if r.Fields == nil {
		return Fit{Unlisted: true}, nil
	}
	var fit Fit
	theirs := kept.By(behavior)
	ours := kept.ByFields(r.Fields, theirs)
	m := origin.Limits(installed)
	fit.Lost, fit.Extra = listed(theirs.Without(ours, m)), listed(ours.Without(theirs, m))
	return fit, m.Err()
}

// answersAlike reports whether two resources with the same functions answer requests alike.
func answersAlike(r, other prunert.Resource) bool {
	if r.Normalize == nil || r.Validate == nil || r.ValidateMetadata == nil {
		return true // it answers none
	}
	return r.Namespaced == other.Namespaced && r.Status == other.Status && r.DeprecationWarning == other.DeprecationWarning &&
		reflect.DeepEqual(r.Scale, other.Scale)
}

// listed returns places as reports write them: spec.list[].field.
func listed(places []*kept.Place) []string {
	var all []string
	for _, p := range places {
		all = append(all, p.String())
	}
	return all
}
