// Package v1 is where an operator has the types of version v1 of its API. The functions that prune and check objects as
// the API server does are generated into it, from the CRD: those of its group, which the marker names, and its version.
// +groupName=stable.example.com
package v1

//go:generate go tool prune-gen generate ../../config/crd/bases
