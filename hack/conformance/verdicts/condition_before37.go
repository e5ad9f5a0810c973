//go:build v0.33 || v0.34 || v0.35 || v0.36

package verdicts

import (
	"github.com/prune-gen/prune-gen/hack/conformance/kube"
	"github.com/prune-gen/prune-gen/structural"
)

// condition compares nothing: these versions have the function of the newest one, and with it comes all of k8s.io/api, which takes
// longer to compile than everything else.
func condition(*structural.CRD, *kube.CRD) []Difference { return nil }
