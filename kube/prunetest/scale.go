package prunetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

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
		return err
	case !found:
		return apierrors.NewInternalError(fmt.Errorf("the spec replicas field %q does not exist", t.Scale.SpecReplicasPath))
	}
	return decodeScale(scale, subresource)
}

// steps returns the fields of a path in a CRD: .spec.replicas.
func steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// scaleOf returns the scale of an object. It reports whether the object says how many replicas it wants.
func (t target) scaleOf(m map[string]any) (*autoscalingv1.Scale, bool, error) {
	u := &unstructured.Unstructured{Object: m}
	wanted, found, errWanted := unstructured.NestedInt64(m, steps(t.Scale.SpecReplicasPath)...)
	have, _, errHave := unstructured.NestedInt64(m, steps(t.Scale.StatusReplicasPath)...)
	selector, _, errSelector := unstructured.NestedString(m, steps(t.Scale.LabelSelectorPath)...)
	if err := cmp.Or(errWanted, errHave, errSelector); err != nil {
		return nil, false, errInternal(err.Error())
	}
	return &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: u.GetName(), Namespace: u.GetNamespace(), UID: u.GetUID(), ResourceVersion: u.GetResourceVersion(),
			CreationTimestamp: u.GetCreationTimestamp()},
		Spec:   autoscalingv1.ScaleSpec{Replicas: int32(wanted)},
		Status: autoscalingv1.ScaleStatus{Replicas: int32(have), Selector: selector},
	}, found, nil
}

// rescale stores the replicas that a scale asks for, as a client sends it or patches it.
func (c *Client) rescale(ctx context.Context, t target, body client.Object, patch client.Patch, options *client.UpdateOptions) error {
	if err := t.named(); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	old, err := c.read(ctx, c.raw, t)
	if err != nil {
		return err
	}
	scale, found, err := t.scaleOf(old)
	if err != nil {
		return err
	}
	if !found {
		scale.Spec.Replicas = math.MinInt32 // which stands for none in the server
	}
	sent, err := rescaled(scale, body, patch)
	switch {
	case err != nil:
		return err
	case sent.Spec.Replicas == math.MinInt32:
		return apierrors.NewBadRequest(fmt.Sprintf("the spec replicas field %q cannot be empty", t.Scale.SpecReplicasPath))
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
	if err := unstructured.SetNestedField(u.Object, int64(sent.Spec.Replicas), steps(t.Scale.SpecReplicasPath)...); err != nil {
		return errInternal(err.Error())
	}
	if sent.ResourceVersion != "" {
		u.SetResourceVersion(sent.ResourceVersion)
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
		return err
	}
	return decodeScale(scale, body)
}

// rescaled returns the scale that a client sends, or that its patch makes.
func rescaled(scale *autoscalingv1.Scale, body client.Object, patch client.Patch) (*autoscalingv1.Scale, error) {
	after, err := json.Marshal(body)
	if patch != nil {
		var data, before []byte
		if data, err = patch.Data(body); err != nil {
			return nil, err
		}
		if before, err = json.Marshal(scale); err != nil {
			return nil, err
		}
		after, err = applyPatch(before, patch.Type(), data)
	}
	if err != nil {
		return nil, err
	}
	sent := &autoscalingv1.Scale{}
	if err := json.Unmarshal(after, sent); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return sent, nil
}

// decodeScale sets obj to the answer of the server.
func decodeScale(scale *autoscalingv1.Scale, obj client.Object) error {
	m, err := encode(scale, autoscalingv1.SchemeGroupVersion.WithKind("Scale"))
	if err != nil {
		return err
	}
	return decode(m, obj)
}
