package pruneimpl

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// The faults of values. In brackets: the fields of the fault that say more.
const (
	faultFormatType    = firstValueFault + iota // a value that has not the type of a format (text, found)
	faultFormat                                 // a string that is not of a format (text, value)
	faultRequired                               // a field is missing (text)
	faultEnum                                   // a value that is not one of several (value, names)
	faultTooLong                                // a string with too many characters (most)
	faultTooShort                               // a string with too few characters (value, most)
	faultPattern                                // a string that a regular expression does not match (value, text, found: why it is none)
	faultMinimum                                // a number that is too small (value, bound)
	faultOverMinimum                            // a number that is too small, or the limit itself (value, bound)
	faultMaximum                                // a number that is too large (value, bound)
	faultUnderMaximum                           // a number that is too large, or the limit itself (value, bound)
	faultMultiple                               // a number that is not a multiple (value, bound)
	faultFactor                                 // no number is a multiple of such a factor (value: the factor)
	faultNumber                                 // a number, or a bound, that is not of the type of the schema (text, names)
	faultTooManyItems                           // (count, most)
	faultTooFewItems                            // (count, most)
	faultTooManyFields                          // (count, most)
	faultTooFewFields                           // (count, most)
	faultForbidden                              // a field that may not be there (text)
	faultJunctor                                // (text)
	faultRootType                               // the apiVersion or the kind of the object is not a string (found)
	faultDuplicate                              // an element of a set or of a list map (value)
	faultNoObject                               // a scalar in a list map (value)
	faultTypeMeta                               // the apiVersion or the kind of a resource (value, text)
	faultNoTypeMeta                             // it is missing
)

// isListFault reports whether a fault is one of lists as sets and maps.
func (k faultKind) isListFault() bool { return k == faultDuplicate || k == faultNoObject }

// said is a fault in words.
type said struct {
	err *prunert.Error
	// raw is the text by which the API server tells faults from each other: equal ones are reported once.
	raw string
}

// say puts a fault of the value at the end of steps into words.
func (f *fault) say(steps []event) said {
	if f.kind >= faultDuplicate {
		return f.sayAt(renderBrackets(steps, true))
	}
	at := bodyPath(steps)
	if f.kind < firstValueFault {
		e := f.error(at)
		return said{e, e.Detail}
	}
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
	// Of these the API server has lost the path.
	lost := func(text string) said {
		return said{&prunert.Error{Type: prunert.ErrorTypeInvalid, Field: errorField(""), BadValue: "", Detail: text}, text}
	}
	const invalid = prunert.ErrorTypeInvalid
	limit := f.most
	switch f.kind {
	case faultRootType:
		return body(prunert.ErrorTypeTypeInvalid, f.found, "must be of type string: %q", f.found)
	case faultFormatType:
		return body(prunert.ErrorTypeTypeInvalid, f.found, "must be of type %s: %q", f.text, f.found)
	case faultFormat:
		return body(prunert.ErrorTypeTypeInvalid, f.value, "must be of type %s: %q", f.text, f.value)
	case faultRequired:
		at += "." + f.text
		field = errorField(at)
		return detail(body(prunert.ErrorTypeRequired, "", "is required"), "")
	case faultEnum:
		quoted := make([]string, len(f.names))
		for i, name := range f.names {
			quoted[i] = strconv.Quote(name)
		}
		return detail(body(prunert.ErrorTypeNotSupported, f.value, "should be one of %s", f.text), "supported values: "+strings.Join(quoted, ", "))
	case faultTooLong:
		return detail(body(prunert.ErrorTypeTooLong, "<value omitted>", "should be at most %d chars long", limit), atMost(limit, "may not be more than", "byte", "value is too long"))
	case faultTooShort:
		return body(invalid, f.value, "should be at least %d chars long", limit)
	case faultPattern:
		if f.found != "" {
			return body(invalid, f.value, "should match '%s, but pattern is invalid: %s'", f.text, f.found)
		}
		return body(invalid, f.value, "should match '%s'", f.text)
	case faultMinimum:
		return body(invalid, f.value, "should be greater than or equal to %v", f.cut())
	case faultOverMinimum:
		return body(invalid, f.value, "should be greater than %v", f.cut())
	case faultMaximum:
		return body(invalid, f.value, "should be less than or equal to %v", f.cut())
	case faultUnderMaximum:
		return body(invalid, f.value, "should be less than %v", f.cut())
	case faultMultiple:
		return body(invalid, f.value, "should be a multiple of %v", f.cut())
	case faultFactor:
		s := body(invalid, f.value, "")
		s.raw = fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", at, f.value)
		return detail(s, s.raw)
	case faultNumber:
		typ, format := f.names[0], " (default format)"
		if f.names[1] != "" {
			format = " with format " + f.names[1]
		}
		return lost(f.text + " value must be of type " + typ + format + " in " + at)
	case faultTooManyItems:
		return detail(body(prunert.ErrorTypeTooMany, f.count, "should have at most %d items", limit), atMost(limit, "must have at most", "item", "has too many items"))
	case faultTooFewItems:
		return body(invalid, int64(f.count), "should have at least %d items", limit)
	case faultTooManyFields:
		return detail(body(prunert.ErrorTypeTooMany, f.count, "should have at most %d properties", limit), atMost(limit, "must have at most", "item", "has too many items"))
	case faultTooFewFields:
		return body(invalid, int64(f.count), "should have at least %d properties", limit)
	case faultForbidden:
		s := body(invalid, f.text, "")
		s.raw = at + "." + f.text + " in body is a forbidden property"
		return detail(s, s.raw)
	case faultJunctor:
		return lost(fmt.Sprintf("%q ", at) + f.text)
	}
	panic(fmt.Sprintf("pruneimpl: no words for fault %d", f.kind))
}

// sayAt puts a fault into words that the schema validator has no part in.
func (f *fault) sayAt(at string) said {
	e := &prunert.Error{Type: prunert.ErrorTypeInvalid, Field: at, BadValue: f.value, Detail: f.text}
	switch f.kind {
	case faultDuplicate:
		e.Type = prunert.ErrorTypeDuplicate
	case faultNoObject:
		e.Detail = "must be an object for an array of list-type map"
	case faultNoTypeMeta:
		e.Type, e.BadValue = prunert.ErrorTypeRequired, ""
	}
	return said{e, ""}
}

// cut returns the bound as the API server compares with it: cut to an integer for integers.
func (f *fault) cut() any {
	if _, ok := f.value.(int64); ok {
		return int64(f.bound)
	}
	return f.bound
}

// atMost says how many of something there may be.
func atMost(limit int64, words, unit, negative string) string {
	switch {
	case limit == 1:
		return words + " 1 " + unit
	case limit < 0:
		return negative
	}
	return fmt.Sprintf("%s %d %ss", words, limit, unit)
}

// Invalid returns the recorded faults, sorted by text, as the API server reports them: each once. Where the limits leave some
// out, the last one says how many.
func (r *Recorder) Invalid() prunert.ErrorList {
	return r.invalid(func(steps []event, f *fault) (said, bool) { return f.say(steps), true })
}

// invalid is Invalid for the faults that say puts into words; it returns false for all others.
func (r *Recorder) invalid(say func(steps []event, f *fault) (said, bool)) prunert.ErrorList {
	list := make(prunert.ErrorList, 0, r.faults.listed)
	seen := make(map[string]bool, r.faults.listed)
	bytes, more := 0, r.faults.more
	r.leaves(func(steps []event, _ int, leaf event) {
		switch {
		case leaf.kind != leafFault:
		case !r.fits(bytes):
			more++
		default:
			s, ok := say(steps, leaf.fault)
			if !ok {
				return
			}
			if s.raw != "" {
				if seen[s.raw] {
					return
				}
				seen[s.raw] = true
			}
			if s.err.Path = valuePath(steps); leaf.fault.kind == faultRequired {
				s.err.Path = append(s.err.Path, prunert.Step{Name: leaf.fault.text, Index: -1})
			}
			bytes += errorSize(s.err)
			list = append(list, s.err)
		}
	})
	list = sortByText(list)
	if more > 0 {
		list = append(list, omitted(more))
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// omitted stands last in a list that leaves out n errors.
func omitted(n int) *prunert.Error {
	return &prunert.Error{Type: prunert.ErrorTypeOmitted, Field: errorField(""), Detail: fmt.Sprintf("%d more errors are not listed", n)}
}

// jsonText writes a value as JSON.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	return string(b)
}
