package kube

import (
	"context"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Create returns why the API server refuses the CRD when it is created.
//
// A v1beta1 CRD is judged by the rules that v1beta1 had, as far as they live on: those for a change of a CRD that was stored
// without schemas and without pruning.
func (c *CRD) Create() field.ErrorList {
	ctx := context.Background()
	crd := c.Internal.DeepCopy()
	prepare(crd)
	errs := validation.ValidateCustomResourceDefinition(ctx, crd)
	if !c.Beta {
		return errs
	}
	var all field.ErrorList
	for _, e := range errs {
		if strings.HasPrefix(e.Field, "metadata") && !strings.HasPrefix(e.Field, "metadata.annotations[") {
			all = append(all, e)
		}
	}
	crd.ResourceVersion = "1"
	for _, e := range validation.ValidateCustomResourceDefinitionUpdate(ctx, crd, stored(crd)) {
		if !strings.HasPrefix(e.Field, "metadata") {
			all = append(all, e)
		}
	}
	return all
}

// prepare does what the API server does before it validates a CRD that is posted to it. The package that does it there would
// bring a database with it.
func prepare(crd *apiextensions.CustomResourceDefinition) {
	crd.Namespace, crd.Generation, crd.ManagedFields = "", 1, nil
	crd.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = []string{v.Name}
			break
		}
	}
}

// stored returns a CRD that crd can be a change of, which has nothing that later rules want: no schema for one version, one
// that is not structural for another, unknown fields preserved.
func stored(crd *apiextensions.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	old := crd.DeepCopy()
	preserve := true
	old.Spec.PreserveUnknownFields = &preserve
	old.Spec.Validation, old.Spec.Conversion, old.Spec.Subresources = nil, nil, nil
	old.Spec.AdditionalPrinterColumns, old.Spec.SelectableFields = nil, nil
	old.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{
		{Name: "without"},
		{Name: "loose", Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{}}},
	}
	return old
}
