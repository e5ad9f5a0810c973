// Package prunetest makes controller-runtime's fake client answer requests for custom resources as the API server does, so
// that unit tests find what otherwise only a cluster finds: fields that the CRD does not have and the server drops, missing
// defaults, values that are refused, a status that is not written by Update.
//
//	crds, err := prunetest.FromFiles("config/crd/bases")
//	c := crds.NewClient(fake.NewClientBuilder().WithScheme(scheme))
//	err = c.Create(ctx, obj) // apierrors.IsInvalid(err) if the schema does not allow obj
//	c.Warnings()             // unknown field "spec.replica"
//
// [Fixtures] tests manifests: those in valid/ are accepted, those in invalid/ are refused as their first line says.
//
// [Suite] tests CRDs by suites, as the command prune-gen test does, and [Coverage] fails if a CEL rule has no test that violates it.
//
// [Objects] makes valid and invalid objects of a CRD for property tests.
//
// Tests need no server and take milliseconds instead of seconds. CEL rules (x-kubernetes-validations) are evaluated, and on
// updates with the old object: the tests that Gateway API runs against a server pass with this client as well. It is not a server:
//
//   - There are no admission webhooks and no conversion: each version of a kind has objects of its own.
//   - Where the scheme of the client has a Go type for a kind, the fake client stores that type, and fields that the type does
//     not have are lost. They are kept in unstructured objects of kinds that the scheme does not have.
//   - Server-side apply merges as the fake client does, which treats lists in custom resources as atomic, and treats the status as a field
//     of whoever applies the object. Defaults, and what the server sets in metadata, are set with a second write, and defaults are fields
//     of a manager "defaults". So a second manager that applies the status, or a field with a default, meets a conflict that a server does
//     not have, unless it forces. Unknown fields are refused as the server does, which also compares types then, and refuses nulls that are
//     dropped here.
//   - The scale subresource is that of the fake client, and is not validated.
//   - Objects that the builder of the client was given are stored as they are. Defaults are filled in when they are read.
//
// Malformed metadata is refused with another text: the server passes on what Go's JSON decoder says. In hack/apiserver a test asks
// both the same and lists these differences.
//
// A kind that the CRDs of its group lack is refused. For the kinds of other groups the client is the fake client that it is built from.
package prunetest
