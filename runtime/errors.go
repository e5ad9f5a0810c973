package prunert

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrorType says what is wrong with a value. The values are those of the causes of a Kubernetes Status.
type ErrorType string

const (
	// ErrorTypeInvalid is a value of the right type that is wrong all the same.
	ErrorTypeInvalid ErrorType = "FieldValueInvalid"
	// ErrorTypeTypeInvalid is a value of a type that the schema does not allow.
	ErrorTypeTypeInvalid ErrorType = "FieldValueTypeInvalid"
)

// Error is one thing that is wrong with an object. It has what a cause of a Kubernetes Status has: its reason is Type,
// its field is Field, its message is Body().
type Error struct {
	Type     ErrorType
	Field    string
	BadValue any
	Detail   string
}

// Error returns the text that the API server prints, field first.
func (e *Error) Error() string {
	return e.Field + ": " + e.Body()
}

// Body returns the text without the field.
func (e *Error) Body() string {
	var value string
	switch v := e.BadValue.(type) {
	case string:
		value = fmt.Sprintf("%q", v)
	case int64, float64, bool:
		value = fmt.Sprint(v)
	default:
		b, err := json.Marshal(v)
		if err != nil {
			b = fmt.Appendf(nil, "%#v", v)
		}
		value = string(b)
	}
	body := "Invalid value: " + value
	if e.Detail != "" {
		body += ": " + e.Detail
	}
	return body
}

// ErrorList is everything that is wrong with an object, sorted by text. It is nil when nothing is.
type ErrorList []*Error

// Err returns the list as one error, nil when it is empty.
func (l ErrorList) Err() error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// Errors returns the recorded values of the wrong type as errors, in the words of the API server.
func (r *Recorder) Errors() ErrorList {
	var list ErrorList
	r.leaves(func(steps []event, _ int, leaf event) {
		at := bodyPath(steps)
		switch leaf.kind {
		case leafMismatch:
			list = append(list, &Error{
				Type:     ErrorTypeTypeInvalid,
				Field:    errorField(at),
				BadValue: leaf.fault.found,
				Detail:   fmt.Sprintf("%s in body must be of type %s: %q", at, leaf.name, leaf.fault.found),
			})
		case leafRange:
			// The API server has lost the path when it makes a field error of this.
			list = append(list, &Error{
				Type:     ErrorTypeInvalid,
				Field:    errorField(""),
				BadValue: "",
				Detail:   "Checked value must be of type integer (default format) in " + at,
			})
		case leafInvalid:
			list = append(list, &Error{Type: ErrorTypeInvalid, Field: errorField(at), BadValue: leaf.fault.value, Detail: leaf.fault.found})
		}
	})
	sortByText(list)
	return list
}

// sortByText makes the text of each error once: an object can be made to have a million of them, and to make them in each
// comparison would take minutes.
func sortByText(list ErrorList) {
	type line struct {
		text string
		err  *Error
	}
	lines := make([]line, len(list))
	for i, e := range list {
		lines[i] = line{e.Error(), e}
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.text, b.text) })
	for i, l := range lines {
		list[i] = l.err
	}
}

// bodyPath writes a path as the API server's schema validator does, which begins a path again where it is empty: a field
// without a name leaves no trace at the root.
func bodyPath(steps []event) string {
	if slices.ContainsFunc(steps, func(e event) bool { return e.kind == stepMetadata }) {
		return render(steps) // the validator has no part in this
	}
	var b []byte
	for _, e := range steps {
		switch {
		case e.kind == stepIndex:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(e.index), 10)
			b = append(b, ']')
			continue
		case e.kind == stepKey || len(b) > 0:
			b = append(b, '.')
		}
		b = append(b, e.name...)
	}
	return string(b)
}

// errorField returns the field of an error at a path of the validator. The API server takes off a leading dot, and prints
// what is left of a path that it has lost.
func errorField(at string) string {
	if at == "" || at == "." {
		return "<nil>"
	}
	return strings.TrimPrefix(at, ".")
}
