// Package kube connects the code that prune-gen generates with programs that are built on k8s.io/apimachinery: operators,
// webhooks, dynamic clients and informers. It imports no other module of Kubernetes.
//
//   - [Err] and [StatusError] return the refusal of a request as the error that a client of the API server would get, so that
//     apierrors.IsInvalid holds; [FieldErrors] and [Causes] do the same for single errors.
//   - [Transform] drops the fields that the program does not know from the objects of an informer.
//   - [Project] drops the fields that the program does not read from the objects of a cache; [ReadOnly] refuses to write such
//     objects back.
//   - [Admission] is an admission webhook. It warns of unknown fields.
//   - [Decoder] decodes and prunes objects in one pass; [Serializer] lets a dynamic client use it.
//
// The package installed checks the CRD that is installed before a program writes objects. The package prunetest tests CRDs and conversion,
// and the module kube/servertest has a server for tests.
package kube

import prunert "github.com/prune-gen/prune-gen/runtime"

// orLinked returns set, or all registered resources if it is nil.
func orLinked(set *prunert.Set) *prunert.Set {
	if set == nil {
		return prunert.Linked()
	}
	return set
}
