package serve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/klog/v2"
)

const (
	// readInterval is how often the server looks whether the watch caches have been filled.
	readInterval = 100 * time.Millisecond
	// readGrace is how long a watch cache may take before the server looks whether it can be filled at all.
	readGrace = time.Second
	// readPage is how many objects the server looks at at once.
	readPage = 500
)

// waitForCaches returns the hook that keeps the server from being ready before its watch caches are filled, at most until
// timeout. A kind with an object that cannot be read has a cache that never is: its requests fail, and those of all other kinds
// need not wait for it.
func waitForCaches(kinds []*kind, timeout time.Duration) genericapiserver.PostStartHookFunc {
	return func(ctx genericapiserver.PostStartHookContext) error {
		waiting, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		var pending []*servedVersion
		for _, k := range kinds {
			for _, v := range k.versions {
				pending = append(pending, v)
			}
		}
		unreadable := make(chan *servedVersion, len(pending))
		tick := time.NewTicker(readInterval)
		defer tick.Stop()
		grace := time.After(readGrace)
		for {
			pending = slices.DeleteFunc(pending, func(v *servedVersion) bool { return v.resource.ReadinessCheck() == nil })
			if len(pending) == 0 {
				return nil
			}
			select {
			case <-waiting.Done():
				if ctx.Err() == nil {
					klog.Warningf("%d of the watch caches are not filled after %v", len(pending), timeout)
				}
				return nil
			case <-grace:
				for _, v := range pending {
					go func() {
						if err := v.raw.readAll(waiting); err != nil && waiting.Err() == nil {
							klog.Errorf("Objects of %s cannot be read, and its requests fail until they can: %v", v.scope.Resource, err)
							unreadable <- v
						}
					}()
				}
			case failed := <-unreadable:
				pending = slices.DeleteFunc(pending, func(v *servedVersion) bool { return v == failed })
			case <-tick.C:
			}
		}
	}
}

// rawStore reads what etcd has of a resource, without a watch cache.
type rawStore struct {
	getter            generic.RESTOptionsGetter
	resource          schema.GroupResource
	newFunc, listFunc func() runtime.Object
}

// readAll returns the first error that reading all objects meets.
func (r rawStore) readAll(ctx context.Context) error {
	opts, err := r.getter.GetRESTOptions(r.resource, nil)
	if err != nil {
		return err
	}
	prefix := "/" + opts.ResourcePrefix // as a store has it
	raw, destroy, err := generic.NewRawStorage(opts.StorageConfig, r.newFunc, r.listFunc, prefix)
	if err != nil {
		return fmt.Errorf("open the storage: %w", err)
	}
	defer destroy()
	predicate := storage.Everything
	predicate.Limit = readPage
	for {
		page := r.listFunc()
		if err := raw.GetList(ctx, prefix+"/", storage.ListOptions{Predicate: predicate, Recursive: true}, page); err != nil {
			return err
		}
		list, ok := page.(interface{ GetContinue() string })
		if !ok || list.GetContinue() == "" {
			return nil
		}
		predicate.Continue = list.GetContinue()
	}
}
