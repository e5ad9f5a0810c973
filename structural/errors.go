package structural

import (
	"encoding/json"
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
	ErrorDuplicate ErrorType = "FieldValueDuplicate"
	ErrorTooLong   ErrorType = "FieldValueTooLong"
	ErrorTooMany   ErrorType = "FieldValueTooMany"
	// ErrorTypeInvalid is a value of a type that the schema does not allow, or one that has not the format it should have.
	ErrorTypeInvalid ErrorType = "FieldValueTypeInvalid"
	// ErrorNotSupported is a value that is none of those that are possible.
	ErrorNotSupported ErrorType = "FieldValueNotSupported"
	// ErrorUnsupported is what the conversion to a structural schema refuses. Kubernetes words it without a path.
	ErrorUnsupported ErrorType = "Unsupported"
)

// Error is one reason why the API server refuses a CRD, or why a schema is not structural.
type Error struct {
	Rule     Rule
	Type     ErrorType
	Path     *Path
	BadValue any // a JSON value, or a pointer to one; omitted{} where it is not printed
	Detail   string

	below string // where in the value at Path the error is, if that is no path in the CRD
	hint  string // what to do about it, where the rule alone does not say
}

// omitted stands for a value that is too large to print: a list of versions, a schema.
type omitted struct{}

// Error returns the text the API server prints, path first.
func (e *Error) Error() string {
	path := e.Path.String()
	if e.below != "" {
		path += "." + e.below
	}
	if e.Type == ErrorUnsupported {
		return path + ": " + e.Detail
	}
	return path + ": " + errorBody(e.Type, e.BadValue, e.Detail)
}

// errorBody returns what the API server prints after the path of an error.
func errorBody(typ ErrorType, value any, detail string) string {
	var body string
	switch typ {
	case ErrorRequired:
		body = "Required value"
	case ErrorForbidden:
		body = "Forbidden"
	case ErrorTooLong:
		body = "Too long"
	case ErrorTooMany:
		body = "Too many: " + valueText(value)
	case ErrorDuplicate:
		body = "Duplicate value: " + valueText(value)
	case ErrorNotSupported:
		body = "Unsupported value: " + valueText(value)
	default:
		body = "Invalid value: " + valueText(value)
	}
	if detail != "" {
		body += ": " + detail
	}
	return body
}

// valueText writes a value as the API server does.
func valueText(value any) string {
	switch v := value.(type) {
	case omitted:
		return "<value omitted>"
	case string:
		return fmt.Sprintf("%q", v)
	case int, int64, float64, bool:
		return fmt.Sprint(v)
	}
	text, err := json.Marshal(value)
	if err != nil { // there are no such values in JSON
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}

// sortErrors orders errs by their texts, as Kubernetes does. Each text is made once: it is as long as its path.
func sortErrors(errs []*Error) {
	texts := make(map[*Error]string, len(errs))
	for _, e := range errs {
		texts[e] = e.Error()
	}
	slices.SortFunc(errs, func(a, b *Error) int { return strings.Compare(texts[a], texts[b]) })
}
