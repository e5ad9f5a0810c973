// Package memory keeps the objects of an API server in memory, for tests and previews: see its package etcd.
package memory

import (
	"context"
	"path"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/etcd3"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/apiserver/pkg/storage/value/encrypt/identity"
	"k8s.io/client-go/tools/cache"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"

	"github.com/prune-gen/prune-gen/kube/apiserver/memory/etcd"
)

// keyPrefix is where all keys begin.
const keyPrefix = "/registry"

// Storage keeps the objects of an API server: it is what the field RESTOptionsGetter of its configuration wants. There are no watch caches:
// what they would be filled from is in memory already.
type Storage struct {
	client *kubernetes.Client
}

var _ generic.RESTOptionsGetter = Storage{}

// NewStorage returns an empty storage, which ends with the context.
func NewStorage(ctx context.Context, opts etcd.Options) Storage {
	return Storage{etcd.NewClient(ctx, opts)}
}

// GetRESTOptions returns the options for the store of a resource. The store brings the codec.
func (s Storage) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	return generic.RESTOptions{
		StorageConfig:           (&storagebackend.Config{Prefix: keyPrefix, LeaseManagerConfig: etcd3.NewDefaultLeaseManagerConfig()}).ForResource(resource),
		Decorator:               s.store,
		EnableGarbageCollection: true,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          path.Join(resource.Group, resource.Resource),
	}, nil
}

// Purge deletes all objects of a resource. Watches are told.
func (s Storage) Purge(resource schema.GroupResource) error {
	_, err := s.client.KV.Delete(s.client.Ctx(), path.Join(keyPrefix, resource.Group, resource.Resource)+"/", clientv3.WithPrefix())
	return err
}

func (s Storage) store(config *storagebackend.ConfigForResource, resourcePrefix string, _ func(runtime.Object) (string, error), newFunc, newListFunc func() runtime.Object,
	_ storage.AttrFunc, _ storage.IndexerFuncs, _ *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
	versioner := storage.APIObjectVersioner{}
	store, err := etcd3.New(s.client, nil, config.Codec, newFunc, newListFunc, config.Prefix, resourcePrefix, config.GroupResource, identity.NewEncryptCheckTransformer(),
		config.LeaseManagerConfig, etcd3.NewDefaultDecoder(config.Codec, versioner), versioner)
	if err != nil {
		return nil, nil, err
	}
	ended, end := context.WithCancel(s.client.Ctx())
	return ending{store, ended}, func() { end(); store.Close() }, nil
}

// ending is a store whose watches end with it, as those of a store with a watch cache do: clients then begin new ones.
type ending struct {
	storage.Interface
	ended context.Context
}

func (e ending) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(e.ended, cancel)
	context.AfterFunc(ctx, func() { stop() })
	return e.Interface.Watch(ctx, key, opts)
}
