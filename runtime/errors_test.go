package prunert

import (
	"errors"
	"math"
	"strconv"
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

// TestSortingMakesNoTexts counts allocations: a text for each comparison would be dozens for each error.
func TestSortingMakesNoTexts(t *testing.T) {
	const errors = 10_000
	var r Recorder
	for i := range errors {
		r.Key(strconv.Itoa(i), CheckType(int64(1), &r, TypeString))
	}
	perError := testing.AllocsPerRun(1, func() { r.Errors() }) / errors
	if perError > 20 {
		t.Errorf("%.1f allocations for each of %d errors", perError, errors)
	}
}

func TestErrorsAreSortedByText(t *testing.T) {
	var r Recorder
	n := r.Field("z", CheckType(int64(1), &r, TypeString))
	n += r.Field("a", r.Index(2, CheckType("x", &r, TypeInteger)))
	n += r.Field("a", r.Index(10, CheckType(nil, &r, TypeInteger)))
	r.Field("spec", n)
	var fields []string
	for _, e := range r.Errors() {
		fields = append(fields, e.Field)
		if e.Type != ErrorTypeTypeInvalid {
			t.Errorf("%s: the type of the error is %s", e.Field, e.Type)
		}
	}
	if len(fields) != 3 || fields[0] != "spec.a[10]" || fields[1] != "spec.a[2]" || fields[2] != "spec.z" {
		t.Errorf("have %q", fields)
	}
}

func TestErrorsNameFieldsAsTheValidatorDoes(t *testing.T) {
	for _, tt := range []struct {
		record func(r *Recorder, n int)
		text   string
	}{
		{
			func(r *Recorder, n int) { r.Field("spec", r.Index(1, r.Key("k", r.Field("a", n)))) },
			`spec[1].k.a: Invalid value: "null": spec[1].k.a in body must be of type string: "null"`,
		},
		{
			func(r *Recorder, n int) { r.Field("", n) },
			`<nil>: Invalid value: "null":  in body must be of type string: "null"`,
		},
		{
			func(r *Recorder, n int) { r.Field("", r.Field("a", n)) },
			`a: Invalid value: "null": a in body must be of type string: "null"`,
		},
		{
			func(r *Recorder, n int) { r.Field("", r.Key("a", n)) },
			`a: Invalid value: "null": .a in body must be of type string: "null"`,
		},
		{
			func(r *Recorder, n int) { r.Field(".a", n) },
			`a: Invalid value: "null": .a in body must be of type string: "null"`,
		},
		{
			func(r *Recorder, n int) { r.Field("a", r.Field("", n)) },
			`a.: Invalid value: "null": a. in body must be of type string: "null"`,
		},
	} {
		var r Recorder
		tt.record(&r, CheckType(nil, &r, TypeString))
		if errs := r.Errors(); len(errs) != 1 || errs[0].Error() != tt.text {
			t.Errorf("%v, want %s", errs, tt.text)
		}
	}
}
