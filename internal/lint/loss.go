package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/crd/kept"
	"github.com/prune-gen/prune-gen/structural"
)

// maxLosses limits how many places in which everything is dropped are listed for a schema: once for fields called
// metadata, where this is rarely intended, and once for all others.
const maxLosses = 10

// losses collects the places in a schema in which data is lost.
type losses struct {
	structural.Errors
	metadata, others int // how many places there are
}

// loss returns warnings about objects in s in which everything is dropped, and about defaults that Kubernetes takes and then
// prunes. The root stands at the given path.
func loss(s *structural.Schema, at *structural.Path) []*structural.Error {
	var l losses
	l.walk(s, lossRoot, at)
	if more := max(l.metadata-maxLosses, 0) + max(l.others-maxLosses, 0); more > 0 {
		l.Add(&structural.Error{ID: idLossMore, Path: at,
			Detail: fmt.Sprintf("objects in which everything is dropped that are not listed: %d", more)})
	}
	return l.Errs
}

// lossPlace says what a schema describes, for the words of a warning.
type lossPlace uint8

const (
	lossRoot lossPlace = iota
	lossField
	lossElements // of a list
	lossValues   // of a map
)

func (l *losses) walk(s *structural.Schema, place lossPlace, at *structural.Path) {
	switch {
	case !s.XPreserveUnknownFields && !s.XEmbeddedResource && len(s.Properties) == 0 && s.AdditionalProperties == nil && s.Type == "object":
		l.lost(place, at)
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema == nil && len(s.Properties) == 0 && s.AdditionalProperties.Bool:
		l.lost(lossValues, at.Child("additionalProperties"))
	}
	if s.Items != nil {
		l.walk(s.Items, lossElements, at.Child("items"))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		// The schema of a resource has no effect on these.
		if (place == lossRoot || s.XEmbeddedResource) && structural.IsMetaField(k) {
			continue
		}
		l.walk(s.Properties[k], lossField, at.Child("properties").Key(k))
	}
	if values := s.Values(); values != nil {
		l.walk(values, lossValues, at.Child("additionalProperties"))
		l.defaults(values, at.Child("additionalProperties"))
	}
}

// lost warns of one place.
func (l *losses) lost(place lossPlace, at *structural.Path) {
	isMetadata := place == lossField && at.Name() == "metadata"
	n := &l.others
	if isMetadata {
		n = &l.metadata
	}
	if *n++; *n > maxLosses {
		return
	}
	e := &structural.Error{ID: idLossObject, Path: at}
	const nothing = ": it has no properties, no additionalProperties and no x-kubernetes-preserve-unknown-fields"
	const hint = "name the fields below properties, or write x-kubernetes-preserve-unknown-fields: true"
	switch place {
	case lossRoot:
		e.Detail, e.Hint = "everything except apiVersion, kind and metadata is dropped"+nothing, hint
	case lossField:
		e.Detail, e.Hint = "everything in this object is dropped"+nothing, hint
	case lossElements:
		e.ID, e.Detail, e.Hint = idLossElements, "everything in the elements of this list that are objects is dropped", hint
	case lossValues:
		e.ID, e.Detail = idLossElements, "everything in the values of this map that are objects is dropped"
		e.Hint = "write the schema of the values below additionalProperties; for any JSON that is x-kubernetes-preserve-unknown-fields: true"
	}
	if isMetadata {
		e.Hint = "controller-gen writes this for every embedded ObjectMeta: run it with crd:generateEmbeddedObjectMeta=true"
	}
	l.Add(e)
}

// defaults warns of defaults below additionalProperties that are pruned: Kubernetes does not check them when it takes a CRD.
func (l *losses) defaults(s *structural.Schema, at *structural.Path) {
	if l.Full {
		return
	}
	if s.Default != nil {
		if dropped := interpret.DroppedFromDefault(s); len(dropped) > 0 {
			l.Add(&structural.Error{ID: idLossDefault, Path: at.Child("default"),
				Detail: "the default loses " + listSome(dropped) + ", which its schema does not specify"})
		}
	}
	if s.Items != nil {
		l.defaults(s.Items, at.Child("items"))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
		l.defaults(s.Properties[k], at.Child("properties").Key(k))
	}
}

// versionLoss returns a warning about each version that keeps less than the stored one: unless a webhook converts
// objects, writing through it loses fields.
func (l *linter) versionLoss() {
	c := l.crd
	stored := slices.IndexFunc(c.Versions, func(v *structural.Version) bool { return v.Storage })
	if stored < 0 || c.PreserveUnknownFields || c.ConversionStrategy() != "None" {
		return
	}
	from := l.converted[c.Versions[stored].Schema]
	if from == nil {
		return
	}
	fields := 0
	from.Visit(func(*structural.Schema) { fields++ })
	stays := kept.By(structural.Behavior{Schema: from, Pruned: true})
	for i, v := range c.Versions {
		to := l.converted[v.Schema]
		if i == stored || !v.Served || to == nil || v.Schema == c.Versions[stored].Schema {
			continue
		}
		if !l.meter.Spend(meter.UnitsOfStored * fields) {
			return
		}
		lost := stays.Without(kept.By(structural.Behavior{Schema: to, Pruned: true}), l.meter)
		if len(lost) == 0 {
			continue
		}
		at := structural.NewPath("spec", "versions").Index(i)
		detail := fmt.Sprintf("objects that are written as %s lose fields of the stored version %s: %s", v.Name, c.Versions[stored].Name,
			kept.List(lost))
		l.find(structural.SeverityWarning, v.Name, &structural.Error{ID: idLossVersion, Path: at, Detail: detail})
	}
}
