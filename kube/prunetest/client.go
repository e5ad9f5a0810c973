package prunetest

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/uuid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/prune-gen/prune-gen/kube"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// Client is a fake client that answers requests for custom resources as the API server does.
type Client struct {
	client.WithWatch
	// fake is the fake client below. It has the objects, for its own interceptors and watches; memory has them as a server has them.
	fake   client.WithWatch
	raw    client.WithWatch // the fake client without its interceptors, for what is not a request of the test
	memory memory
	crds   *CRDs
	mapper meta.RESTMapper

	// writing is held from the look at the old object until the new one is in memory.
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
	below := b.WithReturnManagedFields().WithGlobalResourceVersionCounter().Build()
	out := &Client{crds: c, fake: below, mapper: meta.FirstHitRESTMapper{MultiRESTMapper: meta.MultiRESTMapper{c.mapper(), below.RESTMapper()}}}
	out.raw = below
	if w, ok := below.(interface{ Unwrap() client.WithWatch }); ok {
		out.raw = w.Unwrap()
	}
	out.WithWatch = interceptor.NewClient(below, interceptor.Funcs{
		Get:               out.get,
		List:              out.list,
		Create:            out.create,
		Update:            out.update,
		Patch:             out.patch,
		Apply:             out.apply,
		Delete:            out.delete,
		DeleteAllOf:       out.deleteAllOf,
		SubResourceUpdate: out.updateSubresource,
		SubResourcePatch:  out.patchSubresource,
		SubResourceApply:  out.applySubresource,
	})
	return out
}

// RESTMapper returns a mapper that knows the CRDs and what the mapper of the builder knows.
func (c *Client) RESTMapper() meta.RESTMapper { return c.mapper }

// IsObjectNamespaced reports whether objects of this kind are in namespaces.
func (c *Client) IsObjectNamespaced(obj runtime.Object) (bool, error) {
	return apiutil.IsObjectNamespaced(obj, c.Scheme(), c.mapper)
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
	obj, err := c.read(ctx, c.raw, t)
	return obj, client.IgnoreNotFound(err)
}

// read returns the object of a target. It is read by the fake client, with its interceptors or without.
func (c *Client) read(ctx context.Context, by client.Reader, t target, opts ...client.GetOption) (map[string]any, error) {
	u := t.empty()
	if err := by.Get(ctx, t.key(), u, opts...); err != nil {
		return nil, t.notFound(err)
	}
	return c.exactly(t, u)
}

// exactly returns an object of the fake client as a server reads it from its storage.
func (c *Client) exactly(t target, u *unstructured.Unstructured) (map[string]any, error) {
	obj := c.memory.recall(u)
	if obj == nil { // somebody else wrote it
		obj = u.Object
	}
	_, err := t.Normalize(obj, prunert.NormalizeOptions{Source: prunert.FromStorage})
	return obj, err
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
	c.await(u)
	m, err := c.exactly(t, u)
	if err != nil {
		return err
	}
	return decode(m, obj)
}

// notFound returns an error with the name that the CRD has for the resource. The fake client makes one up.
func (t target) notFound(err error) error {
	if apierrors.IsNotFound(err) {
		return apierrors.NewNotFound(groupResource(t.Resource), t.name)
	}
	return err
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
	m, err := c.crds.managed(t, "", answer.Object, nil, options.FieldManager)
	if err != nil {
		return err
	}
	if m, err = c.insert(ctx, below, t, m, options); err != nil {
		return err
	}
	return decode(m, obj)
}

// insert stores a new object and returns it with its version.
func (c *Client) insert(ctx context.Context, below client.Client, t target, obj map[string]any, options *client.CreateOptions) (map[string]any, error) {
	t.name = (&unstructured.Unstructured{Object: obj}).GetName()
	if old, err := c.stored(ctx, t); err != nil {
		return nil, err
	} else if old != nil {
		return nil, apierrors.NewAlreadyExists(groupResource(t.Resource), t.name)
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(obj)}
	if err := below.Create(ctx, u, options); err != nil {
		return nil, err
	}
	if slices.Contains(options.DryRun, metav1.DryRunAll) {
		return obj, nil
	}
	return c.remember(t, "", u, obj)
}

// remember keeps an object after the fake client has stored it as u, and returns it with its version. It keeps what interceptors made of u, and
// not what the fake client did: it sets managedFields, and what the request cannot change it takes from a Go type.
func (c *Client) remember(t target, subresource string, u *unstructured.Unstructured, obj map[string]any) (map[string]any, error) {
	if !u.GetDeletionTimestamp().IsZero() && len(u.GetFinalizers()) == 0 { // it is gone
		c.memory.forget(obj)
		return obj, nil
	}
	from, to := u.Object, obj
	if subresource != "status" {
		from, to = obj, u.Object
		ownersIn(obj).in(u.Object)
	}
	if to["status"] = from["status"]; to["status"] == nil {
		delete(to, "status")
	}
	(&unstructured.Unstructured{Object: to}).SetResourceVersion(u.GetResourceVersion())
	c.memory.keep(to)
	return c.exactly(t, &unstructured.Unstructured{Object: to})
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
	case !ok:
		return below.SubResource(name).Update(ctx, obj, opts...)
	case name == "scale" && t.Scale != nil:
		return errScale
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
	owners := ownersIn(sent)
	answer := c.ask(t, false, sent, old, t.request(subresource, options.FieldValidation))
	if err := c.answered(answer); err != nil {
		return err
	}
	owners.in(answer.Object)
	out, err := c.updated(ctx, t, subresource, answer.Object, old, options)
	if err != nil {
		return err
	}
	return decode(out, obj)
}

// updated stores what a manager has changed.
func (c *Client) updated(ctx context.Context, t target, subresource string, obj, old map[string]any, options *client.UpdateOptions) (map[string]any, error) {
	obj, err := c.crds.managed(t, subresource, obj, old, options.FieldManager)
	if err != nil {
		return nil, err
	}
	return c.store(ctx, t, subresource, obj, old, options)
}

// store stores an object in place of old and returns it with its new version. What does not change is not stored again.
func (c *Client) store(ctx context.Context, t target, subresource string, obj, old map[string]any, options *client.UpdateOptions) (map[string]any, error) {
	if unchanged(obj, old) {
		return old, nil
	}
	if slices.Contains(options.DryRun, metav1.DryRunAll) {
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
	return c.remember(t, subresource, u, obj)
}
