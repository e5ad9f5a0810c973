package prunert

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
)

// ErrorType says what is wrong with a value. The values are those of the causes of a Kubernetes Status.
type ErrorType string

const (
	// ErrorTypeInvalid is a value of the right type that is not allowed.
	ErrorTypeInvalid ErrorType = "FieldValueInvalid"
	// ErrorTypeTypeInvalid is a value of a type that the schema does not allow, or a string of another format.
	ErrorTypeTypeInvalid ErrorType = "FieldValueTypeInvalid"
	// ErrorTypeRequired is a value that is missing.
	ErrorTypeRequired ErrorType = "FieldValueRequired"
	// ErrorTypeNotSupported is a value that is not one of the possible ones.
	ErrorTypeNotSupported ErrorType = "FieldValueNotSupported"
	// ErrorTypeTooLong is a string that is too long.
	ErrorTypeTooLong ErrorType = "FieldValueTooLong"
	// ErrorTypeTooMany is a list or a map that is too long; the bad value is its length.
	ErrorTypeTooMany ErrorType = "FieldValueTooMany"
	// ErrorTypeDuplicate is a value that occurs twice in a list of unique values.
	ErrorTypeDuplicate ErrorType = "FieldValueDuplicate"
	// ErrorTypeForbidden is a value that must not be set.
	ErrorTypeForbidden ErrorType = "FieldValueForbidden"
	// ErrorTypeNotFound is a value that names something that does not exist.
	ErrorTypeNotFound ErrorType = "FieldValueNotFound"
	// ErrorTypeOmitted is the last error of a list that does not name every error: see MaxReported. Kubernetes has no such type.
	ErrorTypeOmitted ErrorType = "ErrorsOmitted"
)

// NoField is the field of an error whose path the API server has lost, and of one that is not about a field.
const NoField = "<nil>"

// Error is one error of an object. It corresponds to a cause of a Kubernetes Status: Type is its reason, Field its field, and Body()
// its message.
type Error struct {
	Type ErrorType
	// Field is what the API server prints, which is NoField for some errors whose path it has lost. Path always has the path.
	Field    string
	Path     Path
	BadValue any
	Detail   string

	rulesNotChecked bool
}

// RulesNotChecked reports whether the error only says that CEL rules were not evaluated, because of the other errors.
func (e *Error) RulesNotChecked() bool { return e.rulesNotChecked }

// Error returns the text that the API server prints, field first.
func (e *Error) Error() string {
	var room [256]byte
	b := append(append(room[:0], e.Field...), ": "...)
	return string(e.appendBody(b))
}

// Body returns the text without the field.
func (e *Error) Body() string {
	var room [256]byte
	return string(e.appendBody(room[:0]))
}

func (e *Error) appendBody(b []byte) []byte {
	words, withValue := e.Type.words()
	b = append(b, words...)
	if _, omitted := e.BadValue.(OmittedValue); withValue && !omitted {
		b = appendValue(append(b, ": "...), e.BadValue)
	}
	if e.Detail != "" {
		b = append(append(b, ": "...), e.Detail...)
	}
	return b
}

// OmittedValue is the BadValue of an error whose text does not show the value: CEL rules on objects and lists have such errors.
type OmittedValue struct{}

// words returns the beginning of the text of an error, and reports whether the bad value follows it.
func (t ErrorType) words() (text string, withValue bool) {
	switch t {
	case ErrorTypeRequired:
		return "Required value", false
	case ErrorTypeForbidden:
		return "Forbidden", false
	case ErrorTypeTooLong:
		return "Too long", false
	case ErrorTypeOmitted:
		return "Too many", false
	case ErrorTypeTooMany:
		return "Too many", true
	case ErrorTypeNotSupported:
		return "Unsupported value", true
	case ErrorTypeDuplicate:
		return "Duplicate value", true
	case ErrorTypeNotFound:
		return "Not found", true
	}
	return "Invalid value", true
}

// appendValue writes a value as the API server does.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return strconv.AppendQuote(b, v)
	case int64, int32, float64, float32, bool:
		return fmt.Append(b, v)
	case badvalue.Go:
		return append(b, v.String()...)
	}
	text, err := json.Marshal(value)
	if err == nil {
		return append(b, text...)
	}
	if s, ok := value.(fmt.Stringer); ok {
		return append(b, s.String()...)
	}
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) && unsupported.Value.Kind() != reflect.Float32 && unsupported.Value.Kind() != reflect.Float64 {
		return fmt.Appendf(b, "%T", value) // it contains itself and could not be written
	}
	return fmt.Appendf(b, "%#v", value)
}

// ErrorList is all errors of an object, sorted by text. It is nil if there are none.
type ErrorList []*Error

// errorsIn returns the list in an error that Err returned.
func errorsIn(err error) ErrorList {
	joined, _ := err.(interface{ Unwrap() []error })
	if joined == nil {
		return nil
	}
	var list ErrorList
	for _, err := range joined.Unwrap() {
		if e, ok := err.(*Error); ok {
			list = append(list, e)
		}
	}
	return list
}

// Err returns the list as one error, nil if it is empty.
func (l ErrorList) Err() error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errors.Join(errs...)
}
