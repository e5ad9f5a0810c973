package prunetest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// list selects by the fields that a server knows, and lets the fake client select by its indexes.
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
	options := (&client.ListOptions{}).ApplyOptions(opts)
	selectable := append([]string{"metadata.name", "metadata.namespace"}, c.crds.details[kind].selectable...)
	byFields := fields.Everything()
	if s := options.FieldSelector; s != nil && !slices.ContainsFunc(s.Requirements(), func(r fields.Requirement) bool { return !slices.Contains(selectable, r.Field) }) {
		byFields, options.FieldSelector = s, nil
	}
	if err := below.List(ctx, list, options); err != nil {
		return err
	}
	var selected []runtime.Object
	err = meta.EachListItem(list, func(item runtime.Object) error {
		obj := item.(client.Object)
		m, err := c.whole(ctx, t, obj)
		if err != nil {
			return err
		}
		values := fields.Set{}
		for _, path := range selectable {
			if v, found, _ := unstructured.NestedFieldNoCopy(m, steps(path)...); found {
				values[path] = fmt.Sprint(v)
			}
		}
		if byFields.Matches(values) {
			selected = append(selected, item)
		}
		return decode(m, obj)
	})
	if err != nil {
		return err
	}
	list.SetResourceVersion(c.memory.version())
	return meta.SetList(list, selected)
}

// whole returns an item of a list as a server has it.
func (c *Client) whole(ctx context.Context, t target, obj client.Object) (map[string]any, error) {
	u := t.empty()
	if _, ok := obj.(*metav1.PartialObjectMetadata); ok {
		if err := c.fake.Get(ctx, client.ObjectKeyFromObject(obj), u); err != nil {
			return nil, err
		}
	} else {
		m, err := t.encode(obj)
		if err != nil {
			return nil, err
		}
		u.Object = m
	}
	c.await(u)
	return c.exactly(t, u)
}

// await waits for the request that wrote an object of the fake client, if the object is not in memory.
func (c *Client) await(u *unstructured.Unstructured) {
	if c.memory.recall(u) == nil {
		c.writing.Lock()
		defer c.writing.Unlock()
	}
}
