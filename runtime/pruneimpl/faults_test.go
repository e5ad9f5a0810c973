package pruneimpl

import (
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

func TestErrorsAreSortedByText(t *testing.T) {
	var r Recorder
	n := r.Field("z", CheckType(int64(1), &r, TypeString))
	n += r.Field("a", r.Index(2, CheckType("x", &r, TypeInteger)))
	n += r.Field("a", r.Index(10, CheckType(nil, &r, TypeInteger)))
	r.Field("spec", n)
	var fields []string
	for _, e := range r.Errors() {
		fields = append(fields, e.Field)
		if e.Type != prunert.ErrorTypeTypeInvalid {
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

// A number that is out of range loses its path, so that two of them have the same text if their paths end alike.
func TestErrorsWithOneTextAreOne(t *testing.T) {
	var r Recorder
	n := 0
	for range 2 {
		n += r.Field("a", r.fault(fault{kind: faultType, want: TypeString, value: "integer"}))
	}
	if errs := r.Errors(); n != 4 || len(errs) != 1 {
		t.Errorf("%d events become %v", n, errs)
	}
}
