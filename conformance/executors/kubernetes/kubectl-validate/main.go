// The executor of the Go library of kubectl-validate. It skips what does not become an object of a manifest: updates, CRDs, requests that
// are not strict.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"testing/fstest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/kubectl-validate/pkg/openapiclient"
	"sigs.k8s.io/kubectl-validate/pkg/validator"

	"github.com/prune-gen/prune-gen/internal/conformance"
)

func main() {
	if err := conformance.Answers(os.Stdin, os.Stdout, answer); err != nil {
		log.Fatal(err)
	}
}

// validators has those of versions of CRDs.
var validators = map[string]*validator.Validator{}

func answer(q *conformance.Question) (conformance.Answer, error) {
	if why := q.NoManifest(); why != "" {
		return conformance.Answer{Skipped: why}, nil
	}
	key := q.Version + string(q.CRD)
	if validators[key] == nil {
		v, err := compile(q)
		if err != nil {
			return conformance.Answer{}, err
		}
		validators[key] = v
	}
	_, obj, err := validators[key].Parse(q.Object)
	if err == nil {
		err = validators[key].Validate(obj)
	}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return conformance.Answer{Code: int(status.Status().Code), Status: conformance.StatusOf(status.Status())}, nil
	}
	return conformance.YesOrNo(err == nil), nil
}

// compile returns a validator. It must know the kind, which a question shows that has only a name. Then every error is about the object.
func compile(q *conformance.Question) (*validator.Validator, error) {
	var crd struct {
		Spec struct {
			Group string
			Names struct{ Kind string }
		}
	}
	if err := json.Unmarshal(q.CRD, &crd); err != nil {
		return nil, err
	}
	v, err := validator.New(openapiclient.NewLocalCRDFiles(fstest.MapFS{"crd.json": {Data: q.CRD}}))
	if err != nil {
		return nil, err
	}
	least, _ := json.Marshal(map[string]any{"apiVersion": crd.Spec.Group + "/" + q.Version, "kind": crd.Spec.Names.Kind, "metadata": map[string]any{"name": "a"}})
	if _, _, err := v.Parse(least); err != nil {
		return nil, fmt.Errorf("the kind is not known: %w", err)
	}
	return v, nil
}
