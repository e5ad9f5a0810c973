package kube

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// manyErrors is how many errors k8s.io/apiserver may join to one, which takes a time that grows with the square of their number.
const manyErrors = 100

type joinKey struct{}

// JoinErrors returns a context for one write by a store with the strategies of this package, and the function that makes the store's
// error the one that it would be without that context. With the context, the strategies pass on the first of many errors only.
func JoinErrors(ctx context.Context) (context.Context, func(error) error) {
	all := &field.ErrorList{}
	return context.WithValue(ctx, joinKey{}, all), func(err error) error {
		var status *apierrors.StatusError
		if len(*all) == 0 || !errors.As(err, &status) {
			return err
		}
		message, ok := strings.CutSuffix(status.ErrStatus.Message, (*all)[0].Error())
		if !ok {
			return err
		}
		var texts []string
		seen := map[string]bool{}
		causes := make([]metav1.StatusCause, 0, len(*all))
		for _, e := range *all {
			causes = append(causes, metav1.StatusCause{Type: metav1.CauseType(e.Type), Message: e.ErrorBody(), Field: e.Field})
			if text := e.Error(); !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
		status.ErrStatus.Details.Causes = causes
		if status.ErrStatus.Message = message + texts[0]; len(texts) > 1 {
			status.ErrStatus.Message = message + "[" + strings.Join(texts, ", ") + "]"
		}
		return status
	}
}

// joiner is the part of a strategy that sees all errors, also those of k8s.io/apiserver itself.
type joiner struct{}

var _ rest.DeclarativeValidationStrategy = joiner{}

// ValidateDeclaratively keeps the errors for JoinErrors if there are many.
func (joiner) ValidateDeclaratively(ctx context.Context, _, _ runtime.Object, errs field.ErrorList, _ operation.Type, _ rest.DeclarativeValidationConfig) field.ErrorList {
	all, ok := ctx.Value(joinKey{}).(*field.ErrorList)
	if !ok {
		return errs
	}
	if *all = nil; len(errs) <= manyErrors {
		return errs
	}
	*all = errs
	return errs[:1]
}

// DeclarativeValidationConfig is never looked at.
func (joiner) DeclarativeValidationConfig(context.Context, runtime.Object, runtime.Object) rest.DeclarativeValidationConfig {
	return rest.DeclarativeValidationConfig{}
}
