package prunetest

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (c *Client) delete(ctx context.Context, below client.WithWatch, obj client.Object, opts ...client.DeleteOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Delete(ctx, obj, opts...)
	}
	if err := t.named(); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.remove(ctx, below, t, obj, (&client.DeleteOptions{}).ApplyOptions(opts))
}

// deleteAllOf deletes one object after the other, as the server does.
func (c *Client) deleteAllOf(ctx context.Context, below client.WithWatch, obj client.Object, opts ...client.DeleteAllOfOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.DeleteAllOf(ctx, obj, opts...)
	}
	options := (&client.DeleteAllOfOptions{}).ApplyOptions(opts)
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(t.empty().GroupVersionKind())
	if err := c.raw.List(ctx, list, &options.ListOptions); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	for _, u := range list.Items {
		t.namespace, t.name = u.GetNamespace(), u.GetName()
		if err := c.remove(ctx, below, t, &u, &options.DeleteOptions); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// remove deletes an object, or marks it if somebody has to finalize it, as the fake client decides.
func (c *Client) remove(ctx context.Context, below client.Client, t target, obj client.Object, options *client.DeleteOptions) error {
	old, err := c.read(ctx, c.raw, t)
	if err != nil {
		return err
	}
	u := &unstructured.Unstructured{Object: old}
	if err := t.meets(u, options.Preconditions); err != nil {
		return err
	}
	if !u.GetDeletionTimestamp().IsZero() {
		return nil // it waits for its finalizers
	}
	obj = obj.DeepCopyObject().(client.Object)
	obj.SetNamespace(t.namespace)
	met := *options
	met.Preconditions = nil
	if err := below.Delete(ctx, obj, &met); err != nil {
		return t.notFound(err)
	}
	marked := t.empty()
	if err := c.raw.Get(ctx, t.key(), marked); err != nil {
		c.memory.forget(old)
		return client.IgnoreNotFound(err)
	}
	if marked.GetDeletionTimestamp().IsZero() {
		return nil // a dry run
	}
	u.SetResourceVersion(marked.GetResourceVersion())
	u.SetDeletionTimestamp(marked.GetDeletionTimestamp())
	u.SetDeletionGracePeriodSeconds(new(int64))
	if u.GetGeneration() > 0 {
		u.SetGeneration(u.GetGeneration() + 1)
	}
	c.memory.keep(old)
	return nil
}

// meets refuses to delete another object than the one that is meant.
func (t target) meets(u *unstructured.Unstructured, wanted *metav1.Preconditions) error {
	kind := schema.GroupResource{Group: t.Group, Resource: t.Kind} // as the server names it here
	switch {
	case wanted == nil:
	case wanted.UID != nil && *wanted.UID != u.GetUID():
		return apierrors.NewConflict(kind, t.name, fmt.Errorf("the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated",
			*wanted.UID, u.GetUID()))
	case wanted.ResourceVersion != nil && *wanted.ResourceVersion != u.GetResourceVersion():
		return apierrors.NewConflict(kind, t.name, fmt.Errorf("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified",
			*wanted.ResourceVersion, u.GetResourceVersion()))
	}
	return nil
}
