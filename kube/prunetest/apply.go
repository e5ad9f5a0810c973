package prunetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	prunert "github.com/prune-gen/prune-gen/runtime"
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

// applied answers a server-side apply: it asks what the fake client would store, answers as for that, and only then applies.
func (c *Client) applied(ctx context.Context, t target, subresource string, config *unstructured.Unstructured, options *client.ApplyOptions) (map[string]any, error) {
	if t.PruneReport == nil {
		return nil, errors.New("prunetest: server-side apply needs the function PruneReport: generate it")
	}
	if unknown := t.PruneReport(runtime.DeepCopyJSON(config.Object)); len(unknown) > 0 {
		return nil, errUndeclared(t.Resource, t.namespace, t.name, unknown)
	}
	old, err := c.stored(ctx, t)
	if err != nil {
		return nil, err
	}
	if old == nil && subresource != "" {
		return nil, apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	merged, err := t.merge(ctx, subresource, config, old, options)
	if err != nil {
		return nil, err
	}
	var answer prunert.Answer
	if old == nil {
		unstructured.RemoveNestedField(merged, "metadata", "resourceVersion")
		answer = c.ask(t, true, merged, nil, t.request("", ""))
	} else {
		answer = c.ask(t, false, merged, old, t.request(subresource, ""))
	}
	if err := c.answered(answer); err != nil {
		return nil, err
	}
	if slices.Contains(options.DryRun, metav1.DryRunAll) {
		return answer.Object, nil
	}
	config = config.DeepCopy()
	if old != nil {
		// Without it, the fake client counts versions from 1 again where a status is applied.
		config.SetResourceVersion((&unstructured.Unstructured{Object: old}).GetResourceVersion())
	}
	if err := applyTo(ctx, c.fake, subresource, config, options); err != nil {
		return nil, err
	}
	return c.complete(ctx, t, subresource, answer.Object)
}

// merge returns the result of applying a configuration to old in the fake client.
func (t target) merge(ctx context.Context, subresource string, config *unstructured.Unstructured, old map[string]any, options *client.ApplyOptions) (map[string]any, error) {
	b := fake.NewClientBuilder().WithScheme(runtime.NewScheme()).WithReturnManagedFields()
	version := ""
	if old != nil {
		u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
		version = u.GetResourceVersion()
		b = b.WithObjects(u)
	}
	if t.Status {
		b = b.WithStatusSubresource(t.empty())
	}
	scratch := b.Build()
	merging := *options
	merging.DryRun = nil
	if err := applyTo(ctx, scratch, subresource, config.DeepCopy(), &merging); err != nil {
		return nil, err
	}
	u := t.empty()
	if err := scratch.Get(ctx, t.key(), u); err != nil {
		return nil, err
	}
	u.SetResourceVersion(version)
	return u.Object, nil
}

// applyTo applies a configuration to the objects of a client.
func applyTo(ctx context.Context, to client.Client, subresource string, config *unstructured.Unstructured, options *client.ApplyOptions) error {
	applied := client.ApplyConfigurationFromUnstructured(config)
	if subresource == "" {
		return to.Apply(ctx, applied, options)
	}
	return to.SubResource(subresource).Apply(ctx, applied, &client.SubResourceApplyOptions{ApplyOptions: *options})
}

// complete adds what else the answer has to the stored object: defaults, and metadata that the server sets.
func (c *Client) complete(ctx context.Context, t target, subresource string, answer map[string]any) (map[string]any, error) {
	stored, err := c.stored(ctx, t)
	if err != nil || stored == nil { // without finalizers, an object that was deleted is gone
		return answer, err
	}
	is := &unstructured.Unstructured{Object: stored}
	wanted := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(answer)}
	wanted.SetResourceVersion(is.GetResourceVersion())
	wanted.SetManagedFields(is.GetManagedFields())
	return c.store(ctx, t, subresource, wanted.Object, stored, &client.UpdateOptions{FieldManager: "defaults"})
}
