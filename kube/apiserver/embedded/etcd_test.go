package embedded

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

func connect(t *testing.T, e *Etcd) *clientv3.Client {
	t.Helper()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{e.URL}, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// fill runs an etcd in a directory and writes to it.
func fill(t *testing.T, dir string, values int) {
	t.Helper()
	e, err := Start(t.Context(), dir, Options{Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	client := connect(t, e)
	defer client.Close()
	for i := range values {
		if _, err := client.Put(t.Context(), fmt.Sprintf("/registry/%03d", i), strings.Repeat("x", 2000)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDataSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 10)
	e, err := Start(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	client := connect(t, e)
	defer client.Close()
	if r, err := client.Get(t.Context(), "/registry/", clientv3.WithPrefix()); err != nil || r.Count != 10 {
		t.Errorf("%v, %v", r, err)
	}
}

// Other users of the machine reach etcd neither over the network nor over the socket.
func TestNobodyElseReachesEtcd(t *testing.T) {
	for name, dir := range map[string]string{"short": t.TempDir(), "long": filepath.Join(t.TempDir(), strings.Repeat("d", maxSocketPath))} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			before := listeners(t)
			e, err := Start(t.Context(), dir, Options{Forgetful: true})
			if err != nil {
				t.Fatal(err)
			}
			after := listeners(t)
			if !slices.Equal(before, after) {
				t.Errorf("listens at %v, before that at %v", after, before)
			}
			u, err := url.Parse(e.URL)
			if err != nil || u.Scheme != "unix" {
				t.Fatalf("listens at %s, %v", e.URL, err)
			}
			info, err := os.Stat(filepath.Dir(u.Path))
			if err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the directory of the socket: %v, %v", info, err)
			}
			e.Close()
			if _, err := os.Stat(filepath.Dir(u.Path)); err == nil {
				t.Error("the directory of the socket is left behind")
			}
		})
	}
}

// Nor do they reach data that was copied in from a backup without its modes.
func TestNobodyElseReachesRestoredData(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 1)
	data := filepath.Join(dir, "etcd")
	if err := os.Chmod(data, 0o755); err != nil {
		t.Fatal(err)
	}
	e, err := Start(t.Context(), dir, Options{Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// listeners returns the TCP sockets of this process that listen.
func listeners(t *testing.T) []string {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc on this system")
	}
	own := map[string]bool{}
	for _, fd := range fds {
		target, _ := os.Readlink("/proc/self/fd/" + fd.Name())
		own[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] = true
	}
	var all []string
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		data, _ := os.ReadFile(table)
		for line := range strings.Lines(string(data)) {
			const state, inode, listen = 3, 9, "0A"
			if f := strings.Fields(line); len(f) > inode && f[state] == listen && own[f[inode]] {
				all = append(all, f[1])
			}
		}
	}
	return all
}

// A directory has one server. A second one says so.
func TestASecondServerIsRefused(t *testing.T) {
	dir := t.TempDir()
	e, err := Start(t.Context(), dir, Options{Forgetful: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	second, err := Start(t.Context(), dir, Options{Forgetful: true})
	if err == nil {
		second.Close()
	}
	if err == nil || err.Error() != dir+" is in use by another server" {
		t.Error(err)
	}
}

// An etcd that is asked to stop while it starts stops.
func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, err := Start(ctx, t.TempDir(), Options{Forgetful: true})
	if err == nil {
		e.Close()
		t.Fatal("it started")
	}
}
