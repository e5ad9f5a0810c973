package prunert

import (
	"errors"
	"math"
	"testing"
)

func TestErrorsReadLikeThoseOfTheAPIServer(t *testing.T) {
	for _, tt := range []struct {
		err  Error
		want string
	}{
		{
			Error{Type: ErrorTypeTypeInvalid, Field: "spec.b", BadValue: "string", Detail: `spec.b in body must be of type integer: "string"`},
			`spec.b: Invalid value: "string": spec.b in body must be of type integer: "string"`,
		},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: int64(5)}, `a: Invalid value: 5`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: 1.5, Detail: "no"}, `a: Invalid value: 1.5: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: true, Detail: "no"}, `a: Invalid value: true: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: "x\n\"", Detail: "no"}, `a: Invalid value: "x\n\"": no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: nil, Detail: "no"}, `a: Invalid value: null: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: []any{int64(1), map[string]any{"b": nil}}}, `a: Invalid value: [1,{"b":null}]`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: []any{math.Inf(1)}}, `a: Invalid value: []interface {}{+Inf}`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: float32(0.1), Detail: "no"}, `a: Invalid value: 0.1: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: int32(7), Detail: "no"}, `a: Invalid value: 7: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: math.NaN(), Detail: "no"}, `a: Invalid value: NaN: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: 1e7, Detail: "no"}, `a: Invalid value: 1e+07: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: unwritable{}, Detail: "no"}, `a: Invalid value: in words: no`},
		{Error{Type: ErrorTypeRequired, Field: "spec.a", BadValue: ""}, `spec.a: Required value`},
		{Error{Type: ErrorTypeRequired, Field: "spec.a", BadValue: "", Detail: "no"}, `spec.a: Required value: no`},
		{
			Error{Type: ErrorTypeNotSupported, Field: "a", BadValue: int64(3), Detail: `supported values: "1", "2"`},
			`a: Unsupported value: 3: supported values: "1", "2"`,
		},
		{
			Error{Type: ErrorTypeTooLong, Field: "a", BadValue: "<value omitted>", Detail: "may not be more than 1 byte"},
			`a: Too long: may not be more than 1 byte`,
		},
		{
			Error{Type: ErrorTypeTooMany, Field: "a", BadValue: 2, Detail: "must have at most 1 item"},
			`a: Too many: 2: must have at most 1 item`,
		},
		{Error{Type: ErrorTypeDuplicate, Field: "l[1]", BadValue: map[string]any{"k": "<a"}}, `l[1]: Duplicate value: {"k":"\u003ca"}`},
		{Error{Type: ErrorTypeDuplicate, Field: "l[1]", BadValue: "<a"}, `l[1]: Duplicate value: "<a"`},
		{Error{Type: ErrorTypeForbidden, Field: "a", BadValue: "", Detail: "no"}, `a: Forbidden: no`},
		{Error{Type: ErrorTypeNotFound, Field: "a", BadValue: "b"}, `a: Not found: "b"`},
		{Error{Type: ErrorTypeOmitted, Field: "<nil>", Detail: "2 more"}, `<nil>: Too many: 2 more`},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("have %s\nwant %s", got, tt.want)
		}
		if got := tt.err.Field + ": " + tt.err.Body(); got != tt.want {
			t.Errorf("the body is %s", tt.err.Body())
		}
	}
}

// A value that contains itself cannot be written, and is named by its type.
func TestValuesThatContainThemselvesAreNamedByTheirType(t *testing.T) {
	object, list := map[string]any{}, []any{nil}
	object["self"], list[0] = object, list
	for want, value := range map[string]any{"a: Invalid value: map[string]interface {}: no": object, "a: Invalid value: []interface {}: no": list} {
		if got := (&Error{Type: ErrorTypeInvalid, Field: "a", BadValue: value, Detail: "no"}).Error(); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

func TestValuesThatAreOmittedLeaveNoTrace(t *testing.T) {
	for typ, want := range map[ErrorType]string{
		ErrorTypeInvalid: "Invalid value: no", ErrorTypeTypeInvalid: "Invalid value: no", ErrorTypeForbidden: "Forbidden: no", ErrorTypeTooMany: "Too many: no",
	} {
		if got := (&Error{Type: typ, Field: "a", BadValue: OmittedValue{}, Detail: "no"}).Body(); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
	}
}

// Rules expect values of their types, and no more than their costs were estimated for.
func TestErrorsThatKeepRulesFromBeingEvaluated(t *testing.T) {
	for typ, want := range map[ErrorType]bool{
		ErrorTypeInvalid: false, ErrorTypeTypeInvalid: true, ErrorTypeRequired: true, ErrorTypeNotSupported: true, ErrorTypeTooLong: true, ErrorTypeTooMany: true,
		ErrorTypeDuplicate: false, ErrorTypeForbidden: false, ErrorTypeNotFound: false, ErrorTypeOmitted: false,
	} {
		if got := (&Error{Type: typ}).blocksRules(); got != want {
			t.Errorf("%s: %t", typ, got)
		}
	}
}

func TestAnEmptyListIsNoError(t *testing.T) {
	if err := (ErrorList{}).Err(); err != nil {
		t.Errorf("%v", err)
	}
	if err := ErrorList(nil).Err(); err != nil {
		t.Errorf("%v", err)
	}
}

func TestAListOfErrorsIsOneErrorThatHoldsThem(t *testing.T) {
	a, b := &Error{Field: "a", BadValue: "x"}, &Error{Field: "b", BadValue: "y"}
	err := ErrorList{a, b}.Err()
	if want := "a: Invalid value: \"x\"\nb: Invalid value: \"y\""; err == nil || err.Error() != want {
		t.Errorf("have %v, want %s", err, want)
	}
	var first *Error
	if !errors.Is(err, b) || !errors.As(err, &first) || first != a {
		t.Error("the errors are not in it")
	}
}

// unwritable is a value that JSON does not have.
type unwritable struct{}

func (unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

func (unwritable) String() string { return "in words" }
