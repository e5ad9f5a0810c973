package kube

import (
	"errors"
	"math"
	"testing"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// unwritable is a value that JSON does not have, with words of its own.
type unwritable struct{}

func (unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

func (unwritable) String() string { return "in words" }

func TestErrorsAreWrittenAlike(t *testing.T) {
	values := []any{
		nil, true, int64(5), int32(5), 5, 1.5, 1e7, float32(0.1), math.Inf(1), "", "a\"\n<é>\x00\u2028", types.UID("<a>"), []any{int64(1), "<"}, []string{"a"},
		map[string]any{"b": nil, "a": 1.0}, []any{math.NaN()}, unwritable{}, struct{}{},
	}
	for _, typ := range []prunert.ErrorType{
		prunert.ErrorTypeInvalid, prunert.ErrorTypeTypeInvalid, prunert.ErrorTypeRequired, prunert.ErrorTypeNotSupported, prunert.ErrorTypeTooLong,
		prunert.ErrorTypeTooMany, prunert.ErrorTypeDuplicate, prunert.ErrorTypeForbidden, prunert.ErrorTypeNotFound,
	} {
		for _, value := range values {
			for _, detail := range []string{"", "why"} {
				ours := prunert.Error{Type: typ, Field: "a.b", BadValue: value, Detail: detail}
				theirs := field.Error{Type: field.ErrorType(typ), Field: "a.b", BadValue: value, Detail: detail}
				if ours.Error() != theirs.Error() || ours.Body() != theirs.ErrorBody() {
					t.Errorf("%s, not %s", ours.Error(), theirs.Error())
				}
			}
		}
	}
}
