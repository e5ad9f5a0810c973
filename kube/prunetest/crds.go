package prunetest

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/crd/crdread"
	"github.com/prune-gen/prune-gen/internal/suite"
	"github.com/prune-gen/prune-gen/internal/suite/crdcover"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

// CRDs are the kinds for which requests are answered. It is safe for concurrent use.
type CRDs struct {
	variants suite.Variants
	coverage *crdcover.Recorder // nil if it is not recorded
}

// FromFiles returns the CRDs in files, and in all files *.yaml, *.yml and *.json below directories. They
// are interpreted: no code needs to be generated. Only versions that are served count.
func FromFiles(paths ...string) (*CRDs, error) { return ForKubernetes("", paths...) }

// ForKubernetes is FromFiles for a version of Kubernetes, such as 1.34: requests are answered as its API server does. An empty version is
// the newest that is known.
func ForKubernetes(version string, paths ...string) (*CRDs, error) {
	by, err := kubeversion.Parse(version)
	if err != nil {
		return nil, err
	}
	crds, err := crdread.Files(paths...)
	if err != nil {
		return nil, err
	}
	c, set := &CRDs{}, &prunert.Set{}
	for _, crd := range crds {
		crd.Kubernetes = by
		v := suite.NewVariant(crd)
		served, err := v.Served()
		if err != nil {
			return nil, err
		}
		if err := set.Add(served...); err != nil {
			return nil, fmt.Errorf("%s: %w", crd.File, err)
		}
		c.variants.All = append(c.variants.All, v)
	}
	if len(c.variants.All) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinition in %q", paths)
	}
	return c, nil
}
