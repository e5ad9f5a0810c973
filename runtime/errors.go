package prunert

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrorType says what is wrong with a value. The values are those of the causes of a Kubernetes Status.
type ErrorType string

const (
	// ErrorTypeInvalid is a value of the right type that is wrong all the same.
	ErrorTypeInvalid ErrorType = "FieldValueInvalid"
	// ErrorTypeTypeInvalid is a value of a type that the schema does not allow.
	ErrorTypeTypeInvalid ErrorType = "FieldValueTypeInvalid"
	// ErrorTypeTooMany stands last in a list that does not name every error: see Limits.
	ErrorTypeTooMany ErrorType = "FieldValueTooMany"
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
	field := e.Field
	if e.Type == ErrorTypeTooMany && field == "" {
		field = "<nil>" // an error about the object as a whole
	}
	return field + ": " + e.Body()
}

// Body returns the text without the field.
func (e *Error) Body() string {
	if e.Type == ErrorTypeTooMany {
		return "Too many: " + e.Detail
	}
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
