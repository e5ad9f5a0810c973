package apiserver

import (
	"context"
	"fmt"
	"io"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/prune-gen/prune-gen/kube/apiserver/custom"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// storageCodec reads objects from etcd as those of one version and writes them as those of the storage version.
type storageCodec struct {
	codec   *custom.Codec
	decoder runtime.Decoder
	version string
	storage string
}

var _ runtime.Codec = &storageCodec{}

// newStorageCodec returns the codec for a store that works with objects of one version and keeps them in the storage version.
func newStorageCodec(codec *custom.Codec, version, storage string) runtime.Codec {
	return &storageCodec{codec, codec.Decoder(unstructured.UnstructuredJSONScheme, prunert.FromStorage, false), version, storage}
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
	if u, err = c.codec.Convert(u, c.version); err != nil {
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
		var err error
		if u, err = c.codec.Convert(u.DeepCopy(), c.storage); err != nil {
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

// creater joins the errors of what it creates.
type creater struct{ rest.Creater }

func (c creater) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, opts *metav1.CreateOptions) (runtime.Object, error) {
	ctx, join := custom.JoinErrors(ctx)
	created, err := c.Creater.Create(ctx, obj, validate, opts)
	return created, join(err)
}

// patcher joins the errors of what it updates.
type patcher struct{ rest.Patcher }

func (p patcher) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, forceCreate bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	ctx, join := custom.JoinErrors(ctx)
	updated, created, err := p.Patcher.Update(ctx, name, info, create, update, forceCreate, opts)
	return updated, created, join(err)
}

// statusREST is the status subresource of a resource.
type statusREST struct{ *registry.Store }

var _ rest.Patcher = statusREST{}

// Update changes the status of an object that exists.
func (r statusREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, opts *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return r.Store.Update(ctx, name, info, create, update, false, opts)
}

// addStorage gives a version its store, and those of its subresources.
func (v *servedVersion) addStorage(d *Definition, codec *custom.Codec, getter generic.RESTOptionsGetter, typer runtime.ObjectTyper) error {
	gvr, gvk := d.names(v.CustomResourceDefinitionVersion)
	table, err := tableconvertor.New(v.columns())
	if err != nil {
		return fmt.Errorf("printer columns of %s: %w", gvk, err)
	}
	base := customresource.NewStrategy(typer, d.Namespaced(), gvk, nil, nil, nil, (*apiextensions.CustomResourceSubresourceStatus)(v.Subresources.Status),
		(*apiextensions.CustomResourceSubresourceScale)(v.Subresources.Scale), v.SelectableFields)
	strategy, err := custom.NewStrategy(codec, v.Name, base, v.Subresources.Scale)
	if err != nil {
		return err
	}
	getter = optionsGetter{getter, newStorageCodec(codec, v.Name, d.Storage)}
	singular := schema.GroupResource{Group: d.Group, Resource: d.Names.Singular}
	storage, err := customresource.NewStorage(gvr.GroupResource(), singular, gvk, gvk.GroupVersion().WithKind(d.Names.ListKind),
		base, getter, d.Names.Categories, table, d.replicasPaths())
	if err != nil {
		return fmt.Errorf("storage of %s: %w", gvk, err)
	}
	v.resource, v.parts = storage.CustomResource, map[string]part{}
	v.resource.CreateStrategy, v.resource.UpdateStrategy = strategy, strategy
	if storage.Status != nil {
		status := *v.resource.Store
		status.UpdateStrategy = custom.StatusStrategy{Base: customresource.NewStatusStrategy(base), Resource: strategy}
		v.parts["status"] = part{Patcher: statusREST{&status}}
	}
	if storage.Scale != nil {
		v.parts["scale"] = part{Patcher: storage.Scale}
	}
	return nil
}
