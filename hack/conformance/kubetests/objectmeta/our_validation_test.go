package objectmeta

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/pruneimpl"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validated counts the resources that tests have us validate.
var validated atomic.Int64

// Validate returns what our validation says about resources, and about nothing else.
func Validate(_ context.Context, _ *field.Path, v any, s *structuralschema.Structural, isResourceRoot bool) field.ErrorList {
	validated.Add(1)
	schema := convert.Structural(s)
	if isResourceRoot {
		if schema == nil {
			schema = &structural.JSONSchema{}
		}
		schema.XEmbeddedResource = true
	}
	obj, root := convert.WrapWritten(v, schema)
	obj["metadata"] = map[string]any{"name": "x"}
	values, _ := new(interpret.Work).ValidateValues(obj, root)
	errs := slices.DeleteFunc(new(interpret.Work).Validate(obj, root), func(e *prunert.Error) bool {
		return slices.ContainsFunc(values, func(v *prunert.Error) bool { return v.Error() == e.Error() })
	})
	errs = append(errs, pruneimpl.CheckMetadataValues(obj, nil, false, interpret.MetadataShape(root))...)
	return convert.Errors(errs, convert.Value+".", "")
}

var _ = validateEmbeddedResource // which Kubernetes' tests call

func validateEmbeddedResource(ctx context.Context, at *field.Path, obj map[string]any, s *structuralschema.Structural) field.ErrorList {
	return Validate(ctx, at, obj, s, true)
}
