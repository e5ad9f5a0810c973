// Package embedded runs an etcd of one member in the calling process, for servers that need no cluster of their own.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
	"go.etcd.io/etcd/client/pkg/v3/logutil"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
	"k8s.io/klog/v2"
)

const (
	// startTimeout is how long etcd may take to become ready. It never does if its log is shorter than its database.
	startTimeout = 20 * time.Second
	// enoughToStart is less room than any etcd can work with.
	enoughToStart = 4 << 20
	// maxSocketPath is how long the path of a socket may be on every system.
	maxSocketPath = 100
)

// Etcd is a running etcd.
type Etcd struct {
	// URL is where it listens: a socket in a directory that only the user of this process may enter.
	URL string

	etcd *embed.Etcd
	free func()
}

// Options changes what Start does.
type Options struct {
	// Forgetful says that the data need not survive a crash: nothing is synced to the disk.
	Forgetful bool
}

// Start runs an etcd that keeps its data below dir, and returns when it is ready. What makes etcd end the process goes to standard error:
// it has errors whenever it stops.
func Start(ctx context.Context, dir string, opts Options) (*Etcd, error) {
	data := filepath.Join(dir, "etcd")
	free, err := lock(dir)
	if err != nil {
		return nil, err
	}
	e, err := start(ctx, dir, data, opts)
	if err != nil {
		free()
		return nil, fmt.Errorf("start etcd in %s: %w", data, err)
	}
	remove := e.free
	e.free = func() { remove(); free() }
	return e, nil
}

// lock claims a directory for this process. etcd itself would wait silently while another process has the database open.
func lock(dir string) (free func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l, err := fileutil.TryLockFile(filepath.Join(dir, "lock"), os.O_WRONLY|os.O_CREATE, 0o600)
	if errors.Is(err, fileutil.ErrLocked) {
		return nil, fmt.Errorf("%s is in use by another server", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return func() { l.Close() }, nil
}

func start(ctx context.Context, dir, data string, opts Options) (*Etcd, error) {
	// A backup may have been restored with other modes. Files in a directory that nobody else may enter are safe, whatever their modes are.
	if err := os.Chmod(data, 0o700); err != nil && !errors.Is(err, os.ErrNotExist) {
		klog.Warningf("Others may be able to read the data: %v", err)
	}
	logger, err := logutil.CreateDefaultZapLogger(zap.DPanicLevel)
	if err != nil {
		return nil, err
	}
	sockets, remove, err := socketDir(dir)
	if err != nil {
		return nil, err
	}
	config := embed.NewConfig()
	config.Dir = data
	socket := url.URL{Scheme: "unix", Path: filepath.Join(sockets, "client")}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{socket}, []url.URL{socket}
	// There are no peers to listen to. The member has to have an address all the same.
	config.ListenPeerUrls, config.AdvertisePeerUrls = nil, []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger)
	config.UnsafeNoFsync = opts.Forgetful
	// A member without others loses no election by being slow.
	config.TickMs, config.ElectionMs = 10, 100

	e, err := embed.StartEtcd(config)
	if err != nil {
		remove()
		return nil, err
	}
	if err := waitReady(e); err != nil {
		remove()
		return nil, errors.Join(err, tryToWrite(data))
	}
	started := &Etcd{URL: socket.String(), etcd: e, free: remove}
	if err := ctx.Err(); err != nil {
		started.Close()
		return nil, err
	}
	return started, nil
}

// socketDir returns a directory for sockets that nobody else may enter: below dir, unless the path were too long for a socket.
func socketDir(dir string) (path string, remove func(), err error) {
	if path, err = filepath.Abs(filepath.Join(dir, "sockets")); err != nil {
		return "", nil, err
	}
	if len(path) > maxSocketPath {
		if path, err = os.MkdirTemp("", "etcd-"); err != nil {
			return "", nil, err
		}
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", nil, err
	}
	return path, func() { os.RemoveAll(path) }, os.Chmod(path, 0o700)
}

// waitReady waits until etcd serves. It does not end with a context: an etcd that is not ready may wait forever for itself to stop.
func waitReady(e *embed.Etcd) error {
	select {
	case <-e.Server.ReadyNotify():
		return nil
	case err := <-e.Err():
		return err
	case <-e.Server.StopNotify():
		return errors.New("it stopped while it was starting")
	case <-time.After(startTimeout):
		return fmt.Errorf("it has not become ready within %v", startTimeout)
	}
}

// tryToWrite returns why a server cannot write to dir. An etcd that was cut off by a full disk may wait for its own log, and does not say why.
func tryToWrite(dir string) error {
	f, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, enoughToStart))
	return errors.Join(err, f.Close())
}

// Close stops etcd. Everything that uses it has to be stopped before.
func (e *Etcd) Close() {
	e.etcd.Close()
	e.free()
}
