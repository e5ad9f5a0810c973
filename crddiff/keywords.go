package crddiff

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/interpret"
	"github.com/prune-gen/prune-gen/internal/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/kept"
	"github.com/prune-gen/prune-gen/internal/meter"
	"github.com/prune-gen/prune-gen/internal/yamltext"
	"github.com/prune-gen/prune-gen/structural"
)

// The usual reasons.
const (
	refusesMore = "values that were accepted can be refused"
	acceptsMore = "more values are accepted"
)

// types compares the types of values.
func (w *walker) types(old, new *structural.Schema, at *kept.Place) {
	was, is := typeOf(old), typeOf(new)
	if was == is {
		return
	}
	what := changed("the type", was, is)
	switch {
	case widens(was, is):
		w.add(ruleType, Readers, at, what, "values can be of a type that clients do not know", "type")
	case len(w.ruled) > 0:
		w.add(ruleType, Stored, at, what, "values of the old type are refused, in every update if a CEL rule reads them", "type")
	case loses(old, new):
		w.add(ruleType, Stored, at, what, "values of the old type are refused, and lose their fields in objects that are stored", "type")
	case len(w.keys) > 0:
		w.refuseUpdates(ruleType, at, what, "values of the old type have no keys and are refused", "type")
	default:
		w.refuse(ruleType, at, at, what, "values of the old type are refused", "type")
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

// widens reports whether every value of one type is one of another.
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

// loses reports whether values of a schema can lose fields below a schema of another type. The API server prunes an object that is stored
// when it reads it, whatever the type that its schema has now.
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
func (w *walker) generic(old, new *structural.Schema, at *kept.Place) {
	switch {
	case old.Nullable && !new.Nullable:
		w.add(ruleNullable, Stored, at, "the value must not be null", "null is dropped, replaced by the default, or refused", "nullable")
	case !old.Nullable && new.Nullable:
		w.add(ruleNullable, Readers, at, "the value may be null", "null was dropped or refused", "nullable")
	}
	switch {
	case reflect.DeepEqual(old.Default, new.Default):
	case old.Default == nil:
		w.add(ruleDefault, None, at, "the default is new: "+showValue(new.Default), "objects without the field get it, including those already stored", "default")
	case new.Default == nil && w.isRead(new, at):
		w.add(ruleDefault, Stored, at, "the default is gone: it was "+showValue(old.Default), "no update of an object without the field is accepted if a CEL rule reads it", "default")
	case new.Default == nil:
		w.add(ruleDefault, Requests, at, "the default is gone: it was "+showValue(old.Default), "objects without the field no longer get it", "default")
	default:
		w.add(ruleDefault, Requests, at, fmt.Sprintf("the default was %s and is %s", showValue(old.Default), showValue(new.Default)),
			"objects without the field get the new one", "default")
	}
}

// extensions compares the keywords that decide structure, apart from what they keep.
func (w *walker) extensions(old, new *structural.Schema, at *kept.Place) {
	switch {
	case !old.XEmbeddedResource && new.XEmbeddedResource && (old.Type == "object" || typeOf(old) == anyType):
		w.add(ruleEmbedded, Stored, at, "the object has become an embedded resource", "it must have an apiVersion and a kind, and its metadata is read as ObjectMeta", "x-kubernetes-embedded-resource")
	case old.XEmbeddedResource && !new.XEmbeddedResource:
		w.add(ruleEmbedded, None, at, "the object is no longer an embedded resource", "it need not have an apiVersion and a kind", "x-kubernetes-embedded-resource")
	}
	w.listType(old, new, at)
	switch was, is := wordOf(old.XMapType, "granular"), wordOf(new.XMapType, "granular"); {
	case was == is:
	case is == "atomic":
		w.add(ruleMapType, Requests, at, changed("the map type", was, is), "server-side apply replaces the whole map, including the entries of others", "x-kubernetes-map-type")
	default:
		w.add(ruleMapType, None, at, changed("the map type", was, is), "server-side apply merges entries", "x-kubernetes-map-type")
	}
}

// listType compares how lists are merged, and which elements they can have.
func (w *walker) listType(old, new *structural.Schema, at *kept.Place) {
	was, is := wordOf(old.XListType, "atomic"), wordOf(new.XListType, "atomic")
	sameKeys := slices.Equal(sortedCopy(old.XListMapKeys), sortedCopy(new.XListMapKeys))
	switch {
	case was == is && (sameKeys || is != "map"):
	case was == is:
		w.add(ruleListType, Requests, at, changed("the list of keys", strings.Join(old.XListMapKeys, ", "), strings.Join(new.XListMapKeys, ", ")),
			"server-side apply matches elements by other keys, and refuses duplicates", "x-kubernetes-list-map-keys")
	case is == "atomic":
		w.add(ruleListType, Requests, at, changed("the list type", was, is), "server-side apply replaces the whole list, including the elements of others", "x-kubernetes-list-type")
	default:
		w.add(ruleListType, Requests, at, changed("the list type", was, is), "duplicate elements are refused", "x-kubernetes-list-type")
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

// values compares what restricts values.
func (w *walker) values(old, new *structural.Schema, at *kept.Place) {
	was, is := validationOf(old), validationOf(new)
	if reflect.ValueOf(was).Elem().IsZero() && reflect.ValueOf(is).Elem().IsZero() {
		return // as nearly always
	}
	w.enum(was.Enum, is.Enum, at)
	w.bounds(was, is, at)
	w.pattern(was.Pattern, is.Pattern, at)
	w.format(w.formatOf(old), w.formatOf(new), at)
	for _, j := range []struct {
		name    string
		was, is []*structural.NestedValueValidation
	}{
		{"allOf", was.AllOf, is.AllOf}, {"anyOf", was.AnyOf, is.AnyOf}, {"oneOf", was.OneOf, is.OneOf}, {"not", one(was.Not), one(is.Not)},
	} {
		lost, added := w.beyond(j.was, j.is), w.beyond(j.is, j.was)
		what := "what " + j.name + " says has changed"
		switch {
		case lost+added == 0:
		case len(j.was) == 0:
			w.refuse(ruleAlternatives, at, at, j.name+" is new", refusesMore, j.name)
		case len(j.is) == 0:
			w.add(ruleAlternatives, None, at, j.name+" is gone", acceptsMore, j.name)
		case j.name == "allOf" && added == 0, j.name == "anyOf" && lost == 0:
			w.add(ruleAlternatives, None, at, what, acceptsMore, j.name)
		default:
			w.refuse(ruleAlternatives, at, at, what, refusesMore, j.name)
		}
	}
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

// beyond returns how many of a are not in b, in whatever order.
func (w *walker) beyond(a, b []*structural.NestedValueValidation) (n int) {
	b = slices.Clone(b)
	for _, v := range a {
		i := slices.IndexFunc(b, func(other *structural.NestedValueValidation) bool {
			return !w.meter.Spend(meter.UnitsOfSchemaPair) || reflect.DeepEqual(v, other)
		})
		if i < 0 {
			n++
		} else {
			b = slices.Delete(b, i, i+1)
		}
	}
	return n
}

// formatOf returns the format of strings and numbers, "" for one that the API server ignores.
func (w *walker) formatOf(s *structural.Schema) string {
	format := orNothing(s.ValueValidation).Format
	if format == "" || !interpret.KnowsFormat(w.by, &structural.JSONSchema{Type: s.Type, Format: format}) {
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

func one(n *structural.NestedValueValidation) []*structural.NestedValueValidation {
	if n == nil {
		return nil
	}
	return []*structural.NestedValueValidation{n}
}

// enum compares the values that are allowed.
func (w *walker) enum(old, new []any, at *kept.Place) {
	lost, added := without(old, new), without(new, old)
	switch {
	case len(old) == 0 && len(new) == 0 || len(lost) == 0 && len(added) == 0:
	case len(old) == 0:
		w.refuse(ruleEnum, at, at, "an enum is new: "+showValues(new), "other values are refused", "enum")
	case len(new) == 0:
		w.add(ruleEnum, None, at, "the enum is gone: it was "+showValues(old), acceptsMore, "enum")
	case len(lost) > 0:
		w.refuse(ruleEnum, at, at, "the enum has lost "+showValues(lost), "objects that have it are refused", "enum")
		if len(added) > 0 {
			w.add(ruleEnum, None, at, "the enum also has "+showValues(added), acceptsMore, "enum")
		}
	default:
		w.add(ruleEnum, None, at, "the enum also has "+showValues(added), acceptsMore, "enum")
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

// keyOf returns a text for a value of an enum that other values do not have. The integer 1 is not the number 1.0 there.
func keyOf(v any) string {
	data, _ := json.Marshal(v)
	return fmt.Sprintf("%T %s", v, data)
}

// pattern compares two patterns. None is one that matches everything.
func (w *walker) pattern(old, new string, at *kept.Place) {
	if old == new {
		return
	}
	what := changed("the pattern", old, new)
	switch includes(old, new, w.meter) {
	case included:
		w.add(rulePattern, None, at, what, "every value that was accepted is accepted", "pattern")
	case notIncluded:
		w.refuse(rulePattern, at, at, what, refusesMore, "pattern")
	default:
		w.refuse(rulePattern, at, at, what, "cannot tell whether values that were accepted are refused", "pattern")
	}
}

// format compares two formats. None is one that has every form.
func (w *walker) format(old, new string, at *kept.Place) {
	what := changed("the format", old, new)
	switch {
	case old == new:
	case new == "", old == "int32" && new == "int64", old == "float" && new == "double":
		w.add(ruleFormat, Readers, at, what, "values can have a form that clients do not know", "format")
	default:
		w.refuse(ruleFormat, at, at, what, refusesMore, "format")
	}
}

// bounds compares numbers that values must not pass.
func (w *walker) bounds(old, new *structural.ValueValidation, at *kept.Place) {
	for _, keyword := range []string{"minimum", "minLength", "minItems", "minProperties", "maximum", "maxLength", "maxItems", "maxProperties"} {
		w.bound(keyword, edgeOf(old, keyword), edgeOf(new, keyword), at)
	}
	if was, is := edgeOf(old, "multipleOf"), edgeOf(new, "multipleOf"); was.text != is.text {
		factor := was.value / is.value
		w.limit(is.text == "" || was.text != "" && factor == math.Trunc(factor), at, changed("multipleOf", was.text, is.text), "multipleOf")
	}
	if old.UniqueItems != new.UniqueItems {
		w.limit(old.UniqueItems, at, changed("uniqueItems", fmt.Sprint(old.UniqueItems), fmt.Sprint(new.UniqueItems)), "uniqueItems")
	}
}

// edge is where the values end that are allowed.
type edge struct {
	value     float64
	exclusive bool
	text      string // "" if there is none
}

// edgeOf returns the edge that a keyword sets.
func edgeOf(v *structural.ValueValidation, keyword string) edge {
	field := strings.ToUpper(keyword[:1]) + keyword[1:]
	switch value := reflect.ValueOf(v).Elem().FieldByName(field).Interface().(type) {
	case *int64:
		if value != nil {
			return edge{float64(*value), false, showValue(*value)}
		}
	case *float64:
		if value != nil {
			e := edge{*value, keyword == "minimum" && v.ExclusiveMinimum || keyword == "maximum" && v.ExclusiveMaximum, showValue(*value)}
			if e.exclusive {
				e.text += " (exclusive)"
			}
			return e
		}
	}
	return edge{}
}

// bound compares one bound.
func (w *walker) bound(keyword string, old, new edge, at *kept.Place) {
	wider := new.value == old.value && !new.exclusive // the new edge allows all that the old one does
	if strings.HasPrefix(keyword, "min") {
		wider = wider || new.value < old.value
	} else {
		wider = wider || new.value > old.value
	}
	isNone := new.text == "" || strings.HasPrefix(keyword, "min") && keyword != "minimum" && new.value <= 0 // nothing is shorter
	if wider = isNone || old.text != "" && wider; old.text != new.text {
		w.limit(wider, at, changed(keyword, old.text, new.text), keyword)
	}
}

// limit adds a bound that allows more values, or fewer.
func (w *walker) limit(wider bool, at *kept.Place, what, keyword string) {
	if wider {
		w.add(ruleBound, None, at, what, acceptsMore, keyword)
	} else {
		w.refuse(ruleBound, at, at, what, refusesMore, keyword)
	}
}

// showValue returns a value as JSON, cut to what fits into a message.
func showValue(v any) string { return yamltext.Shorten(jsonvalue.Text(v)) }

func showValues(all []any) string { return yamltext.ListSome(all, 8, jsonvalue.Text) }

// show returns a text as it fits into a message.
func show(s string) string { return yamltext.Shorten(s) }
