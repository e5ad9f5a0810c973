package structural

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ValueError is one thing that value validation finds wrong with a value.
type ValueError struct {
	Type     ErrorType
	Field    string // as the API server writes it, "<nil>" where it names none
	BadValue any
	Detail   string
}

// Error returns the text that the API server prints, field first.
func (e *ValueError) Error() string {
	return e.Field + ": " + errorBody(e.Type, e.BadValue, e.Detail)
}

// ValidateValues returns what the API server's schema validation finds wrong with v: types and value validation, in its words.
// It leaves out what stands beside the schema there: metadata, list types and CEL rules. Where the order is by chance in the
// API server, among fields, it is by name here. The boolean is false where v and s are so large that not all was looked at.
//
// It is the reference for generated validation: it follows the schema and the value side by side.
func ValidateValues(v any, s *JSONSchema) ([]*ValueError, bool) {
	w := valueWalk{reading: readObject, steps: maxValueSteps}
	errs := w.run(v, s)
	for _, e := range errs {
		if e.Field == "" {
			e.Field = "<nil>"
		}
	}
	return errs, w.steps >= 0
}

// maxValueSteps is about how many keywords are applied to values before validation gives up: alternatives times elements
// can be any number.
const maxValueSteps = 20_000_000

// valueReading says what of a schema counts, which is not quite the same for objects and for defaults.
type valueReading uint8

const (
	// readObject is for objects: formats that CRDs do not have are left out, x-kubernetes-int-or-string stands for types.
	readObject valueReading = iota
	// readDefault is for defaults, which Kubernetes validates by the converted schema: every format counts for every type,
	// x-kubernetes-int-or-string says nothing, nor do additionalProperties below a junctor.
	readDefault
)

// valueWalk validates values. It stops when there are no steps left.
type valueWalk struct {
	reading  valueReading
	steps    int
	patterns map[string]*regexp.Regexp
}

// outcome is what is wrong with a value, and how much of a schema it matches: of the alternatives that all fail, the one
// that matches most is reported.
type outcome struct {
	errs    []*foundValue
	matches int
}

// foundValue is an error with the text by which the API server tells it from others: equal ones are reported once.
type foundValue struct {
	ValueError
	raw string
}

func (o *outcome) merge(other outcome) {
	o.errs = append(o.errs, other.errs...)
	o.matches += other.matches
}

// valuePath is where a value stands. It is written only when something is wrong with the value.
type valuePath struct {
	parent *valuePath
	step   string
}

func (p *valuePath) String() string {
	var steps []string
	for ; p != nil; p = p.parent {
		steps = append(steps, p.step)
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

func (p *valuePath) isEmpty() bool {
	for ; p != nil; p = p.parent {
		if p.step != "" {
			return false
		}
	}
	return true
}

// property returns the path of a field that the schema names.
func (p *valuePath) property(name string) *valuePath {
	if p.isEmpty() {
		return &valuePath{p, name}
	}
	return &valuePath{p, "." + name}
}

// key returns the path of any other key: it begins with a dot, even at the root.
func (p *valuePath) key(name string) *valuePath { return &valuePath{p, "." + name} }

func (p *valuePath) index(i int) *valuePath { return &valuePath{p, "[" + strconv.Itoa(i) + "]"} }

// run validates a whole value and drops the errors that are there twice.
func (w *valueWalk) run(v any, s *JSONSchema) []*ValueError {
	w.patterns = map[string]*regexp.Regexp{}
	seen := map[string]bool{}
	var errs []*ValueError
	for _, e := range w.validate(v, s, false, nil).errs {
		if !seen[e.raw] {
			seen[e.raw] = true
			errs = append(errs, &e.ValueError)
		}
	}
	return errs
}

// spend uses up steps and reports whether there were any left.
func (w *valueWalk) spend(n int) bool {
	w.steps -= n
	return w.steps >= 0
}

// validate applies s to v. What stands below a junctor is nested.
func (w *valueWalk) validate(v any, s *JSONSchema, nested bool, at *valuePath) outcome {
	var out outcome
	if s == nil || !w.spend(1) {
		return out
	}
	types, format := w.typesOf(s), w.formatOf(s)
	if v == nil {
		out.merge(w.typ(v, types, format, s.Nullable, at))
		out.merge(w.enum(v, s, at))
		return out
	}
	apply := func(o outcome) {
		out.merge(o)
		out.matches++
	}
	if len(types) > 0 || format != "" {
		apply(w.typ(v, types, format, s.Nullable, at))
	}
	apply(w.junctors(v, s, at))
	switch v := v.(type) {
	case string:
		apply(w.text(v, s, at))
		if isFormat := stringFormats[normalFormat(format)]; isFormat != nil {
			apply(w.format(v, format, isFormat, at))
		}
	case int64, float64:
		apply(w.number(v, s, types, format, at))
	case []any:
		apply(w.list(v, s, nested, at))
	}
	apply(w.enum(v, s, at))
	if m, ok := v.(map[string]any); ok {
		apply(w.object(m, s, nested, at))
	}
	out.matches++
	return out
}

// typesOf returns the types that a schema allows, none for all.
func (w *valueWalk) typesOf(s *JSONSchema) []string {
	switch {
	case s.XIntOrString && w.reading == readObject:
		return []string{"integer", "string"}
	case s.Type == "":
		return nil
	}
	return []string{s.Type}
}

// formatOf returns the format of a schema, "" where it does not count.
func (w *valueWalk) formatOf(s *JSONSchema) string {
	if w.reading == readDefault || s.Format == "" {
		return s.Format
	}
	typ := s.Type
	if s.XIntOrString {
		typ = ""
	}
	counts := false
	switch typ {
	case "", "string":
		counts = stringFormats[normalFormat(s.Format)] != nil
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

// fail returns an error whose text, after the path, is given by a format.
func fail(typ ErrorType, at *valuePath, value any, format string, args ...any) outcome {
	path := at.String()
	raw := path + " in body " + fmt.Sprintf(format, args...)
	return outcome{errs: []*foundValue{{
		ValueError: ValueError{Type: typ, Field: fieldOf(path), BadValue: value, Detail: raw}, raw: raw,
	}}}
}

// failWith is fail with a detail of its own.
func failWith(typ ErrorType, at *valuePath, value any, detail, format string, args ...any) outcome {
	o := fail(typ, at, value, format, args...)
	o.errs[0].Detail = detail
	return o
}

// failWithoutPath returns an error that lost its path and its value on the way.
func failWithoutPath(detail string) outcome {
	return outcome{errs: []*foundValue{{ValueError: ValueError{Type: ErrorInvalid, BadValue: "", Detail: detail}, raw: detail}}}
}

// fieldOf returns a path as it is printed: without the dot that the keys at the root begin with.
func fieldOf(path string) string {
	return strings.TrimPrefix(path, ".")
}

// typ checks the type of v.
func (w *valueWalk) typ(v any, types []string, format string, nullable bool, at *valuePath) outcome {
	good := outcome{matches: 1}
	is := func(typ string) bool { return slices.Contains(types, typ) }
	wrong := func(want, found string) outcome {
		return fail(ErrorTypeInvalid, at, found, "must be of type %s: %q", want, found)
	}
	if v == nil {
		if len(types) == 0 || is("null") || nullable {
			return good
		}
		return wrong(strings.Join(types, ","), "null")
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
func (w *valueWalk) junctors(v any, s *JSONSchema, at *valuePath) outcome {
	var out outcome
	say := func(format string, args ...any) {
		out.merge(failWithoutPath(fmt.Sprintf("%q ", at.String()) + fmt.Sprintf(format, args...)))
	}
	if len(s.AnyOf) > 0 {
		chosen, valid := w.choose(v, s.AnyOf, 1, at)
		if valid == 0 {
			say("must validate at least one schema (anyOf)")
		}
		out.merge(chosen)
	}
	if len(s.OneOf) > 0 {
		switch chosen, valid := w.choose(v, s.OneOf, len(s.OneOf), at); valid {
		case 0:
			say("must validate one and only one schema (oneOf). Found none valid")
			out.merge(chosen)
		case 1:
			out.merge(chosen)
		default:
			say("must validate one and only one schema (oneOf). Found %d valid alternatives", valid)
		}
	}
	if len(s.AllOf) > 0 {
		valid := 0
		for _, n := range s.AllOf {
			o := w.validate(v, n, true, at)
			if len(o.errs) == 0 {
				valid++
			}
			out.merge(o)
		}
		switch valid {
		case len(s.AllOf):
		case 0:
			say("must validate all the schemas (allOf). None validated")
		default:
			say("must validate all the schemas (allOf)")
		}
	}
	if s.Not != nil && len(w.validate(v, s.Not, true, at).errs) == 0 {
		say("must not validate the schema (not)")
	}
	out.matches++
	return out
}

// choose applies alternatives until so many of them are valid. It returns the first valid one, or, where there is none, the
// one that matches most, and the number of those that are valid.
func (w *valueWalk) choose(v any, all []*JSONSchema, enough int, at *valuePath) (chosen outcome, valid int) {
	for i, n := range all {
		o := w.validate(v, n, true, at)
		switch {
		case len(o.errs) == 0:
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
