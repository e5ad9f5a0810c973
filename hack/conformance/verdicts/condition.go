//go:build !(v0.33 || v0.34 || v0.35 || v0.36)

package verdicts

import (
	"fmt"
	"strings"

	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/internal/lint"
	"github.com/prune-gen/prune-gen/structural"
)

// condition compares the NonStructuralSchema conditions. Where the conversion fails, Kubernetes names the first reason
// it meets, in random order; ours is one of those it could have named.
func condition(c *structural.CRD, k *kube.CRD) []Difference {
	theirs, err := k.NonStructuralCondition()
	if err != nil {
		return []Difference{{About: "condition", Text: err.Error()}}
	}
	ours := lint.NonStructuralCondition(c)
	if ours == nil || theirs == nil {
		if (ours == nil) != (theirs == nil) {
			return []Difference{{About: "condition", Text: fmt.Sprintf("%+v, not %+v", ours, theirs)}}
		}
		return nil
	}
	theirsText := fmt.Sprintf("%s %s %s %s", theirs.Type, theirs.Status, theirs.Reason, theirs.Message)
	oursText := fmt.Sprintf("%s %s %s %s", ours.Type, ours.Status, ours.Reason, ours.Message)
	if theirs.Reason == "StructuralError" {
		// Kubernetes' reason is one of several: cut both texts before it.
		cut := strings.Index(theirsText, "for version ")
		if cut >= 0 && len(oursText) > cut && oursText[:cut] == theirsText[:cut] {
			return nil
		}
	}
	if oursText != theirsText {
		return []Difference{{About: "condition", Text: fmt.Sprintf("%s\nnot %s", oursText, theirsText)}}
	}
	return nil
}
