// Package listtype has functions with the names and the types of those in Kubernetes' package of that name, which call ours, so that
// Kubernetes' tests can be run against ours.
package listtype

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// calls counts what the tests ask us.
var calls atomic.Int64

// ValidateListSetsAndMaps returns what our validation says about the types of lists.
func ValidateListSetsAndMaps(at *field.Path, s *schema.Structural, obj map[string]any) field.ErrorList {
	calls.Add(1)
	plain, _ := kube.Decoded(obj).(map[string]any)
	errs := slices.DeleteFunc(new(interpret.Work).Validate(plain, convert.Structural(s)), func(e *prunert.Error) bool {
		return e.Type != prunert.ErrorTypeDuplicate && e.Detail != "must be an object for an array of list-type map"
	})
	out := convert.Errors(errs, "", "")
	for _, e := range out {
		if at != nil {
			e.Field = at.String() + strings.Replace("."+e.Field, ".[", "[", 1)
		}
	}
	return out
}
