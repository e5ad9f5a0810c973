package prunetest

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// list lets the fake client select: by labels, and by fields that it has an index for.
func (c *Client) list(ctx context.Context, below client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
	kind, err := c.fake.GroupVersionKindFor(list)
	if err != nil {
		return below.List(ctx, list, opts...) // which says it in its own words
	}
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	r, ok, err := c.crds.lookup(kind)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.List(ctx, list, opts...)
	}
	t := target{Resource: r}
	if err := below.List(ctx, list, opts...); err != nil {
		return err
	}
	var items []runtime.Object
	err = meta.EachListItem(list, func(item runtime.Object) error {
		m, err := t.encode(item)
		if err != nil {
			return err
		}
		u := &unstructured.Unstructured{Object: m}
		c.await(u)
		if m, err = c.exactly(t, u); err != nil {
			return err
		}
		items = append(items, item)
		return decode(m, item.(client.Object))
	})
	if err != nil {
		return err
	}
	list.SetResourceVersion(c.memory.version())
	return meta.SetList(list, items)
}

// await waits for the request that wrote an object of the fake client, if the object is not in memory.
func (c *Client) await(u *unstructured.Unstructured) {
	if c.memory.recall(u) == nil {
		c.writing.Lock()
		defer c.writing.Unlock()
	}
}
