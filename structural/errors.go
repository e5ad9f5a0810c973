package structural

import (
	"errors"

	"github.com/prune-gen/prune-gen/internal/base/jsonvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Error is one reason why the API server refuses a CRD, or why a schema is not structural.
type Error struct {
	ID ID
	// Type is empty if Detail is the whole text, as in errors of the conversion to a structural schema.
	Type     prunert.ErrorType
	Path     *Path
	BadValue any // a JSON value, a pointer to one, a ValidationRule, or Omitted
	Detail   string
	// OlderDetail is what servers before kubeversion.PlainTexts write for Detail, "" for the same.
	OlderDetail string

	Below string // the rest of the path, in the value at Path: .a, [0]
	Hint  string // what to do about it, if that depends on more than the id
}

// Omitted stands for a value that is too large to print: a list of versions, a schema.
type Omitted struct{}

// String returns what the API server prints instead of the value.
func (Omitted) String() string { return "<value omitted>" }

// MarshalJSON fails, so that String is printed.
func (Omitted) MarshalJSON() ([]byte, error) { return nil, errors.New("the value is omitted") }

// Error returns the text the API server prints, path first.
func (e *Error) Error() string { return e.Path.String() + e.Below + ": " + e.Body() }

// Body returns the text without the path.
func (e *Error) Body() string {
	if e.Type == "" {
		return e.Detail
	}
	return (&prunert.Error{Type: e.Type, BadValue: e.BadValue, Detail: e.Detail}).Body()
}

// TextSize estimates the length of the text of e, without making it.
func (e *Error) TextSize() int {
	size := e.Path.TextSize() + len(e.Below) + len(e.Detail) + jsonvalue.Size(e.BadValue)
	if r, ok := e.BadValue.(ValidationRule); ok {
		size += len(r.Rule) + len(r.Message) + len(r.MessageExpression) + len(r.FieldPath)
	}
	return size
}
