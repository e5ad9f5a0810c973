package prunetest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	prunert "github.com/prune-gen/prune-gen/runtime"
)

func (c *Client) patch(ctx context.Context, below client.WithWatch, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Patch(ctx, obj, patch, opts...)
	}
	return c.patched(ctx, t, "", obj, patch, (&client.PatchOptions{}).ApplyOptions(opts))
}

func (c *Client) patchSubresource(ctx context.Context, below client.Client, name string, obj client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.SubResource(name).Patch(ctx, obj, patch, opts...)
	case name == "scale" && t.Scale != nil:
		return errScale
	}
	options := (&client.SubResourcePatchOptions{}).ApplyOptions(opts)
	if options.SubResourceBody != nil {
		obj = options.SubResourceBody
	}
	return c.patched(ctx, t, name, obj, patch, &options.PatchOptions)
}

// patched answers a PATCH and decodes the answer into obj.
func (c *Client) patched(ctx context.Context, t target, subresource string, obj client.Object, patch client.Patch, options *client.PatchOptions) error {
	if err := t.named(); err != nil {
		return err
	}
	data, err := patch.Data(obj)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if patch.Type() == types.ApplyPatchType {
		config := &unstructured.Unstructured{}
		if err := utiljson.Unmarshal(data, &config.Object); err != nil {
			return apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		config.SetGroupVersionKind(t.empty().GroupVersionKind())
		if config.GetName() == "" {
			config.SetName(t.name) // that of the URL
		}
		if config.GetNamespace() == "" {
			config.SetNamespace(t.namespace)
		}
		apply := &client.ApplyOptions{DryRun: options.DryRun, Force: options.Force, FieldManager: options.FieldManager}
		out, err := c.applied(ctx, t, subresource, config, apply)
		if err != nil {
			return err
		}
		return decode(out, obj)
	}
	old, err := c.stored(ctx, t)
	switch {
	case err != nil:
		return err
	case old == nil:
		return apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	sent, err := t.patched(old, patch.Type(), data, options.FieldValidation)
	if err != nil {
		return err
	}
	validation := options.FieldValidation
	if validation == string(prunert.FieldValidationStrict) {
		validation = string(prunert.FieldValidationWarn) // there is nothing left to refuse
	}
	if err := t.sameUID(sent, old); err != nil {
		return err
	}
	owners := ownersIn(sent)
	answer := c.ask(t, false, sent, old, t.request(subresource, validation))
	if err := c.answered(answer); err != nil {
		return err
	}
	owners.in(answer.Object)
	out, err := c.updated(ctx, t, subresource, answer.Object, old, &client.UpdateOptions{DryRun: options.DryRun, FieldManager: options.FieldManager})
	if err != nil {
		return err
	}
	return decode(out, obj)
}

// patched returns the object that a patch makes of old.
func (t target) patched(old map[string]any, kind types.PatchType, data []byte, fieldValidation string) (map[string]any, error) {
	before, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	after, err := applyPatch(before, kind, data)
	if err != nil {
		return nil, err
	}
	var sent map[string]any
	if err := utiljson.Unmarshal(after, &sent); err != nil {
		return nil, errPatched(after, err.Error())
	}
	// Errors in metadata and, in strict requests, unknown fields are errors of the patch.
	unknown, err := t.Normalize(runtime.DeepCopyJSON(sent), prunert.NormalizeOptions{ReportUnknown: true})
	if err != nil {
		return nil, errPatched(after, err.Error())
	}
	if fieldValidation == string(prunert.FieldValidationStrict) && len(unknown) > 0 {
		texts := make([]string, len(unknown))
		for i, path := range unknown {
			texts[i] = `unknown field "` + path + `"`
		}
		return nil, errPatched(after, "strict decoding error: "+strings.Join(texts, ", "))
	}
	return sent, nil
}

// applyPatch applies a patch as the API server does to custom resources.
func applyPatch(doc []byte, kind types.PatchType, data []byte) ([]byte, error) {
	switch kind {
	case types.JSONPatchType:
		patch, err := jsonpatch.DecodePatch(data)
		if err != nil {
			return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		after, err := patch.Apply(doc)
		if err != nil {
			return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
		}
		return after, nil
	case types.MergePatchType:
		after, err := jsonpatch.MergePatch(doc, data)
		if err != nil {
			return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		return after, nil
	}
	return nil, errPatchType
}
