package prunetest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Client is a fake client that answers requests for custom resources as the API server does.
type Client struct {
	client.WithWatch
	// fake is the fake client below.
	fake client.WithWatch
	crds *CRDs

	// writing is held from the look at the old object until the new one is stored.
	writing sync.Mutex

	mu       sync.Mutex
	warnings []string
}

// NewClient returns a client. The builder must not have been built. Interceptors that it has are called for requests that the
// CRDs accept. As with a server, objects have their managedFields.
func (c *CRDs) NewClient(b *fake.ClientBuilder) *Client {
	for _, r := range c.set.Resources() {
		if r.Status {
			u := &unstructured.Unstructured{}
			u.SetAPIVersion(r.APIVersion())
			u.SetKind(r.Kind)
			b = b.WithStatusSubresource(u)
		}
	}
	below := b.WithReturnManagedFields().Build()
	out := &Client{crds: c, fake: below}
	out.WithWatch = interceptor.NewClient(below, interceptor.Funcs{
		Get:               out.get,
		List:              out.list,
		Create:            out.create,
		Update:            out.update,
		Patch:             out.patch,
		Apply:             out.apply,
		SubResourceUpdate: out.updateSubresource,
		SubResourcePatch:  out.patchSubresource,
		SubResourceApply:  out.applySubresource,
	})
	return out
}

// Unwrap returns the fake client, for functions such as fake.AddIndex.
func (c *Client) Unwrap() client.WithWatch { return c.fake }

// Warnings returns the warnings of all requests since the last call: those that kubectl would print.
func (c *Client) Warnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	warnings := c.warnings
	c.warnings = nil
	return warnings
}

// ask returns the answer to a request that creates an object or updates old, which is nil if there is no such object.
func (c *Client) ask(t target, creates bool, obj, old map[string]any, req prunert.Request) prunert.Answer {
	sent := c.crds.sent(obj)
	var answer prunert.Answer
	if creates {
		answer = t.Create(obj, req)
	} else {
		answer = t.Update(obj, old, req)
	}
	c.crds.seen(t.Resource, "a client", sent, old, req, answer)
	return answer
}

// answered keeps the warnings of an answer and returns its error.
func (c *Client) answered(a prunert.Answer) error {
	c.warn(a.Warnings)
	return kube.Err(a)
}

func (c *Client) warn(warnings []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warnings = append(c.warnings, warnings...)
}

// target is what a request is for.
type target struct {
	prunert.Resource
	namespace, name string
}

func (t target) key() client.ObjectKey {
	return client.ObjectKey{Namespace: t.namespace, Name: t.name}
}

// request returns the request for a target.
func (t target) request(subresource, fieldValidation string) prunert.Request {
	return prunert.Request{
		Namespace: t.namespace, Name: t.name, Subresource: subresource, FieldValidation: prunert.FieldValidation(fieldValidation),
		Now:    func() int64 { return time.Now().Unix() },
		NewUID: func() string { return string(uuid.NewUUID()) },
	}
}

// target returns what a request with an object is for. It reports false if the fake client is to answer.
func (c *Client) target(obj client.Object) (target, bool, error) {
	kind, err := c.fake.GroupVersionKindFor(obj)
	if err != nil {
		return target{}, false, nil // the fake client says it in its own words
	}
	r, ok, err := c.crds.lookup(kind)
	t := target{Resource: r, namespace: obj.GetNamespace(), name: obj.GetName()}
	if !r.Namespaced {
		t.namespace = ""
	}
	return t, ok, err
}

// named checks a target that must have a name.
func (t target) named() error {
	if t.Namespaced && t.namespace == "" && t.name != "" {
		return errNamedWithoutNamespace
	}
	return nil
}

// stored returns the object of a target as a server reads it from storage, nil if it does not exist.
func (c *Client) stored(ctx context.Context, t target) (map[string]any, error) {
	u := t.empty()
	if err := c.fake.Get(ctx, t.key(), u); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return u.Object, t.read(u.Object)
}

// read changes an object as a server does when it reads it from storage.
func (t target) read(obj map[string]any) error {
	_, err := t.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage})
	return err
}

// empty returns an object of the kind with nothing in it.
func (t target) empty() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetAPIVersion(t.APIVersion())
	u.SetKind(t.Kind)
	return u
}

func (c *Client) get(ctx context.Context, below client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Get(ctx, key, obj, opts...)
	}
	t.namespace, t.name = key.Namespace, key.Name
	if !t.Namespaced {
		t.namespace = ""
	}
	if err := t.named(); err != nil {
		return err
	}
	u := t.empty()
	if err := below.Get(ctx, t.key(), u, opts...); err != nil {
		return t.notFound(err)
	}
	if err := t.read(u.Object); err != nil {
		return err
	}
	return decode(u.Object, obj)
}

// notFound returns an error with the name that the CRD has for the resource. The fake client makes one up.
func (t target) notFound(err error) error {
	if apierrors.IsNotFound(err) {
		return apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	return err
}

// list fills in the defaults of what the fake client lists.
func (c *Client) list(ctx context.Context, below client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
	if kind, err := c.fake.GroupVersionKindFor(list); err == nil {
		kind.Kind = strings.TrimSuffix(kind.Kind, "List")
		if _, _, err := c.crds.lookup(kind); err != nil {
			return err
		}
	}
	if err := below.List(ctx, list, opts...); err != nil {
		return err
	}
	return meta.EachListItem(list, func(item runtime.Object) error {
		obj, ok := item.(client.Object)
		if !ok {
			return nil
		}
		t, ok, err := c.target(obj)
		if !ok || err != nil {
			return err
		}
		kind, err := c.fake.GroupVersionKindFor(obj)
		if err != nil {
			return err
		}
		m, err := encode(obj, kind)
		if err != nil {
			return err
		}
		if err := t.read(m); err != nil {
			return err
		}
		return decode(m, obj)
	})
}

func (c *Client) create(ctx context.Context, below client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Create(ctx, obj, opts...)
	case t.Namespaced && t.namespace == "":
		return errCreateWithoutNamespace
	}
	options := (&client.CreateOptions{}).ApplyOptions(opts)
	c.writing.Lock()
	defer c.writing.Unlock()
	sent, err := t.encode(obj)
	if err != nil {
		return err
	}
	answer := c.ask(t, true, sent, nil, t.request("", options.FieldValidation))
	if err := c.answered(answer); err != nil {
		return err
	}
	u := &unstructured.Unstructured{Object: answer.Object}
	if err := below.Create(ctx, u, opts...); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return apierrors.NewAlreadyExists(groupResource(t.Resource), u.GetName())
		}
		return err
	}
	if !slices.Contains(options.DryRun, metav1.DryRunAll) {
		if err := t.read(u.Object); err != nil {
			return err
		}
	}
	return decode(u.Object, obj)
}

// encode returns an object of the target's kind as a client sends it.
func (t target) encode(obj any) (map[string]any, error) {
	return encode(obj, t.empty().GroupVersionKind())
}

func (c *Client) update(ctx context.Context, below client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok:
		return below.Update(ctx, obj, opts...)
	}
	options := (&client.UpdateOptions{}).ApplyOptions(opts)
	return c.replace(ctx, t, "", obj, options)
}

func (c *Client) updateSubresource(ctx context.Context, below client.Client, name string, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	t, ok, err := c.target(obj)
	switch {
	case err != nil:
		return err
	case !ok || name == "scale" && t.Scale != nil:
		return below.SubResource(name).Update(ctx, obj, opts...)
	}
	options := (&client.SubResourceUpdateOptions{}).ApplyOptions(opts)
	if options.SubResourceBody != nil {
		obj = options.SubResourceBody
	}
	return c.replace(ctx, t, name, obj, &options.UpdateOptions)
}

// replace answers a PUT of an object.
func (c *Client) replace(ctx context.Context, t target, subresource string, obj client.Object, options *client.UpdateOptions) error {
	if err := t.named(); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	old, err := c.stored(ctx, t)
	if err != nil {
		return err
	}
	sent, err := t.encode(obj)
	if err != nil {
		return err
	}
	answer := c.ask(t, false, sent, old, t.request(subresource, options.FieldValidation))
	if err := c.answered(answer); err != nil {
		return err
	}
	out, err := c.store(ctx, t, subresource, answer.Object, old, options)
	if err != nil {
		return err
	}
	return decode(out, obj)
}

// store stores an object in place of old and returns it with its new version. What does not change is not stored again.
func (c *Client) store(ctx context.Context, t target, subresource string, obj, old map[string]any, options *client.UpdateOptions) (map[string]any, error) {
	if equalExceptManagedFields(obj, old) || slices.Contains(options.DryRun, metav1.DryRunAll) {
		return obj, nil
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(obj)}
	var err error
	if subresource == "status" {
		err = c.fake.SubResource(subresource).Update(ctx, u, &client.SubResourceUpdateOptions{UpdateOptions: *options})
	} else {
		err = c.fake.Update(ctx, u, options)
	}
	if err != nil {
		return nil, t.notFound(err)
	}
	return u.Object, t.read(u.Object)
}
