// Package apiserver is an API server for custom resources, to be part of a program. It has discovery, OpenAPI, storage, watches, patches,
// server-side apply and the subresources from k8s.io/apiserver. The decisions about the content of objects come from the functions that
// prune-gen generated, or, for kinds without linked code, from what their CRDs say. Kinds can be put and removed while it runs.
//
// A [Definition] has what the functions do not know: scope, names, the storage version, subresources, printer columns. It is
// read from a CRD; for kinds with linked code, the schemas in it are not kept. The two things that need a schema's
// shape, the OpenAPI documents and the merging of lists in server-side apply, are made from the text of the CRD when somebody
// first asks for them.
//
// Objects are stored where the configuration says: in etcd, which package embedded runs in the process and package options finds elsewhere, or in
// memory.
package apiserver
