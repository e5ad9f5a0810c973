package main

import (
	"bytes"
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// objects are the objects that a request finds in storage, by their keys. They live as long as its context, so that no request sees
// those of another, and nothing grows.
type objects map[string]stored

type stored struct {
	data     []byte
	revision uint64
}

type objectsKey struct{}

// withObjects returns a context with a storage that is empty.
func withObjects(ctx context.Context) context.Context {
	return context.WithValue(ctx, objectsKey{}, objects{})
}

// memory is the storage of a resource. Like etcd's, it encodes what it stores, so that objects are converted and defaulted on their way
// out. It has what creating, updating and reading one object takes; anything else panics, and the server answers with an internal error.
type memory struct {
	storage.Interface
	codec runtime.Codec
}

// storageOptions are those of resources that are stored in memory.
type storageOptions struct{ serverstorage.StorageFactory }

func (o storageOptions) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	config, err := o.NewConfig(resource, example)
	if err != nil {
		return generic.RESTOptions{}, err
	}
	return generic.RESTOptions{StorageConfig: config, Decorator: newMemory, EnableGarbageCollection: true, ResourcePrefix: o.ResourcePrefix(resource)}, nil
}

func newMemory(config *storagebackend.ConfigForResource, _ string, _ func(runtime.Object) (string, error), _, _ func() runtime.Object,
	_ storage.AttrFunc, _ storage.IndexerFuncs, _ *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	return memory{codec: config.Codec}, func() {}, nil
}

func (memory) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

func (memory) ReadinessCheck() error { return nil }

func (m memory) Create(ctx context.Context, key string, obj, out runtime.Object, _ uint64) error {
	all := ctx.Value(objectsKey{}).(objects)
	if _, exists := all[key]; exists {
		return storage.NewKeyExistsError(key, 0)
	}
	if version, err := m.Versioner().ObjectResourceVersion(obj); err == nil && version != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	return m.put(all, key, obj, out, 1)
}

func (m memory) Get(ctx context.Context, key string, opts storage.GetOptions, out runtime.Object) error {
	found, ok := ctx.Value(objectsKey{}).(objects)[key]
	switch {
	case ok:
		return m.decode(found, out)
	case opts.IgnoreNotFound:
		return runtime.SetZeroValue(out)
	}
	return storage.NewKeyNotFoundError(key, 0)
}

func (m memory) GuaranteedUpdate(ctx context.Context, key string, out runtime.Object, ignoreNotFound bool, preconditions *storage.Preconditions,
	update storage.UpdateFunc, _ runtime.Object) error {
	current, ok := reflect.New(reflect.TypeOf(out).Elem()).Interface().(runtime.Object)
	if !ok {
		return errors.New("not an object")
	}
	if err := m.Get(ctx, key, storage.GetOptions{IgnoreNotFound: ignoreNotFound}, current); err != nil {
		return err
	}
	if err := preconditions.Check(key, current); err != nil {
		return err
	}
	all := ctx.Value(objectsKey{}).(objects)
	was := all[key]
	updated, _, err := update(current, storage.ResponseMeta{ResourceVersion: was.revision})
	if err != nil {
		return err
	}
	return m.put(all, key, updated, out, was.revision+1)
}

// put stores an object and reads it again. An object that does not change keeps its revision. Who manages which field is not stored:
// nobody has a name here.
func (m memory) put(all objects, key string, obj, out runtime.Object, revision uint64) error {
	if metadata, err := meta.Accessor(obj); err == nil {
		metadata.SetManagedFields(nil)
	}
	if err := m.Versioner().PrepareObjectForStorage(obj); err != nil {
		return err
	}
	data, err := runtime.Encode(m.codec, obj)
	if err != nil {
		return err
	}
	if was := all[key]; bytes.Equal(data, was.data) {
		revision = was.revision
	}
	all[key] = stored{data, revision}
	return m.decode(all[key], out)
}

func (m memory) decode(from stored, out runtime.Object) error {
	if _, _, err := m.codec.Decode(from.data, nil, out); err != nil {
		return err
	}
	return m.Versioner().UpdateObject(out, from.revision)
}
