package pruneimpl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// fault is an error of a value, as data. Its text is made when somebody reads it.
type fault struct {
	kind  faultKind
	value any
	want  Type
	text  string
	names []string
	bound float64
	limit int64
}

type faultKind uint8

// In brackets: the fields of the fault that say more.
const (
	faultGiven     faultKind = iota // an error that is in words already, except for its field (value: a *prunert.Error)
	faultOwner                      // the same in an owner reference, whose index older servers leave out of the field
	faultType                       // a value of another type, or a string of another format (value, want or text)
	faultRootType                   // the apiVersion or the kind of the object is not a string (value, want)
	faultRequired                   // a field is missing (text)
	faultForbidden                  // a field that must not exist (text)
	faultEnum                       // a value that is not one of several (value, names, text)
	faultPattern                    // a string that a regular expression does not match (value, text, names: why the expression is not valid)
	faultTooLong                    // a string with too many characters (limit)
	faultTooMany                    // items or fields (value: how many, text, limit)
	faultTooFew                     // characters, items or fields (value, text, limit)
	faultBound                      // a number that is beyond a bound, or not a multiple (value, text, bound)
	faultFactor                     // no number is a multiple of such a factor (value: the factor)
	faultNumber                     // a number, or a bound, that is not of the type of the schema (text, names)
	faultJunctor                    // (text)

	// The schema validator does not report those from here on.
	faultTypeMeta   // the apiVersion or the kind of a resource (value, text)
	faultNoTypeMeta // it is missing
	faultDuplicate  // an element of a set or of a list map (value)
	faultNoObject   // a scalar in a list map (value)
)

// isListFault reports whether a fault is one of lists as sets and maps.
func (k faultKind) isListFault() bool { return k >= faultDuplicate }

// fault records what is wrong with the value that is being walked.
func (r *Recorder) fault(f fault) int {
	if r == nil {
		return 1
	}
	return r.keep(f)
}

// keep is not part of fault so that nothing is allocated if nothing is recorded.
//
//go:noinline
func (r *Recorder) keep(f fault) int {
	return r.record(event{kind: leafFault, fault: &f})
}

// said is a fault as text.
type said struct {
	err *prunert.Error
	// raw is the text by which the API server's schema validator tells faults from each other: equal ones are reported once.
	raw string
}

// say returns the text of a fault of the value at the end of steps, as a version of the API server writes it. The path is that of the
// schema validator.
func (f *fault) say(steps []event, path []byte, by kubeversion.Version) said {
	if f.kind >= faultTypeMeta {
		return f.sayAt(string(appendPath(nil, steps, bracketed)), by)
	}
	at := string(path)
	field := errorField(at)
	body := func(typ prunert.ErrorType, value any, format string, args ...any) said {
		var buf [256]byte
		raw := string(fmt.Appendf(append(append(buf[:0], at...), " in body "...), format, args...))
		return said{&prunert.Error{Type: typ, Field: field, BadValue: value, Detail: raw}, raw}
	}
	detail := func(s said, detail string) said {
		s.err.Detail = detail
		return s
	}
	given := func(field string, value any, text string) said {
		return said{&prunert.Error{Type: prunert.ErrorTypeInvalid, Field: field, BadValue: value, Detail: text}, text}
	}
	lost := errorField("") // what the API server has of the path of some
	const invalid = prunert.ErrorTypeInvalid
	switch f.kind {
	case faultGiven, faultOwner:
		e := *f.value.(*prunert.Error)
		if e.Field = field; f.kind == faultOwner && !by.Has(kubeversion.DeclaredMetadata) {
			i := len(steps) - 1
			for steps[i].kind != stepIndex {
				i--
			}
			e.Field = errorField(string(appendPath(nil, slices.Concat(steps[:i], steps[i+1:]), inBody)))
		}
		return said{err: &e}
	case faultType, faultRootType:
		want := f.text
		if want == "" {
			want = f.want.String()
		}
		return body(prunert.ErrorTypeTypeInvalid, f.value, "must be of type %s: %q", want, f.value)
	case faultRequired:
		at += "." + f.text
		field = errorField(at)
		return detail(body(prunert.ErrorTypeRequired, "", "is required"), "")
	case faultForbidden:
		return given(field, f.text, at+"."+f.text+" in body is a forbidden property")
	case faultEnum:
		quoted := make([]string, len(f.names))
		for i, name := range f.names {
			quoted[i] = strconv.Quote(name)
		}
		return detail(body(prunert.ErrorTypeNotSupported, f.value, "should be one of %s", f.text), "supported values: "+strings.Join(quoted, ", "))
	case faultPattern:
		if f.names != nil {
			return body(invalid, f.value, "should match '%s, but pattern is invalid: %s'", f.text, f.names[0])
		}
		return body(invalid, f.value, "should match '%s'", f.text)
	case faultTooLong:
		return detail(body(prunert.ErrorTypeTooLong, "<value omitted>", "should be at most %d chars long", f.limit), atMost(f.limit, "may not be more than", "byte", "value is too long", by))
	case faultTooMany:
		return detail(body(prunert.ErrorTypeTooMany, f.value, "should have at most %d "+f.text, f.limit), atMost(f.limit, "must have at most", "item", "has too many items", by))
	case faultTooFew:
		return body(invalid, f.value, "should "+f.text, f.limit)
	case faultBound:
		if _, ok := f.value.(int64); ok { // the API server compares integers with a bound that is cut to one
			return body(invalid, f.value, "should be %s %d", f.text, int64(f.bound))
		}
		return body(invalid, f.value, "should be %s %v", f.text, f.bound)
	case faultFactor:
		return given(field, f.value, fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", at, f.value))
	case faultNumber:
		typ, format := f.names[0], " (default format)"
		if f.names[1] != "" {
			format = " with format " + f.names[1]
		}
		return given(lost, "", f.text+" value must be of type "+typ+format+" in "+at)
	case faultJunctor:
		return given(lost, "", fmt.Sprintf("%q ", at)+f.text)
	}
	panic(fmt.Sprintf("pruneimpl: no words for fault %d", f.kind))
}

// sayAt returns the text of a fault that the schema validator does not report.
func (f *fault) sayAt(at string, by kubeversion.Version) said {
	e := &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: at, BadValue: f.value, Detail: f.text}
	switch f.kind {
	case faultDuplicate:
		e.Type = prunert.ErrorTypeDuplicate
	case faultNoObject:
		e.Detail = "must be an object for an array of list-type map"
	case faultNoTypeMeta:
		e.Type, e.BadValue = prunert.ErrorTypeRequired, ""
		if !by.Has(kubeversion.PlainTexts) {
			e.Detail = "must not be empty"
		}
	}
	return said{err: e}
}

// atMost returns the text of an upper limit.
func atMost(limit int64, words, unit, negative string, by kubeversion.Version) string {
	switch {
	case limit == 1 && by.Has(kubeversion.OneOfAKind):
		return words + " 1 " + unit
	case limit < 0:
		return negative
	}
	return fmt.Sprintf("%s %d %ss", words, limit, unit)
}

// Errors returns the recorded faults, sorted by text, as the API server reports them: each once. Where the limits leave some
// out, the last one says how many.
func (r *Recorder) Errors() prunert.ErrorList {
	return r.errors(func(steps []event, path []byte, f *fault) (said, bool) { return f.say(steps, path, r.Kubernetes), true })
}

// errors is Errors for the faults that say has texts for; it returns false for all others.
func (r *Recorder) errors(say func(steps []event, path []byte, f *fault) (said, bool)) prunert.ErrorList {
	if r.faults == (count{}) {
		return nil
	}
	type written struct {
		text string
		err  *prunert.Error
	}
	all := make([]written, 0, r.faults.listed)
	seen := make(map[string]bool, r.faults.listed)
	bytes, more := 0, r.faults.more
	log := r.read(inBody)
	for leaf := log.next(); leaf != nil; leaf = log.next() {
		if leaf.kind != leafFault {
			continue
		}
		if !r.fits(bytes) {
			more++
			continue
		}
		s, ok := say(log.steps, log.path(), leaf.fault)
		if !ok || s.raw != "" && seen[s.raw] {
			continue
		}
		seen[s.raw] = true
		s.err.BadValue = badvalue.In(r.Kubernetes, s.err.BadValue)
		if s.err.Path = valuePath(log.steps); leaf.fault.kind == faultRequired {
			s.err.Path = append(s.err.Path, prunert.Step{Name: leaf.fault.text, Index: -1})
		}
		text := s.err.Error()
		bytes += len(text)
		all = append(all, written{text, s.err})
	}
	slices.Reverse(all) // the log ends with what comes first in the object, which is the one to keep of equal texts
	slices.SortStableFunc(all, func(a, b written) int { return strings.Compare(a.text, b.text) })
	all = slices.CompactFunc(all, func(a, b written) bool { return a.text == b.text })
	list := make(prunert.ErrorList, 0, len(all)+1)
	for _, w := range all {
		list = append(list, w.err)
	}
	if more > 0 {
		list = append(list, &prunert.Error{
			Type: prunert.ErrorTypeOmitted, Field: errorField(""), Detail: fmt.Sprintf("%d more errors are not listed", more),
		})
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// errorField returns the field of an error at a path of the validator. The API server removes a leading dot, and prints <nil> for a path
// that it has lost.
func errorField(at string) string {
	if at == "" || at == "." {
		return prunert.NoField
	}
	return strings.TrimPrefix(at, ".")
}

// jsonText writes a value as JSON.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	return string(b)
}
