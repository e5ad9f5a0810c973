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
			Error{ErrorTypeTypeInvalid, "spec.b", "string", `spec.b in body must be of type integer: "string"`},
			`spec.b: Invalid value: "string": spec.b in body must be of type integer: "string"`,
		},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: int64(5)}, `a: Invalid value: 5`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: 1.5, Detail: "no"}, `a: Invalid value: 1.5: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: true, Detail: "no"}, `a: Invalid value: true: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: "x\n\"", Detail: "no"}, `a: Invalid value: "x\n\"": no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: nil, Detail: "no"}, `a: Invalid value: null: no`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: []any{int64(1), map[string]any{"b": nil}}}, `a: Invalid value: [1,{"b":null}]`},
		{Error{Type: ErrorTypeInvalid, Field: "a", BadValue: []any{math.Inf(1)}}, `a: Invalid value: []interface {}{+Inf}`},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("have %s\nwant %s", got, tt.want)
		}
		if got := tt.err.Field + ": " + tt.err.Body(); got != tt.want {
			t.Errorf("the body is %s", tt.err.Body())
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
