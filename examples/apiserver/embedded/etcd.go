// Package embedded runs an etcd of one member in the calling process, for servers that need no cluster of their own.
package embedded

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// startTimeout bounds how long etcd may take to read its data and elect itself.
const startTimeout = time.Minute

// Etcd is a running etcd.
type Etcd struct {
	// URL is where it listens, on loopback.
	URL string

	etcd *embed.Etcd
}

// Options changes what Start does.
type Options struct {
	// Forgetful says that the data need not survive a crash: nothing is synced to the disk.
	Forgetful bool
}

// Start runs an etcd that keeps its data below dir, and returns when it is ready.
func Start(ctx context.Context, dir string, opts Options) (*Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	config.UnsafeNoFsync = opts.Forgetful
	// A member without others loses no election by being slow.
	config.TickMs, config.ElectionMs = 10, 100

	e, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("start etcd in %s: %w", config.Dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	select {
	case <-e.Server.ReadyNotify():
		return &Etcd{URL: "http://" + e.Clients[0].Addr().String(), etcd: e}, nil
	case err = <-e.Err():
	case <-ctx.Done():
		err = ctx.Err()
	}
	e.Close()
	return nil, fmt.Errorf("wait for etcd in %s: %w", config.Dir, err)
}

// Close stops etcd. Everything that uses it has to be stopped before.
func (e *Etcd) Close() { e.etcd.Close() }
