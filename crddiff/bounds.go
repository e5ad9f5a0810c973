package crddiff

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/keyword"
	"github.com/prune-gen/prune-gen/structural"
)

// bounds compares the bounds of values.
func (w *walker) bounds(old, new *structural.ValueValidation, s *spot) {
	for _, keyword := range keywordsOfBounds {
		w.bound(keyword, edgeOf(old, keyword), edgeOf(new, keyword), s)
	}
	if was, is := edgeOf(old, "multipleOf"), edgeOf(new, "multipleOf"); was.text != is.text {
		// Without its fraction, which counts for no integer, a factor can be 0.
		isWhole := func(f float64) bool { return f == math.Trunc(f) }
		wider := is.text == "" || !hasBound(s.old, "multipleOf") || isWhole(is.value) && (was.text != "" && isWhole(was.value) && isWhole(was.value/is.value) || is.value == 1 && s.old.Type == "integer")
		w.limit(wider, s, "multipleOf", was.text, is.text)
	}
	if old.UniqueItems != new.UniqueItems {
		w.limit(old.UniqueItems, s, "uniqueItems", fmt.Sprint(old.UniqueItems), fmt.Sprint(new.UniqueItems))
	}
}

// typesOfKeywords has the type whose values a keyword restricts. keywordsOfBounds are those about the least, and then those about the most.
var typesOfKeywords, keywordsOfBounds = func() (types map[string]string, least []string) {
	types = map[string]string{}
	var most []string
	for _, k := range keyword.Of(reflect.TypeFor[structural.JSONSchema]()) {
		if len(k.Of) == 1 {
			types[k.Name] = k.Of[0]
		}
		switch {
		case isLeast(k.Name):
			least = append(least, k.Name)
		case strings.HasPrefix(k.Name, "max"):
			most = append(most, k.Name)
		}
	}
	return types, append(least, most...)
}()

func isLeast(keyword string) bool { return strings.HasPrefix(keyword, "min") }

// edge is the end of the range of allowed values.
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
func (w *walker) bound(keyword string, old, new edge, s *spot) {
	isLeast := isLeast(keyword)
	wider := new.value >= old.value // the new edge allows all that the old one does
	if isLeast {
		wider = new.value <= old.value
	}
	if new.exclusive && !old.exclusive && math.Trunc(new.value) == math.Trunc(old.value) {
		wider = false // which is what counts for integers
	}
	isNone := new.text == "" || isLeast && keyword != "minimum" && new.value <= 0 || // nothing is shorter
		!hasBound(s.old, keyword) || keyword == "minProperties" && leastFields(about(s)) >= new.value ||
		keyword == "maxProperties" && float64(mostFieldsNow(s)) <= new.value
	wider = isNone || old.text != "" && wider && w.isBound(keyword, new.value, s)
	if old.text != new.text {
		w.limit(wider, s, keyword, old.text, new.text)
	}
}

// hasBound reports whether a keyword says something about values of a schema.
func hasBound(s *structural.Schema, keyword string) bool {
	of := typesOfKeywords[keyword]
	if s.XIntOrString {
		return of == "number" || of == "string"
	}
	return s.Type == "" || s.Type == "string" && s.ValueValidation != nil && s.ValueValidation.Format != "" || s.Type == of || s.Type == "integer" && of == "number"
}

// mostFieldsNow returns how many fields an accepted object can have at most, new defaults included.
func mostFieldsNow(s *spot) int {
	n := mostFields(about(s))
	for name, p := range s.new.Properties {
		if s.old.Properties[name] == nil && p.Default != nil && n < math.MaxInt {
			n++
		}
	}
	return n
}

// isBound reports whether a bound is valid for the type. If it is not, the API server refuses all values.
func (w *walker) isBound(keyword string, value float64, s *spot) bool {
	if keyword != "minimum" && keyword != "maximum" {
		return true
	}
	format := w.formatOf(s.new)
	switch {
	case s.new.Type == "integer" && format == "int32":
		return value == math.Trunc(value) && math.Abs(value) <= math.MaxInt32
	case s.new.Type == "integer" || s.new.XIntOrString:
		return value == math.Trunc(value) && math.Abs(value) < 1<<53
	case format == "float":
		return math.Abs(value) <= math.MaxFloat32
	}
	return true
}

// limit adds a bound that allows more values, or fewer. No text stands for no bound.
func (w *walker) limit(wider bool, s *spot, keyword, old, new string) {
	what := changed(keyword, old, new)
	switch {
	case wider && old == "":
		w.add(idBound, None, s.place, what, acceptsAll, keyword)
	case wider:
		w.add(idBound, None, s.place, what, acceptsMore, keyword)
	default:
		w.refuse(idBound, s, s.place, what, refusesMore, keyword)
	}
}
