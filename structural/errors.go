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
	// ErrorNotSupported is a value that is none of those that are possible.
	ErrorNotSupported ErrorType = "FieldValueNotSupported"
	// ErrorUnsupported is what the conversion to a structural schema refuses. Kubernetes words it without a path.
	ErrorUnsupported ErrorType = "Unsupported"
)

// Error is one reason why a schema is not structural.
type Error struct {
	Rule     Rule
	Type     ErrorType
	Path     *Path
	BadValue any // for ErrorInvalid: a string or a bool
	Detail   string
}

// Error returns the text the API server prints, path first.
func (e *Error) Error() string {
	var parts []string
	switch e.Type {
	case ErrorRequired:
		parts = append(parts, "Required value")
	case ErrorForbidden:
		parts = append(parts, "Forbidden")
	case ErrorNotSupported:
		parts = append(parts, fmt.Sprintf("Unsupported value: %q", e.BadValue))
	case ErrorInvalid:
		if s, ok := e.BadValue.(string); ok {
			parts = append(parts, fmt.Sprintf("Invalid value: %q", s))
		} else {
			parts = append(parts, fmt.Sprintf("Invalid value: %v", e.BadValue))
		}
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	return e.Path.String() + ": " + strings.Join(parts, ": ")
}

// sortErrors orders errs by their texts, as Kubernetes does. Each text is made once: it is as long as its path.
func sortErrors(errs []*Error) {
	texts := make(map[*Error]string, len(errs))
	for _, e := range errs {
		texts[e] = e.Error()
	}
	slices.SortFunc(errs, func(a, b *Error) int { return strings.Compare(texts[a], texts[b]) })
}
