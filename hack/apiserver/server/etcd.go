package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// etcdTimeout bounds how long etcd may take to elect itself.
const etcdTimeout = 30 * time.Second

// startEtcd runs an etcd of one member that keeps its data below dir.
func startEtcd(ctx context.Context, dir string) (*embed.Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls = anyPort
	config.AdvertiseClientUrls = anyPort
	config.ListenPeerUrls = anyPort
	config.AdvertisePeerUrls = anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	// The data does not outlive the process, and a cluster of one loses no election.
	config.UnsafeNoFsync = true
	config.TickMs = 10
	config.ElectionMs = 100

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("start etcd: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, etcdTimeout)
	defer cancel()
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err = <-etcd.Err():
	case <-ctx.Done():
		err = ctx.Err()
	}
	etcd.Close()
	return nil, fmt.Errorf("wait for etcd: %w", err)
}

// Key returns the key of a custom resource in etcd. namespace is empty for resources of the cluster.
func Key(group, plural, namespace, name string) string {
	return path.Join(keyPrefix, group, plural, namespace, name)
}

// CRDKey returns the key of a CustomResourceDefinition in etcd.
func CRDKey(name string) string {
	return path.Join(keyPrefix, "apiextensions.k8s.io", "customresourcedefinitions", name)
}

// GetRaw returns the bytes that lie in etcd at key.
func (s *Server) GetRaw(ctx context.Context, key string) ([]byte, error) {
	r, err := s.Etcd.Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("read %s from etcd: %w", key, err)
	}
	if len(r.Kvs) != 1 {
		return nil, fmt.Errorf("read %s from etcd: %d values", key, len(r.Kvs))
	}
	return r.Kvs[0].Value, nil
}

// PutRaw writes obj as JSON to etcd at key, with nothing checked or changed on the way.
func (s *Server) PutRaw(ctx context.Context, key string, obj map[string]any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return fmt.Errorf("write %s to etcd: %w", key, err)
	}
	if _, err := s.Etcd.Put(ctx, key, string(data)); err != nil {
		return fmt.Errorf("write %s to etcd: %w", key, err)
	}
	return nil
}
