// Package prunetest tests CRDs, and the conversion between their versions, without an API server.
//
//	crds, err := prunetest.FromFiles("config/crd/bases")
//	prunetest.Suite(t, crds, "testdata")
//
// [Suite] runs suites of requests, and manifests in directories valid and invalid, as the command prune-gen test does. Requests are answered as the API
// server answers them: objects are pruned, defaulted and validated, and CEL rules (x-kubernetes-validations) are evaluated, on updates with the
// old object. [Coverage] fails if a CEL rule has no test that violates it.
//
// [Objects] makes valid and invalid objects of a CRD for property tests.
//
// [RoundTrip] tests conversion between versions: what is lost on the way to another version and back.
//
// For tests of controllers, run a server in the process of the test: github.com/prune-gen/prune-gen/kube/servertest.
package prunetest
