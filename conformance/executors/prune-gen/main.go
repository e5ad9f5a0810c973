// The executor of prune-gen itself: it interprets the CRDs.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/prune-gen/prune-gen/conformance/executors/internal/answer"
	"github.com/prune-gen/prune-gen/internal/conformance"
	prunert "github.com/prune-gen/prune-gen/runtime"
	"github.com/prune-gen/prune-gen/runtime/kubeversion"
	"github.com/prune-gen/prune-gen/structural/dynamic"
	"github.com/prune-gen/prune-gen/structural/load"
)

func main() {
	if err := answer.All(os.Stdin, os.Stdout, resource); err != nil {
		log.Fatal(err)
	}
}

// compiled has the versions of CRDs, by their texts.
var compiled = map[string][]prunert.Resource{}

func resource(q *conformance.Question) (prunert.Resource, error) {
	if compiled[string(q.CRD)] == nil {
		crd, err := load.CRD(q.CRD, load.Options{})
		if err != nil {
			return prunert.Resource{}, err
		}
		if crd.Kubernetes, err = kubeversion.Parse(q.Kubernetes); err != nil {
			return prunert.Resource{}, err
		}
		if compiled[string(q.CRD)], err = dynamic.Compile(crd); err != nil {
			return prunert.Resource{}, err
		}
	}
	for _, r := range compiled[string(q.CRD)] {
		if r.Version == q.Version {
			return r, nil
		}
	}
	return prunert.Resource{}, fmt.Errorf("the CRD has no version %s", q.Version)
}
