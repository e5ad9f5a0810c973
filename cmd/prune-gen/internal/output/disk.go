package output

import (
	"io/fs"
	"os"
)

// disk is the part of an os.Root that a Tree needs. Tests have disks that fail.
type disk interface {
	Open(name string) (*os.File, error)
	Lstat(name string) (fs.FileInfo, error)
	Close() error

	// Create makes a new file. After an error there may be a part of it.
	Create(name string, data []byte, perm fs.FileMode) error
	Link(old, new string) error
	Mkdir(name string, perm fs.FileMode) error
	Rename(old, new string) error
	Remove(name string) error
}

// osDisk is the disk.
type osDisk struct{ *os.Root }

func (d osDisk) Create(name string, data []byte, perm fs.FileMode) error {
	w, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}
