// Package installed checks whether the CRD that is installed in a cluster is as new as the code of a program. An operator that is upgraded
// before its CRD writes fields that the API server silently drops.
package installed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/structural"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

// OlderError says that a CRD is older than the code.
type OlderError struct {
	CRD, Version string
	// Fields are those that the code writes and the API server drops, the topmost of each.
	Fields []string
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("the CRD %s %s is older than the code: the API server drops %s", e.CRD, e.Version, strings.Join(e.Fields, ", "))
}

// Check returns nil if the CRD that is installed keeps every field that the generated code of r keeps, and serves its version. A readiness
// probe can return its result. The error is an *OlderError if the API server would drop fields.
//
// A CRD that is newer than the code passes: Check looks at the fields that are kept, not at the values that are accepted. Code that was
// generated without the function Fields, with --emit-only, passes only if its CRD is equivalent to the one that is installed.
func Check(crd *unstructured.Unstructured, r prunert.Resource) error {
	parsed, err := load.Object(crd.Object, load.Options{})
	if err != nil {
		return err
	}
	served := slices.ContainsFunc(parsed.Versions, func(v *structural.Version) bool { return v.Name == r.Version && v.Served })
	if !served {
		return fmt.Errorf("the CRD %s does not serve %s", parsed.Name, r.Version)
	}
	fit, err := dynamic.Fits(r, parsed)
	switch {
	case err != nil:
		return err
	case fit.Same:
		return nil
	case len(fit.Extra) > 0:
		return &OlderError{CRD: parsed.Name, Version: r.Version, Fields: fit.Extra}
	case fit.Unlisted:
		return errors.New("the CRD is not the one that the code was generated from, and the code has no function Fields to compare what they keep: add fields to --emit-only")
	}
	return nil
}
