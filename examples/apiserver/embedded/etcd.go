// Package embedded runs an etcd of one member in the calling process, for servers that need no cluster of their own.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/klog/v2"
)

const (
	// stallTimeout is how long etcd may apply nothing of its log while it starts.
	stallTimeout = 10 * time.Second
	// closeTimeout bounds how long an etcd that did not start may take to stop.
	closeTimeout = 2 * time.Second
	// maxSocketPath is how long the path of a socket may be on every system.
	maxSocketPath = 100
)

// Etcd is a running etcd.
type Etcd struct {
	// URL is where it listens: a socket in a directory that only the user of this process may enter.
	URL string

	etcd  *embed.Etcd
	enter func(phase)
	free  func()
}

// Options changes what Start does.
type Options struct {
	// Forgetful says that the data need not survive a crash: nothing is synced to the disk.
	Forgetful bool
	// QuotaBytes is how large the database may become before writes are refused; 0 means the default of etcd.
	QuotaBytes int64
}

// Start runs an etcd that keeps its data below dir, and returns when it is ready. Its warnings and errors go to klog.
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
	if err := verify(data); err != nil {
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
	logger, enter := newLogger()
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger)
	config.UnsafeNoFsync = opts.Forgetful
	config.QuotaBackendBytes = opts.QuotaBytes
	// A member without others loses no election by being slow.
	config.TickMs, config.ElectionMs = 10, 100

	e, err := launch(ctx, config)
	if err == nil {
		if err = waitReady(ctx, e); err == nil {
			// etcd logs an error if it looks for the version of a new database before it has committed anything to it.
			e.Server.Backend().ForceCommit()
			reclaim(ctx, e.Server, opts.QuotaBytes)
			err = ctx.Err()
		}
		if err == nil {
			enter(running)
			return &Etcd{URL: socket.String(), etcd: e, enter: enter, free: remove}, nil
		}
	}
	if errors.Is(err, ctx.Err()) {
		enter(stopping)
	} else {
		enter(failed)
	}
	if e != nil {
		abandon(e.Close)
	}
	remove()
	return nil, err
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

// launch starts etcd. It returns a panic of etcd as an error.
func launch(ctx context.Context, config *embed.Config) (*embed.Etcd, error) {
	type result struct {
		etcd *embed.Etcd
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- result{nil, fmt.Errorf("%v", p)}
			}
		}()
		// The database is mapped into memory: where the file ends too early, reading it is a fault.
		debug.SetPanicOnFault(true)
		e, err := embed.StartEtcd(config)
		done <- result{e, err}
	}()
	select {
	case r := <-done:
		return r.etcd, r.err
	case <-ctx.Done():
		abandon(func() {
			if r := <-done; r.etcd != nil {
				r.etcd.Close()
			}
		})
		return nil, ctx.Err()
	}
}

// waitReady waits until etcd serves, as long as it gets on with its log.
func waitReady(ctx context.Context, e *embed.Etcd) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	applied, since := e.Server.AppliedIndex(), time.Now()
	for {
		select {
		case <-e.Server.ReadyNotify():
			return nil
		case err := <-e.Err():
			return err
		case <-e.Server.StopNotify():
			return errors.New("it stopped while it was starting")
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if now := e.Server.AppliedIndex(); now != applied {
			applied, since = now, time.Now()
		} else if time.Since(since) > stallTimeout {
			return fmt.Errorf("it has not become ready, and has applied nothing of its log for %v: it is at entry %d of %d",
				stallTimeout, applied, e.Server.CommittedIndex())
		}
	}
}

// abandon stops an etcd that did not become ready, so that it writes no more. Such an etcd may wait forever for itself, so abandon does not
// wait long.
func abandon(stop func()) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		stop()
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

// Close stops etcd. Everything that uses it has to be stopped before.
func (e *Etcd) Close() {
	e.enter(stopping)
	e.etcd.Close()
	e.free()
}
