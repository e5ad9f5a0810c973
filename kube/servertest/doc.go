// Package servertest runs a Kubernetes API server in the process of a test. There is nothing to download and nothing to start: it keeps
// objects in memory, is ready in milliseconds, and ends with the test. Every client works with it: controller-runtime's manager, informers,
// kubectl.
//
//	func TestReconciler(t *testing.T) {
//		config := servertest.StartServer(t, []string{"../config/crd/bases"})
//		mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme})
//
// Custom resources are answered for as the API server of CustomResourceDefinitions does: they are pruned, defaulted and validated, CEL rules
// included, and the rest is Kubernetes' own code: watches, patches, server-side apply, the subresources status and scale, selectors,
// finalizers, preconditions, lists in pieces. CRDs can also be created, changed and deleted by clients while the server runs.
//
// Built-in kinds (Pods, Secrets, Leases, Events, Deployments and all others that clients of client-go have in a stable version) are stored as
// they are. Their metadata is validated, and patches, server-side apply, status, scale and selectors work. Their values are neither validated
// nor defaulted, and one version of each is served, the newest.
//
// It is not a cluster:
//
//   - There are no controllers: nothing creates Pods, collects garbage, or empties a namespace that is deleted. As there are no kubelets
//     either, a Pod that is bound to a Node stays, once deleted, until it is deleted with a grace period of 0.
//   - Everybody may do everything. There is no admission: neither plugins nor webhooks.
//   - Namespaces need not exist. Those of every cluster do (default, kube-system, kube-public, kube-node-lease), with the Service kubernetes. A
//     deleted namespace is gone at once.
//   - There are no Services: a conversion webhook behind one is a handler of the test, in Options.Conversion. One with a URL is called there.
//   - A CRD that is deleted goes at once with all objects of its kind, even those with finalizers. Names of kinds that conflict with those of another
//     CRD are not refused. A CRD of a built-in group is.
//   - Events of the groups "" and events.k8s.io are different objects.
//   - The subresources of Pods are status, binding and eviction, which does not look at PodDisruptionBudgets. Tokens of ServiceAccounts are
//     issued and never checked. Reviews, such as TokenReview and SubjectAccessReview, are not served.
//   - An update does not create a built-in object that does not exist.
//   - OpenAPI describes custom resources alone: kubectl explain does not know others.
//   - Nothing limits the size of objects but the size of requests.
package servertest
