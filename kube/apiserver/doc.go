// Package apiserver is an API server for resources whose code is linked into the program. It has discovery, OpenAPI, storage in
// etcd, watches, patches, server-side apply and the subresources from k8s.io/apiserver, and the decisions about the
// content of objects from the functions that prune-gen generated.
//
// A [Definition] has what the functions do not know: scope, names, the storage version, subresources, printer columns. It is
// read from the CRD that the code was generated from; the schemas in it are not kept. The two things that need a schema's
// shape, the OpenAPI documents and the merging of lists in server-side apply, are made from the text of the CRD when somebody
// first asks for them.
package apiserver
