package custom

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/prune-gen/prune-gen/kube"
)

// manyErrors is how many errors k8s.io/apiserver may join to one, which takes quadratic time.
const manyErrors = 100

type joinKey struct{}

// JoinErrors returns a context for one write by a store with the strategies of this package, and a function that turns the store's error
// into the one that it would be without that context. With the context, the strategies pass on the first of many errors only.
func JoinErrors(ctx context.Context) (context.Context, func(error) error) {
	all := &field.ErrorList{}
	return context.WithValue(ctx, joinKey{}, all), func(err error) error {
		var status *apierrors.StatusError
		if len(*all) == 0 || !errors.As(err, &status) {
			return err
		}
		details := status.ErrStatus.Details
		if details == nil || len(details.Causes) != 1 || details.Causes[0].Message != (*all)[0].ErrorBody() {
			return err // about something else
		}
		status.ErrStatus = kube.NewInvalid(schema.GroupKind{Group: details.Group, Kind: details.Kind}, details.Name, *all).ErrStatus
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
