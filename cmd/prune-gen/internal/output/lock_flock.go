//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"errors"
	"io"
	"syscall"
)

// lockDir locks the directory itself, so that no file is left behind.
func lockDir(t *Tree, sub string) (io.Closer, error) {
	dir, err := t.root.Open(sub)
	if err != nil {
		return nil, err
	}
	for {
		switch err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return dir, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			dir.Close()
			return nil, errLocked
		}
		dir.Close()
		return nil, nil // some network file systems have no locks
	}
}
