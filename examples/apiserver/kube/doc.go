// Package kube fits the code that prune-gen generates into programs built on the libraries of Kubernetes.
//
// For API servers on k8s.io/apiserver there are [Strategy] and [StatusStrategy], which validate and keep house as the API
// server of CustomResourceDefinitions does, and [Codec], which puts generated code where objects enter a server: between
// the bytes of a request or of etcd and the object that the server works with. For everything that speaks in errors of
// fields there are [FieldErrors], [Causes] and [Invalid]. For operators there are [Transform], which trims what an informer
// keeps in its cache, and [Admission], a webhook that normalizes and validates.
//
// No schema is needed, and none is kept: all decisions are in the generated functions of a [prunert.Resource].
package kube

import prunert "github.com/prune-gen/prune-gen/runtime"

// Resources are the versions of one kind, by the name of the version.
type Resources map[string]prunert.Resource
