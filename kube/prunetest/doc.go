// Package prunetest makes controller-runtime's fake client answer requests for custom resources as the API server does, so
// that unit tests find what otherwise only a cluster finds: fields that the CRD does not have and the server drops, missing
// defaults, values that are refused, a status that is not written by Update.
//
//	crds, err := prunetest.FromFiles("config/crd/bases")
//	c := crds.NewClient(fake.NewClientBuilder().WithScheme(scheme))
//	err = c.Create(ctx, obj) // apierrors.IsInvalid(err) if the schema does not allow obj
//	c.Warnings()             // unknown field "spec.replica"
//
// [Suite] tests CRDs by suites and by manifests in directories valid and invalid, as the command prune-gen test does, and [Coverage] fails if a CEL rule has no test that violates it.
//
// [Objects] makes valid and invalid objects of a CRD for property tests.
//
// [RoundTrip] tests conversion between versions: what is lost on the way to another version and back.
//
// Tests need no server and take milliseconds instead of seconds. CEL rules (x-kubernetes-validations) are evaluated, and on
// updates with the old object: the tests that Gateway API runs against a server pass with this client as well. Server-side apply merges lists and
// maps as the CRD says and records who owns which field; deletions have preconditions and finalizers; the mapper knows the
// CRDs.
//
// It is not a server. These are all differences that are known:
//
//   - Watches ignore selectors.
//   - Watches begin with the next event, and not with the objects that exist or with a resourceVersion.
//   - Events have the Go types of the scheme, without the fields that these lack.
//   - The event of a deletion that waits for finalizers lacks the grace period and the new generation.
//   - The event of a deletion has the resourceVersion of the event before.
//   - Limit and Continue are ignored.
//   - Lists, and deletions of collections, by fields need an index, as in cached clients.
//   - Every version of a kind has objects of its own.
//   - There are no admission webhooks, no garbage collector and no namespaces.
//   - Deletions have no propagation policy.
//   - Scales can be neither read nor written.
//   - The status is read with its object, and not as a subresource.
//   - A null in an apply configuration is dropped, where a server may refuse it. Malformed metadata is refused with another text: the server passes
//     on what Go's JSON decoder says.
//   - Objects that the builder of the client was given, or that others write to the fake client, are stored as they are. Defaults are filled in
//     when they are read.
//   - Generated code does not have the whole CRD. With [New] and [FromSet], apply treats lists as atomic and maps as granular.
//
// Where a test depends on one of these, run a server in its process: github.com/prune-gen/prune-gen/kube/servertest. In hack/apiserver, tests ask this client
// and an API server the same, and name these differences.
//
// A kind that the CRDs of its group lack is refused. For the kinds of other groups the client is the fake client that it is built from.
package prunetest
