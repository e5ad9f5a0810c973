package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"go.etcd.io/etcd/client/pkg/v3/fileutil"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.uber.org/zap"
)

// lockTimeout is how long another process may hold the lock of a database.
const lockTimeout = time.Second

// verify returns an error if etcd, which does not run yet, could not use its data: etcd itself panics or hangs if the data is read-only,
// its database is damaged, or its log is shorter than the database.
func verify(data string) error {
	snap, dir := filepath.Join(data, "member", "snap"), filepath.Join(data, "member", "wal")
	for _, err := range []error{writable(snap, "db"), writable(dir, "*.wal")} {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	path := filepath.Join(snap, "db")
	if !fileutil.Exist(path) {
		return nil
	}
	applied, err := verifyDatabase(path)
	if err != nil {
		return err
	}
	if !wal.Exist(dir) {
		if applied == 0 {
			return nil // it was stopped before it wrote anything
		}
		return fmt.Errorf("the write-ahead log %s is missing: restore the directory from a backup", dir)
	}
	last, err := lastLogged(dir)
	if err != nil {
		return fmt.Errorf("the write-ahead log %s is damaged: %w: restore the directory from a backup", dir, err)
	}
	if applied > last {
		return fmt.Errorf("the write-ahead log %s ends at entry %d, and the database is at entry %d: restore the directory from a backup", dir, last, applied)
	}
	return nil
}

// writable returns an error if this process may not write to a directory, or to its files that match a pattern.
func writable(dir, pattern string) error {
	files, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		return err
	}
	for _, file := range files {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	return fileutil.IsDirWriteable(dir)
}

// verifyDatabase reads everything in a database, and returns the last entry of the log that was applied to it.
func verifyDatabase(path string) (applied uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the database %s is damaged: %v: restore the directory from a backup", path, p)
		}
	}()
	// The database is mapped into memory: where the file ends too early, reading it is a fault.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return 0, fmt.Errorf("the database %s is in use by another process", path)
	}
	if err != nil {
		return 0, fmt.Errorf("the database %s is damaged: %w: restore the directory from a backup", path, err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		if meta := tx.Bucket([]byte("meta")); meta != nil {
			if v := meta.Get([]byte("consistent_index")); len(v) == 8 {
				applied = binary.BigEndian.Uint64(v)
			}
		}
		sum := crc32.NewIEEE() // of no interest: it reads every byte
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				sum.Write(k)
				sum.Write(v)
				return nil
			})
		})
	})
	return applied, err
}

// lastLogged returns the last entry of a write-ahead log.
func lastLogged(dir string) (last uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	lg := zap.NewNop()
	snapshots, err := wal.ValidSnapshotEntries(lg, dir)
	if err != nil {
		return 0, err
	}
	snapshot := &walpb.Snapshot{}
	if len(snapshots) > 0 {
		snapshot = snapshots[len(snapshots)-1]
	}
	w, err := wal.OpenForRead(lg, dir, snapshot)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	_, _, entries, err := w.ReadAll()
	if err != nil {
		return 0, err
	}
	last = snapshot.GetIndex()
	if len(entries) > 0 {
		last = entries[len(entries)-1].GetIndex()
	}
	return last, nil
}
