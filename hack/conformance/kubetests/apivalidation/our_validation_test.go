// Package validation has functions with the names and the types of those in apimachinery's package for metadata, which call ours, so that
// Kubernetes' tests can be run against ours.
package validation

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What is not under test is Kubernetes' own.
const TotalAnnotationSizeLimitB = validation.TotalAnnotationSizeLimitB

var (
	NameIsDNSSubdomain         = validation.NameIsDNSSubdomain
	ValidateObjectMetaWithOpts = validation.ValidateObjectMetaWithOpts
)

// calls counts what the tests ask us.
var calls atomic.Int64

// object returns an object with metadata in it. A pointer to no time is null in JSON, and does not come back from there.
func object(meta *metav1.ObjectMeta) map[string]any {
	if t := meta.DeletionTimestamp; t != nil && t.IsZero() {
		timed := *meta
		timed.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		meta = &timed
	}
	data, err := json.Marshal(map[string]any{"metadata": meta})
	var obj map[string]any
	if err == nil {
		err = utiljson.Unmarshal(data, &obj)
	}
	if err != nil {
		panic("validation: " + err.Error())
	}
	return obj
}

// ValidateObjectMeta validates the metadata of a new object. Names are for the function of the test to validate.
func ValidateObjectMeta(meta *metav1.ObjectMeta, requiresNamespace bool, nameFn validation.ValidateNameFunc, at *field.Path) field.ErrorList {
	calls.Add(1)
	named := *meta
	var errs field.ErrorList
	check := func(name *string, child string, prefix bool) {
		if *name == "" {
			return
		}
		for _, text := range nameFn(*name, prefix) {
			errs = append(errs, field.Invalid(at.Child(child), *name, text))
		}
		*name = "checked"
	}
	check(&named.GenerateName, "generateName", true)
	check(&named.Name, "name", false)
	return append(errs, convert.Errors(pruneimpl.CheckMetadataValues(object(&named), nil, requiresNamespace, &pruneimpl.Shape{}), "metadata", at.String())...)
}

var _ = validateObjectMetaAccessorWithOptsCommon // which Kubernetes' tests call

// validateObjectMetaAccessorWithOptsCommon validates what is left when a name has been validated.
func validateObjectMetaAccessorWithOptsCommon(meta metav1.Object, isNamespaced bool, at *field.Path, _ any) field.ErrorList {
	named := *meta.(*metav1.ObjectMeta)
	named.Name, named.GenerateName = "checked", ""
	return ValidateObjectMeta(&named, isNamespaced, NameIsDNSSubdomain, at)
}

// ValidateObjectMetaUpdate validates metadata that takes the place of other metadata.
func ValidateObjectMetaUpdate(meta, old *metav1.ObjectMeta, at *field.Path) field.ErrorList {
	calls.Add(1)
	return convert.Errors(pruneimpl.CheckMetadataValues(object(meta), object(old), false, &pruneimpl.Shape{}), "metadata", at.String())
}

// ValidateObjectMetaDeclaratively is Kubernetes' own, because the test looks at where an error comes from, which ours do not say.
// Where ours differ otherwise, there is one error more.
func ValidateObjectMetaDeclaratively(
	ctx context.Context, op operation.Type, meta, old *metav1.ObjectMeta, requiresNamespace bool, nameFn validation.ValidateNameFunc, at *field.Path, beta bool,
) field.ErrorList {
	var ours field.ErrorList
	if op == operation.Create {
		ours = ValidateObjectMeta(meta, requiresNamespace, nameFn, at)
	} else {
		ours = ValidateObjectMetaUpdate(meta, old, at)
	}
	plain := validation.ValidateObjectMetaDeclaratively(context.Background(), op, meta, old, requiresNamespace, nameFn, at, beta)
	errs := validation.ValidateObjectMetaDeclaratively(ctx, op, meta, old, requiresNamespace, nameFn, at, beta)
	if a, b := texts(ours), texts(plain); !slices.Equal(a, b) {
		errs = append(errs, field.InternalError(at, fmt.Errorf("ours are %q, not %q", a, b)))
	}
	return errs
}

// texts returns the types and texts of errors, sorted.
func texts(errs field.ErrorList) []string {
	var all []string
	for _, e := range errs {
		all = append(all, string(e.Type)+" "+e.Error())
	}
	slices.Sort(all)
	return all
}

// ValidateAnnotations validates annotations.
func ValidateAnnotations(annotations map[string]string, at *field.Path) field.ErrorList {
	calls.Add(1)
	meta := &metav1.ObjectMeta{Name: "x", Annotations: annotations}
	return convert.Errors(pruneimpl.CheckMetadataValues(object(meta), nil, false, &pruneimpl.Shape{}), "metadata.annotations", at.String())
}
