package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir opens a file for this process alone. Windows removes it when the process closes it or ends.
func lockDir(t *Tree, sub string) (io.Closer, error) {
	const (
		deleteOnClose    = 0x04000000
		sharingViolation = syscall.Errno(32)
		deletePending    = syscall.Errno(303)
	)
	name := filepath.Join(t.dir, sub, crashPrefix+"lock")
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, deleteOnClose, 0)
	switch {
	case errors.Is(err, sharingViolation), errors.Is(err, deletePending), errors.Is(err, syscall.ERROR_ACCESS_DENIED):
		return nil, errLocked
	case err != nil:
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}
