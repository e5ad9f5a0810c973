package kube

import (
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// FieldErrors returns the errors as Kubernetes' type for them, in the same order. They print the same text.
func FieldErrors(errs prunert.ErrorList) field.ErrorList {
	if len(errs) == 0 {
		return nil
	}
	list := make(field.ErrorList, len(errs))
	for i, e := range errs {
		list[i] = fieldError(e)
	}
	return list
}

func fieldError(e *prunert.Error) *field.Error {
	fe := &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, BadValue: e.BadValue, Detail: e.Detail}
	switch v := e.BadValue.(type) {
	case prunert.OmittedValue:
		fe.BadValue = field.OmitValueType{}
	case badvalue.Go:
		fe.BadValue = goValue{v}
	}
	if e.Type == prunert.ErrorTypeOmitted {
		// Kubernetes has no such type and cannot print one that it does not know.
		fe.Type, fe.BadValue = field.ErrorTypeTooMany, field.OmitValueType{}
	}
	return fe
}

// goValue has the text of a value in Go: Kubernetes prints the String of what cannot be JSON.
type goValue struct{ badvalue.Go }

func (goValue) MarshalJSON() ([]byte, error) { return nil, errors.ErrUnsupported }

// Causes returns the errors as the causes of a Status.
func Causes(errs prunert.ErrorList) []metav1.StatusCause {
	causes := make([]metav1.StatusCause, 0, len(errs))
	for _, e := range errs {
		causes = append(causes, metav1.StatusCause{Type: metav1.CauseType(e.Type), Message: e.Body(), Field: e.Field})
	}
	return causes
}

// NewInvalid is apierrors.NewInvalid in time linear in the number of errors, not quadratic.
func NewInvalid(kind schema.GroupKind, name string, errs field.ErrorList) *apierrors.StatusError {
	invalid := apierrors.NewInvalid(kind, name, nil)
	var texts []string
	seen := make(map[string]bool, len(errs))
	for _, e := range errs {
		invalid.ErrStatus.Details.Causes = append(invalid.ErrStatus.Details.Causes, metav1.StatusCause{Type: metav1.CauseType(e.Type), Message: e.ErrorBody(), Field: e.Field})
		if text := e.Error(); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	switch len(texts) {
	case 0:
	case 1:
		invalid.ErrStatus.Message += ": " + texts[0]
	default:
		invalid.ErrStatus.Message += ": [" + strings.Join(texts, ", ") + "]"
	}
	return invalid
}

// Invalid returns the error, 422, with which the API server refuses an invalid object. It is nil if there are no errors.
func Invalid(kind schema.GroupKind, name string, errs prunert.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return NewInvalid(kind, name, FieldErrors(errs))
}

// Status returns a refusal as the Status that the API server answers with.
func Status(r *prunert.Refusal) metav1.Status {
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure,
		Message:  r.Message,
		Reason:   metav1.StatusReason(r.Reason),
		Code:     int32(r.Code),
	}
	if r.Group != "" || r.Kind != "" || r.Name != "" || len(r.Causes) > 0 {
		status.Details = &metav1.StatusDetails{Name: r.Name, Group: r.Group, Kind: r.Kind}
	}
	for _, c := range r.Causes {
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{Type: metav1.CauseType(c.Reason), Message: c.Message, Field: c.Field})
	}
	return status
}

// StatusError returns a refusal as the error that clients of the API server get: apierrors.IsInvalid, IsConflict, IsNotFound and
// so on hold for it. It is nil for a nil refusal; use Err where an error is wanted.
func StatusError(r *prunert.Refusal) *apierrors.StatusError {
	if r == nil {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: Status(r)}
}

// Err returns the refusal of an answer as the error that clients of the API server get, nil if the request is accepted.
func Err(a prunert.Answer) error {
	if a.Refusal == nil {
		return nil
	}
	return StatusError(a.Refusal)
}
