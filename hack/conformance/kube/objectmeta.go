//go:build !(v0.33 || v0.34 || v0.35 || v0.36)

package kube

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateNewMeta returns the errors about the metadata of a new object.
func validateNewMeta(meta *metav1.ObjectMeta, namespaced bool, name metavalidation.ValidateNameFunc, at *field.Path) field.ErrorList {
	return metavalidation.ValidateObjectMetaDeclaratively(context.Background(), operation.Create, meta, nil, namespaced, name, at, false)
}

// validateMetaUpdate returns the errors about metadata that takes the place of old.
func validateMetaUpdate(meta, old *metav1.ObjectMeta, namespaced bool, at *field.Path) field.ErrorList {
	return metavalidation.ValidateObjectMetaDeclaratively(context.Background(), operation.Update, meta, old, namespaced, nil, at, false)
}

// isPathSegment is what names of embedded resources are checked with.
func isPathSegment(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}
