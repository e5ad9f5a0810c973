package prunetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

func (c *Client) getSubresource(ctx context.Context, below client.Client, name string, obj, subresource client.Object, opts ...client.SubResourceGetOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.SubResource(name).Get(ctx, obj, subresource, opts...)
	}
	if err := t.named(); err != nil {
		return err
	}
	isScale := name == "scale" && t.Scale != nil
	if !isScale && !(name == "status" && t.Status) {
		return apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	m, err := c.read(ctx, below, t)
	switch {
	case err != nil:
		return err
	case !isScale:
		return decode(m, subresource)
	}
	scale, found, err := t.scaleOf(m)
	switch {
	case err != nil:
		return errInternal(err.Error())
	case !found:
		return apierrors.NewInternalError(fmt.Errorf("the spec replicas field %q does not exist", t.Scale.SpecReplicasPath))
	}
	return decodeScale(scale, subresource)
}

// steps returns the fields of a path in a CRD: .spec.replicas.
func steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// scaleOf returns the scale of an object. It reports whether the object says how many replicas it wants.
func (t target) scaleOf(m map[string]any) (scale *autoscalingv1.Scale, found bool, err error) {
	u := &unstructured.Unstructured{Object: m}
	scale = &autoscalingv1.Scale{}
	scale.SetGroupVersionKind(scaleKind)
	scale.Name, scale.Namespace, scale.UID = u.GetName(), u.GetNamespace(), u.GetUID()
	scale.ResourceVersion, scale.CreationTimestamp = u.GetResourceVersion(), u.GetCreationTimestamp()
	wanted, found, err := unstructured.NestedInt64(m, steps(t.Scale.SpecReplicasPath)...)
	if err != nil {
		return nil, false, err
	}
	have, _, err := unstructured.NestedInt64(m, steps(t.Scale.StatusReplicasPath)...)
	if err != nil {
		return nil, false, err
	}
	scale.Spec.Replicas, scale.Status.Replicas = int32(wanted), int32(have)
	if t.Scale.LabelSelectorPath != "" {
		scale.Status.Selector, _, err = unstructured.NestedString(m, steps(t.Scale.LabelSelectorPath)...)
	}
	return scale, found, err
}

// decodeScale sets what a client passed for the answer.
func decodeScale(scale *autoscalingv1.Scale, into client.Object) error {
	m, err := encode(scale, scaleKind)
	if err != nil {
		return err
	}
	return decode(m, into)
}

func (c *Client) replaceScale(ctx context.Context, t target, body client.Object, options *client.UpdateOptions) error {
	return c.rescale(ctx, t, body, options, func(scale *autoscalingv1.Scale) error {
		m, err := encode(body, scaleKind)
		if err != nil {
			return err
		}
		*scale = autoscalingv1.Scale{}
		return runtime.DefaultUnstructuredConverter.FromUnstructured(m, scale)
	})
}

func (c *Client) patchScale(ctx context.Context, t target, body client.Object, patch client.Patch, options *client.PatchOptions) error {
	data, err := patch.Data(body)
	if err != nil {
		return err
	}
	return c.rescale(ctx, t, body, &client.UpdateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager}, func(scale *autoscalingv1.Scale) error {
		before, err := json.Marshal(scale)
		if err != nil {
			return err
		}
		after, err := applyPatch(before, patch.Type(), data)
		if err != nil {
			return err
		}
		*scale = autoscalingv1.Scale{}
		return json.Unmarshal(after, scale)
	})
}

// rescale changes the scale of an object, and stores the replicas that it asks for.
func (c *Client) rescale(ctx context.Context, t target, body client.Object, options *client.UpdateOptions, change func(*autoscalingv1.Scale) error) error {
	if err := t.named(); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	old, err := c.read(ctx, c.fake, t)
	if err != nil {
		return err
	}
	scale, found, err := t.scaleOf(old)
	if err != nil {
		return errInternal(err.Error())
	}
	if !found {
		scale.Spec.Replicas = math.MinInt32 // which stands for none in the server
	}
	if err := change(scale); err != nil {
		return err
	}
	if scale.Spec.Replicas == math.MinInt32 {
		return apierrors.NewBadRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", t.Scale.SpecReplicasPath))
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
	if err := unstructured.SetNestedField(u.Object, int64(scale.Spec.Replicas), steps(t.Scale.SpecReplicasPath)...); err != nil {
		return errInternal(err.Error())
	}
	if scale.ResourceVersion != "" {
		u.SetResourceVersion(scale.ResourceVersion)
	}
	answer := c.ask(t, false, u.Object, old, t.request("", ""))
	if err := c.answered(answer); err != nil {
		return err
	}
	out, err := c.updated(ctx, t, "scale", answer.Object, old, options)
	if err != nil {
		return err
	}
	if scale, _, err = t.scaleOf(out); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return decodeScale(scale, body)
}
