package crddiff

import (
	"maps"
	"slices"

	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// walker compares the schemas of a version.
type walker struct {
	version string
	root    *structural.Path     // of the new schema
	by      kubeversion.Version  // of the API server
	ruled   []*structural.Schema // those with CEL rules, from the root to the new one that is compared
	keys    []string             // by which an element of a list is known whose schema is compared
	changes []Change
	meter   *meter.Meter
}

// add adds a change at a place. Keywords are the way from the schema of the place to what has changed.
func (w *walker) add(rule structural.Rule, level Level, at *kept.Place, what, why string, keywords ...string) {
	if !at.Spend(w.meter) {
		return
	}
	w.changes = append(w.changes, Change{Rule: rule, Level: level, Version: w.version, place: at,
		At: at.InSchema(w.root).Child(keywords...), What: what, Why: why})
}

// refuse adds a change after which the API server refuses values at a place that it accepted. It tolerates such a value in an update as long as it is
// the same as before: all but the whole object, whose metadata an update changes. The change is shown at another place, of a field that is
// missing.
func (w *walker) refuse(rule structural.Rule, value, at *kept.Place, what, why string, keywords ...string) {
	if value == nil {
		w.refuseUpdates(rule, at, what, why, keywords...)
		return
	}
	w.add(rule, Requests, at, what, why, keywords...)
}

// refuseUpdates adds a change after which the API server refuses updates of objects that have a value, whatever they change.
func (w *walker) refuseUpdates(rule structural.Rule, at *kept.Place, what, why string, keywords ...string) {
	w.add(rule, Stored, at, what, why+", in every update", keywords...)
}

// kept compares what objects keep.
func (w *walker) kept(old, new *kept.Tree) {
	for _, p := range old.Without(new, w.meter) {
		switch {
		case p.IsRest():
			w.add(rulePreserve, Stored, p, "fields that are not specified are dropped", "they were kept")
		default:
			w.add(ruleFieldRemoved, Stored, p, "the field is gone", "objects that have it lose it")
		}
	}
	for _, p := range new.Without(old, w.meter) {
		switch {
		case p.IsRest():
			w.add(rulePreserve, None, p, "fields that are not specified are kept", "they were dropped")
		default:
			w.add(ruleFieldAdded, None, p, "the field is new", "it was dropped")
		}
	}
}

// schema compares two schemas of a place.
func (w *walker) schema(old, new *structural.Schema, at *kept.Place) {
	if !w.meter.Spend(meter.UnitsOfSchemaPair) {
		return
	}
	if len(new.XValidations) > 0 {
		w.ruled = append(w.ruled, new)
		defer func() { w.ruled = w.ruled[:len(w.ruled)-1] }()
	}
	w.types(old, new, at)
	w.generic(old, new, at)
	w.extensions(old, new, at)
	w.required(old, new, at)
	w.values(old, new, at)
	w.rules(old, new, at)
	w.keys = nil
	w.children(old, new, at)
}

// children compares the schemas below two others, as far as both say something about the same values.
func (w *walker) children(old, new *structural.Schema, at *kept.Place) {
	names := maps.Clone(old.Properties)
	if names == nil {
		names = map[string]*structural.Schema{}
	}
	maps.Copy(names, new.Properties)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := schemaFor(old, name), schemaFor(new, name)
		switch {
		case before != nil && after != nil:
			w.schema(before, after, at.Field(name))
		case before != nil && new.XPreserveUnknownFields:
			w.unspecified(before, at.Field(name))
		case after != nil && old.XPreserveUnknownFields:
			w.specified(after, at.Field(name))
		}
	}
	switch before, after := valuesOf(old), valuesOf(new); {
	case before != nil && after != nil:
		w.schema(before, after, at.Values())
	case before != nil && new.XPreserveUnknownFields:
		w.unspecified(before, at.Values())
	case after != nil && old.XPreserveUnknownFields:
		w.specified(after, at.Values())
	}
	switch {
	case old.Items != nil && new.Items != nil:
		if wordOf(new.XListType, "") == "map" {
			w.keys = new.XListMapKeys
		}
		w.schema(old.Items, new.Items, at.Elements())
	case new.Items != nil && old.XPreserveUnknownFields:
		w.specified(new.Items, at.Elements())
	}
}

// schemaFor returns the schema of a field, nil if it is not specified.
func schemaFor(s *structural.Schema, name string) *structural.Schema {
	if p, ok := s.Properties[name]; ok {
		return p
	}
	return valuesOf(s)
}

// valuesOf returns the schema of the values of a map, nil if s is not one.
func valuesOf(s *structural.Schema) *structural.Schema {
	ap := s.AdditionalProperties
	switch {
	case ap == nil:
		return nil
	case ap.Schema == nil && ap.Bool:
		return &structural.Schema{} // any value
	}
	return ap.Schema
}

// unspecified is about a field that stays, but is no longer specified.
func (w *walker) unspecified(old *structural.Schema, at *kept.Place) {
	level := Readers
	if typeOf(old) == anyType {
		level = None
	}
	w.add(ruleSpecified, level, at, "the field is no longer specified", "it is kept as it is, with any value")
	if old.Default != nil {
		w.add(ruleDefault, Requests, at, "the default is gone: it was "+showValue(old.Default), "objects without the field no longer get it")
	}
}

// specified is about a field that objects could have before, with any value.
func (w *walker) specified(new *structural.Schema, at *kept.Place) {
	what := "the field is specified as " + typeOf(new)
	any := &structural.Schema{Extensions: structural.Extensions{XPreserveUnknownFields: true}}
	switch {
	case typeOf(new) == anyType && keepsAll(new):
		w.add(ruleSpecified, None, at, what, "it was kept with any value")
	case loses(any, new):
		w.add(ruleSpecified, Stored, at, what, "it was kept with any value, and other values are refused or lose what is not specified")
	default:
		w.add(ruleSpecified, Requests, at, what, "it was kept with any value, and other values are refused")
	}
}

// required compares which fields objects must have.
func (w *walker) required(old, new *structural.Schema, at *kept.Place) {
	was, is := requiredOf(old), requiredOf(new)
	wasRequired, isRequired := setOf(was), setOf(is)
	refuse := func(name, what string) {
		const why = "objects without it are refused"
		if slices.Contains(w.keys, name) { // an element without its key is not known from before
			w.refuseUpdates(ruleRequired, at.Field(name), what, why)
		} else {
			w.refuse(ruleRequired, at, at.Field(name), what, why)
		}
	}
	for _, name := range is {
		had, has := hasDefault(old, name), hasDefault(new, name)
		switch {
		case wasRequired[name] && (has || !had):
		case wasRequired[name]:
			refuse(name, "the field is required and has no default any more")
		case has:
			w.add(ruleRequired, None, at.Field(name), "the field is required", "its default is filled in where it is missing")
		default:
			refuse(name, "the field is required")
		}
	}
	for _, name := range was {
		if !isRequired[name] && schemaFor(new, name) != nil {
			w.add(ruleRequired, None, at.Field(name), "the field is no longer required", "more objects are accepted")
		}
	}
}

func hasDefault(s *structural.Schema, name string) bool {
	child := s.Properties[name]
	return child != nil && child.Default != nil
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func requiredOf(s *structural.Schema) []string {
	if s.ValueValidation == nil {
		return nil
	}
	return s.ValueValidation.Required
}
