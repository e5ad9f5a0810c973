package kube

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

// FieldErrors returns the errors as the libraries of Kubernetes know them, in their order. They print the same text.
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
	if e.Type == prunert.ErrorTypeOmitted {
		// Kubernetes has no such type and cannot print one that it does not know.
		fe.Type, fe.BadValue = field.ErrorTypeTooMany, field.OmitValueType{}
	}
	return fe
}

// Causes returns the errors as the causes of a Status.
func Causes(errs prunert.ErrorList) []metav1.StatusCause {
	causes := make([]metav1.StatusCause, 0, len(errs))
	for _, e := range errs {
		causes = append(causes, metav1.StatusCause{Type: metav1.CauseType(e.Type), Message: e.Body(), Field: e.Field})
	}
	return causes
}

// Invalid returns the error that an API server answers with, 422, when an object is not valid. It is nil without errors.
func Invalid(kind schema.GroupKind, name string, errs prunert.ErrorList) *apierrors.StatusError {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(kind, name, FieldErrors(errs))
}
