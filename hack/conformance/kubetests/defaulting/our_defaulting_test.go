// Package defaulting has functions with the names and the types of those in Kubernetes' package of that name, which call ours, so that
// Kubernetes' tests can be run against ours.
package defaulting

import (
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/hack/conformance/kubetests/convert"
	"github.com/prune-gen/prune-gen/internal/answer/interpret"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// Default is interpret.Default.
func Default(x any, s *structuralschema.Structural) {
	new(interpret.Work).Default(convert.Wrap(x, kube.Convert[*structural.Schema](s)))
}

// PruneNonNullableNullsWithoutDefaults is interpret.Normalize without what it does besides. Nothing is pruned, since all is
// preserved, and the defaults that it fills in are taken out again.
func PruneNonNullableNullsWithoutDefaults(x any, s *structuralschema.Structural) {
	ours := kube.Convert[*structural.Schema](s)
	mark(ours)
	obj, root := convert.Wrap(x, ours)
	before := runtime.DeepCopyJSONValue(x)
	if _, err := new(interpret.Work).Normalize(obj, interpret.PruneDefaults(root), interpret.PruneOptions{}, prunert.NormalizeOptions{}); err != nil {
		panic(err)
	}
	restore(before, x)
}

// filled is what every default is, so that it can be told from other values.
const filled = "\x00filled in"

// mark preserves everything below s and makes all its defaults recognizable.
func mark(s *structural.Schema) {
	if s == nil {
		return
	}
	s.XPreserveUnknownFields = true
	if s.Default != nil {
		s.Default = filled
	}
	mark(s.Items)
	for _, p := range s.Properties {
		mark(p)
	}
	if s.AdditionalProperties != nil {
		mark(s.AdditionalProperties.Schema)
	}
}

// restore puts back what was where a default was filled in: nothing, or null.
func restore(before, x any) {
	switch x := x.(type) {
	case map[string]any:
		old, _ := before.(map[string]any)
		for k, v := range x {
			was, found := old[k]
			switch {
			case v != any(filled):
				restore(was, v)
			case found:
				x[k] = was
			default:
				delete(x, k)
			}
		}
	case []any:
		old, _ := before.([]any)
		for i, v := range x {
			if v == any(filled) {
				x[i] = old[i]
			} else {
				restore(old[i], v)
			}
		}
	}
}
