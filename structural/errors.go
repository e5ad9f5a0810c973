package structural

import (
	"fmt"
	"slices"
	"strings"
)

// ErrorType is the kind of an Error, named as Kubernetes names the causes of a Status.
type ErrorType string

const (
	ErrorRequired  ErrorType = "FieldValueRequired"
	ErrorInvalid   ErrorType = "FieldValueInvalid"
	ErrorForbidden ErrorType = "FieldValueForbidden"
	// ErrorUnsupported is what the conversion to a structural schema refuses. Kubernetes words it without a path.
	ErrorUnsupported ErrorType = "Unsupported"
)

// Error is one reason why a schema is not structural.
type Error struct {
	Type     ErrorType
	Path     *Path
	BadValue any // for ErrorInvalid: a string or a bool
	Detail   string
}

// Error returns the text the API server prints, path first.
func (e *Error) Error() string {
	body := e.Detail
	switch e.Type {
	case ErrorRequired:
		body = "Required value: " + e.Detail
	case ErrorForbidden:
		body = "Forbidden: " + e.Detail
	case ErrorInvalid:
		if s, ok := e.BadValue.(string); ok {
			body = fmt.Sprintf("Invalid value: %q: %s", s, e.Detail)
		} else {
			body = fmt.Sprintf("Invalid value: %v: %s", e.BadValue, e.Detail)
		}
	}
	return e.Path.String() + ": " + body
}

// sortErrors orders errs by their texts, as Kubernetes does.
func sortErrors(errs []*Error) {
	slices.SortFunc(errs, func(a, b *Error) int { return strings.Compare(a.Error(), b.Error()) })
}
