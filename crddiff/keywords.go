package crddiff

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/cel/celrules"
	"github.com/prune-gen/prune-gen/internal/cel/patterns"
	"github.com/prune-gen/prune-gen/internal/text/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// The usual reasons.
const (
	refusesMore = "values that were accepted can be refused"
	acceptsMore = "more values are accepted"
	acceptsAll  = "every value that was accepted is accepted"
)

// types compares the types of values.
func (w *walker) types(s *spot) {
	was, is := typeOf(s.old), typeOf(s.new)
	if was == is {
		return
	}
	what := changed("the type", was, is)
	switch {
	case widens(was, is):
		w.add(idType, Readers, s.place, what, "values can be of a type that clients do not know", "type")
	case loses(s.old, s.new):
		w.add(idType, Stored, s.place, what, "values of the old type are refused, and lose their fields in objects that are stored", "type")
	default:
		why := "values of the old type are refused"
		if widens(is, was) || was == intOrString {
			why = "values of other types are refused"
		}
		if was != "number" && is != intOrString && w.stuck(s) == "" { // it reads numbers alike, and all scalars as an integer or string
			why += "; server-side apply fails for every stored object that has one"
		}
		w.refuse(idType, s, s.place, what, why, "type")
	}
}

const (
	anyType     = "any"
	intOrString = "integer or string"
)

// typeOf returns the type of a schema as text.
func typeOf(s *structural.Schema) string {
	switch {
	case s.XIntOrString:
		return intOrString
	case s.Type == "":
		return anyType
	}
	return s.Type
}

// widens reports whether every value of one type is also of another.
func widens(old, new string) bool {
	switch new {
	case anyType:
		return true
	case intOrString:
		return old == "integer" || old == "string"
	case "number":
		return old == "integer"
	}
	return false
}

// keepsAll reports whether objects under a schema keep all fields.
func keepsAll(s *structural.Schema) bool {
	return s.XPreserveUnknownFields && s.AdditionalProperties == nil && len(s.Properties) == 0 && (s.Items == nil || keepsAll(s.Items))
}

// loses reports whether values of a schema can lose fields below a schema of another type. The API server prunes a stored object when it
// reads it, whatever the type in its schema is now.
func loses(old, new *structural.Schema) bool {
	hasFields := old.XPreserveUnknownFields || old.XEmbeddedResource || len(old.Properties) > 0 || old.AdditionalProperties != nil
	if (typeOf(old) == anyType || old.Type == "object") && hasFields && !keepsAll(new) {
		return true
	}
	if old.Items == nil || new.Items == nil && new.XPreserveUnknownFields {
		return false
	}
	elements := new.Items
	if elements == nil {
		elements = &structural.Schema{}
	}
	return loses(old.Items, elements)
}

// generic compares nullable and default.
func (w *walker) generic(s *spot) {
	old, new := s.old, s.new
	switch {
	case old.Nullable && !new.Nullable:
		w.add(idNullable, Stored, s.place, "the value must not be null", "null is dropped, replaced by the default, or refused", "nullable")
	case !old.Nullable && new.Nullable:
		w.nullable(s)
	}
	if v := orNothing(new.ValueValidation); s.isEntry() && new.Default != nil && !reflect.DeepEqual(old.Default, new.Default) && !reflect.ValueOf(*v).IsZero() {
		w.add(idDefault, Requests, s.place, "the default of values of the map is "+showValue(new.Default), "null is replaced by it, and it can be refused: API servers do not check such defaults", "default")
	}
	switch was, is := s.defaults(); {
	case reflect.DeepEqual(was, is):
	case was == nil:
		w.newDefault(s)
	case is == nil:
		w.goneDefault(s)
	default:
		level, why := w.aroundRefuses(s, true)
		w.add(idDefault, max(level, Requests), s.place, fmt.Sprintf("the default was %s and is %s", showValue(was), showValue(is)),
			and("objects without the field get the new one", why), "default")
	}
}

// isEntry reports whether the new schema describes the values of a spot as those of a map.
func (s *spot) isEntry() bool {
	return s.step == stepValues || s.step == stepField && s.around != nil && s.around.new.Properties[s.name] == nil && valuesOf(s.around.new) != nil
}

// defaults returns the defaults that are filled in: a field of a map that is not specified by its name gets none.
func (s *spot) defaults() (was, is any) {
	if s.old != nil {
		was = s.old.Default
	}
	is = s.new.Default
	if s.step == stepField && s.around != nil {
		if s.around.old.Properties[s.name] == nil {
			was = nil
		}
		if s.around.new.Properties[s.name] == nil {
			is = nil
		}
	}
	return was, is
}

// nullable adds the change that a value may be null now. Null was dropped, or replaced by the default; now it stays.
func (w *walker) nullable(s *spot) {
	const what = "the value may be null"
	level, why := w.aroundRefuses(s, false)
	is := orNothing(s.new.ValueValidation)
	switch {
	case s.step == stepElements && s.old.Default == nil: // where null was refused
		w.add(idNullable, Readers, s.place, what, "null was refused", "nullable")
	case len(is.Enum) > 0, slices.ContainsFunc(junctorsOf(is), func(j junctor) bool { return len(j.all) > 0 }): // null equals no value of an enum, not even null
		w.add(idNullable, Requests, s.place, what, "null was dropped or replaced by the default, and can be refused", "nullable")
	case s.old.Default != nil:
		w.add(idNullable, Requests, s.place, what, "null was replaced by the default", "nullable")
	case s.isTypeMeta():
		w.add(idNullable, Requests, s.place, what, "null was dropped, and is refused now", "nullable")
	case w.scaleRefuses("."+s.place.String(), nil):
		w.add(idNullable, Requests, s.place, what, "null was dropped, and scale refuses it", "nullable")
	case level > None:
		w.add(idNullable, level, s.place, what, "null was dropped: "+why, "nullable")
	default:
		w.add(idNullable, Readers, s.place, what, "null was dropped or refused", "nullable")
	}
}

// isTypeMeta reports whether a spot is the kind or the apiVersion of an embedded resource.
func (s *spot) isTypeMeta() bool {
	return s.step == stepField && (s.name == "kind" || s.name == "apiVersion") && s.around != nil && s.around.new.XEmbeddedResource
}

// newDefault adds the change that a field has a default now, or is new and has one.
func (w *walker) newDefault(s *spot) {
	level, why := w.aroundRefuses(s, true)
	if level == None && aboutUpdates(s.new) {
		level, why = Requests, "CEL rules about updates see it as the old value"
	}
	if level == None && s.isTypeMeta() {
		level, why = Requests, "null was dropped, and is refused now" // where metadata of embedded resources is read, before defaults are filled in
	}
	w.add(idDefault, level, s.place, "the default is new: "+showValue(s.new.Default), and("objects without the field get it, including those already stored", why), "default")
}

// aboutUpdates reports whether a CEL rule at or below a schema refers to oldSelf.
func aboutUpdates(s *structural.Schema) bool {
	return contains(s, func(s *structural.Schema) bool {
		return slices.ContainsFunc(s.XValidations, func(r structural.ValidationRule) bool { return strings.Contains(r.Rule, celrules.OldSelf) })
	})
}

// goneDefault adds the change that a field has lost its default.
func (w *walker) goneDefault(s *spot) {
	level, why := w.aroundRefuses(s, true)
	if isTypeMeta(s) && s.around.new.XEmbeddedResource {
		level, why = Stored, "an embedded resource without it is refused in every update"
	}
	w.add(idDefault, max(level, Requests), s.place, "the default is gone: it was "+showValue(s.old.Default), and("objects without the field no longer get it", why), "default")
}

// and adds a clause, if there is one.
func and(why, more string) string {
	if more == "" {
		return why
	}
	return why + "; " + more
}

// extensions compares the keywords that decide structure, apart from what they keep.
func (w *walker) extensions(s *spot) {
	old, new, at := s.old, s.new, s.place
	switch {
	case !old.XEmbeddedResource && new.XEmbeddedResource && (old.Type == "object" || typeOf(old) == anyType):
		w.add(idEmbedded, Stored, at, "the object has become an embedded resource", "its apiVersion, kind and metadata are checked in every update except those of the status", "x-kubernetes-embedded-resource")
	case old.XEmbeddedResource && losesMetadata(new):
		w.add(idEmbedded, Stored, at, "the object is no longer an embedded resource", "its metadata is refused, and loses its fields in objects that are stored", "x-kubernetes-embedded-resource")
	case old.XEmbeddedResource && !new.XEmbeddedResource:
		w.add(idEmbedded, Requests, at, "the object is no longer an embedded resource", "its apiVersion, kind and metadata can be of any type, and are kept as they are written", "x-kubernetes-embedded-resource")
	}
	w.listType(s)
	switch was, is := wordOf(old.XMapType, "granular"), wordOf(new.XMapType, "granular"); {
	case was == is:
	case is == "atomic":
		w.add(idMapType, Requests, at, changed("the map type", was, is), "server-side apply replaces the whole map, including the entries of others", "x-kubernetes-map-type")
	default:
		w.add(idMapType, None, at, changed("the map type", was, is), "server-side apply merges entries", "x-kubernetes-map-type")
	}
}

// losesMetadata reports whether metadata of an embedded resource loses its fields below a schema of another type.
func losesMetadata(s *structural.Schema) bool {
	is := schemaFor(s, "metadata")
	return !s.XEmbeddedResource && is != nil && is.Type != "object" && loses(&structural.Schema{Generic: structural.Generic{Type: "object"}, Extensions: structural.Extensions{XEmbeddedResource: true}}, is)
}

// listType compares how lists are merged, and which elements they can have.
func (w *walker) listType(s *spot) {
	old, new, at := s.old, s.new, s.place
	was, is := wordOf(old.XListType, "atomic"), wordOf(new.XListType, "atomic")
	sameKeys := slices.Equal(sortedCopy(old.XListMapKeys), sortedCopy(new.XListMapKeys))
	switch {
	case was == is && (sameKeys || is != "map"):
	case was == is:
		w.add(idListType, Requests, at, changed("the list of keys", strings.Join(old.XListMapKeys, ", "), strings.Join(new.XListMapKeys, ", ")),
			"server-side apply matches elements by other keys, and refuses duplicates", "x-kubernetes-list-map-keys")
	case is == "atomic":
		w.add(idListType, Requests, at, changed("the list type", was, is), "server-side apply replaces the whole list, including the elements of others", "x-kubernetes-list-type")
	default:
		w.add(idListType, Requests, at, changed("the list type", was, is), "duplicate elements are refused", "x-kubernetes-list-type")
	}
}

func wordOf(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

func sortedCopy(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return words
}

// valueValidation compares what restricts values.
func (w *walker) valueValidation(s *spot) {
	was, is := validationOf(s.old), validationOf(s.new)
	if reflect.ValueOf(was).Elem().IsZero() && reflect.ValueOf(is).Elem().IsZero() {
		return // as nearly always
	}
	w.enum(was.Enum, is.Enum, s)
	w.bounds(was, is, s)
	w.pattern(was.Pattern, is.Pattern, s)
	w.format(w.formatOf(s.old), w.formatOf(s.new), s)
	w.alternatives(was, is, s)
}

// validationOf returns what restricts values, without the types of an integer or string, which can be written once more.
func validationOf(s *structural.Schema) *structural.ValueValidation {
	v := *orNothing(s.ValueValidation)
	if s.XIntOrString {
		types := []*structural.NestedValueValidation{{ForbiddenGenerics: structural.Generic{Type: "integer"}}, {ForbiddenGenerics: structural.Generic{Type: "string"}}}
		if reflect.DeepEqual(v.AnyOf, types) {
			v.AnyOf = nil
		}
		v.AllOf = slices.DeleteFunc(slices.Clone(v.AllOf), func(n *structural.NestedValueValidation) bool {
			return reflect.DeepEqual(*n, structural.NestedValueValidation{ValueValidation: structural.ValueValidation{AnyOf: types}})
		})
	}
	return &v
}

// formatOf returns the format of strings and numbers, "" for a format that the API server ignores, or that all values have.
func (w *walker) formatOf(s *structural.Schema) string {
	format := orNothing(s.ValueValidation).Format
	hasAll := format == "password" || s.Type == "integer" && format == "int64" || s.Type == "number" && format == "double"
	if format == "" || hasAll || !interpret.KnowsFormat(w.by, &structural.JSONSchema{Type: s.Type, Format: format}) {
		return ""
	}
	return format
}

func orNothing(v *structural.ValueValidation) *structural.ValueValidation {
	if v == nil {
		return &structural.ValueValidation{}
	}
	return v
}

// enum compares the values that are allowed.
func (w *walker) enum(old, new []any, s *spot) {
	at := s.place
	lost, added := without(old, new), without(new, old)
	switch {
	case len(old) == 0 && len(new) == 0 || len(lost) == 0 && len(added) == 0:
	case len(old) == 0:
		w.refuse(idEnum, s, at, "an enum is new: "+showValues(new), "other values are refused", "enum")
	case len(new) == 0:
		w.add(idEnum, None, at, "the enum is gone: it was "+showValues(old), acceptsMore, "enum")
	case len(lost) > 0:
		w.refuse(idEnum, s, at, "the enum has lost "+showValues(lost), "objects that have it are refused", "enum")
		if len(added) > 0 {
			w.add(idEnum, None, at, "the enum also has "+showValues(added), acceptsMore, "enum")
		}
	default:
		w.add(idEnum, None, at, "the enum also has "+showValues(added), acceptsMore, "enum")
	}
}

// without returns the values of a that b does not have.
func without(a, b []any) []any {
	has := map[string]bool{}
	for _, v := range b {
		has[keyOf(v)] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(v any) bool { return has[keyOf(v)] })
}

// keyOf returns a text that is unique for a value of an enum. The integer 1 is not the number 1.0 there.
func keyOf(v any) string {
	data, _ := json.Marshal(v)
	return fmt.Sprintf("%T %s", v, data)
}

// pattern compares two patterns. None is one that matches everything.
func (w *walker) pattern(old, new string, s *spot) {
	if old == new {
		return
	}
	what := changed("the pattern", old, new)
	if new == "" {
		w.add(idPattern, None, s.place, what, acceptsMore, "pattern")
		return
	}
	switch patterns.Includes(old, new, w.meter) {
	case patterns.Included:
		w.add(idPattern, None, s.place, what, acceptsAll, "pattern")
	case patterns.NotIncluded:
		w.refuse(idPattern, s, s.place, what, refusesMore, "pattern")
	default:
		w.refuse(idPattern, s, s.place, what, "cannot tell whether values that were accepted are refused", "pattern")
	}
}

// format compares two formats. None is one that has every form.
func (w *walker) format(old, new string, s *spot) {
	what := changed("the format", old, new)
	switch {
	case old == new:
	case new == "":
		w.add(idFormat, Readers, s.place, what, "values can have a form that clients do not know", "format")
	default:
		w.refuse(idFormat, s, s.place, what, refusesMore, "format")
	}
}

// showValue returns a value as JSON, cut to what fits into a message.
func showValue(v any) string { return yamltext.Shorten(jsonvalue.Text(v)) }

func showValues(all []any) string { return yamltext.ListSome(all, 8, jsonvalue.Text) }

// show returns a text as it fits into a message.
func show(s string) string { return yamltext.Shorten(s) }
