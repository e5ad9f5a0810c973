//go:build v0.33 || v0.34 || v0.35 || v0.36

package kube

import (
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateNewMeta returns the errors about the metadata of a new object.
func validateNewMeta(meta *metav1.ObjectMeta, namespaced bool, name metavalidation.ValidateNameFunc, at *field.Path) field.ErrorList {
	return metavalidation.ValidateObjectMeta(meta, namespaced, name, at)
}

// validateMetaUpdate returns the errors about metadata that takes the place of old.
func validateMetaUpdate(meta, old *metav1.ObjectMeta, _ bool, at *field.Path) field.ErrorList {
	return metavalidation.ValidateObjectMetaUpdate(meta, old, at)
}

// isPathSegment is what names of embedded resources are checked with.
func isPathSegment(name string, prefix bool) []string {
	return path.ValidatePathSegmentName(name, prefix)
}
