package output

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// errLocked says that another process has the lock.
var errLocked = errors.New("another prune-gen is writing to this directory")

// lockPatience is how long a run waits for another one. Writing takes far less.
const lockPatience = 20 * time.Second

// lock keeps other runs of prune-gen from writing to a directory below the output directory, until the process ends, in
// whatever way, or the lock is closed. It is nil where the file system has no locks.
func (t *Tree) lock(sub string, patience time.Duration, interrupted func() error) (io.Closer, error) {
	for deadline := time.Now().Add(patience); ; {
		l, err := lockDir(t, sub)
		if !errors.Is(err, errLocked) {
			return l, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%s: %w", filepath.Join(t.dir, sub), err)
		}
		if err := interrupted(); err != nil {
			return nil, err
		}
		time.Sleep(5 * time.Millisecond)
	}
}
