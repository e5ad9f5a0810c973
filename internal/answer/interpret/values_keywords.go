package interpret

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	"github.com/prune-gen/prune-gen/internal/base/meter"
	"github.com/prune-gen/prune-gen/internal/base/sorted"
	"github.com/prune-gen/prune-gen/internal/crd/kubenames"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural"
)

// text applies the keywords for strings. Only the first that fails is reported.
func (w *valueWalk) text(v string, s *structural.JSONSchema, at *structural.Path) outcome {
	var length int64
	if s.MaxLength != nil || s.MinLength != nil {
		w.meter.Spend(len(v) / meter.ScannedBytes)
		length = int64(utf8.RuneCountInString(v))
	}
	switch {
	case s.MaxLength != nil && length > *s.MaxLength:
		return failWith(prunert.ErrorTypeTooLong, at, "<value omitted>", w.most(*s.MaxLength, kubenames.TooLong), "should be at most %d chars long", *s.MaxLength)
	case s.MinLength != nil && length < *s.MinLength:
		return fail(prunert.ErrorTypeInvalid, at, v, "should be at least %d chars long", *s.MinLength)
	case s.Pattern != "":
		p := w.pattern(s.Pattern)
		switch {
		case !w.meter.Spend(1 + len(v)*p.size/meter.ScannedBytes):
		case p.err != nil:
			return fail(prunert.ErrorTypeInvalid, at, v, "should match '%s, but pattern is invalid: %s'", s.Pattern, p.err)
		case !p.re.MatchString(v):
			return fail(prunert.ErrorTypeInvalid, at, v, "should match '%s'", s.Pattern)
		}
	}
	return outcome{}
}

// most returns the detail of an error about a limit, in the words of the API server.
func (w *valueWalk) most(limit int64, detail func(int64) string) string {
	if limit == 1 && !w.by.Has(kubeversion.OneOfAKind) {
		return detail(limit) + "s"
	}
	return detail(limit)
}

// pattern is a compiled pattern, or the error of compiling it.
type pattern struct {
	re   *regexp.Regexp
	size int // of its program: a short pattern can stand for a long one
	err  error
}

// pattern returns a pattern. It has no program if the meter is spent.
func (w *valueWalk) pattern(text string) pattern {
	if p, paid := w.patterns[text]; paid {
		return p
	}
	p, known := w.work.pattern(text)
	if !known {
		p.size, p.err = programSize(text)
	}
	// A run pays for a pattern once. An object with limits of its own always pays, so that its errors do not depend on other objects.
	paid := known && w.meter == w.work.Meter
	if p.err != nil || !paid && !w.meter.Spend(meter.UnitsOfInstruction*p.size) {
		return pattern{size: p.size, err: p.err}
	}
	if !known {
		p.re, p.err = regexp.Compile(text)
		w.work.patterns.Store(text, p)
	}
	w.patterns[text] = p
	return p
}

// programSize returns how many instructions the program of a pattern has.
func programSize(text string) (int, error) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

// format applies a format, which every string has if is is nil.
func (w *valueWalk) format(v, format string, is func(string) bool, at *structural.Path) outcome {
	if !w.meter.Spend(len(v)) || is == nil || is(v) {
		return outcome{}
	}
	return fail(prunert.ErrorTypeTypeInvalid, at, v, "must be of type %s: %q", format, v)
}

// number applies the keywords for numbers. The bounds of an integer must be integers, or every value is refused.
func (w *valueWalk) number(v any, s *structural.JSONSchema, types []string, format string, at *structural.Path) outcome {
	typ := ""
	if len(types) == 1 && (types[0] == "integer" || types[0] == "number") && w.by.Has(kubeversion.NumericFormats) {
		typ = types[0]
	}
	switch typ + " " + format {
	case "integer int32", "integer int64", "number float", "number double":
	default:
		format = ""
	}
	inRange := func(v any, what string) (outcome, bool) {
		if fitsNumber(v, typ, format) {
			return outcome{}, true
		}
		which := " (default format)"
		if format != "" {
			which = " with format " + format
		}
		return failWithoutPath(at, func(path string) string { return what + " value must be of type " + typ + which + " in " + path }), false
	}
	out, _ := inRange(v, "Checked")
	bound := func(limit *float64, what string, check func(v any, limit float64) outcome) {
		if limit == nil {
			return
		}
		o, ok := inRange(*limit, what)
		w.merge(&out, o)
		if ok {
			w.merge(&out, check(v, *limit))
		} else { // both as floats
			w.merge(&out, check(toFloat(v), *limit))
		}
	}
	bound(s.MultipleOf, "MultipleOf", func(v any, factor float64) outcome { return multipleOf(v, factor, at) })
	bound(s.Minimum, "Minimum boundary", func(v any, limit float64) outcome {
		than := "greater than or equal to"
		if s.ExclusiveMinimum {
			than = "greater than"
		}
		return compare(v, limit, func(order int) bool { return order > 0 || order == 0 && !s.ExclusiveMinimum }, than, at)
	})
	bound(s.Maximum, "Maximum boundary", func(v any, limit float64) outcome {
		than := "less than or equal to"
		if s.ExclusiveMaximum {
			than = "less than"
		}
		return compare(v, limit, func(order int) bool { return order < 0 || order == 0 && !s.ExclusiveMaximum }, than, at)
	})
	out.matches++
	return out
}

// fitsNumber reports whether the type and format hold v.
func fitsNumber(v any, typ, format string) bool {
	text := strconv.FormatFloat(toFloat(v), 'f', -1, 64)
	if i, ok := v.(int64); ok {
		text = strconv.FormatInt(i, 10)
	}
	var err error
	switch {
	case typ == "integer" && format == "int32":
		_, err = strconv.ParseInt(text, 10, 32)
	case typ == "integer":
		_, err = strconv.ParseInt(text, 10, 64)
	case format == "float":
		_, err = strconv.ParseFloat(text, 32)
	}
	return err == nil
}

func toFloat(v any) float64 {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	f, _ := v.(float64)
	return f
}

// compare compares a number with a limit. For an integer, the limit is truncated to one.
func compare(v any, limit float64, good func(order int) bool, than string, at *structural.Path) outcome {
	if i, ok := v.(int64); ok {
		if l := int64(limit); !good(cmpNumbers(i, l)) {
			return fail(prunert.ErrorTypeInvalid, at, v, "should be %s %v", than, l)
		}
		return outcome{}
	}
	if !good(cmpNumbers(toFloat(v), limit)) {
		return fail(prunert.ErrorTypeInvalid, at, v, "should be %s %v", than, limit)
	}
	return outcome{}
}

func cmpNumbers[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func multipleOf(v any, factor float64, at *structural.Path) outcome {
	notPositive := func(factor any) outcome {
		return found(at, func(path string) (prunert.Error, string) {
			raw := fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor)
			return prunert.Error{Type: prunert.ErrorTypeInvalid, Field: fieldOf(path), BadValue: factor, Detail: raw}, raw
		})
	}
	if i, ok := v.(int64); ok {
		switch factor := int64(factor); {
		case factor <= 0:
			return notPositive(factor)
		case i%factor != 0:
			return fail(prunert.ErrorTypeInvalid, at, v, "should be a multiple of %v", factor)
		}
		return outcome{}
	}
	f := toFloat(v)
	times := f / factor
	if factor < 1 {
		times = 1 / factor * f
	}
	switch {
	case factor <= 0:
		return notPositive(factor)
	case !isWhole(times):
		return fail(prunert.ErrorTypeInvalid, at, v, "should be a multiple of %v", factor)
	}
	return outcome{}
}

// list applies the keywords for lists.
func (w *valueWalk) list(v []any, s *structural.JSONSchema, deep depth, old *correlation, at *structural.Path) outcome {
	var out outcome
	if items := s.Elements(); items != nil {
		for i, e := range v {
			w.merge(&out, w.validate(e, items, deep, old.index(i), at.Index(i)))
		}
	}
	size := int64(len(v))
	if s.MinItems != nil && size < *s.MinItems {
		w.merge(&out, fail(prunert.ErrorTypeInvalid, at, size, "should have at least %d items", *s.MinItems))
	}
	if s.MaxItems != nil && size > *s.MaxItems {
		w.merge(&out, failWith(prunert.ErrorTypeTooMany, at, int(size), w.most(*s.MaxItems, kubenames.TooMany), "should have at most %d items", *s.MaxItems))
	}
	if s.UniqueItems && w.hasDuplicates(v) {
		w.merge(&out, fail(prunert.ErrorTypeInvalid, at, "", "shouldn't contain duplicates"))
	}
	out.matches++
	return out
}

// hasDuplicates reports whether two elements are equal; 1 and 1.0 are not. It compares only elements that have the same JSON.
func (w *valueWalk) hasDuplicates(v []any) bool {
	seen := map[string][]any{}
	for _, e := range v {
		text, err := json.Marshal(e)
		if err != nil || !w.meter.Spend(1+len(seen[string(text)])) {
			return false // no JSON value, or too much to compare
		}
		if slices.ContainsFunc(seen[string(text)], func(other any) bool { return reflect.DeepEqual(e, other) }) {
			return true
		}
		seen[string(text)] = append(seen[string(text)], e)
	}
	return false
}

// enum compares v with the values that it may have, each converted to the type of the value by the rules of Go: 1.0 is 1,
// 65 is "A". Null equals none of them.
func (w *valueWalk) enum(v any, s *structural.JSONSchema, at *structural.Path) outcome {
	if len(s.Enum) == 0 || !w.meter.Spend(meter.UnitsOfEnum*len(s.Enum)) {
		return outcome{}
	}
	value := reflect.ValueOf(v)
	for _, e := range s.Enum {
		if !w.meter.Spend(jsonvalue.Size(e) / meter.ComparedBytes) {
			return outcome{}
		}
		if e != nil && value.IsValid() && !isForeign(v) && value.CanConvert(reflect.TypeOf(e)) &&
			reflect.DeepEqual(value.Convert(reflect.TypeOf(e)).Interface(), e) {
			return outcome{}
		}
	}
	return found(at, func(path string) (prunert.Error, string) {
		raw := path + " in body " + fmt.Sprintf("should be one of %v", s.Enum)
		return prunert.Error{Type: prunert.ErrorTypeNotSupported, Field: fieldOf(path), BadValue: v, Detail: supported(s.Enum)}, raw
	})
}

// supported lists the values of an enum, which can be long.
func supported(enum []any) string {
	var all []string
	for _, e := range enum {
		text, ok := e.(string)
		if !ok {
			data, _ := json.Marshal(e) // a JSON value
			text = string(data)
		}
		all = append(all, strconv.Quote(text))
	}
	return "supported values: " + strings.Join(all, ", ")
}

// object applies the keywords for objects.
func (w *valueWalk) object(v map[string]any, s *structural.JSONSchema, deep depth, old *correlation, at *structural.Path) outcome {
	var out outcome
	size := int64(len(v))
	if s.MinProperties != nil && size < *s.MinProperties {
		w.merge(&out, fail(prunert.ErrorTypeInvalid, at, size, "should have at least %d properties", *s.MinProperties))
	}
	if s.MaxProperties != nil && size > *s.MaxProperties {
		w.merge(&out, failWith(prunert.ErrorTypeTooMany, at, int(size), w.most(*s.MaxProperties, kubenames.TooMany), "should have at most %d properties", *s.MaxProperties))
	}
	additional := s.AdditionalProperties
	if deep == nested && w.reading == readDefault {
		additional = nil
	}
	var keys []string
	if (len(s.Properties) > 0 || additional != nil) && w.meter.Spend(len(v)) {
		keys = sorted.Keys(v)
	}
	for _, k := range keys {
		switch {
		case s.Properties[k] != nil || additional == nil:
		case additional.Schema != nil:
			w.merge(&out, w.validate(v[k], additional.Schema, deep, old.field(k, at), at.Key(k)))
		case !additional.Allows:
			w.merge(&out, found(at, func(path string) (prunert.Error, string) {
				raw := path + "." + k + " in body is a forbidden property"
				return prunert.Error{Type: prunert.ErrorTypeInvalid, Field: fieldOf(path), BadValue: k, Detail: raw}, raw
			}))
		}
	}
	for _, k := range keys {
		if p := s.Properties[k]; p != nil {
			w.merge(&out, w.validate(v[k], p, deep, old.field(k, at), at.Child(k)))
		}
	}
	w.meter.Spend(len(s.Required))
	for _, k := range s.Required {
		if _, ok := v[k]; !ok {
			w.merge(&out, failWith(prunert.ErrorTypeRequired, at.Key(k), "", "", "is required"))
		}
	}
	return out
}
