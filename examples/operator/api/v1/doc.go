// Package v1 is where an operator has the types of version v1 of its API. The functions that prune and check objects as
// the API server does are generated into it, from the CRD.
package v1

//go:generate go tool prune-gen generate --crd-version v1 ../../config/crd/bases
