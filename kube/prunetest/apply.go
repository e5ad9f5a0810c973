package prunetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (c *Client) apply(ctx context.Context, below client.WithWatch, config runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	u, t, ok, err := c.configured(config)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Apply(ctx, config, opts...)
	}
	return c.applyConfig(ctx, t, "", u, config, (&client.ApplyOptions{}).ApplyOptions(opts))
}

func (c *Client) applySubresource(ctx context.Context, below client.Client, name string, config runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error {
	options := (&client.SubResourceApplyOptions{}).ApplyOpts(opts)
	sent := config
	if options.SubResourceBody != nil && name == "status" {
		sent = options.SubResourceBody
	}
	u, t, ok, err := c.configured(sent)
	switch {
	case err != nil:
		return err
	case !ok || name != "status":
		return below.SubResource(name).Apply(ctx, config, opts...)
	}
	return c.applyConfig(ctx, t, name, u, sent, &options.ApplyOptions)
}

// configured returns an apply configuration as an object, and what it is for.
func (c *Client) configured(config runtime.ApplyConfiguration) (*unstructured.Unstructured, target, bool, error) {
	data, err := json.Marshal(config)
	if err != nil {
		return nil, target{}, false, err
	}
	u := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, target{}, false, err
	}
	t, ok, err := c.target(u)
	return u, t, ok, err
}

// applyConfig applies a configuration and decodes the answer into it.
func (c *Client) applyConfig(ctx context.Context, t target, subresource string, u *unstructured.Unstructured, config runtime.ApplyConfiguration, options *client.ApplyOptions) error {
	if err := t.named(); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	out, err := c.applied(ctx, t, subresource, u, options)
	if err != nil {
		return err
	}
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, config)
}

// applied answers a server-side apply.
func (c *Client) applied(ctx context.Context, t target, subresource string, config *unstructured.Unstructured, options *client.ApplyOptions) (map[string]any, error) {
	if errs := validation.ValidatePatchOptions(options.AsPatchOptions(), types.ApplyPatchType); len(errs) > 0 {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: "meta.k8s.io", Kind: "PatchOptions"}, "", errs)
	}
	old, err := c.stored(ctx, t)
	if err != nil {
		return nil, err
	}
	if old == nil && subresource != "" {
		return nil, apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	if uid := config.GetUID(); old == nil && uid != "" {
		return nil, apierrors.NewConflict(groupResource(t.Resource), t.name, fmt.Errorf("uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	merged, err := c.merge(t, subresource, config, old, options)
	if err != nil {
		return nil, err
	}
	owners := ownersIn(merged)
	if old == nil {
		unstructured.RemoveNestedField(merged, "metadata", "resourceVersion")
	} else if err := t.sameUID(merged, old); err != nil {
		return nil, err
	}
	answer := c.ask(t, old == nil, merged, old, t.request(subresource, ""))
	if err := c.answered(answer); err != nil {
		return nil, err
	}
	owners.in(answer.Object)
	if old == nil {
		return c.insert(ctx, c.fake, t, answer.Object, &client.CreateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager})
	}
	return c.store(ctx, t, subresource, answer.Object, old, &client.UpdateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager})
}

// merge returns the result of applying a configuration to old.
func (c *Client) merge(t target, subresource string, config *unstructured.Unstructured, old map[string]any, options *client.ApplyOptions) (map[string]any, error) {
	if c.crds.details[config.GroupVersionKind()].types == nil { // generated code does not know which fields are atomic, but which there are
		if t.PruneReport == nil {
			return nil, errors.New("prunetest: server-side apply needs the function PruneReport: generate it")
		}
		if unknown := t.PruneReport(runtime.DeepCopyJSON(config.Object)); len(unknown) > 0 {
			return nil, errUndeclared(t.Resource, t.namespace, t.name, unknown)
		}
	}
	f, err := c.crds.fieldManager(t, subresource)
	if err != nil {
		return nil, err
	}
	merged, err := f.Apply(t.live(old), config.DeepCopy(), options.FieldManager, options.Force != nil && *options.Force)
	switch {
	case err == nil:
		return merged.(*unstructured.Unstructured).Object, nil
	case errors.As(err, new(apierrors.APIStatus)):
		return nil, err
	}
	return nil, errInternal(err.Error())
}
