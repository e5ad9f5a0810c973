// Package etcd is an etcd in memory. It is used through the client of etcd that the storage of k8s.io/apiserver has, so that everything
// above it is Kubernetes' own code: lists and their continue tokens, watches, conflicts, what is read back and what cannot be decoded.
// It is for tests and previews: nothing is written to a disk, and the history is short.
package etcd

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"
)

// Options are about what a store remembers and says.
type Options struct {
	// History is how many changes can be watched, and listed as they were, at least; 0 means 10,000. Older ones are compacted, of which
	// clients are told as etcd does.
	History int
	// ProgressInterval is the time after which a watch that asks for it is told that nothing has happened; 0 means ten minutes, as in etcd.
	ProgressInterval time.Duration
}

// NewClient returns the client of a new, empty store, which ends with the context.
func NewClient(ctx context.Context, opts Options) *kubernetes.Client {
	if opts.History <= 0 {
		opts.History = 10_000
	}
	if opts.ProgressInterval <= 0 {
		opts.ProgressInterval = 10 * time.Minute
	}
	s := &store{opts: opts, revision: 1, changed: make(chan struct{}), entries: map[string]*entry{}, leases: map[int64]*lease{}}
	client := clientv3.NewCtxClient(ctx)
	client.KV = clientv3.NewKVFromKVClient(s, client)
	client.Watcher = clientv3.NewWatchFromWatchClient(s, client)
	client.Lease = clientv3.NewLeaseFromLeaseClient(s, client, time.Minute)
	context.AfterFunc(client.Ctx(), s.stop)
	all := &kubernetes.Client{Client: client}
	all.Kubernetes = all
	return all
}
