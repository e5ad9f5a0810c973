package interpret

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prune-gen/prune-gen/internal/answer/formats"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// ValidateValues returns what the API server's schema validation finds wrong with v: types and value validation, in its words.
// It leaves out what is separate there: metadata, list types and CEL rules. Fields are in the order of their names; in the API server
// their order is random. The boolean is false if v and s are too large to be checked completely.
//
// It is the reference for generated validation: it follows the schema and the value side by side. The value has limits of its own.
func (w *Work) ValidateValues(v any, s *structural.JSONSchema) (prunert.ErrorList, bool) {
	walk := valueWalk{reading: readObject, by: w.Kubernetes, work: w, meter: meter.New(1)}
	errs, _ := walk.run(v, s, nil)
	for _, e := range errs {
		e.Field = orNil(e.Field)
	}
	return errs, !walk.meter.Spent()
}

// orNil returns a field as the API server prints it: <nil> if it is missing.
func orNil(field string) string {
	if field == "" {
		return prunert.NoField
	}
	return field
}

// valueReading says which keywords of a schema count. Objects and defaults differ slightly.
type valueReading uint8

const (
	// readObject is for objects: formats that CRDs do not have are left out, x-kubernetes-int-or-string stands for types.
	readObject valueReading = iota
	// readDefault is for defaults, which Kubernetes validates by the converted schema: every format counts for every type,
	// x-kubernetes-int-or-string says nothing, nor do additionalProperties below a junctor.
	readDefault
)

// valueWalk validates values. It stops when the meter is spent.
type valueWalk struct {
	reading  valueReading
	by       kubeversion.Version // of the API server
	work     *Work               // whose patterns are used, nil for none
	meter    *meter.Meter        // alternatives times elements can be any number
	limits   prunelimits.Limits  // to how many errors there are; the zero value is none
	patterns map[string]pattern  // those that the meter has paid for
}

// outcome is what is wrong with a value, and how much of a schema it matches: if all alternatives fail, the one that matches most is
// reported.
type outcome struct {
	errs    []foundError
	more    int // errors beyond the limits
	matches int
}

// foundError is an error whose text is not made yet: most errors below a junctor are never reported, and paths can be long.
type foundError struct {
	at *structural.Path
	// words returns the error at a path, and the text of error.
	words func(path string) (e prunert.Error, raw string)
}

// error returns the error, with the text by which the API server distinguishes it from others.
func (f foundError) error() (*prunert.Error, string) {
	e, raw := f.words(f.at.InBody())
	e.Path = f.at.Steps()
	return &e, raw
}

func (o outcome) isValid() bool { return len(o.errs) == 0 && o.more == 0 }

// merge adds what another part of the schema says about the same value, or what is said about a value below it.
func (w *valueWalk) merge(o *outcome, other outcome) {
	w.meter.Spend(meter.UnitsOfError * len(other.errs))
	if room := w.limits.Entries - len(o.errs); w.limits.Entries > 0 && room < len(other.errs) {
		o.more += len(other.errs) - room
		other.errs = other.errs[:room]
	}
	o.errs = append(o.errs, other.errs...)
	o.more += other.more
	o.matches += other.matches
}

// run validates a whole value and drops duplicate errors. It also returns how many errors it left out.
func (w *valueWalk) run(v any, s *structural.JSONSchema, old *correlation) (errs prunert.ErrorList, more int) {
	w.patterns = map[string]pattern{}
	seen := map[string]bool{}
	o := w.validate(v, s, spine, old, nil)
	bytes := 0
	for i, found := range o.errs {
		if w.limits.Bytes > 0 && bytes > w.limits.Bytes {
			return errs, o.more + len(o.errs) - i
		}
		e, raw := found.error()
		bytes += len(raw) + len(e.Detail)
		if seen[raw] {
			continue
		}
		seen[raw] = true
		errs = append(errs, e)
	}
	return errs, o.more
}

// depth says where a schema is: below a junctor, a few keywords mean something else.
type depth uint8

const (
	spine  depth = iota // at the root, or below properties, items and additionalProperties
	nested              // below a junctor
)

// validate applies s to v. An unchanged value is valid: old is nil if the old value is not known.
func (w *valueWalk) validate(v any, s *structural.JSONSchema, deep depth, old *correlation, at *structural.Path) outcome {
	out := w.apply(v, s, deep, old, at)
	if !out.isValid() && old.isEqual() {
		return outcome{matches: out.matches}
	}
	return out
}

// apply applies s to v.
func (w *valueWalk) apply(v any, s *structural.JSONSchema, deep depth, old *correlation, at *structural.Path) outcome {
	var out outcome
	if s == nil || !w.meter.Spend(1) {
		return out
	}
	types, format := w.typesOf(s), w.formatOf(s)
	if v == nil {
		w.merge(&out, w.typ(v, types, format, s.Nullable, at))
		w.merge(&out, w.enum(v, s, at))
		return out
	}
	apply := func(o outcome) {
		w.merge(&out, o)
		out.matches++
	}
	if len(types) > 0 || format != "" {
		apply(w.typ(v, types, format, s.Nullable, at))
	}
	apply(w.junctors(v, s, at))
	switch v := v.(type) {
	case string:
		apply(w.text(v, s, at))
		if f := formats.Find(format); f != nil && f.KnownBy(w.by) {
			apply(w.format(v, format, f.Is, at))
		}
	case int64, float64:
		apply(w.number(v, s, types, format, at))
	case []any:
		apply(w.list(v, s, deep, old, at))
	}
	apply(w.enum(v, s, at))
	if m, ok := v.(map[string]any); ok {
		apply(w.object(m, s, deep, old, at))
	}
	out.matches++
	return out
}

// typesOf returns the types that a schema allows, none for all.
func (w *valueWalk) typesOf(s *structural.JSONSchema) []string {
	switch {
	case s.XIntOrString && w.reading == readObject:
		return []string{"integer", "string"}
	case s.Type == "":
		return nil
	}
	return []string{s.Type}
}

// formatOf returns the format of a schema, "" if it does not count.
func (w *valueWalk) formatOf(s *structural.JSONSchema) string {
	if w.reading == readDefault { // one that the server does not know is for no value that is not a string
		return s.Format
	}
	f := formats.Find(s.Format)
	typ := s.Type
	if s.XIntOrString || !w.by.Has(kubeversion.NumericFormats) {
		typ = "" // formats of strings, whatever the type
	}
	counts := false
	switch typ {
	case "", "string":
		counts = f != nil && f.CountsIn(w.by)
	case "integer":
		counts = s.Format == "int32" || s.Format == "int64"
	case "number":
		counts = s.Format == "float" || s.Format == "double"
	}
	if counts {
		return s.Format
	}
	return ""
}

// KnowsFormat reports whether the API server of a version validates strings or numbers by the format of s.
func KnowsFormat(by kubeversion.Version, s *structural.JSONSchema) bool {
	return (&valueWalk{reading: readObject, by: by}).formatOf(s) != ""
}

// found returns an outcome with one error.
func found(at *structural.Path, words func(path string) (e prunert.Error, raw string)) outcome {
	return outcome{errs: []foundError{{at, words}}}
}

// fail returns an error whose text, after the path, is given by a format.
func fail(typ prunert.ErrorType, at *structural.Path, value any, format string, args ...any) outcome {
	return found(at, func(path string) (prunert.Error, string) {
		raw := path + " in body " + fmt.Sprintf(format, args...)
		return prunert.Error{Type: typ, Field: fieldOf(path), BadValue: value, Detail: raw}, raw
	})
}

// failWith is fail with a detail of its own.
func failWith(typ prunert.ErrorType, at *structural.Path, value any, detail, format string, args ...any) outcome {
	return found(at, func(path string) (prunert.Error, string) {
		raw := path + " in body " + fmt.Sprintf(format, args...)
		return prunert.Error{Type: typ, Field: fieldOf(path), BadValue: value, Detail: detail}, raw
	})
}

// failWithoutPath returns an error without path and value, as the API server does. The path is only in the detail.
func failWithoutPath(at *structural.Path, detail func(path string) string) outcome {
	return found(at, func(path string) (prunert.Error, string) {
		text := detail(path)
		return prunert.Error{Type: prunert.ErrorTypeInvalid, BadValue: "", Detail: text}, text
	})
}

// fieldOf returns a path as it is printed: without the dot that the keys at the root begin with.
func fieldOf(path string) string {
	return strings.TrimPrefix(path, ".")
}

// typ checks the type of v.
func (w *valueWalk) typ(v any, types []string, format string, nullable bool, at *structural.Path) outcome {
	good := outcome{matches: 1}
	is := func(typ string) bool { return slices.Contains(types, typ) }
	wrong := func(want, found string) outcome {
		return fail(prunert.ErrorTypeTypeInvalid, at, found, "must be of type %s: %q", want, found)
	}
	if v == nil {
		if len(types) == 0 || is("null") || nullable {
			return good
		}
		return wrong(strings.Join(types, ","), "null")
	}
	if isForeign(v) {
		return good
	}
	found := typeName(v)
	// A Go type has a format, too.
	native := map[string]string{"integer": "int64", "number": "float64"}[found]
	f, _ := v.(float64)
	fits := is(found) || found == "number" && is("integer") && isWhole(f) || found == "integer" && is("number")
	textOrList := found == "string" || found == "array"
	switch {
	case !textOrList && format != "" && !fits && native != format:
		return wrong(format, native)
	case textOrList && format != "" && !is("number") && !is("integer"):
		return good // for the format to decide, which lists do not have
	case !fits:
		return wrong(strings.Join(types, ","), found)
	}
	return good
}

// isWhole reports whether f is an integer, up to a rounding error, and small enough for all its neighbours to be floats, too.
func isWhole(f float64) bool {
	const safe = 1<<53 - 1
	whole := math.Round(f)
	return f >= -safe && f <= safe && (f == whole || whole != 0 && math.Abs(f-whole) < 1e-9*math.Abs(whole))
}

// junctors applies anyOf, oneOf, allOf and not.
func (w *valueWalk) junctors(v any, s *structural.JSONSchema, at *structural.Path) outcome {
	var out outcome
	say := func(format string, args ...any) {
		w.merge(&out, failWithoutPath(at, func(path string) string { return fmt.Sprintf("%q ", path) + fmt.Sprintf(format, args...) }))
	}
	if len(s.AnyOf) > 0 {
		chosen, valid := w.choose(v, s.AnyOf, 1, at)
		if valid == 0 {
			say("must validate at least one schema (anyOf)")
		}
		w.merge(&out, chosen)
	}
	if len(s.OneOf) > 0 {
		switch chosen, valid := w.choose(v, s.OneOf, len(s.OneOf), at); valid {
		case 0:
			say("must validate one and only one schema (oneOf). Found none valid")
			w.merge(&out, chosen)
		case 1:
			w.merge(&out, chosen)
		default:
			say("must validate one and only one schema (oneOf). Found %d valid alternatives", valid)
		}
	}
	if len(s.AllOf) > 0 {
		valid := 0
		for _, n := range s.AllOf {
			o := w.apply(v, n, nested, nil, at)
			if o.isValid() {
				valid++
			}
			w.merge(&out, o)
		}
		switch valid {
		case len(s.AllOf):
		case 0:
			say("must validate all the schemas (allOf). None validated")
		default:
			say("must validate all the schemas (allOf)")
		}
	}
	if s.Not != nil && w.apply(v, s.Not, nested, nil, at).isValid() {
		say("must not validate the schema (not)")
	}
	out.matches++
	return out
}

// choose applies alternatives until enough of them are valid. It returns the first valid one or, if there is none, the one that matches
// most, and the number of valid ones.
func (w *valueWalk) choose(v any, all []*structural.JSONSchema, enough int, at *structural.Path) (chosen outcome, valid int) {
	for i, n := range all {
		o := w.apply(v, n, nested, nil, at)
		switch {
		case o.isValid():
			if valid++; valid == 1 {
				chosen = o
			}
			if valid == enough {
				return chosen, valid
			}
		case valid == 0 && (i == 0 || o.matches > chosen.matches):
			chosen = o
		}
	}
	return chosen, valid
}
