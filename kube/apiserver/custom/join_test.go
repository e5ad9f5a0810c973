package custom_test

import (
	"errors"
	"fmt"
	"reflect"
	goruntime "runtime"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
)

// Joined errors are the error that k8s.io/apiserver makes of them.
func TestManyErrorsAreJoined(t *testing.T) {
	s, ofStatus := strategies(t)
	for _, n := range []int{1, 2, 100, 101, 1000} {
		for name, key := range map[string]func(i int) string{
			"different": func(i int) string { return fmt.Sprint("k", i) },
			"twice":     func(i int) string { return fmt.Sprint("k", i/2) },
			"equal":     func(int) string { return "k" },
		} {
			var errs field.ErrorList
			for i := range n {
				errs = append(errs, field.Invalid(field.NewPath("metadata", "labels"), key(i), "is bad"))
			}
			want := apierrors.NewInvalid(cronTab, "a", errs)
			for _, s := range []rest.DeclarativeValidationStrategy{s, ofStatus} {
				ctx, join := custom.JoinErrors(t.Context())
				err := apierrors.NewInvalid(cronTab, "a", s.ValidateDeclaratively(ctx, nil, nil, errs, operation.Update, rest.DeclarativeValidationConfig{}))
				if got := join(err); !reflect.DeepEqual(got, error(want)) {
					t.Errorf("%d errors, %s: %.500v, want %.500v", n, name, got, want)
				}
				// A second attempt may meet another error, or none.
				if err := errors.New("another"); join(err) != err || join(nil) != nil {
					t.Error("another error is lost")
				}
			}
		}
	}
}

// The cost of a list of errors is linear in its length, not quadratic.
func TestManyErrorsAreCheap(t *testing.T) {
	s, _ := strategies(t)
	old, obj := object(t, good), object(t, good)
	old.SetResourceVersion("1")
	obj.SetResourceVersion("1")
	labels := map[string]string{}
	for i := range 3000 {
		labels[fmt.Sprint("-", i)] = "v"
	}
	obj.SetLabels(labels)
	ctx, join := custom.JoinErrors(request.WithNamespace(t.Context(), "n"))
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	err := join(rest.BeforeUpdate(s, ctx, obj, old))
	goruntime.ReadMemStats(&after)
	if !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
	if used, length := after.TotalAlloc-before.TotalAlloc, uint64(len(err.Error())); used > 100*length {
		t.Errorf("%d bytes for an error of %d", used, length)
	}
}
