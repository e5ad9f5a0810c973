//go:build !(v0.33 || v0.34 || v0.35 || v0.36)

package kube

import (
	_ "unsafe" // for linkname

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	_ "k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema" // defines calculateCondition
)

// calculateCondition is what the controller of the NonStructuralSchema condition calls. It is not exported; a copy of it
// would not be Kubernetes' word.
//
//go:linkname calculateCondition k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema.calculateCondition
func calculateCondition(*apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinitionCondition

// NonStructuralCondition returns the condition that Kubernetes puts into the CRD's status, nil for none.
func (c *CRD) NonStructuralCondition() (*apiextensionsv1.CustomResourceDefinitionCondition, error) {
	v1, err := c.V1()
	if err != nil {
		return nil, err
	}
	return calculateCondition(v1), nil
}
