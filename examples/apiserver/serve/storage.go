package serve

import (
	"context"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
)

// storageCodec reads objects from etcd as those of one version and writes them as those of the storage version.
type storageCodec struct {
	codec   *kube.Codec
	decoder runtime.Decoder
	version string
	storage string
}

var _ runtime.Codec = &storageCodec{}

// NewStorageCodec returns the codec for a store that works with objects of one version and keeps them in the storage version.
func NewStorageCodec(codec *kube.Codec, version, storage string) runtime.Codec {
	return &storageCodec{codec, codec.JSONDecoder(unstructured.UnstructuredJSONScheme, kube.StepStorage, false), version, storage}
}

// Decode normalizes what it reads, by the version that was written, and then converts it.
func (c *storageCodec) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	target, ok := into.(*unstructured.Unstructured)
	if into != nil && !ok {
		return nil, nil, fmt.Errorf("decode from storage: %T is not an unstructured object", into)
	}
	// An object that is decoded into one stays one, even if it has items.
	obj, gvk, err := c.decoder.Decode(data, defaults, &unstructured.Unstructured{})
	if err != nil {
		return nil, gvk, err
	}
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, gvk, fmt.Errorf("decode from storage: %T is not an unstructured object", obj)
	}
	if err := c.codec.Convert(u, c.version); err != nil {
		return nil, gvk, err
	}
	if target == nil {
		return u, gvk, nil
	}
	target.Object = u.Object
	return target, gvk, nil
}

// Encode leaves obj alone.
func (c *storageCodec) Encode(obj runtime.Object, w io.Writer) error {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("encode for storage: %T is not an unstructured object", obj)
	}
	if u.GroupVersionKind().Version != c.storage {
		u = u.DeepCopy()
		if err := c.codec.Convert(u, c.storage); err != nil {
			return err
		}
	}
	return unstructured.UnstructuredJSONScheme.Encode(u, w)
}

func (c *storageCodec) Identifier() runtime.Identifier {
	return runtime.Identifier("linked resources " + c.codec.Kind.WithVersion(c.storage).String())
}

// optionsGetter gives a store the storage codec of its resource.
type optionsGetter struct {
	generic.RESTOptionsGetter
	codec runtime.Codec
}

func (g optionsGetter) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	opts, err := g.RESTOptionsGetter.GetRESTOptions(resource, nil)
	if err == nil {
		opts.StorageConfig.Codec = g.codec
	}
	return opts, err
}

// resourceREST is a resource.
type resourceREST struct {
	*registry.Store
	rawStore
	categories []string
}

var _ rest.CategoriesProvider = &resourceREST{}

func (r *resourceREST) Categories() []string { return r.categories }

// statusREST is the status subresource of a resource.
type statusREST struct{ store *registry.Store }

var _ rest.Patcher = &statusREST{}

func (r *statusREST) New() runtime.Object { return r.store.New() }

// Destroy does nothing: the resource owns what the store holds.
func (r *statusREST) Destroy() {}

func (r *statusREST) Get(ctx context.Context, name string, opts *metav1.GetOptions) (runtime.Object, error) {
	return r.store.Get(ctx, name, opts)
}

// Update changes the status of an object that exists.
func (r *statusREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return r.store.Update(ctx, name, info, create, update, false, opts)
}

func (r *statusREST) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return r.store.GetResetFields()
}

func (r *statusREST) ConvertToTable(ctx context.Context, obj, opts runtime.Object) (*metav1.Table, error) {
	return r.store.ConvertToTable(ctx, obj, opts)
}

// newStorage returns the resource and, where there is one, the status subresource of a version.
func newStorage(d *Definition, v Version, codec *kube.Codec, getter generic.RESTOptionsGetter, typer runtime.ObjectTyper,
	table rest.TableConvertor) (*resourceREST, *statusREST, error) {
	strategy, err := kube.NewStrategy(codec, v.Name, typer, kube.StrategyOptions{Scale: v.scalePaths(), SelectableFields: v.SelectableFields})
	if err != nil {
		return nil, nil, err
	}
	gv := schema.GroupVersion{Group: d.Group, Version: v.Name}
	store := &registry.Store{
		NewFunc: func() runtime.Object {
			u := &unstructured.Unstructured{}
			u.SetGroupVersionKind(gv.WithKind(d.Names.Kind))
			return u
		},
		NewListFunc: func() runtime.Object {
			list := &unstructured.UnstructuredList{}
			list.SetGroupVersionKind(gv.WithKind(d.Names.ListKind))
			return list
		},
		PredicateFunc:             strategy.Match,
		DefaultQualifiedResource:  gv.WithResource(d.Names.Plural).GroupResource(),
		SingularQualifiedResource: gv.WithResource(d.Names.Singular).GroupResource(),
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		ResetFieldsStrategy:       strategy,
		TableConvertor:            table,
	}
	getter = optionsGetter{getter, NewStorageCodec(codec, v.Name, d.Storage)}
	if err := store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: getter, AttrFunc: strategy.GetAttrs}); err != nil {
		return nil, nil, fmt.Errorf("storage of %s %s: %w", gv, d.Names.Kind, err)
	}
	raw := rawStore{getter, store.DefaultQualifiedResource, store.NewFunc, store.NewListFunc}
	resource := &resourceREST{store, raw, d.Names.Categories}
	if !v.Status {
		return resource, nil, nil
	}
	status := *store
	status.UpdateStrategy = kube.StatusStrategy{Strategy: strategy}
	status.ResetFieldsStrategy = kube.StatusStrategy{Strategy: strategy}
	return resource, &statusREST{&status}, nil
}
