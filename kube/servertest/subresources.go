package servertest

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// action is a subresource that is created to do something with an object.
type action struct {
	runtime.Object
	kind schema.GroupVersionKind
	do   func(ctx context.Context, name string, obj runtime.Object, opts *metav1.CreateOptions) (runtime.Object, error)
}

var (
	_ rest.NamedCreater             = action{}
	_ rest.GroupVersionKindProvider = action{}
)

func (a action) New() runtime.Object                                          { return a.DeepCopyObject() }
func (action) Destroy()                                                       {} // with the resource's
func (a action) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind { return a.kind }
func (action) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true } // for UIDs as preconditions
func (a action) Create(ctx context.Context, name string, obj runtime.Object, _ rest.ValidateObjectFunc, opts *metav1.CreateOptions) (runtime.Object, error) {
	if given := accessor(obj).GetName(); given != name && (given != "" || a.kind.Kind != "TokenRequest") {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("name in URL does not match name in %s object", a.kind.Kind))
	}
	return a.do(ctx, name, obj, opts)
}

// addActions adds the actions of a resource.
func addActions(stores map[string]rest.Storage, store *registry.Store, strategy builtinStrategy) {
	switch store.DefaultQualifiedResource {
	case corev1.Resource("pods"):
		bound := *store
		bound.UpdateStrategy = bindStrategy{strategy}
		stores["pods/binding"] = action{&corev1.Binding{}, corev1.SchemeGroupVersion.WithKind("Binding"), binding{&bound}.bind}
		stores["pods/eviction"] = action{&policyv1.Eviction{}, policyv1.SchemeGroupVersion.WithKind("Eviction"), eviction{store}.evict}
	case corev1.Resource("serviceaccounts"):
		stores["serviceaccounts/token"] = action{&authenticationv1.TokenRequest{}, authenticationv1.SchemeGroupVersion.WithKind("TokenRequest"), token{store}.issue}
	}
}

type eviction struct{ pods *registry.Store }

// evict deletes a Pod.
func (e eviction) evict(ctx context.Context, name string, obj runtime.Object, opts *metav1.CreateOptions) (runtime.Object, error) {
	options := obj.(*policyv1.Eviction).DeleteOptions
	if options == nil {
		options = &metav1.DeleteOptions{}
	}
	if len(options.DryRun) == 0 {
		options.DryRun = opts.DryRun
	}
	_, _, err := e.pods.Delete(ctx, name, rest.ValidateAllObjectFunc, options)
	return &metav1.Status{Status: metav1.StatusSuccess}, err
}

type binding struct{ pods *registry.Store }

// bindStrategy lets the status be written together with the spec, and keeps the generation.
type bindStrategy struct{ builtinStrategy }

func (bindStrategy) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}

// bind assigns a Pod to a Node.
func (b binding) bind(ctx context.Context, name string, obj runtime.Object, opts *metav1.CreateOptions) (runtime.Object, error) {
	given := obj.(*corev1.Binding)
	assign := func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		pod := old.DeepCopyObject().(*corev1.Pod)
		var err error
		switch {
		case given.UID != "" && given.UID != pod.UID:
			err = fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s)", given.UID, pod.UID)
		case pod.DeletionTimestamp != nil:
			err = fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", name)
		case pod.Spec.NodeName != "":
			err = fmt.Errorf("pod %s is already assigned to node %q", name, pod.Spec.NodeName)
		}
		if err != nil {
			return nil, apierrors.NewConflict(corev1.Resource("pods/binding"), name, err)
		}
		pod.Spec.NodeName = given.Target.Name
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()})
		return pod, nil
	}
	_, _, err := b.pods.Update(ctx, name, rest.DefaultUpdatedObjectInfo(nil, assign), rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{DryRun: opts.DryRun})
	return &metav1.Status{Status: metav1.StatusSuccess}, err
}

type token struct{ accounts *registry.Store }

// issue returns a token of a ServiceAccount, which nobody checks.
func (t token) issue(ctx context.Context, name string, obj runtime.Object, _ *metav1.CreateOptions) (runtime.Object, error) {
	account, err := t.accounts.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	request, m, now := obj.(*authenticationv1.TokenRequest), accessor(account), metav1.Now()
	request.Name, request.Namespace, request.UID, request.CreationTimestamp = name, m.GetNamespace(), m.GetUID(), now
	if request.Spec.ExpirationSeconds == nil {
		request.Spec.ExpirationSeconds = new(int64(3600))
	}
	request.Status = authenticationv1.TokenRequestStatus{
		Token:               fmt.Sprintf("system:serviceaccount:%s:%s:%s", m.GetNamespace(), name, uuid.NewUUID()),
		ExpirationTimestamp: metav1.NewTime(now.Add(time.Duration(*request.Spec.ExpirationSeconds) * time.Second)),
	}
	return request, nil
}
