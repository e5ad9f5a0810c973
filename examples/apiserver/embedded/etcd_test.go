package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"k8s.io/klog/v2"
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

// A database that is full of old states takes writes again after a start, and is smaller.
func TestAFullDatabaseIsReclaimed(t *testing.T) {
	const quota = 400_000
	write := func(client *clientv3.Client, key string) error {
		_, err := client.Put(t.Context(), key, strings.Repeat("x", 10_000))
		return err
	}
	for name, c := range map[string]struct {
		key  func(i int) string
		full bool
	}{
		"old states": {func(int) string { return "/registry/a" }, false},
		"objects":    {func(i int) string { return fmt.Sprintf("/registry/%d", i) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			e, err := Start(t.Context(), dir, Options{Forgetful: true, QuotaBytes: quota})
			if err != nil {
				t.Fatal(err)
			}
			client := connect(t, e)
			for i := 0; err == nil; i++ {
				err = write(client, c.key(i))
			}
			if !errors.Is(err, rpctypes.ErrNoSpace) || !e.Raised("NOSPACE") || e.Raised("CORRUPT") {
				t.Errorf("%v", err)
			}
			size := e.etcd.Server.Backend().Size()
			client.Close()
			e.Close()
			// With half the quota it does not depend on what etcd has written already whether the objects are too many.
			if e, err = Start(t.Context(), dir, Options{Forgetful: true, QuotaBytes: quota / 2}); err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			client = connect(t, e)
			defer client.Close()
			if e.Raised("NOSPACE") != c.full {
				t.Errorf("full: %v, want %v", !c.full, c.full)
			}
			if err := write(client, "/registry/a"); errors.Is(err, rpctypes.ErrNoSpace) != c.full || err != nil && !c.full {
				t.Errorf("write: %v", err)
			}
			if now := e.etcd.Server.Backend().Size(); !c.full && now > size/2 {
				t.Errorf("%d bytes, before that %d", now, size)
			}
		})
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
	// Another program, etcdctl for example, does not know the lock.
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Fatal(err)
	}
	second, err = Start(t.Context(), dir, Options{Forgetful: true})
	if err == nil {
		second.Close()
	}
	if err == nil || !strings.HasSuffix(err.Error(), "/member/snap/db is in use by another process") {
		t.Error(err)
	}
}

// Damage is an error that names what is damaged, not a panic or an endless wait.
func TestDamageIsAnError(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole, 200)
	edit := func(t *testing.T, path string, change func(data []byte) []byte) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const log, db = "etcd/member/wal/0000000000000000-0000000000000000.wal", "etcd/member/snap/db"
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		want   string
	}{
		"no log":    {func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "etcd/member/wal")) }, `the write-ahead log .* is missing`},
		"empty log": {func(t *testing.T, dir string) { edit(t, filepath.Join(dir, log), func([]byte) []byte { return nil }) }, `the write-ahead log .* (ends at entry 0|is damaged)`},
		"short log": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, log), func(data []byte) []byte { return data[:100_000] })
		}, `the write-ahead log .* ends at entry \d+, and the database is at entry \d+`},
		"wrong log": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, log), func(data []byte) []byte { data[100_000] ^= 1; return data })
		}, `the write-ahead log .* is damaged`},
		"empty db": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, db), func([]byte) []byte { return []byte("x") })
		}, `the database .* is damaged`},
		"short db": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, db), func(data []byte) []byte { return data[:len(data)/4] })
		}, `the database .* is damaged`},
		"wrong db": {func(t *testing.T, dir string) { edit(t, filepath.Join(dir, db), scramble) }, `the database .* is damaged`},
		"no headers": {func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, db), func(data []byte) []byte { clear(data[:8192]); return data })
		}, `the database .* is damaged`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.damage(t, dir)
			e, err := Start(t.Context(), dir, Options{Forgetful: true})
			if err == nil {
				e.Close()
				t.Fatal("it starts")
			}
			if !regexp.MustCompile(c.want).MatchString(err.Error()) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if leftovers, _ := fs.Glob(os.DirFS(dir), "sockets/*"); len(leftovers) > 0 {
				t.Errorf("left behind: %v", leftovers)
			}
		})
	}
}

// scramble overwrites every page of a database after the first four.
func scramble(data []byte) []byte {
	for i := 4 * 4096; i < len(data); i++ {
		data[i] = byte(i * 31)
	}
	return data
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

// Warnings of etcd are in the log of the process.
func TestWarningsAreLogged(t *testing.T) {
	var out strings.Builder
	klog.LogToStderr(false)
	klog.SetOutput(&out)
	defer klog.LogToStderr(true)
	logger, enter := newLogger()
	logger.Warn("it started, which is nothing")
	enter(running)
	logger = logger.With(zap.String("dir", "d"))
	logger.Info("nothing")
	logger.Warn("slow", zap.Duration("took", time.Second))
	logger.Error("broken", zap.Error(os.ErrClosed))
	enter(stopping)
	logger.Error("it stopped, which is nothing")
	func() {
		defer func() { recover() }()
		logger.Panic("the end")
	}()
	logger, enter = newLogger()
	logger.Warn("odd")
	enter(failed)
	logger.Error("it stopped, which is nothing")
	logger, enter = newLogger()
	logger.Warn("it started, which is nothing")
	enter(stopping)
	if err := logger.Sync(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`W[0-9]{4} .*\] etcd: slow {"dir": "d", "took": "1s"}`, `E[0-9]{4} .*\] etcd: broken {"dir": "d", "error": "file already closed"}`, `W[0-9]{4} .*\] etcd: odd`, `E[0-9]{4} .*\] etcd: the end`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the log lacks %s:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "nothing") {
		t.Errorf("the log has what nobody needs:\n%s", out.String())
	}
}
